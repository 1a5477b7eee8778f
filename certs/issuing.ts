/** Issuing CAs: small certificate authorities under the root, limited to some names, that sign the leaves. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { unusable } from './ca-files.ts';
import { addressBytes, type Der, frozen } from './der.ts';
import type { NameShard } from './name-shards.ts';
import type { newRevocationList } from './revocation.ts';
import type { Root } from './root.ts';
import * as x509 from './x509.ts';

const issuingDays = 90;
const backdateMs = 2 * x509.dayMs;

/** An issuing CA with everything needed to sign a leaf. */
export type IssuingCertificate = {
  /** Sent to clients after the leaf; includes the cross certificate of the root while there is one. */
  readonly pem: string;
  readonly key: KeyObject;
  readonly subject: Der;
  /** Extensions shared by its leaves: authorityKeyIdentifier and, where lists are served, cRLDistributionPoints. */
  readonly leafExtensions: readonly Der[];
  readonly notAfter: Date;
  /** The names it may sign for; undefined = everything. */
  readonly shard: NameShard | undefined;
};

/** An issuing CA, and when it was created and must be renewed. */
export type Issued = {
  readonly certificate: IssuingCertificate;
  readonly madeAtMs: number;
  readonly renewAtMs: number;
};

/** The root's certificate signed by the previous root, until when it is sent along. */
export type Cross = { readonly pem: string; readonly untilMs: number };

type IssuingParts = {
  readonly root: Root;
  readonly cross: Cross | undefined;
  readonly now: number;
  /** The extension that names the revocation list of an issuer. */
  readonly listOf: (issuer: Parameters<typeof newRevocationList>[1], span: { from: Date; until: Date }) => Der[];
};

/**
 * Creates an issuing CA for the names of a shard, or for all names.
 * @throws PrivetError `ca_unusable` when the root has expired
 */
export function issue(shard: NameShard | undefined, { root, cross: crossed, now, listOf }: IssuingParts): Issued {
  const notAfterMs = Math.min(now + (issuingDays - 2) * x509.dayMs, root.notAfter.getTime());
  if (notAfterMs <= now) throw unusable('The root certificate has expired: create a new one with "privet ca rotate".');
  const cross = crossed !== undefined && now < crossed.untilMs ? crossed : undefined;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const identifier = x509.keyIdentifier(publicKey);
  // Part of the key identifier goes into the name, so that clients do not confuse issuing CAs with equal subjects.
  const subject = frozen(
    x509.distinguishedName({
      organization: 'Privet',
      commonName: `Privet issuing CA ${identifier.toString('hex', 0, 4)}`,
    }),
  );
  const span = { from: new Date(now - backdateMs), until: new Date(notAfterMs) };
  const der = x509.signCertificate({
    subject,
    issuer: root.subject,
    notBefore: new Date(now - backdateMs),
    notAfter: new Date(notAfterMs),
    publicKey: x509.publicKeyInfo(publicKey),
    extensions: [
      x509.basicConstraints(true, 0),
      x509.keyUsage('ca'),
      x509.serverAuthUsage(),
      x509.subjectKeyIdentifier(identifier),
      x509.authorityKeyIdentifier(root.keyIdentifier),
      ...(shard ? [constraintsOf(shard)] : []),
      ...listOf(root, span),
    ],
    signingKey: root.key,
  });
  return {
    certificate: {
      pem: x509.toPem(der) + (cross?.pem ?? ''),
      key: privateKey,
      subject,
      leafExtensions: [
        x509.authorityKeyIdentifier(identifier),
        ...listOf({ subject, key: privateKey, keyIdentifier: identifier }, span),
      ],
      notAfter: new Date(notAfterMs),
      shard,
    },
    // Renewing after two thirds of 88 days leaves at least 29 days for every leaf.
    madeAtMs: now,
    renewAtMs: Math.min(now + ((notAfterMs - now) * 2) / 3, cross?.untilMs ?? Number.POSITIVE_INFINITY),
  };
}

const everyAddress = [{ address: new Uint8Array(8) }, { address: new Uint8Array(32) }];

/**
 * A constraint limits only the name forms that it mentions (RFC 5280 §4.2.1.10), so the other form is excluded
 * completely: addresses for a shard of names, names for a shard of addresses.
 */
function constraintsOf(shard: NameShard): Der {
  if (shard.kind === 'name') {
    return x509.nameConstraints({ permitted: shard.names.map((dns) => ({ dns })), excluded: everyAddress });
  }
  const permitted = shard.names.map((name) => {
    const bytes = addressBytes(name) as Uint8Array;
    return { address: Uint8Array.of(...bytes, ...new Uint8Array(bytes.length).fill(255)) };
  });
  return x509.nameConstraints({ permitted, excluded: [{ dns: '' }] });
}
