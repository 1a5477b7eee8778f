/** Restored answers hold the values of one person: no cache that others use may keep them. */
import { dropField, headerValue } from './headers.ts';

/** Directives by which shared caches keep an answer (RFC 9111 §5.2.2), and fields for caches of one vendor (RFC 9213). */
const shared = /^(?:public|s-maxage|proxy-revalidate)(?:\s*=|$)/i;
const isKept = /^(?:private|no-store)$/i;
const cacheFields = ['cdn-cache-control', 'cloudflare-cdn-cache-control', 'surrogate-control'];

/** Makes an answer one for the client's own cache. That of a POST without a word about caches is kept by none. */
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
