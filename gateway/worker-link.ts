/** A worker's end of the link to the process that started it. */
import type { MetricsOfProcess } from './observe/metrics-of-workers.ts';
import type { FromWorker, ToWorker } from './workers.ts';

/** Messages a worker sends and answers; see workers.ts. */
export class WorkerLink {
  readonly #ownMetrics: (how: { countersOnly?: boolean }) => Promise<MetricsOfProcess>;
  readonly #waiting = new Map<number, (text: string) => void>();
  #asked = 0;

  /** `onOrphaned`: called when the parent process is gone. */
  constructor(options: {
    ownMetrics: (how: { countersOnly?: boolean }) => Promise<MetricsOfProcess>;
    onOrphaned: () => void;
  }) {
    this.#ownMetrics = options.ownMetrics;
    process.on('message', (message: ToWorker) => this.#hear(message));
    process.on('disconnect', options.onOrphaned);
  }

  /** Reports that both listeners are open. */
  listening(ports: { proxyPort: number; apiPort: number }): void {
    this.#say({ kind: 'listening', ...ports });
  }

  /** The metrics of all workers in Prometheus text format. */
  metricsOfAll(): Promise<string> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#say({ kind: 'collect', id });
    });
  }

  #hear(message: ToWorker): void {
    if (message.kind === 'metrics') {
      void this.#ownMetrics(message).then((metrics) => this.#say({ kind: 'metrics', id: message.id, metrics }));
    } else {
      this.#waiting.get(message.id)?.(message.text);
      this.#waiting.delete(message.id);
    }
  }

  #say(message: FromWorker): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }
}
