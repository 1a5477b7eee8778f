/** Trailer fields of answers. */
import type { ClientRequest } from '../request/client-request.ts';
import { headerValue, isHopByHop } from '../request/headers.ts';

/** Fields that frame, route, authenticate or describe a message must precede it (RFC 9110 §6.5.1). */
const neverTrailers = new Set([
  'host',
  'content-length',
  'content-encoding',
  'content-type',
  'content-range',
  'trailer',
  'authorization',
  'set-cookie',
  'cache-control',
  'location',
]);

/** Trailers are sent only on request (RFC 9110 §6.5.1), in HTTP/1.1 only after a chunked response. */
export function acceptsTrailers(request: ClientRequest, answer: readonly string[]): boolean {
  if (request.httpVersionMajor === 2) return true;
  if (request.httpVersion === '1.0' || headerValue(answer, 'content-length') !== undefined) return false;
  return /\btrailers\b/i.test(headerValue(request.rawHeaders, 'te') ?? '');
}

/** The origin's trailers that may be passed on. */
export function allowedTrailers(trailers: Trailers | undefined, isDropped: (name: string) => boolean): Trailers {
  const fields = Object.entries(trailers ?? {});
  return Object.fromEntries(
    fields.filter(([name]) => !isHopByHop(name) && !neverTrailers.has(name) && !isDropped(name)),
  );
}

/** As undici hands them over. */
export type Trailers = Record<string, string | string[] | undefined>;

/** True if an object has no members. */
export function isEmpty(fields: object): boolean {
  for (const _name in fields) return false;
  return true;
}
