/** The output of a gateway: as text, and its JSON lines as events. */

/** One line of the gateway's JSON log. */
export type LogEvent = Readonly<Record<string, unknown>>;

/** Collects the lines of one gateway until it ends. */
export class GatewayLog {
  text = '';
  readonly events: LogEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #ended = false;

  /** The first event, past or future, that satisfies the test. @throws Error with the log if none comes. */
  event(matches: (event: LogEvent) => boolean, timeoutMs: number): Promise<LogEvent> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = this.events.find(matches);
        if (found === undefined && !this.#ended) return;
        clearTimeout(timer);
        this.#waiting.delete(check);
        if (found !== undefined) resolve(found);
        else reject(new Error(`the gateway ended:\n${this.text}`));
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(check);
        reject(new Error(`no such log event; the log was:\n${this.text}`));
      }, timeoutMs);
      this.#waiting.add(check);
      check();
    });
  }

  /** Takes a line, with or without its line break. */
  add(line: string): void {
    this.text += line.endsWith('\n') ? line : `${line}\n`;
    try {
      const value: unknown = JSON.parse(line);
      if (isPlain(value)) this.events.push(value);
    } catch {
      // Not a log line.
    }
    this.#wake();
  }

  /** The gateway has ended: who still waits for an event gets an error. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const check of [...this.#waiting]) check();
  }
}

/** Whether a value is an object with members. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
