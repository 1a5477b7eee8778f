/**
 * The process log: events with fields, one JSON line each on stdout. It never contains text of a body, a query string,
 * a header value or a key, at any level; library errors are therefore logged without their message.
 */

import { pino } from 'pino';
import { PrivetError } from '../../core/errors.ts';
import { plainField } from './field.ts';
import { type LineSink, StdoutSink } from './stdout-sink.ts';
import { terminalLine } from './terminal.ts';

/** The logging interface: `log.info({ event: 'listening', port }, 'listening')`. */
export type Log = Pick<
  pino.Logger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'level' | 'isLevelEnabled'
>;

/** A log, with a way to flush its buffer before the process ends. */
export type LogHandle = {
  readonly log: Log;
  flush(): void;
  /** Writes a raw line, line break included, in order with the log lines. */
  readonly line: (text: string) => void;
  /** Calls back for every line lost because stdout is not read. */
  onDropped(take: () => void): void;
};

/**
 * A JSON log on stdout, written without blocking; readable lines when stdout is a terminal. The buffer is flushed when
 * the process ends, also on `process.exit`.
 */
export function createLog(options: { level: string; sink?: LineSink | undefined; terminal?: boolean }): LogHandle {
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
  // Node makes a pipe or socket non-blocking when this is first accessed.
  void process.stdout;
  const sink = new StdoutSink(1);
  process.once('exit', () => sink.flushSync());
  return sink;
}

/** Events carry an error code as a string; everything else passes an error. */
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
 * Our own errors and those of the operating system keep their message. All others may quote their input (JSON.parse
 * does), so only name, code and stack positions are kept. Includes causes, up to four levels.
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

/**
 * The stack frames of an error. The stack begins with the message, whose lines may look like frames, so the message is
 * removed first.
 */
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
