/** Addresses as people write them, for questions about the policy. */
import { normalizeHost } from '../../policy/host.ts';
import { invalidField } from './validate.ts';

/** What a question is about. */
export type AskedTarget = { readonly host: string; readonly port: number; readonly path?: string };

/** A URL, or host[:port][/path] as people write it. Without a path that is the root, as a browser would ask for it. */
export function targetOf(text: string): AskedTarget {
  const trimmed = text.trim();
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(absolute) ? new URL(absolute) : undefined;
  if (url === undefined || url.hostname === '') throw invalidField('url', 'is not a URL');
  if (!/^(?:https?|wss?):$/.test(url.protocol)) throw invalidField('url', 'must be a host or an http(s) URL');
  const plainPort = url.protocol === 'http:' || url.protocol === 'ws:' ? 80 : 443;
  return { host: hostOf(url.hostname, 'url'), port: Number(url.port) || plainPort, path: url.pathname };
}

/** A host name or address, normalised. @throws PrivetError `invalid_input` naming the field. */
export function hostOf(text: string, field = 'hostname'): string {
  try {
    return normalizeHost(text.trim()).host;
  } catch (error) {
    throw invalidField(field, 'is not a host name or address', error);
  }
}
