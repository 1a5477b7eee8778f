/**
 * One spelling for every host: lower case, IDNA to ASCII, no trailing dot, IP literals canonical.
 * Policy, log, dialling and certificates use only what these functions return, so that no other spelling of a blocked
 * name (case, full-width letters, `chatgpt。com`, `0x7f.1`, `chatgpt.com.`) is a different host for one of them.
 */
import { isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { PrivetError } from '../core/errors.ts';
import { dottedWord } from './address.ts';

/** `ipv6` hosts are written without brackets. */
export type HostKind = 'name' | 'ipv4' | 'ipv6';

/** A host in its one spelling. */
export type Host = { readonly host: string; readonly kind: HostKind };

/** A host in its one spelling, and a port from 1 to 65535. */
export type Authority = Host & { readonly port: number };

// RFC 1035 §2.3.4; the 253 is without the trailing dot.
const nameLengthMax = 253;
const labelLengthMax = 63;
// A name of 253 ASCII characters can be written with more characters, since some are dropped or composed in mapping.
const inputLengthMax = 1024;

const plainName = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const asciiName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
// The last label decides whether WHATWG reads a host as an IPv4 number: digits only, or `0x` and hexadecimal digits.
const endsInNumber = /(?:^|\.)(?:\d+|0[xX][0-9a-fA-F]*)\.?$/;
const ipv4 = /^\d+\.\d+\.\d+\.\d+$/;
// Delimiters of a URL, percent escapes, spaces and control characters: never part of a host as a client may write it.
const forbidden = /[\u0000-\u0020\u007f-\u009f%\\/?#@<>^|[\]:"`{}\s]/;

/**
 * Brings a host as a client wrote it (no port) into its one spelling.
 *
 * IPv4 in any spelling that WHATWG and getaddrinfo read as a number (`127.1`, `0x7f.1`, `2130706433`, full-width
 * digits) becomes dotted decimal, and so does an IPv4 address inside IPv6 (`::ffff:192.0.2.1`, RFC 4291 §2.5.5.2), which
 * systems connect to as IPv4. Other IPv6 is taken with or without brackets; zone ids are refused. One trailing dot is
 * dropped, more are refused. Punycode labels must decode and encode to themselves.
 *
 * @throws PrivetError `bad_request` when the text is no valid host.
 * @example normalizeHost('ChatGPT.com.') // { host: 'chatgpt.com', kind: 'name' }
 */
export function normalizeHost(input: string): Host {
  if (plainName.test(input) && input.length <= nameLengthMax && !input.includes('xn--') && !endsInNumber.test(input)) {
    return { host: input, kind: 'name' };
  }
  if (dottedWord(input) !== undefined) return { host: input, kind: 'ipv4' };
  if (input.length === 0 || input.length > inputLengthMax) throw invalid('is empty or too long');
  const bare = input.startsWith('[') && input.endsWith(']') ? input.slice(1, -1) : input;
  if (bare !== input || bare.includes(':')) return ipv6Host(bare);
  if (forbidden.test(input)) throw invalid('holds a character that no host name has');

  const mapped = domainToASCII(input);
  if (mapped === '') throw invalid('is not a valid name (IDNA) or address');
  const host = mapped.endsWith('.') ? mapped.slice(0, -1) : mapped;
  if (ipv4.test(host)) return { host, kind: 'ipv4' };
  if (!asciiName.test(host)) throw invalid('has an empty label or a character that no host name has');
  if (host.length > nameLengthMax) throw invalid(`is longer than ${nameLengthMax} characters`);
  for (const label of host.split('.')) {
    if (label.length > labelLengthMax) throw invalid(`has a label longer than ${labelLengthMax} characters`);
  }
  if (host.includes('xn--') && !isPunycode(host)) throw invalid('has a false punycode label');
  return { host, kind: 'name' };
}

/**
 * Reads the target of CONNECT (RFC 9112 §3.2.3): `host:port` or `[ipv6]:port`, both present, nothing else.
 *
 * @throws PrivetError `bad_request` for a missing, empty or non-numeric port, a port outside 1–65535, bare IPv6,
 * userinfo, a path, or an invalid host.
 */
export function parseAuthority(input: string): Authority {
  const colon = input.lastIndexOf(':');
  if (colon < 1) throw new PrivetError('bad_request', 'The target must be host:port.');
  const host = input.slice(0, colon);
  const portText = input.slice(colon + 1);
  if (!/^[1-9]\d{0,4}$/.test(portText)) throw new PrivetError('bad_request', 'The port of the target is not valid.');
  const port = Number(portText);
  if (port > 65535) throw new PrivetError('bad_request', 'The port of the target is not valid.');
  if (host.includes(':') && !(host.startsWith('[') && host.endsWith(']'))) {
    throw new PrivetError('bad_request', 'An IPv6 target needs brackets.');
  }
  const { host: normalized, kind } = normalizeHost(host);
  return { host: normalized, kind, port };
}

/**
 * A host with `*` in some labels in its one spelling: the other labels are as in {@link normalizeHost}, and those are lower
 * case. @throws PrivetError `bad_request` when a label with `*` is not ASCII, or the rest is no host.
 * @example normalizePattern('Chat-*.Example.com.') // 'chat-*.example.com'
 */
export function normalizePattern(input: string): string {
  // The dots that IDNA takes for one (UTS #46 §4).
  const dotted = input.toLowerCase().replace(/[\u3002\uff0e\uff61]/g, '.');
  const labels = dotted.replace(/\.$/, '').split('.');
  const filled = labels.map((label) => label.replaceAll('*', 'x'));
  const mapped = normalizeHost(filled.join('.')).host.split('.');
  const isMoved = labels.some((label, i) => label.includes('*') && filled[i] !== mapped[i]);
  if (isMoved || mapped.length !== labels.length) throw invalid('has a "*" in a label that is not ASCII');
  return labels.map((label, i) => (label.includes('*') ? label : mapped[i])).join('.');
}

/** A host as it stands in a URL or a Host field: IPv6 gets its brackets. */
export function hostForUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function ipv6Host(bare: string): Host {
  if (bare.includes('://') || /^[^:]*:\d{1,5}$/.test(bare))
    throw invalid('has a scheme or a port; write the name alone, as x.example');
  if (bare.includes('%') || !isIPv6(bare)) throw invalid('is not a valid IPv6 address');
  // The URL parser writes the shortest form of RFC 5952, so that two spellings of an address are one text.
  const url = URL.parse(`http://[${bare}]/`);
  if (url === null) throw invalid('is not a valid IPv6 address');
  const host = url.hostname.slice(1, -1);
  const inside = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (inside === null) return { host, kind: 'ipv6' };
  const bytes = inside.slice(1).flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 0xff]);
  return { host: bytes.join('.'), kind: 'ipv4' };
}

function invalid(what: string): PrivetError {
  // The host itself is left out: it is the client's text.
  return new PrivetError('bad_request', `The host ${what}.`);
}

/** The mapping leaves ASCII labels alone, so that punycode has to be decoded here: to non-ASCII, and back to itself. */
function isPunycode(host: string): boolean {
  const decoded = domainToUnicode(host);
  return !/(?:^|\.)xn--/.test(decoded) && domainToASCII(decoded) === host;
}
