/**
 * Squid's native access log (its `logformat squid`), for programs that read it: time, duration in ms, client, result
 * and status, bytes sent to the client, method, URL without a path, user, hierarchy, type. The user is percent-encoded
 * as in Squid.
 */

import { isIPv6 } from 'node:net';
import type { AuditFields } from '../audit-event.ts';
import { outcomeOf } from '../outcome.ts';
import type { Format } from './line.ts';

/**
 * One line, such as `1321.123 45 10.1.2.3 TCP_TUNNEL/200 1234 CONNECT api.openai.com:443 ann HIER_DIRECT/api.openai.com
 * -`.
 */
export const squidLine: Format = (fields, { at }) => {
  const { subject, clientAddress, host, status } = fields;
  const { action, isDenied } = outcomeOf(fields);
  // A host that was never reached has no hierarchy entry: the name did not resolve, or the connection was refused.
  const isSent = status > 0 && !isDenied && !(action === 'fail' && status >= 500);
  const name = isIPv6(host) ? `[${host}]` : host;
  return [
    (at.getTime() / 1_000).toFixed(3),
    String(Math.round(fields.durationMs)).padStart(6),
    word(clientAddress),
    `${resultOf(fields)}/${String(status).padStart(3, '0')}`,
    String(fields.bytesOut),
    word(fields.method),
    word(urlOf(fields, name)),
    subject === clientAddress ? '-' : word(subject),
    isSent ? `HIER_DIRECT/${word(name)}` : 'HIER_NONE/-',
    '-',
  ].join(' ');
};

/** A result code of wiki.squid-cache.org/SquidFaq/SquidLogs; the part after `_` says how the transfer ended. */
function resultOf(fields: AuditFields): string {
  const { kind, error, status } = fields;
  const { action, isDenied } = outcomeOf(fields);
  if (isDenied) return 'TCP_DENIED';
  const way = kind === 'tunnel' ? 'TCP_TUNNEL' : 'TCP_MISS';
  if (error === 'upstream_timeout') return `${way}_TIMEOUT`;
  const isCut = action === 'abort' || (action === 'fail' && status < 500);
  return isCut ? `${way}_ABORTED` : way;
}

/** `host:port` for a tunnel, else the URL without its path, which is not recorded; Squid's word where it was unreadable. */
function urlOf({ kind, method, port = 443, intercepted }: AuditFields, name: string): string {
  if (name === '') return 'error:invalid-request';
  if (kind === 'tunnel' || kind === 'connect' || method === 'CONNECT') return `${name}:${port}`;
  const scheme = intercepted || port === 443 ? 'https' : 'http';
  const isUsual = port === (scheme === 'https' ? 443 : 80);
  return `${scheme}://${name}${isUsual ? '' : `:${port}`}/`;
}

/** Visible ASCII only, everything else percent-encoded; `-` if empty. */
function word(text: string): string {
  if (text === '') return '-';
  return text.replace(/[^\x21-\x24\x26-\x7e]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
