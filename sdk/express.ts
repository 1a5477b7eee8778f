/** Middleware for Express (4 and 5): masks the fields of a request, restores the answer. */
import type { StreamKind } from '../core/stream/stream-restorer.ts';
import type { TokenMap } from '../core/vault.ts';
import { checkFieldsOptions, type FieldsOptions, hasBody, maskFields, toFailure, unparsed } from './fields.ts';
import type { Privet } from './privet.ts';
import { newSessionId } from './session.ts';
import { answerKind, ByteRestorer, restoreAnswerText } from './streams.ts';

/** Options of {@link privetExpress}. */
export type ExpressOptions = FieldsOptions & {
  /** The session of a request, so that values keep their tokens over several. Default: a new one for each. */
  readonly session?: (req: ExpressRequest) => string | undefined;
  /** Put the values back into the answer. Default true. */
  readonly restore?: boolean;
};

/** What is used of a request. After the middleware, `req.privet` holds the session. */
export type ExpressRequest = {
  body?: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  privet?: { readonly sessionId: string };
};

/** What is used of a response. */
export type ExpressResponse = {
  readonly headersSent: boolean;
  status(code: number): ExpressResponse;
  json(body: unknown): unknown;
  send(body?: unknown): unknown;
  getHeader(name: string): unknown;
  removeHeader(name: string): void;
  setHeader(name: string, value: string | readonly string[]): unknown;
  write(...args: never[]): boolean;
  writeHead(...args: never[]): unknown;
  end(...args: never[]): unknown;
};

/**
 * Masks `req.body` before the next handler sees it, and restores what is answered, as a whole or as a stream. Put it
 * after the body parser. When masking fails, the answer is 500 with the code of the error and no handler is called.
 *
 * @example
 * app.use(express.json());
 * app.use('/ask', privetExpress(createPrivet(), { fields: ['question'] }));
 */
export function privetExpress(privet: Privet, options: ExpressOptions = {}) {
  checkFieldsOptions('privetExpress', options);
  return async (req: ExpressRequest, res: ExpressResponse, next: (error?: unknown) => void): Promise<void> => {
    const sessionId = options.session?.(req) ?? newSessionId();
    try {
      if (req.body === undefined && hasBody(req.headers)) throw unparsed();
      if (req.body !== undefined) {
        req.body = await maskFields(privet, req.body, {
          ...options,
          sessionId,
          contentType: header(req, 'content-type'),
        });
      }
      req.privet = { sessionId };
      const map = options.restore === false ? undefined : await privet.tokens(sessionId);
      if (map !== undefined && map.size > 0) restoreAnswer(res, map);
    } catch (error) {
      const { status, body } = toFailure(error);
      res.status(status).json(body);
      return;
    }
    next();
  };
}

function header(req: ExpressRequest, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Restores what the handlers write: `send` as a whole, `write` and `end` as a stream of the declared kind. */
function restoreAnswer(res: ExpressResponse, map: TokenMap): void {
  const send = res.send.bind(res);
  const write = res.write.bind(res) as (...args: unknown[]) => boolean;
  const end = res.end.bind(res) as (...args: unknown[]) => unknown;
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => unknown;
  let stream: ByteRestorer | 'pass' | undefined;
  const open = (): ByteRestorer | 'pass' => {
    if (stream === undefined) {
      const kind = kindOf(res);
      stream = kind === undefined ? 'pass' : new ByteRestorer(kind, map, (bytes) => void write(bytes));
      if (kind !== undefined && !res.headersSent) res.removeHeader('content-length');
    }
    return stream;
  };

  res.send = (body) => {
    // Objects come back here as JSON text.
    if (typeof body !== 'string') return send(body);
    stream = 'pass';
    // Express declares a text that says nothing of itself as a page.
    const kind = kindOf(res, 'text/html');
    return send(kind === undefined ? body : restoreAnswerText(kind, body, map));
  };
  // Fields that are given here alone could not be asked for, and their length would be sent at once.
  res.writeHead = ((...args: unknown[]) => {
    setFields(res, args.at(-1));
    open();
    return writeHead(...(typeof args.at(-1) === 'object' ? args.slice(0, -1) : args));
  }) as ExpressResponse['writeHead'];
  res.write = ((chunk: unknown, encoding?: unknown, done?: unknown) => {
    const restorer = open();
    if (restorer === 'pass') return write(chunk, encoding, done);
    const callback = typeof encoding === 'function' ? encoding : done;
    return write(restorer.push(bytesOf(chunk)), callback);
  }) as ExpressResponse['write'];
  res.end = ((chunk?: unknown, encoding?: unknown, done?: unknown) => {
    const callback = [chunk, encoding, done].find((argument) => typeof argument === 'function');
    const hasChunk = chunk !== undefined && chunk !== null && typeof chunk !== 'function';
    if (!hasChunk && stream === undefined) stream = 'pass';
    const restorer = open();
    if (restorer === 'pass') return end(chunk, encoding, done);
    const last = hasChunk ? [restorer.push(bytesOf(chunk)), restorer.end()] : [restorer.end()];
    stream = 'pass';
    for (const bytes of last) if (bytes.length > 0) write(bytes);
    return end(callback);
  }) as ExpressResponse['end'];
}

/** The fields of `writeHead`: an object, a list of pairs, or a flat list of names and values. */
function setFields(res: ExpressResponse, fields: unknown): void {
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

function kindOf(res: ExpressResponse, undeclared = ''): StreamKind | undefined {
  if (res.getHeader('content-encoding') !== undefined) return undefined;
  return answerKind(String(res.getHeader('content-type') ?? undeclared));
}

function bytesOf(chunk: unknown): Uint8Array {
  return typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array);
}
