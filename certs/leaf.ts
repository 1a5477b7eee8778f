/**
 * Leaf certificates: one per host, signed by the issuing CA that covers it.
 */
import { generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { CertificateAuthority } from './ca.ts';
import { addressBytes, type Der } from './der.ts';
import * as x509 from './x509.ts';

/** 30 days: below every public limit (47 days from 2029-03-15, CA/B ballot SC-081v3) and our own 45. */
const leafDays = 30;

/** A key pair for leaves, with the parts of a certificate that depend on it alone. */
export type LeafKey = {
  readonly privatePem: string;
  readonly publicKey: Der;
  /** basicConstraints, key usages and subjectKeyIdentifier: the same in all leaves of the key. */
  readonly extensions: readonly Der[];
};

/** A new P-256 leaf key pair (0.07 ms). */
export function createLeafKey(): LeafKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return leafKey(publicKey, privateKey);
}

/** A new RSA-2048 leaf key pair, made off the event loop (about 90 ms of another thread). */
export async function createRsaLeafKey(): Promise<LeafKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return leafKey(publicKey, privateKey);
}

function leafKey(publicKey: KeyObject, privateKey: KeyObject): LeafKey {
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: x509.publicKeyInfo(publicKey),
    extensions: [
      x509.basicConstraints(false),
      x509.keyUsage(publicKey.asymmetricKeyType === 'rsa' ? 'signature-and-encipherment' : 'signature'),
      x509.serverAuthUsage(),
      x509.subjectKeyIdentifier(x509.keyIdentifier(publicKey)),
    ],
  };
}

/** A leaf ready for a TLS context. */
export type Leaf = {
  readonly certPem: string;
  /** The issuing certificate, which is sent after the leaf. */
  readonly issuerPem: string;
  readonly keyPem: string;
  readonly notAfter: Date;
};

/**
 * Signs a leaf for exactly `host` (normalised name, or IP literal without brackets): one dNSName or one iPAddress,
 * valid from a day ago (clock skew) for 30 days, never past its issuer.
 * Throws PrivetError `host_not_covered` when the authority may not sign for the host.
 */
export function mintLeaf(
  ca: CertificateAuthority,
  options: { readonly host: string; readonly key: LeafKey; readonly nowMs?: number },
): Leaf {
  const { host, key } = options;
  const now = options.nowMs ?? Date.now();
  const issuer = ca.issuerFor(host);
  const notAfter = new Date(Math.min(now + leafDays * x509.dayMs, issuer.notAfter.getTime()));
  const address = addressBytes(host);
  // A common name has at most 64 characters, and one that is an address would be read as a DNS name by name constraints.
  const named = address === undefined && host.length <= 64;
  const der = x509.signCertificate({
    subject: x509.distinguishedName(named ? { commonName: host } : undefined),
    issuer: issuer.subject,
    notBefore: new Date(now - x509.dayMs),
    notAfter,
    publicKey: key.publicKey,
    extensions: [...key.extensions, x509.subjectAltName(address ?? host, !named), ...issuer.leafExtensions],
    signingKey: issuer.key,
  });
  return { certPem: x509.toPem(der), issuerPem: issuer.pem, keyPem: key.privatePem, notAfter };
}
