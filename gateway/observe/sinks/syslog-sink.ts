/**
 * Sends lines to a syslog server: RFC 5424 messages over TCP with octet counting (RFC 6587 section 3.4.1) or over TLS
 * (RFC 5425).
 * Neither has acknowledgements, so what was handed to the system shortly before a connection broke is sent again over
 * the next one. A message may arrive twice (the request id shows it), and is lost only if the buffer overflows.
 * States: `away` (waits to reconnect) → `connecting` → `open` → `away`; `closed` is final.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { Log } from '../log.ts';
import type { OnDropped, Severity, Sink } from './sink.ts';

export type SyslogOptions = {
  readonly host: string;
  readonly port: number;
  /**
   * TLS settings, read at every connection, so that renewed certificates are used; the server's certificate is always
   * verified. Absent: plain TCP.
   */
  readonly tls?: () => Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>;
  /** 0 to 23; RFC 5424 section 6.2.1. */
  readonly facility: number;
  /** Name of this machine, visible ASCII. */
  readonly hostname: string;
  /** Maximum number of pending bytes; beyond that, new lines are dropped and counted. */
  readonly bufferedBytesMax: number;
  readonly log: Log;
  readonly onDropped: OnDropped;
  /** Times in milliseconds, for tests. */
  readonly times?: Partial<typeof defaultTimes>;
};

const defaultTimes = {
  connect: 10_000,
  /** First delay before a retry; it doubles. */
  retry: 250,
  retryMax: 30_000,
  /** How recently a message must have been handed over to be sent again. */
  unsure: 5_000,
  /** How long shutdown waits. */
  close: 5_000,
};
const chunkBytesMax = 64 * 1024;

type Sent = { readonly frame: Buffer; readonly at: number };

/** A connection to one server, re-established whenever it breaks, with a limited buffer. */
export class SyslogSink implements Sink {
  readonly #options: SyslogOptions;
  readonly #times: typeof defaultTimes;
  #state: 'away' | 'connecting' | 'open' | 'closed' = 'away';
  #socket: Socket | undefined;
  /** Not handed to the system yet; the first {@link #handed} of them are being handed over. */
  #waiting: Buffer[] = [];
  #handed = 0;
  /** Handed over recently, oldest first. */
  #sent: Sent[] = [];
  #bytes = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: NodeJS.Immediate | undefined;
  #hasTold = false;
  #onIdle: (() => void) | undefined;

  constructor(options: SyslogOptions) {
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
    this.#connect();
  }

  write(line: string, at: Date, severity: Severity): void {
    const { facility, hostname, bufferedBytesMax, onDropped } = this.#options;
    const head = `<${facility * 8 + severity}>1 ${at.toISOString()} ${hostname || '-'} privet ${process.pid} decision - `;
    const message = Buffer.from(head + asciiJson(line));
    const frame = Buffer.concat([Buffer.from(`${message.length} `), message]);
    // Drop sent messages first: they have most probably arrived.
    while (this.#bytes + frame.length > bufferedBytesMax && this.#sent.length > 0) this.#forget(1);
    if (this.#bytes + frame.length > bufferedBytesMax || this.#state === 'closed') {
      onDropped('syslog', 1);
      return;
    }
    this.#waiting.push(frame);
    this.#bytes += frame.length;
    if (this.#state === 'open') this.#flushing ??= setImmediate(() => this.flush());
  }

  reopen(): void {}

  /** Hands over as much as the connection accepts at once; the rest follows when it has been sent. */
  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const socket = this.#socket;
    if (this.#state !== 'open' || socket === undefined || this.#handed > 0) return;
    this.#forgetOld();
    let bytes = 0;
    while (this.#handed < this.#waiting.length && bytes < chunkBytesMax) {
      bytes += (this.#waiting[this.#handed++] as Buffer).length;
    }
    if (this.#handed === 0) {
      this.#onIdle?.();
      return;
    }
    socket.write(Buffer.concat(this.#waiting.slice(0, this.#handed)), (error) => {
      if (error || socket !== this.#socket) return;
      const at = performance.now();
      for (const frame of this.#waiting.splice(0, this.#handed)) this.#sent.push({ frame, at });
      this.#handed = 0;
      this.flush();
    });
  }

  /** Gives the rest a short time, and counts what remains as dropped. */
  async close(): Promise<void> {
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    this.flush();
    if (this.#waiting.length === 0) this.#onIdle?.();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, this.#times.close);
    });
    await Promise.race([idle, late]);
    clearTimeout(timer);
    clearTimeout(this.#timer);
    this.#state = 'closed';
    if (this.#waiting.length > 0) this.#options.onDropped('syslog', this.#waiting.length);
    const socket = this.#socket;
    if (socket === undefined || socket.destroyed) return;
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.end();
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500).unref())]);
    socket.destroy();
  }

  #connect(): void {
    this.#state = 'connecting';
    const { host, port, tls } = this.#options;
    let socket: Socket;
    try {
      socket =
        tls === undefined
          ? connectTcp({ host, port, keepAlive: true, keepAliveInitialDelay: 10_000 })
          : connectTls({
              host,
              port,
              ...tls(),
              minVersion: 'TLSv1.2',
              ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
            });
    } catch (error) {
      // A certificate that is being replaced.
      this.#lost(error, undefined);
      return;
    }
    this.#socket = socket;
    const late = setTimeout(() => socket.destroy(new Error('timeout')), this.#times.connect);
    let openedAt: number | undefined;
    let failure: unknown;
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      clearTimeout(late);
      openedAt = performance.now();
      if (this.#state === 'closed') return;
      this.#state = 'open';
      if (this.#hasTold)
        this.#options.log.info({ event: 'audit_sink_back', host, port }, 'connected to the syslog server');
      this.#hasTold = false;
      this.flush();
    });
    socket.on('error', (error) => {
      failure = error;
    });
    // A syslog server sends nothing; discard what it does send, and treat its end as the end.
    socket.on('data', () => {});
    socket.on('end', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(late);
      this.#lost(failure, openedAt);
    });
  }

  #lost(error: unknown, openedAt: number | undefined): void {
    const { log, host, port } = this.#options;
    this.#socket = undefined;
    if (this.#state === 'closed') return;
    this.#state = 'away';
    this.#forgetOld();
    // Messages that may not have arrived go first, in order.
    this.#waiting = [...this.#sent.map(({ frame }) => frame), ...this.#waiting];
    this.#sent = [];
    this.#handed = 0;
    if (openedAt !== undefined && performance.now() - openedAt > this.#times.unsure) this.#failures = 0;
    if (!this.#hasTold) {
      log.error(
        { event: 'audit_sink_away', host, port, error },
        'the syslog server cannot be reached; events are waiting',
      );
    }
    this.#hasTold = true;
    const wait = Math.min(this.#times.retryMax, this.#times.retry * 2 ** this.#failures++);
    this.#timer = setTimeout(() => this.#connect(), wait * (0.8 + Math.random() * 0.4)).unref();
  }

  #forgetOld(): void {
    const until = performance.now() - this.#times.unsure;
    let old = 0;
    while (old < this.#sent.length && (this.#sent[old] as Sent).at < until) old++;
    this.#forget(old);
  }

  #forget(count: number): void {
    for (const { frame } of this.#sent.splice(0, count)) this.#bytes -= frame.length;
  }
}

/** JSON in ASCII: RFC 5424 section 6.4 requires a byte order mark before UTF-8, which JSON parsers do not accept. */
function asciiJson(line: string): string {
  if (!line.startsWith('{')) return line;
  return line.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
