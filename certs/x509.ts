/**
 * X.509 v3 certificates: the to-be-signed structure, its extensions and the signature (RFC 5280).
 */
import { createHash, type KeyObject, randomFillSync, sign } from 'node:crypto';
import {
  bits,
  boolean,
  type Der,
  decode,
  encode,
  encodeBinary,
  encoded,
  frozen,
  integer,
  nothing,
  octets,
  oid,
  sequence,
  set,
  tagged,
  taggedBytes,
  time,
  utf8,
} from './der.ts';

/** One day in milliseconds. */
export const dayMs = 86_400_000;

/**
 * Whether the clock has been set back so far since a certificate was created that clients may consider it not yet
 * valid.
 */
export function isFarAhead(madeAtMs: number, nowMs: number): boolean {
  return madeAtMs - nowMs > dayMs / 2;
}

/** The contents of a certificate. */
export type CertificateFields = {
  readonly subject: Der;
  readonly issuer: Der;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: Der;
  readonly extensions: readonly Der[];
  readonly signingKey: KeyObject;
};

/** A signature algorithm: the digest for node:crypto, and its identifier in certificates. */
export type Algorithm = { readonly digest: string; readonly identifier: Der };

const ecdsaSha256: Algorithm = { digest: 'sha256', identifier: frozen(sequence(oid('1.2.840.10045.4.3.2'))) };
const ecdsaSha384: Algorithm = { digest: 'sha384', identifier: frozen(sequence(oid('1.2.840.10045.4.3.3'))) };
const rsaSha256: Algorithm = {
  digest: 'sha256',
  identifier: frozen(sequence(oid('1.2.840.113549.1.1.11'), nothing())),
};

/** The algorithm a key signs certificates with. */
export function algorithmOf(key: KeyObject): Algorithm {
  if (key.asymmetricKeyType === 'rsa') return rsaSha256;
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? ecdsaSha384 : ecdsaSha256;
}

/** The version field of X.509 v3. */
export const version3 = frozen(tagged(0, integer(Uint8Array.of(2))));

/** Signs the fields and returns the certificate as DER; the serial is 16 random bytes with the top bit clear. */
export function signCertificate(fields: CertificateFields): Buffer {
  const algorithm = algorithmOf(fields.signingKey);
  const body = sequence(
    version3,
    integer(Buffer.from(serialNumber(), 'latin1')),
    algorithm.identifier,
    fields.issuer,
    sequence(time(fields.notBefore), time(fields.notAfter)),
    fields.subject,
    fields.publicKey,
    tagged(3, sequence(...fields.extensions)),
  );
  const der = encodeBinary(body);
  const signature = sign(algorithm.digest, Buffer.from(der, 'latin1'), fields.signingKey);
  return encode(sequence(encoded(der, body), algorithm.identifier, bits(signature)));
}

const serialBytes = 16;
/** Random bytes for the next serial numbers: a batch costs as much as a single one. */
const random = Buffer.alloc(64 * serialBytes);
let randomAt = random.length;

/** 16 random bytes as a binary string; first byte 0x40–0x7f, so that the number is positive and never shortened. */
export function serialNumber(): string {
  if (randomAt === random.length) {
    randomFillSync(random);
    randomAt = 0;
  }
  random[randomAt] = ((random[randomAt] as number) & 0x3f) | 0x40;
  const serial = random.toString('latin1', randomAt, randomAt + serialBytes);
  randomAt += serialBytes;
  return serial;
}

const organizationId = frozen(oid('2.5.4.10'));
/** The OID of the common name. */
export const commonNameId = frozen(oid('2.5.4.3'));

/** A distinguished name with organisation and common name; without arguments the empty name. */
export function distinguishedName(name?: { organization?: string; commonName: string }): Der {
  if (!name) return sequence();
  const parts: Der[] = [];
  if (name.organization) parts.push(set(sequence(organizationId, utf8(name.organization))));
  parts.push(set(sequence(commonNameId, utf8(name.commonName))));
  return sequence(...parts);
}

/** The SubjectPublicKeyInfo of a public key. */
export function publicKeyInfo(key: KeyObject): Der {
  return frozen(decode(key.export({ type: 'spki', format: 'der' })));
}

/** Key identifier: 160 bits of SHA-256 over the key (RFC 7093 method 4). */
export function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function extension(id: string | Der, value: Der, critical = false): Der {
  const body = octets(encodeBinary(value));
  const name = typeof id === 'string' ? oid(id) : id;
  return frozen(critical ? sequence(name, boolean(true), body) : sequence(name, body));
}

/** The OID of subjectAltName. */
export const subjectAltNameId = frozen(oid('2.5.29.17'));

/** basicConstraints, critical; `pathLength` only for a CA. */
export function basicConstraints(ca: boolean, pathLength?: number): Der {
  const parts = ca ? [boolean(true)] : [];
  if (pathLength !== undefined) parts.push(integer(Uint8Array.of(pathLength)));
  return extension('2.5.29.19', sequence(...parts), true);
}

/** keyUsage, critical. */
export function keyUsage(use: 'ca' | 'signature' | 'signature-and-encipherment'): Der {
  // Bit 0 digitalSignature, 2 keyEncipherment, 5 keyCertSign, 6 cRLSign, counted from the top of the byte.
  const value = { ca: bits(Uint8Array.of(0x06), 1), signature: bits(Uint8Array.of(0x80), 7) };
  return extension('2.5.29.15', use === 'signature-and-encipherment' ? bits(Uint8Array.of(0xa0), 5) : value[use], true);
}

