/**
 * Root certificates: created, loaded for signing, and cross-signed by an older root, so that a client that trusts only
 * the older one can still verify chains of the new one.
 */
import { generateKeyPairSync, type KeyObject, type X509Certificate } from 'node:crypto';
import type { RootFiles } from './ca-files.ts';
import type { Der } from './der.ts';
import * as x509 from './x509.ts';

const rootYears = 10;
const backdateMs = 2 * x509.dayMs;

/** A root with everything needed to sign under it. */
export type Root = {
  /** Name of its files. */
  readonly name: string;
  readonly pem: string;
  readonly der: Uint8Array;
  /** SHA-256, upper-case hex pairs with colons. */
  readonly fingerprint256: string;
  /** Common name; contains part of the key identifier. */
  readonly commonName: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly key: KeyObject;
  readonly subject: Der;
  readonly keyIdentifier: Uint8Array;
};

/** Builds the root from its files. */
export function rootOf(name: string, { certificate, key }: RootFiles): Root {
  return {
    name,
    pem: x509.toPem(certificate.raw),
    der: certificate.raw,
    fingerprint256: certificate.fingerprint256,
    commonName: commonNameOf(certificate),
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
    key,
    subject: x509.subjectOf(certificate.raw),
    keyIdentifier: x509.subjectKeyIdentifierOf(certificate.raw) ?? x509.keyIdentifier(certificate.publicKey),
  };
}

function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
}

/** A new self-signed root: P-256, ten years, back-dated two days. `id` is part of the key identifier. */
export function createRoot(now: Date, passphrase?: string): { certificatePem: string; keyPem: string; id: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const identifier = x509.keyIdentifier(publicKey);
  const id = identifier.toString('hex', 0, 4);
  // Part of the key identifier, so that the roots of two gateways can be told apart in a trust store.
  const name = x509.distinguishedName({ organization: 'Privet', commonName: `Privet root CA ${id}` });
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + rootYears);
  const der = x509.signCertificate({
    subject: name,
    issuer: name,
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter: new Date(notAfter.getTime() - backdateMs),
    publicKey: x509.publicKeyInfo(publicKey),
    extensions: [
      x509.basicConstraints(true),
      x509.keyUsage('ca'),
      x509.subjectKeyIdentifier(identifier),
      x509.authorityKeyIdentifier(identifier),
    ],
    signingKey: privateKey,
  });
  const keyPem = privateKey.export(
    passphrase ? { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } : { type: 'pkcs8', format: 'pem' },
  );
  return { certificatePem: x509.toPem(der), keyPem: keyPem.toString(), id };
}

/**
 * The certificate of `root` signed by an older one, as PEM (a cross certificate, RFC 5280 §3.2). `listOf` returns the
 * URL of the older root's revocation list for a period.
 */
export function certifyRoot(
  root: { certificate: X509Certificate },
  older: Root,
  now: Date,
  listOf: (span: { from: Date; until: Date }) => readonly Der[] = () => [],
): string {
  const { raw, publicKey, validToDate } = root.certificate;
  const from = new Date(now.getTime() - backdateMs);
  const until = validToDate < older.notAfter ? validToDate : older.notAfter;
  const der = x509.signCertificate({
    subject: x509.subjectOf(raw),
    issuer: older.subject,
    notBefore: from,
    notAfter: until,
    publicKey: x509.publicKeyInfo(publicKey),
    extensions: [
      x509.basicConstraints(true),
      x509.keyUsage('ca'),
      x509.subjectKeyIdentifier(x509.subjectKeyIdentifierOf(raw) ?? x509.keyIdentifier(publicKey)),
      x509.authorityKeyIdentifier(older.keyIdentifier),
      ...listOf({ from, until }),
    ],
    signingKey: older.key,
  });
  return x509.toPem(der);
}
