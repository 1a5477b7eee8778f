/** Middleware for Express (4 and 5): masks the fields of a request, restores the answer. */
import type { TokenMap } from '../core/vault.ts';
import { checkFieldsOptions, type FieldsOptions, hasBody, maskFields, toFailure, unparsed } from './fields.ts';
import { kindOf, type NodeResponse, restoreWrites } from './node-response.ts';
import { checkPrivet } from './option-values.ts';
import type { Privet } from './privet.ts';
import { newSessionId } from './session.ts';
import { restoreAnswerText } from './streams.ts';

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
  /** Set by body parsers. */
  readonly _body?: boolean;
  /** False while nobody has read the body (node:stream). */
  readonly readableDidRead?: boolean;
  privet?: { readonly sessionId: string };
};

/** What is used of a response. */
export type ExpressResponse = NodeResponse & {
  status(code: number): ExpressResponse;
  json(body: unknown): unknown;
  jsonp?(...values: unknown[]): unknown;
  send(body?: unknown): unknown;
};

declare global {
  namespace Express {
    /** What the middleware adds to the requests of Express. */
    interface Request {
      privet?: { readonly sessionId: string };
    }
  }
}

/**
 * Masks `req.body` before the next handler sees it, and restores what is answered, as a whole or as a stream. Put it
 * after the body parser. When masking fails, the answer is 500 with the code of the error and no handler is called.
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

/** In Express 4 a parser that is not for the type of a body sets `req.body` all the same, and a later one reads the body. */
function isUnread({ _body, readableDidRead }: ExpressRequest): boolean {
  return readableDidRead === false && _body !== true;
}

function header(req: ExpressRequest, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Restores what the handlers answer: `send` and `jsonp` as a whole, what is written as a stream of the declared kind. */
function restoreAnswer(res: ExpressResponse, map: TokenMap): void {
  const { send, jsonp } = res;
  const written = restoreWrites(res, map);
  res.send = (body) => {
    // Objects come back here as JSON text.
    if (typeof body !== 'string') return send.call(res, body);
    written.pass();
    // Express declares a text that says nothing of itself as a page.
    const kind = kindOf(res, 'text/html');
    return send.call(res, kind === undefined ? body : restoreAnswerText(kind, body, map));
  };
  // What is sent is a script then, in which nothing is restored.
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
