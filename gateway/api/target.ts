/** Parses URLs as people write them, for policy queries. */
import { normalizeHost } from '../../policy/host.ts';
import { invalidField } from './validate.ts';

/** The target of a query. */
export type AskedTarget = { readonly host: string; readonly port: number; readonly path?: string };

/** Link schemes that do not lead to a host. */
const noVisit = /^(?:about|blob|cid|data|javascript|mailto|mid|sms|tel|urn):/i;

/**
 * Parses a URL as a browser does, or host[:port][/path] as people write it; undefined for a link without a host, such
 * as `mailto:`, null for anything that is not a web address.
 */
export function webUrl(text: string): URL | undefined | null {
  const trimmed = text.trim();
  // Browsers accept backslashes as slashes, or no slashes at all: https:\\host\ and https:host are valid.
  const given = URL.parse(trimmed);
  if (given !== null && /^(?:https?|wss?):$/.test(given.protocol)) return given.hostname === '' ? null : given;
  if (noVisit.test(trimmed)) return undefined;
  // After a name and a colon, digits as in `host:443/path` are a port; anything else is a scheme.
  if (/^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#\\]|$))/i.test(trimmed)) return null;
  const url = URL.parse(`https://${trimmed}`);
  if (url === null || url.hostname === '') return null;
  // A single word is not an address; a single-label name can be queried with its scheme.
  return /[.:]/.test(url.hostname) || url.hostname === 'localhost' ? url : null;
}

/**
 * The result of {@link webUrl} as a target. Without a path it is the root, as in a browser.
 * @throws PrivetError `invalid_input` for anything that is not an address.
 */
export function visitOf(text: string): AskedTarget | undefined {
  const url = webUrl(text);
  if (url === undefined) return undefined;
  if (url === null) throw invalidField('url', 'must be a host name with a dot, or an http(s) URL');
  const plainPort = url.protocol === 'http:' || url.protocol === 'ws:' ? 80 : 443;
  return { host: hostOf(url.hostname, 'url'), port: Number(url.port) || plainPort, path: url.pathname };
}

/** The same for queries that need a host. @throws PrivetError `invalid_input`. */
export function targetOf(text: string): AskedTarget {
  const target = visitOf(text);
  if (target === undefined) throw invalidField('url', 'leads to no host');
  return target;
}

/** A host name or address, normalised. @throws PrivetError `invalid_input` naming the field. */
export function hostOf(text: string, field = 'hostname'): string {
  try {
    return normalizeHost(text.trim()).host;
  } catch (error) {
    throw invalidField(field, 'is not a host name or address', error);
  }
}
