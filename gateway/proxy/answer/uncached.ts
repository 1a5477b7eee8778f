/** Keeps restored responses, which contain one reader's values, out of caches. */
import { dropField, headerValue } from '../request/headers.ts';

/** Vendor-specific headers for shared caches (RFC 9213). */
const cacheFields = ['cdn-cache-control', 'cloudflare-cdn-cache-control', 'surrogate-control'];

/**
 * Prevents caches from storing a response, also the client's own: browsers give what they keep for one page to other
 * pages of the same site, and programs made of pages to any page. A POST response without cache directives is never
 * stored.
 */
export function keepOutOfCaches(headers: string[], method: string | undefined): void {
  for (const name of cacheFields) dropField(headers, name);
  const directives = headerValue(headers, 'cache-control');
  if (directives === undefined && method === 'POST' && headerValue(headers, 'expires') === undefined) return;
  dropField(headers, 'cache-control');
  const isFinal = directives !== undefined && /(?:^|[\s,])no-transform(?:[\s,]|$)/i.test(directives);
  headers.push('Cache-Control', isFinal ? 'private, no-store, no-transform' : 'private, no-store');
}
