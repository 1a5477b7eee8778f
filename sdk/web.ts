/** For servers with web-standard requests and responses: Hono, Next.js route handlers, Deno, Bun, workers. */
import { PrivetError } from '../core/errors.ts';
import { toFailure } from './fields.ts';
import { checkPrivet } from './option-values.ts';
import { checkOptions, checkTypes, maskBodyOptions } from './options.ts';
import type { MaskBodyOptions, Privet } from './privet.ts';
import { restoreResponse } from './protect-fetch.ts';
import { newSessionId } from './session.ts';

/** Options of {@link privetHandler}. */
export type HandlerOptions = Omit<MaskBodyOptions, 'sessionId' | 'contentType'> & {
  /** The session of a request: values keep their tokens over several requests. Default: a new one per request. */
  readonly session?: (request: Request) => string | undefined;
  /** Restore the response. Default true. */
  readonly restore?: boolean;
};

/**
 * Wraps a handler: it gets the request with a masked body, and its response is restored, whole or streamed. If masking
 * fails, the response is 500 with the error code, and the handler is not called.
 *
 * @example
 * export const POST = privetHandler(createPrivet(), async (request) => Response.json(await ask(await request.json())));
 */
export function privetHandler<Rest extends unknown[]>(
  privet: Privet,
  handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
  options: HandlerOptions = {},
): (request: Request, ...rest: Rest) => Promise<Response> {
  checkPrivet('privetHandler', privet);
  const ofMasking = maskBodyOptions.filter((name) => name !== 'sessionId' && name !== 'contentType');
  checkOptions('privetHandler', options, [...ofMasking, 'session', 'restore']);
  checkTypes(options.types);
  const { session, restore, ...mask } = options;
  return async (request, ...rest) => {
    const sessionId = session?.(request) ?? newSessionId();
    let masked: Request;
    try {
      masked = await maskRequest(privet, request, { ...mask, sessionId });
    } catch (error) {
      const { status, body } = toFailure(error);
      return Response.json(body, { status });
    }
    const response = await handler(masked, ...rest);
    // Responses compressed by the handler are left alone. A fetch response is decoded and only keeps the field.
    const isCoded = response.headers.has('content-encoding') && response.url === '';
    return restore === false || isCoded ? response : restoreResponse(response, await privet.tokens(sessionId));
  };
}

async function maskRequest(privet: Privet, request: Request, options: MaskBodyOptions): Promise<Request> {
  if (request.bodyUsed) {
    throw new PrivetError('internal', 'The body of the request was read before it could be masked.', {
      hint: 'Wrap the outermost handler.',
    });
  }
  if (request.body === null) return request;
  const bytes = new Uint8Array(await request.arrayBuffer());
  const contentType = request.headers.get('content-type') ?? undefined;
  const { body } = await privet.maskBody(bytes, {
    tokenFormat: 'counter',
    ...options,
    ...(contentType === undefined ? {} : { contentType }),
  });
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  return new Request(request, { body: body as RequestInit['body'], headers } as RequestInit);
}
