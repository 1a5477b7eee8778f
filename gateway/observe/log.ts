/**
 * The log of the process: events with fields, one JSON line each on stdout. It never holds text of a body, a query
 * string, a header value or a key, at any level; errors of libraries are therefore logged without their message.
 */
import { pino } from 'pino';
import { PrivetError } from '../../core/errors.ts';
import { plainField } from './field.ts';
import { StdoutSink } from './stdout-sink.ts';
import { terminalLine } from './terminal.ts';

/** What the rest of the gateway logs with: `log.info({ event: 'listening', port }, 'listening')`. */
export type Log = Pick<
  pino.Logger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'level' | 'isLevelEnabled'
>;

/** A log, and the means to empty its buffer before the process ends. */
export type LogHandle = {
  readonly log: Log;
  flush(): void;
  /** Writes a line of its own, line break included, among those of the log. */
  readonly line: (text: string) => void;
  /** Calls back for every line that is lost because nobody reads stdout. */
  onDropped(take: () => void): void;
};

/** Where lines go; the default is stdout. */
export type LineSink = {
  write(line: string): unknown;
  flushSync?(): void;
  on?(event: 'drop', take: () => void): unknown;
};

/**
 * A JSON log on stdout, written without blocking; readable lines when stdout is a terminal.
 * What is buffered at the end of the process is written then, also on `process.exit`.
 */
export function createLog(options: { level: string; sink?: LineSink; terminal?: boolean }): LogHandle {
  const out = options.sink ?? stdoutSink();
  const terminal = options.terminal ?? (options.sink === undefined && process.stdout.isTTY === true);
  const sink = terminal ? { write: (line: string) => out.write(terminalLine(line)) } : out;
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"ts":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: errorOrCode, err: errorOrCode },
      // An Error given as the first argument would put its message on the line.
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[];
          const fields = first instanceof Error ? { error: first } : first;
          method.apply(this, [fields, ...(first instanceof Error && rest.length === 0 ? ['error'] : rest)] as never);
        },
      },
    },
    sink as pino.DestinationStream,
  );
  return {
    log,
    flush: () => out.flushSync?.(),
    line: (text) => void out.write(text),
    onDropped: (take) => void out.on?.('drop', take),
  };
}

function stdoutSink(): LineSink {
  // node makes a pipe or socket non-blocking when this is first read.
  void process.stdout;
  const sink = new StdoutSink(1);
  process.once('exit', () => sink.flushSync());
  return sink;
}

/** Events carry the code of an error as a string, everything else an error. */
function errorOrCode(error: unknown): string | ErrorFields {
  return typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? error : errorFields(error);
}

/** The fields of an error that are safe to log. */
export type ErrorFields = {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
};

/**
 * Our own errors and those of the operating system keep their message; all others may quote what they choked on
 * (JSON.parse does), so only name, code and the place are kept. Causes down to four levels.
 */
function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isOurs = error instanceof PrivetError;
  const hasSafeMessage = isOurs || typeof syscall === 'string';
  return {
    name: plainField(error.name, 100),
    ...(typeof code === 'string' ? { code: plainField(code, 100) } : {}),
    ...(hasSafeMessage ? { message: plainField(error.message, 500) } : {}),
    ...(isOurs ? {} : { stack: placesOf(error) }),
    ...(error.cause !== undefined && depth < 4 ? { cause: errorFields(error.cause, depth + 1) } : {}),
  };
}

/** The places that a stack names. It begins with the message, whose lines may look like places, so that goes first. */
function placesOf(error: Error): string {
  const { stack = '', message } = error;
  const messageAt = stack.indexOf(message);
  if (messageAt < 0) return '';
  const lines = stack.slice(messageAt + message.length).split('\n');
  return lines
    .filter((line) => /^ {4}at [^\n]*:\d+:\d+\)?$/.test(line))
    .slice(0, 12)
    .map((line) => line.trim())
    .join(' | ');
}
