/**
 * The certificate authority: a root that clients trust, and small name-constrained issuing CAs under it that sign the
 * leaves. The root key signs issuing certificates only.
 */
import { generateKeyPairSync, type KeyObject, type X509Certificate } from 'node:crypto';
import { PrivetError } from '../core/errors.ts';
import { readRoot, unusable, writeRoot } from './ca-files.ts';
import { addressBytes, type Der, frozen } from './der.ts';
import { type NameShard, NameShards } from './name-shards.ts';
import * as x509 from './x509.ts';

const rootYears = 10;
const issuingDays = 90;
const backdateMs = 2 * x509.dayMs;

/** An issuing CA with what a leaf needs from it. */
export type IssuingCertificate = {
  /** Sent to clients after the leaf. */
  readonly pem: string;
  readonly key: KeyObject;
  readonly subject: Der;
  /** The authorityKeyIdentifier extension of its leaves. */
  readonly authorityKeyIdentifier: Der;
  readonly notAfter: Date;
  /** What it may sign for; undefined = everything. */
  readonly shard: NameShard | undefined;
};

type Issued = { readonly certificate: IssuingCertificate; readonly renewAtMs: number };

/** Root and issuing CAs. Issuing keys live in memory only and are made when the first host of their shard is asked. */
export class CertificateAuthority {
  /** The certificate that clients are to trust. */
  readonly rootPem: string;
  readonly rootDer: Uint8Array;
  /** SHA-256 of the root, upper-case hex pairs with colons. */
  readonly fingerprint256: string;
  /** When the root expires. */
  readonly notAfter: Date;
  readonly #rootKey: KeyObject;
  readonly #rootSubject: Der;
  readonly #rootKeyIdentifier: Uint8Array;
  readonly #now: () => number;
  readonly #issued = new WeakMap<NameShard, Issued>();
  #unlimited: Issued | undefined;
  #shards: NameShards | null = null;
  #version = 0;

  private constructor(certificate: X509Certificate, key: KeyObject, now: () => number) {
    this.rootDer = certificate.raw;
    this.rootPem = x509.toPem(certificate.raw);
    this.fingerprint256 = certificate.fingerprint256;
    this.notAfter = certificate.validToDate;
    this.#rootKey = key;
    this.#rootSubject = x509.subjectOf(certificate.raw);
    this.#rootKeyIdentifier = x509.subjectKeyIdentifierOf(certificate.raw) ?? x509.keyIdentifier(certificate.publicKey);
    this.#now = now;
  }

  /**
   * Opens the CA of a folder and, with `create` (default true), makes one where the folder holds none.
   * `permittedDomains`: host suffixes, host patterns and IP literals that leaves may be for; null = no limit.
   * `passphrase` encrypts the root key at rest. Throws PrivetError `ca_unusable` with a sentence for the operator.
   */
  static open(options: {
    dir: string;
    create?: boolean;
    permittedDomains: readonly string[] | null;
    passphrase?: string;
    now?: () => number;
  }): CertificateAuthority {
    const now = options.now ?? Date.now;
    const read = () => readRoot(options.dir, { passphrase: options.passphrase, now: new Date(now()) });
    let root = read();
    if (!root) {
      if (options.create === false) throw unusable(`The folder ${options.dir} holds no CA.`);
      writeRoot(options.dir, createRoot(new Date(now()), options.passphrase));
      root = read();
    }
    if (!root) throw unusable(`The CA written to ${options.dir} cannot be read back.`);
    const authority = new CertificateAuthority(root.certificate, root.key, now);
    authority.cover(options.permittedDomains);
    return authority;
  }

  /** Grows by one with every call of `cover`. */
  get version(): number {
    return this.#version;
  }

  /** Number of issuing CAs that may come to exist; 1 without limits. */
  get shardCount(): number {
    return this.#shards?.size ?? 1;
  }

  /**
   * Replaces the list of names that leaves may be for, while running; null = no limit. Issuing CAs whose names are all
   * still listed are kept, new names get new ones, and one that has lost a name is made again without it.
   */
  cover(domains: readonly string[] | null): void {
    if (domains === null) {
      this.#shards = null;
    } else {
      this.#shards ??= new NameShards();
      this.#shards.cover(domains);
    }
    this.#version++;
  }

  /** Whether a leaf for the host (normalised name or IP literal without brackets) may be signed. */
  covers(host: string): boolean {
    return this.#shards === null || this.#shards.find(host) !== undefined;
  }

  /**
   * The issuing CA for a host, made or renewed when needed (about 0.4 ms, once per shard and 60 days).
   * Throws PrivetError `host_not_covered` when no permitted name covers the host.
   */
  issuerFor(host: string): IssuingCertificate {
    const shard = this.#shards?.find(host);
    if (this.#shards && !shard) {
      throw new PrivetError('host_not_covered', 'The issuing CA is not permitted to sign for this host.');
    }
    const issued = shard ? this.#issued.get(shard) : this.#unlimited;
    if (issued && this.#now() < issued.renewAtMs) return issued.certificate;
    const fresh = this.#issue(shard);
    if (shard) this.#issued.set(shard, fresh);
    else this.#unlimited = fresh;
    return fresh.certificate;
  }

  #issue(shard: NameShard | undefined): Issued {
    const now = this.#now();
    const notAfterMs = Math.min(now + (issuingDays - 2) * x509.dayMs, this.notAfter.getTime());
    if (notAfterMs <= now) throw unusable('The root certificate has expired: make a new one with "privet ca rotate".');
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const identifier = x509.keyIdentifier(publicKey);
    // The key's identifier in the name keeps clients from mixing up issuing CAs of equal subject.
    const subject = frozen(
      x509.distinguishedName({
        organization: 'Privet',
        commonName: `Privet issuing CA ${identifier.toString('hex', 0, 4)}`,
      }),
    );
    const der = x509.signCertificate({
      subject,
      issuer: this.#rootSubject,
      notBefore: new Date(now - backdateMs),
      notAfter: new Date(notAfterMs),
      publicKey: x509.publicKeyInfo(publicKey),
      extensions: [
        x509.basicConstraints(true, 0),
        x509.keyUsage('ca'),
        x509.serverAuthUsage(),
        x509.subjectKeyIdentifier(identifier),
        x509.authorityKeyIdentifier(this.#rootKeyIdentifier),
        ...(shard ? [constraintsOf(shard)] : []),
      ],
      signingKey: this.#rootKey,
    });
    return {
      certificate: {
        pem: x509.toPem(der),
        key: privateKey,
        subject,
        authorityKeyIdentifier: x509.authorityKeyIdentifier(identifier),
        notAfter: new Date(notAfterMs),
        shard,
      },
      // Two thirds of 88 days leave 29 days and more for every leaf.
      renewAtMs: now + ((notAfterMs - now) * 2) / 3,
    };
  }
}

const everyAddress = [{ address: new Uint8Array(8) }, { address: new Uint8Array(32) }];

/**
 * A constraint limits only the name forms that it mentions (RFC 5280 §4.2.1.10), so the other form is excluded as a
 * whole: addresses for a shard of names, names for a shard of addresses.
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

function createRoot(now: Date, passphrase: string | undefined): { certificatePem: string; keyPem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const identifier = x509.keyIdentifier(publicKey);
  // Part of the key's identifier, so that the roots of two gateways can be told apart in a trust store.
  const name = x509.distinguishedName({
    organization: 'Privet',
    commonName: `Privet root CA ${identifier.toString('hex', 0, 4)}`,
  });
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
  return { certificatePem: x509.toPem(der), keyPem: keyPem.toString() };
}
