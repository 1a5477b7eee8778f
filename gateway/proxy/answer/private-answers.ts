/** Keeps restored responses, which contain one user's values, out of shared caches. */
import { dropField, headerValue } from '../request/headers.ts';

/** Directives that let shared caches store a response (RFC 9111 §5.2.2), and vendor-specific headers (RFC 9213). */
const shared = /^(?:public|s-maxage|proxy-revalidate)(?:\s*=|$)/i;
const isKept = /^(?:private|no-store)$/i;
const cacheFields = ['cdn-cache-control', 'cloudflare-cdn-cache-control', 'surrogate-control'];

/** Restricts a response to the client's own cache. A POST response without cache directives is never stored. */
export function keepPrivate(headers: string[], method: string | undefined): void {
  for (const name of cacheFields) dropField(headers, name);
  const values: string[] = [];
  for (let i = 0; i < headers.length; i += 2)
    if (headers[i]?.toLowerCase() === 'cache-control') values.push(headers[i + 1] as string);
  if (values.length === 0 && method === 'POST' && headerValue(headers, 'expires') === undefined) return;
  const directives = values.join(',').match(/[^\s,="]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s,"]*))?/g) ?? [];
  const rest = directives.filter((directive) => !shared.test(directive));
  if (!rest.some((directive) => isKept.test(directive))) rest.unshift('private');
  dropField(headers, 'cache-control');
  headers.push('Cache-Control', rest.join(', '));
}
