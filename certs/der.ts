/**
 * Builds the ASN.1 DER structures that certificates consist of. This is the only file that imports node-forge. forge
 * builds and parses the structures; node:crypto signs, because forge cannot read EC keys and its RSA blocks the event
 * loop for tens of milliseconds.
 */
import { createRequire } from 'node:module';
import { isIPv4, isIPv6 } from 'node:net';
import type forge from 'node-forge';

const load = createRequire(import.meta.url);
// Four of its forty files: loading all adds 10 ms to every start. package.json accepts only patches, which move no files.
const asn1 = load('node-forge/lib/asn1.js') as typeof forge.asn1;
const util = load('node-forge/lib/util.js') as typeof forge.util;

/** A node of an ASN.1 tree. */
export type Der = forge.asn1.Asn1;

const { Class, Type } = asn1;

/** SEQUENCE of the parts, in order. */
export const sequence = (...parts: Der[]): Der => asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, parts);

/** SET of the parts; the caller passes them in DER order. */
export const set = (...parts: Der[]): Der => asn1.create(Class.UNIVERSAL, Type.SET, true, parts);

/** OBJECT IDENTIFIER from its dotted form. */
export const oid = (dotted: string): Der =>
  asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(dotted).getBytes());

/** INTEGER from big-endian two's complement bytes (the caller keeps the top bit clear for positive numbers). */
export const integer = (bytes: Uint8Array): Der => asn1.create(Class.UNIVERSAL, Type.INTEGER, false, binary(bytes));

export const boolean = (value: boolean): Der =>
  asn1.create(Class.UNIVERSAL, Type.BOOLEAN, false, value ? '\xff' : '\x00');

/** NULL, the parameter of RSA signature algorithms. */
export const nothing = (): Der => asn1.create(Class.UNIVERSAL, Type.NULL, false, '');

/** UTF8String. */
export const utf8 = (text: string): Der => asn1.create(Class.UNIVERSAL, Type.UTF8, false, util.encodeUtf8(text));

/** OCTET STRING with raw bytes. */
export const octets = (bytes: Uint8Array | string): Der =>
  asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, typeof bytes === 'string' ? bytes : binary(bytes));

/** BIT STRING; `unused` is the number of unused bits of the last byte. */
export const bits = (bytes: Uint8Array, unused = 0): Der =>
  asn1.create(Class.UNIVERSAL, Type.BITSTRING, false, String.fromCharCode(unused) + binary(bytes));

/** A constructed context tag, `[n] EXPLICIT` or an implicitly tagged SEQUENCE. */
export const tagged = (tag: number, ...parts: Der[]): Der =>
  asn1.create(Class.CONTEXT_SPECIFIC, tag as forge.asn1.Type, true, parts);

/** A primitive context tag, `[n] IMPLICIT` over a string type. */
export const taggedBytes = (tag: number, bytes: Uint8Array | string): Der =>
  asn1.create(Class.CONTEXT_SPECIFIC, tag as forge.asn1.Type, false, typeof bytes === 'string' ? bytes : binary(bytes));

/** Time as required by RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. */
export const time = (date: Date): Der =>
  date.getUTCFullYear() < 2050
    ? asn1.create(Class.UNIVERSAL, Type.UTCTIME, false, asn1.dateToUtcTime(date))
    : asn1.create(Class.UNIVERSAL, Type.GENERALIZEDTIME, false, asn1.dateToGeneralizedTime(date));

/** The DER bytes of a tree as a binary string, one character per byte. */
export const encodeBinary = (node: Der): string => asn1.toDer(node).getBytes();

/** The DER bytes of a tree. */
export const encode = (node: Der): Buffer => Buffer.from(encodeBinary(node), 'latin1');

/**
 * The same node with its content encoded in advance. For parts that many certificates share: walking the tree is more
 * than half the cost of a leaf.
 */
export const frozen = (node: Der): Der => encoded(encodeBinary(node), node);

/** A node for DER in a binary string; `like` supplies class, type and whether it is constructed. */
export function encoded(der: string, like: Der): Der {
  const lengthByte = der.charCodeAt(1);
  const headerBytes = lengthByte < 0x80 ? 2 : 2 + (lengthByte & 0x7f);
  // forge sets the "constructed" bit only for nodes whose parts it walks itself, so set it in the tag here.
  const type = (like.type | (like.constructed ? 0x20 : 0)) as forge.asn1.Type;
  const copy = asn1.create(like.tagClass, type, like.constructed, der.slice(headerBytes));
  copy.composed = false;
  return copy;
}

/** Wraps content that is already encoded (up to 64 KiB) in a DER node; both are binary strings (X.690 §8.1.3). */
export function wrapped(tag: number, content: string): string {
  const { length } = content;
  if (length < 0x80) return String.fromCharCode(tag, length) + content;
  if (length < 0x100) return String.fromCharCode(tag, 0x81, length) + content;
  return String.fromCharCode(tag, 0x82, length >> 8, length & 0xff) + content;
}

/** Parses DER bytes into a tree; throws forge's error for anything that is not DER. */
export const decode = (bytes: Uint8Array): Der => asn1.fromDer(util.createBuffer(binary(bytes)));

/** A cheap pre-check for IP literals: a host that neither ends in a digit nor contains a colon is not one. */
export function mayBeAddress(host: string): boolean {
  const last = host.charCodeAt(host.length - 1);
  return (last >= 0x30 && last <= 0x39) || host.includes(':');
}

/** The 4 or 16 bytes of an IP literal, as in the iPAddress name of RFC 5280 §4.2.1.6; undefined for a name. */
export function addressBytes(host: string): Uint8Array | undefined {
  if (!mayBeAddress(host)) return undefined;
  if (isIPv4(host)) return Uint8Array.from(host.split('.'), Number);
  if (!isIPv6(host) || host.includes('%')) return undefined;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(host);
  let text = host;
  if (dotted) {
    const [a = 0, b = 0, c = 0, d = 0] = (dotted[2] as string).split('.').map(Number);
    text = `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const [head = '', tail] = text.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups = [
    ...left,
    ...Array<string>(tail === undefined ? 0 : 8 - left.length - right.length).fill('0'),
    ...right,
  ];
  return Uint8Array.from(
    groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  );
}

function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
