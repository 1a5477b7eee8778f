/**
 * The certificate authority: a root that clients trust, and small name-constrained issuing CAs under it that sign the
 * leaves. The root key signs issuing certificates and (empty) revocation lists only.
 *
 * Roots follow each other: the next one is published beside the current one and takes over at its time; from then on a
 * cross certificate in every chain leads clients that know only the old root to the new one, for 90 days.
 */
import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { PrivetError } from '../core/errors.ts';
import {
  assertNeverMade,
  noteMade,
  type Rotation,
  readCertificate,
  readRoot,
  readRotation,
  removeRoot,
  rotationWritten,
  unusable,
  withLock,
  writeCertificate,
  writeFirstRoot,
  writeRoot,
  writeRotation,
} from './ca-files.ts';
import { addressBytes, type Der, frozen } from './der.ts';
import { type ManyNames, type NameShard, NameShards } from './name-shards.ts';
import { newRevocationList, revocationListOf } from './revocation.ts';
import { certifyRoot, createRoot, type Root, rootOf } from './root.ts';
import * as x509 from './x509.ts';

const issuingDays = 90;
const backdateMs = 2 * x509.dayMs;

/** An issuing CA with what a leaf needs from it. */
export type IssuingCertificate = {
  /** Sent to clients after the leaf; with the cross certificate of the root while there is one. */
  readonly pem: string;
  readonly key: KeyObject;
  readonly subject: Der;
  /** The extensions that its leaves share: authorityKeyIdentifier and, where lists are served, cRLDistributionPoints. */
  readonly leafExtensions: readonly Der[];
  readonly notAfter: Date;
  /** What it may sign for; undefined = everything. */
  readonly shard: NameShard | undefined;
};

/** What `rotation.json` said, and when it was written. */
type Reading = { readonly rotation: Rotation; readonly written: number };

type Issued = {
  readonly certificate: IssuingCertificate;
  readonly madeAtMs: number;
  readonly renewAtMs: number;
};

/** A root that will take over. */
export type NextRoot = { readonly root: Root; readonly activateAt: Date };

/** Options of {@link CertificateAuthority.open}. */
export type AuthorityOptions = {
  readonly dir: string;
  /** Make a CA where the folder holds none; default true. */
  readonly create?: boolean;
  /** Host suffixes, host patterns and IP literals that leaves may be for; null = no limit. */
  readonly permittedDomains: readonly string[] | ManyNames | null;
  /** Encrypts the root keys at rest. */
  readonly passphrase?: string | undefined;
  /** The address below which revocation lists are served, without a slash at its end; undefined: none are named. */
  readonly revocationBase?: () => string | undefined;
  /** Open a root that has expired, too, to replace it. */
  readonly expired?: boolean;
  readonly now?: () => number;
};

/** Root and issuing CAs. Issuing keys live in memory only and are made when the first host of their shard is asked. */
export class CertificateAuthority {
  readonly #options: AuthorityOptions;
  readonly #now: () => number;
  #root: Root;
  #rotation: Rotation;
  #rotationWritten: number;
  #next: NextRoot | undefined;
  #cross: { readonly pem: string; readonly untilMs: number } | undefined;
  #issued = new WeakMap<NameShard, Issued>();
  #unlimited: Issued | undefined;
  #shards: NameShards | null = null;
  #version = 0;
  #generation = 0;

