/** Plugin for Fastify (4 and 5): masks fields of requests and restores responses. */
import { pipeline, Readable, Transform } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
// Only for its types, which are extended below.
import type {} from 'fastify';
import type { TokenMap } from '../core/vault.ts';
import { checkFieldsOptions, type FieldsOptions, hasBody, maskFields, toFailure, unparsed } from './fields.ts';
import { type NodeResponse, restoreWrites } from './node-response.ts';
import { checkPrivet } from './option-values.ts';
import type { Privet } from './privet.ts';
import { restoreResponse } from './protect-fetch.ts';
import { newSessionId } from './session.ts';
import { answerKind, ByteRestorer, restoreAnswerText } from './streams.ts';

/** Options of {@link privetFastify}. */
export type FastifyOptions = FieldsOptions & {
  readonly privet: Privet;
  /** The session of a request: values keep their tokens over several requests. Default: a new one per request. */
  readonly session?: (request: FastifyRequestLike) => string | undefined;
  /** Restore the response. Default true. */
  readonly restore?: boolean;
};

/** The used part of a request. After the hook, `request.privet` has the session. */
export type FastifyRequestLike = {
  body?: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  privet?: { readonly sessionId: string } | null;
};

/** The used part of a reply. */
export type FastifyReplyLike = {
  readonly raw: NodeResponse;
  code(status: number): FastifyReplyLike;
  send(payload: unknown): FastifyReplyLike;
  getHeader(name: string): unknown;
  removeHeader(name: string): unknown;
};

/** The used part of an instance. */
export type FastifyLike = {
  decorateRequest(name: string, value: null): unknown;
  // Fastify's types are many overloads; any instance fits.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  addHook(name: any, hook: any): unknown;
};

declare module 'fastify' {
  /** Added to requests by the plugin. */
  interface FastifyRequest {
    privet: { readonly sessionId: string } | null;
  }
}

/**
 * Masks the body before validation and handlers, and restores the response, whole or streamed. Applies to the whole
 * instance that it is registered on. If masking fails, the response is 500 with the error code, and no handler is
 * called.
 *
 * @example
 * await app.register(privetFastify, { privet: createPrivet(), fields: ['question'] });
 */
export async function privetFastify(app: FastifyLike, options: FastifyOptions): Promise<void> {
  // Other options are Fastify's own, which it passes on.
  checkFieldsOptions('privetFastify', options, ['privet', 'prefix', 'logLevel', 'logSerializers']);
  const { privet, session, restore, ...fields } = options;
  checkPrivet('privetFastify', privet);
  app.decorateRequest('privet', null);
  /** Requests whose response goes through the hook below. */
  const sent = new WeakSet<FastifyRequestLike>();
  app.addHook('preValidation', async (request: FastifyRequestLike, reply: FastifyReplyLike) => {
    const sessionId = session?.(request) ?? newSessionId();
    try {
      if (request.body === undefined || request.body === null) {
        if (hasBody(request.headers)) throw unparsed();
      } else {
        const contentType = request.headers['content-type'];
        request.body = await maskFields(privet, request.body, {
          ...fields,
          sessionId,
          contentType: Array.isArray(contentType) ? contentType[0] : contentType,
        });
      }
      request.privet = { sessionId };
      const map = restore === false ? undefined : await privet.tokens(sessionId);
      // A handler may write to Node's response directly.
      if (map !== undefined && map.size > 0) restoreWrites(reply.raw, map, () => sent.has(request));
    } catch (error) {
      const { status, body } = toFailure(error);
      return reply.code(status).send(body);
    }
  });
  if (restore === false) return;
  app.addHook('onSend', async (request: FastifyRequestLike, reply: FastifyReplyLike, payload: unknown) => {
    sent.add(request);
    const sessionId = request.privet?.sessionId;
    const map = sessionId === undefined ? undefined : await privet.tokens(sessionId);
    if (map === undefined || map.size === 0 || reply.getHeader('content-encoding') !== undefined) return payload;
    if (payload instanceof Response) return restoredResponse(payload, map);
    return restorePayload(payload, String(reply.getHeader('content-type') ?? ''), map, () =>
      reply.removeHeader('content-length'),
    );
  });
}

// Without this mark, Fastify limits the hooks to the plugin.
Object.assign(privetFastify, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'privet',
});

/** Responses compressed by the handler are left alone. A fetch response is decoded and only keeps the field. */
function restoredResponse(response: Response, map: TokenMap): Response | Promise<Response> {
  const isCoded = response.headers.has('content-encoding') && response.url === '';
  return isCoded ? response : restoreResponse(response, map);
}

function restorePayload(payload: unknown, contentType: string, map: TokenMap, onChange: () => void): unknown {
  const kind = answerKind(contentType);
  if (kind === undefined) return payload;
  if (typeof payload === 'string') {
    const restored = restoreAnswerText(kind, payload, map);
    if (restored !== payload) onChange();
    return restored;
  }
  const source = sourceOf(payload);
  if (source === undefined) return payload;
  onChange();
  const restorer = new ByteRestorer(kind, map, (bytes) => void restored.push(bytes));
  const restored = new Transform({
    writableObjectMode: true,
    transform(chunk: string | Uint8Array, _encoding, done) {
      done(null, restorer.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk));
    },
    flush(done) {
      done(null, restorer.end());
    },
  });
  // Ends the source when the client has left, even a silent one; errors of either side reach the other.
  pipeline(source, restored, () => restorer.stop());
  return restored;
}

function sourceOf(payload: unknown): Readable | undefined {
  if (payload instanceof Uint8Array) return Readable.from([payload]);
  if (payload instanceof Readable) return payload;
  if (payload instanceof ReadableStream) return Readable.fromWeb(payload as NodeReadableStream);
  return undefined;
}
