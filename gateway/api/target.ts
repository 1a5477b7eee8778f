/** Addresses as people write them, for questions about the policy. */
import { normalizeHost } from '../../policy/host.ts';
import { invalidField } from './validate.ts';

/** What a question is about. */
export type AskedTarget = { readonly host: string; readonly port: number; readonly path?: string };

/** Schemes of links that lead to no host. */
const noVisit = /^(?:about|blob|cid|data|javascript|mailto|mid|sms|tel|urn):/i;

/**
 * A URL as a browser reads it, or host[:port][/path] as people write it; undefined for a link that leads to no host, such
 * as `mailto:`, null for what is no address of the web.
 */
export function webUrl(text: string): URL | undefined | null {
  const trimmed = text.trim();
  // Browsers take backslashes for slashes and need no slashes at all: https:\\host\ and https:host are visits.
  const given = URL.parse(trimmed);
  if (given !== null && /^(?:https?|wss?):$/.test(given.protocol)) return given.hostname === '' ? null : given;
  if (noVisit.test(trimmed)) return undefined;
  // What follows a name and a colon in `host:443/path` is a port; anything else is a scheme.
  if (/^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#\\]|$))/i.test(trimmed)) return null;
  const url = URL.parse(`https://${trimmed}`);
  if (url === null || url.hostname === '') return null;
  // A word alone is no address; a name of one label can be asked about with its scheme.
  return /[.:]/.test(url.hostname) || url.hostname === 'localhost' ? url : null;
}

/**
 * What {@link webUrl} reads, as a target. Without a path that is the root, as a browser would ask for it.
 * @throws PrivetError `invalid_input` for what is no address.
 */
export function visitOf(text: string): AskedTarget | undefined {
  const url = webUrl(text);
  if (url === undefined) return undefined;
  if (url === null) throw invalidField('url', 'must be a host name with a dot, or an http(s) URL');
  const plainPort = url.protocol === 'http:' || url.protocol === 'ws:' ? 80 : 443;
  return { host: hostOf(url.hostname, 'url'), port: Number(url.port) || plainPort, path: url.pathname };
}

/** The same for questions that need a host. @throws PrivetError `invalid_input`. */
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
