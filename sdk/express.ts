/** Middleware for Express (4 and 5): masks fields of requests and restores responses. */
import type { TokenMap } from '../core/vault.ts';
import { checkFieldsOptions, type FieldsOptions, hasBody, maskFields, toFailure, unparsed } from './fields.ts';
import { kindOf, type NodeResponse, restoreWrites } from './node-response.ts';
import { checkPrivet } from './option-values.ts';
import type { Privet } from './privet.ts';
import { newSessionId } from './session.ts';
import { restoreAnswerText } from './streams.ts';

/** Options of {@link privetExpress}. */
export type ExpressOptions = FieldsOptions & {
  /** The session of a request: values keep their tokens over several requests. Default: a new one per request. */
  readonly session?: (req: ExpressRequest) => string | undefined;
  /** Restore the response. Default true. */
  readonly restore?: boolean;
};

/** The used part of a request. After the middleware, `req.privet` has the session. */
export type ExpressRequest = {
  body?: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Set by body parsers. */
  readonly _body?: boolean;
  /** False until the body is read (node:stream). */
  readonly readableDidRead?: boolean;
  privet?: { readonly sessionId: string };
};

/** The used part of a response. */
export type ExpressResponse = NodeResponse & {
  status(code: number): ExpressResponse;
  json(body: unknown): unknown;
  jsonp?(...values: unknown[]): unknown;
  send(body?: unknown): unknown;
};

declare global {
  namespace Express {
    /** Added to requests by the middleware. */
    interface Request {
      privet?: { readonly sessionId: string };
    }
  }
}

/**
 * Masks `req.body` before the next handler, and restores the response, whole or streamed. Use it after the body parser.
 * If masking fails, the response is 500 with the error code, and no handler is called.
 *
 * @example
 * app.use(express.json());
 * app.use('/ask', privetExpress(createPrivet(), { fields: ['question'] }));
 */
export function privetExpress(privet: Privet, options: ExpressOptions = {}) {
  checkPrivet('privetExpress', privet);
  checkFieldsOptions('privetExpress', options);
  return async (req: ExpressRequest, res: ExpressResponse, next: (error?: unknown) => void): Promise<void> => {
    const sessionId = options.session?.(req) ?? newSessionId();
    try {
      if (hasBody(req.headers) && (req.body === undefined || isUnread(req))) throw unparsed();
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

/** True for an unread body. In Express 4 a parser for another type sets `req.body` too, before a later one reads it. */
function isUnread({ _body, readableDidRead }: ExpressRequest): boolean {
  return readableDidRead === false && _body !== true;
}

function header(req: ExpressRequest, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Restores responses: `send` and `jsonp` completely, written data as a stream of the declared kind. */
function restoreAnswer(res: ExpressResponse, map: TokenMap): void {
  const { send, jsonp } = res;
  const written = restoreWrites(res, map);
  res.send = (body) => {
    // Objects arrive here again as JSON text.
    if (typeof body !== 'string') return send.call(res, body);
    written.pass();
    // Express declares text without a type as HTML.
    const kind = kindOf(res, 'text/html');
    return send.call(res, kind === undefined ? body : restoreAnswerText(kind, body, map));
  };
  // The response is then a script, in which nothing is restored.
  if (jsonp)
    res.jsonp = (...values) =>
      jsonp.apply(
        res,
        values.map((value) => restoredValue(value, map)),
      );
}

function restoredValue(value: unknown, map: TokenMap): unknown {
  const json = typeof value === 'number' ? undefined : JSON.stringify(value);
  return json === undefined ? value : JSON.parse(restoreAnswerText('json', json, map));
}