  private constructor(options: AuthorityOptions, { rotation, written }: Reading, root: Root) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#rotation = rotation;
    this.#rotationWritten = written;
    this.#root = root;
    this.#next = this.#readNext(rotation);
    this.#cross = this.#readCross(rotation);
  }

  /** Opens the CA of a folder. Throws PrivetError `ca_unusable` with a sentence for the operator. */
  static open(options: AuthorityOptions): CertificateAuthority {
    const now = options.now ?? Date.now;
    const { dir, passphrase, expired = false } = options;
    // Before reading: what is written in between is read by `refresh`.
    const written = rotationWritten(dir);
    const rotation = readRotation(dir, now());
    const read = () => readRoot(dir, { name: rotation.current, passphrase, now: new Date(now()), expired });
    let root = read();
    if (!root) {
      if (rotation.current !== 'root') throw unusable(`The folder ${dir} holds no CA.`);
      if (options.create === false) assertNeverMade(dir);
      if (options.create === false)
        throw new PrivetError('ca_unusable', `The folder ${dir} holds no CA.`, {
          hint: 'The first start of the gateway makes one; PROXY_DATA_DIR names the data folder.',
        });
      try {
        assertNeverMade(dir);
        writeFirstRoot(dir, createRoot(new Date(now()), passphrase));
      } catch (error) {
        // Another process may have made it in between.
        root = read();
        if (!root) throw error;
      }
      root ??= read();
    }
    if (!root) throw unusable(`The CA written to ${dir} cannot be read back.`);
    if (options.create !== false) noteMade(dir, root.certificate.fingerprint256);
    const authority = new CertificateAuthority(options, { rotation, written }, rootOf(rotation.current, root));
    authority.cover(options.permittedDomains);
    return authority;
  }

  /** The root in force. */
  get root(): Root {
    return this.#root;
  }

  /** SHA-256 of the root, upper-case hex pairs with colons. */
  get fingerprint256(): string {
    return this.#root.fingerprint256;
  }

  /** When the root expires. */
  get notAfter(): Date {
    return this.#root.notAfter;
  }

  /** The root that will take over, which clients are to trust by then. */
  get next(): NextRoot | undefined {
    return this.#next;
  }

  /** The roots that clients should have: the one in force first. */
  get published(): readonly Root[] {
    return this.#next === undefined ? [this.#root] : [this.#root, this.#next.root];
  }

  /** Grows by one with every call of `cover` and every change of the root. */
  get version(): number {
    return this.#version;
  }

  /** Grows when another root takes over: leaves of the one before are no longer to be used. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether leaves are limited to a list of names. */
  get isLimited(): boolean {
    return this.#shards !== null;
  }

  /** The issuing CAs that exist. */
  issuing(): { readonly notAfter: Date; readonly domains: readonly string[] | null }[] {
    const issued =
      this.#shards === null ? [this.#unlimited] : this.#shards.list().map((shard) => this.#issued.get(shard));
    return issued.flatMap((entry) =>
      entry === undefined
        ? []
        : [{ notAfter: entry.certificate.notAfter, domains: entry.certificate.shard?.names ?? null }],
    );
  }

  /** The revocation list with this id as DER; undefined when none was made under this root. */
  revocationList(id: string): Buffer | undefined {
    return revocationListOf(this.#root, id);
  }

  /**
   * Takes over what has become due, and what another process has written to the folder; true when another root is in force
   * now. Cheap enough for every few seconds. Throws PrivetError `ca_unusable`; the old state stays then.
   */
  refresh(): boolean {
    const written = rotationWritten(this.#options.dir);
    const isDue = this.#next !== undefined && this.#next.activateAt.getTime() <= this.#now();
    if (written === this.#rotationWritten && !isDue) return false;
    const rotation = readRotation(this.#options.dir, this.#now());
    const isOther = rotation.current !== this.#root.name;
    // All that can be refused comes first.
    const root = isOther ? this.#read(rotation.current) : this.#root;
    const next = this.#readNext(rotation);
    const cross = isOther ? this.#readCross(rotation) : this.#cross;
    this.#rotation = rotation;
    this.#rotationWritten = written;
    this.#root = root;
    this.#next = next;
    this.#cross = cross;
    if (!isOther) return false;
    this.#issued = new WeakMap();
    this.#unlimited = undefined;
    this.#generation++;
    this.#version++;
    return true;
  }

  /**
   * Makes the next root, which takes over at `activateAt`; a next root that is there already gets the new time. Only the
   * first call for a root writes keys. Throws PrivetError `ca_unusable`, and `invalid_input` for a time at which the root in
   * force has ended.
   */
  rotate(activateAt: Date): NextRoot {
    return withLock(this.#options.dir, () => this.#rotateLocked(activateAt));
  }

  #rotateLocked(activateAt: Date): NextRoot {
    this.refresh();
    const { dir, passphrase } = this.#options;
    const now = new Date(this.#now());
    if (activateAt > now && activateAt > this.#root.notAfter) {
      const end = this.#root.notAfter.toISOString();
      throw new PrivetError('invalid_input', `The next root has to take over before the one in force ends (${end}).`);
    }
    let name = this.#rotation.next?.name;
    if (name === undefined) {
      const made = createRoot(now, passphrase);
      name = `root-${made.id}`;
      writeRoot(dir, { ...made, name });
      if (this.#root.notAfter > now) {
        const older = this.#root;
        // The list is coded for the new root, which is in force when the certificate is used.
        const next = this.#read(name);
        const cross = certifyRoot({ certificate: new X509Certificate(made.certificatePem) }, older, now, (span) =>
          this.#listOf(next, older, span),
        );
        writeCertificate(dir, `${name}-cross`, cross);
      }
    }
    const { current, previous } = this.#rotation;
    writeRotation(dir, { current, previous, next: { name, activateAtMs: activateAt.getTime() } });
    const next = { root: this.#read(name), activateAt };
    this.#rotationWritten = -1;
    this.refresh();
    return next;
  }

  /** Gives up the next root and removes its files; false when there is none. Throws PrivetError `ca_unusable`. */
  cancelRotation(): boolean {
    return withLock(this.#options.dir, () => this.#cancelLocked());
  }

  #cancelLocked(): boolean {
    this.refresh();
    const { next, current, previous } = this.#rotation;
    if (next === undefined) return false;
    writeRotation(this.#options.dir, { current, previous });
    removeRoot(this.#options.dir, next.name);
    this.#rotationWritten = -1;
    this.refresh();
    return true;
  }

  /**
   * Replaces the list of names that leaves may be for, while running; null = no limit. Issuing CAs whose names are all
   * still listed are kept, new names get new ones, and one that has lost a name is made again without it.
   */
  cover(domains: readonly string[] | ManyNames | null): void {
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
    const now = this.#now();
    if (issued && now < issued.renewAtMs && !x509.isFarAhead(issued.madeAtMs, now)) return issued.certificate;
    const fresh = this.#issue(shard);
    if (shard) this.#issued.set(shard, fresh);
    else this.#unlimited = fresh;
    return fresh.certificate;
  }

  #read(name: string): Root {
    const { dir, passphrase, expired = false } = this.#options;
    const files = readRoot(dir, { name, passphrase, now: new Date(this.#now()), expired });
    if (files === undefined) throw unusable(`The CA folder ${dir} lacks ${name}.pem: restore it from your backup.`);
    return rootOf(name, files);
  }

  #readNext({ next }: Rotation): NextRoot | undefined {
    return next && { root: this.#read(next.name), activateAt: new Date(next.activateAtMs) };
  }

  /** The certificate of the root in force under the one before it, while clients may know only that one. */
  #readCross({ current, previous }: Rotation): { pem: string; untilMs: number } | undefined {
    const [before] = previous;
    if (before === undefined) return undefined;
    const cross = readCertificate(this.#options.dir, `${current}-cross`);
    if (cross === undefined) return undefined;
    const untilMs = Math.min(before.untilMs, cross.validToDate.getTime());
    return untilMs <= this.#now() ? undefined : { pem: x509.toPem(cross.raw), untilMs };
  }

  /** Where certificates say that the list of an issuer is; `root` is the one that is in force when it is asked for. */
  #listOf(root: Root, issuer: Parameters<typeof newRevocationList>[1], span: { from: Date; until: Date }): Der[] {
    const base = this.#options.revocationBase?.();
    if (base === undefined) return [];
    return [x509.revocationListAt(`${base}/crl/${newRevocationList(root, issuer, span)}.crl`)];
  }

  #issue(shard: NameShard | undefined): Issued {
    const now = this.#now();
    const notAfterMs = Math.min(now + (issuingDays - 2) * x509.dayMs, this.notAfter.getTime());
    if (notAfterMs <= now) throw unusable('The root certificate has expired: make a new one with "privet ca rotate".');
    const root = this.#root;
    const cross = this.#cross !== undefined && now < this.#cross.untilMs ? this.#cross : undefined;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const identifier = x509.keyIdentifier(publicKey);
    // The key's identifier in the name keeps clients from mixing up issuing CAs of equal subject.
    const subject = frozen(
      x509.distinguishedName({
        organization: 'Privet',
        commonName: `Privet issuing CA ${identifier.toString('hex', 0, 4)}`,
      }),
    );
    const span = { from: new Date(now - backdateMs), until: new Date(notAfterMs) };
    const listOf = (issuer: Parameters<typeof newRevocationList>[1]): Der[] => this.#listOf(root, issuer, span);
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
        ...listOf(root),
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
          ...listOf({ subject, key: privateKey, keyIdentifier: identifier }),
        ],
        notAfter: new Date(notAfterMs),
        shard,
      },
      // Two thirds of 88 days leave 29 days and more for every leaf.
      madeAtMs: now,
      renewAtMs: Math.min(now + ((notAfterMs - now) * 2) / 3, cross?.untilMs ?? Number.POSITIVE_INFINITY),
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