/** extendedKeyUsage with serverAuth only. */
export const serverAuthUsage = (): Der => extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1')));

/** subjectKeyIdentifier. */
export const subjectKeyIdentifier = (identifier: Uint8Array): Der => extension('2.5.29.14', octets(identifier));

/**
 * authorityKeyIdentifier. It must be exactly the issuer's subjectKeyIdentifier, or strict verifiers reject the chain.
 */
export const authorityKeyIdentifier = (identifier: Uint8Array): Der =>
  extension('2.5.29.35', sequence(taggedBytes(0, identifier)));

/** A subtree of name constraints: a DNS suffix (empty = every name), or address bytes followed by mask bytes. */
export type Subtree = { readonly dns: string } | { readonly address: Uint8Array };

/** nameConstraints, critical (RFC 5280 §4.2.1.10). node-forge has no helper for it. */
export function nameConstraints(constraints: {
  readonly permitted: readonly Subtree[];
  readonly excluded: readonly Subtree[];
}): Der {
  const base = (subtree: Subtree) =>
    sequence('dns' in subtree ? taggedBytes(2, subtree.dns) : taggedBytes(7, subtree.address));
  const parts: Der[] = [];
  if (constraints.permitted.length > 0) parts.push(tagged(0, ...constraints.permitted.map(base)));
  if (constraints.excluded.length > 0) parts.push(tagged(1, ...constraints.excluded.map(base)));
  return extension('2.5.29.30', sequence(...parts), true);
}

/** cRLDistributionPoints with one URL (RFC 5280 §4.2.1.13). */
export const revocationListAt = (url: string): Der =>
  extension('2.5.29.31', sequence(sequence(tagged(0, tagged(0, taggedBytes(6, url))))));

/** Signs an empty version 2 revocation list with its number and the issuer's key identifier; returns DER. */
export function signRevocationList(fields: {
  readonly issuer: Der;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly number: number;
  readonly keyIdentifier: Uint8Array;
  readonly signingKey: KeyObject;
}): Buffer {
  const algorithm = algorithmOf(fields.signingKey);
  const number = Buffer.alloc(8);
  number.writeBigInt64BE(BigInt(fields.number));
  // The top bit stays clear, so the number is positive.
  const from = Math.max(
    0,
    number.findIndex((byte) => byte !== 0),
  );
  const bytes = (number[from] as number) & 0x80 ? number.subarray(from - 1) : number.subarray(from);
  const body = sequence(
    integer(Uint8Array.of(1)),
    algorithm.identifier,
    fields.issuer,
    time(fields.thisUpdate),
    time(fields.nextUpdate),
    tagged(0, sequence(authorityKeyIdentifier(fields.keyIdentifier), extension('2.5.29.20', integer(bytes)))),
  );
  const der = encodeBinary(body);
  const signature = sign(algorithm.digest, Buffer.from(der, 'latin1'), fields.signingKey);
  return encode(sequence(encoded(der, body), algorithm.identifier, bits(signature)));
}

/** Certificates bundled without a signature: the degenerate SignedData of PKCS #7 (RFC 2315 §9.1), as DER. */
export function certificateBundle(certificates: readonly Uint8Array[]): Buffer {
  const signedData = sequence(
    integer(Uint8Array.of(1)),
    set(),
    sequence(oid('1.2.840.113549.1.7.1')),
    tagged(0, ...certificates.map((der) => decode(der))),
    set(),
  );
  return encode(sequence(oid('1.2.840.113549.1.7.2'), tagged(0, signedData)));
}

/** The subject of a certificate exactly as in its DER, to be copied byte for byte as the issuer of others. */
export function subjectOf(certificateDer: Uint8Array): Der {
  const certificate = decode(certificateDer).value as Der[];
  const body = (certificate[0] as Der).value as Der[];
  // After the explicit version tag of v3, the subject is the sixth field.
  return body[5] as Der;
}

/** The subjectKeyIdentifier of a certificate; undefined if it has none. */
export function subjectKeyIdentifierOf(certificateDer: Uint8Array): Buffer | undefined {
  const certificate = decode(certificateDer).value as Der[];
  const body = (certificate[0] as Der).value as Der[];
  const wanted = encodeBinary(oid('2.5.29.14'));
  for (const part of body.slice(7)) {
    if (part.tagClass !== 0x80 || (part.type as number) !== 3) continue;
    for (const entry of ((part.value as Der[])[0] as Der).value as Der[]) {
      const fields = entry.value as Der[];
      if (encodeBinary(fields[0] as Der) !== wanted) continue;
      const inner = decode(Buffer.from((fields.at(-1) as Der).value as string, 'latin1'));
      return Buffer.from(inner.value as string, 'latin1');
    }
  }
  return undefined;
}

/** Converts DER (bytes or a binary string) to PEM. */
export function toPem(der: Uint8Array | string): string {
  const base64 =
    typeof der === 'string' ? btoa(der) : Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('base64');
  let pem = '-----BEGIN CERTIFICATE-----\n';
  for (let i = 0; i < base64.length; i += 64) pem += `${base64.slice(i, i + 64)}\n`;
  return `${pem}-----END CERTIFICATE-----\n`;
}
