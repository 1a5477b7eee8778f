/** Restores data written to a node:http response by a handler, a piped stream or a framework. */
import type { StreamKind } from '../core/stream/stream-restorer.ts';
import type { TokenMap } from '../core/vault.ts';
import { answerKind, ByteRestorer } from './streams.ts';

/** The used part of a node:http response. */
export type NodeResponse = {
  readonly headersSent: boolean;
  getHeader(name: string): unknown;
  removeHeader(name: string): void;
  setHeader(name: string, value: string | readonly string[]): unknown;
  once(event: string, listener: () => void): unknown;
  write(...args: never[]): boolean;
  writeHead(...args: never[]): unknown;
  end(...args: never[]): unknown;
};

type Method = 'write' | 'writeHead' | 'end';
type Call = (...args: unknown[]) => unknown;

/** Lets the response continue unchanged. */
export type ResponseRestorer = { pass(): void };

/**
 * Wraps `write`, `end` and `writeHead` of the response, including those that later middleware sets (compression), which
 * then gets restored text. `isRestored`: the response is restored elsewhere.
 */
export function restoreWrites(
  res: NodeResponse,
  map: TokenMap,
  isRestored: () => boolean = () => false,
): ResponseRestorer {
  let stream: ByteRestorer | 'pass' | undefined;
  const open = (): ByteRestorer | 'pass' => {
    if (stream !== undefined) return stream;
    const kind = isRestored() ? undefined : kindOf(res);
    stream = kind === undefined ? 'pass' : new ByteRestorer(kind, map, (bytes) => void next.write(bytes));
    if (kind !== undefined && !res.headersSent) res.removeHeader('content-length');
    return stream;
  };
  const ours: Record<Method, (args: unknown[]) => unknown> = {
    // Headers given only here could not be read later, and their length would be sent at once.
    writeHead(args) {
      setFields(res, args.at(-1));
      open();
      return next.writeHead(...(typeof args.at(-1) === 'object' ? args.slice(0, -1) : args));
    },
    write(args) {
      const restorer = open();
      if (restorer === 'pass') return next.write(...args);
      const [chunk, encoding] = args;
      return next.write(restorer.push(bytesOf(chunk, encoding)), undefined, args.find(isCallback));
    },
    end(args) {
      const [chunk, encoding] = args;
      const hasChunk = chunk !== undefined && chunk !== null && !isCallback(chunk);
      if (!hasChunk && stream === undefined) stream = 'pass';
      const restorer = open();
      if (restorer === 'pass') return next.end(...args);
      const last = hasChunk ? [restorer.push(bytesOf(chunk, encoding)), restorer.end()] : [restorer.end()];
      stream = 'pass';
      // Some middleware that wraps `end` does not accept a callback.
      const callback = args.find(isCallback);
      if (callback) res.once('finish', callback);
      for (const bytes of last) if (bytes.length > 0) next.write(bytes);
      return next.end();
    },
  };
  const next = {} as Record<Method, Call>;
  for (const name of ['write', 'writeHead', 'end'] as const) wrap(res, name, ours[name], (call) => (next[name] = call));
  return {
    pass() {
      stream = 'pass';
    },
  };
}

/** Wraps a method. Ours comes first even if the method is set later, except for callers that kept the earlier one. */
function wrap(res: NodeResponse, name: Method, ours: (args: unknown[]) => unknown, onNext: (next: Call) => void): void {
  let outermost: Call;
  const put = (method: Call) => {
    const call = method.bind(res);
    onNext(call);
    const entry: Call = (...args) => (entry === outermost ? ours(args) : call(...args));
    outermost = entry;
  };
  put(res[name] as Call);
  Object.defineProperty(res, name, { configurable: true, enumerable: true, get: () => outermost, set: put });
}

const isCallback = (value: unknown): value is () => void => typeof value === 'function';

/** Sets the headers of `writeHead`: an object, a list of pairs, or a flat list of names and values. */
function setFields(res: NodeResponse, fields: unknown): void {
  if (typeof fields !== 'object' || fields === null) return;
  const flat = Array.isArray(fields) ? fields.flat() : Object.entries(fields).flat(1);
  const all = new Map<string, string[]>();
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const name = String(flat[i]);
    const values = [flat[i + 1]].flat().filter((value) => value !== undefined);
    all.set(name, [...(all.get(name) ?? []), ...values.map(String)]);
  }
  for (const [name, [first, ...more]] of all)
    if (first !== undefined) res.setHeader(name, more.length === 0 ? first : [first, ...more]);
}

/** The framing of a response by its headers; undefined if it is not restored. */
export function kindOf(res: Pick<NodeResponse, 'getHeader'>, undeclared = ''): StreamKind | undefined {
  if (res.getHeader('content-encoding') !== undefined) return undefined;
  return answerKind(String(res.getHeader('content-type') ?? undeclared));
}

function bytesOf(chunk: unknown, encoding: unknown): Uint8Array {
  if (typeof chunk !== 'string') return chunk as Uint8Array;
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}
