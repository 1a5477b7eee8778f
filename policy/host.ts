/**
 * Canonical spelling of hosts: lower case, IDNA to ASCII, no trailing dot, canonical IP literals. Policy, log, dialling
 * and certificates use only what these functions return, so no other spelling of a blocked name (case, full-width
 * letters, `chatgpt。com`, `0x7f.1`, `chatgpt.com.`) passes as a different host.
 */
import { isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { PrivetError } from '../core/errors.ts';
import { dottedWord } from './address.ts';

/** `ipv6` hosts are written without brackets. */
export type HostKind = 'name' | 'ipv4' | 'ipv6';

export type Host = { readonly host: string; readonly kind: HostKind };

/** A canonical host, and a port from 1 to 65535. */
export type Authority = Host & { readonly port: number };

// RFC 1035 §2.3.4; the 253 is without the trailing dot.
const nameLengthMax = 253;
const labelLengthMax = 63;
// A name of 253 ASCII characters can have a longer Unicode form, since the mapping drops and composes characters.
const inputLengthMax = 1024;

const plainName = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const asciiName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
// WHATWG reads a host as an IPv4 number if its last label is all digits, or `0x` and hexadecimal digits.
const endsInNumber = /(?:^|\.)(?:\d+|0[xX][0-9a-fA-F]*)\.?$/;
const ipv4 = /^\d+\.\d+\.\d+\.\d+$/;
// URL delimiters, percent escapes, spaces and control characters: never allowed in a host that a client sends.
const forbidden = /[\u0000-\u0020\u007f-\u009f%\\/?#@<>^|[\]:"`{}\s]/;

/**
 * Converts a host as the client wrote it (no port) to its canonical spelling.
 * IPv4 in any spelling that WHATWG and getaddrinfo read as a number (`127.1`, `0x7f.1`, `2130706433`, full-width
 * digits) becomes dotted decimal. So does an IPv4 address inside IPv6 (`::ffff:192.0.2.1`, RFC 4291 §2.5.5.2), which
 * systems connect to over IPv4. Other IPv6 is accepted with or without brackets; zone ids are rejected. One trailing
 * dot is dropped, more are rejected. Punycode labels must decode and encode back to themselves.
 * @throws PrivetError `bad_request` when the text is not a valid host.
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
  if (forbidden.test(input)) throw invalid('contains a character that is not allowed in a host name');

  const mapped = domainToASCII(input);
  if (mapped === '') throw invalid('is not a valid name (IDNA) or address');
  const host = mapped.endsWith('.') ? mapped.slice(0, -1) : mapped;
  if (ipv4.test(host)) return { host, kind: 'ipv4' };
  if (!asciiName.test(host)) throw invalid('has an empty label or a character that is not allowed in a host name');
  if (host.length > nameLengthMax) throw invalid(`is longer than ${nameLengthMax} characters`);
  for (const label of host.split('.')) {
    if (label.length > labelLengthMax) throw invalid(`has a label longer than ${labelLengthMax} characters`);
  }
  if (host.includes('xn--') && !isPunycode(host)) throw invalid('has an invalid punycode label');
  return { host, kind: 'name' };
}

/**
 * Parses the target of CONNECT (RFC 9112 §3.2.3): `host:port` or `[ipv6]:port`, both parts required, nothing else.
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
 * Canonical spelling of a host with `*` in some labels. Labels without `*` are handled as in {@link normalizeHost};
 * those with it become lower case. @throws PrivetError `bad_request` when a label with `*` is not ASCII, or the rest is
 * not a host.
 * @example normalizePattern('Chat-*.Example.com.') // 'chat-*.example.com'
 */
export function normalizePattern(input: string): string {
  // The characters that IDNA treats as a dot (UTS #46 §4).
  const dotted = input.toLowerCase().replace(/[\u3002\uff0e\uff61]/g, '.');
  const labels = dotted.replace(/\.$/, '').split('.');
  const filled = labels.map((label) => label.replaceAll('*', 'x'));
  const mapped = normalizeHost(filled.join('.')).host.split('.');
  const isMoved = labels.some((label, i) => label.includes('*') && filled[i] !== mapped[i]);
  if (isMoved || mapped.length !== labels.length) throw invalid('has a "*" in a label that is not ASCII');
  return labels.map((label, i) => (label.includes('*') ? label : mapped[i])).join('.');
}

/** A host as written in a URL or a Host field: IPv6 gets brackets. */
export function hostForUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function ipv6Host(bare: string): Host {
  if (bare.includes('://') || /^[^:]*:\d{1,5}$/.test(bare))
    throw invalid('has a scheme or a port; write the name alone, as x.example');
  if (bare.includes('%') || !isIPv6(bare)) throw invalid('is not a valid IPv6 address');
  // The URL parser writes the shortest form (RFC 5952), so all spellings of an address become the same text.
  const url = URL.parse(`http://[${bare}]/`);
  if (url === null) throw invalid('is not a valid IPv6 address');
  const host = url.hostname.slice(1, -1);
  const inside = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (inside === null) return { host, kind: 'ipv6' };
  const bytes = inside.slice(1).flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 0xff]);
  return { host: bytes.join('.'), kind: 'ipv4' };
}

function invalid(what: string): PrivetError {
  // The message leaves out the host itself: it is text from the client.
  return new PrivetError('bad_request', `The host ${what}.`);
}

/**
 * The mapping leaves ASCII labels alone, so punycode is decoded here. It must be non-ASCII and encode back to itself.
 */
function isPunycode(host: string): boolean {
  const decoded = domainToUnicode(host);
  return !/(?:^|\.)xn--/.test(decoded) && domainToASCII(decoded) === host;
}
