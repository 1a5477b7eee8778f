/**
 * Leaf certificates: one per host, signed by the issuing CA that covers it.
 */

import { generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { CertificateAuthority } from './ca.ts';
import type { IssuingCertificate } from './issuing.ts';
import { LeafForm, type LeafKey } from './leaf-form.ts';
import * as x509 from './x509.ts';

/** 30 days: below every public limit (47 days from 2029-03-15, CA/B ballot SC-081v3) and our own 45. */
const leafDays = 30;

/** A new P-256 leaf key pair (0.07 ms). */
export function createLeafKey(): LeafKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return leafKey(publicKey, privateKey);
}

/** A new RSA-2048 leaf key pair, generated off the event loop (about 90 ms on another thread). */
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
  /** The issuing certificate, sent after the leaf. */
  readonly issuerPem: string;
  readonly keyPem: string;
  /** Expiry in Unix milliseconds. */
  readonly notAfterMs: number;
  /** The same object for all leaves that share key and issuing certificate. */
  readonly form: object;
};

/** Per issuer, the form for the current key. */
const forms = new WeakMap<IssuingCertificate, LeafForm>();

/**
 * Signs a leaf for exactly `host` (normalised name, or IP literal without brackets): one dNSName or one iPAddress,
 * valid from a day ago (clock skew) for 30 days, never beyond its issuer. Throws PrivetError `host_not_covered` when
 * the authority may not sign for the host.
 */
export function mintLeaf(
  ca: CertificateAuthority,
  options: { readonly host: string; readonly key: LeafKey; readonly nowMs?: number },
): Leaf {
  const { host, key } = options;
  const now = options.nowMs ?? Date.now();
  const issuer = ca.issuerFor(host);
  const notAfterMs = Math.min(now + leafDays * x509.dayMs, issuer.notAfter.getTime());
  let form = forms.get(issuer);
  if (form?.key !== key) {
    form = new LeafForm(issuer, key);
    forms.set(issuer, form);
  }
  const der = form.sign(host, now - x509.dayMs, notAfterMs);
  return { certPem: x509.toPem(der), issuerPem: issuer.pem, keyPem: key.privatePem, notAfterMs, form };
}
