/**
 * The certificate authority: a root that clients trust, and small name-constrained issuing CAs under it that sign the
 * leaves. The root key signs only issuing certificates and (empty) revocation lists.
 * Root rotation: the next root is published alongside the current one and takes over at its time. For 90 days after
 * that, every chain includes a cross certificate, so that clients that trust only the old root can verify the new one.
 */
import { X509Certificate } from 'node:crypto';
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
import type { Der } from './der.ts';
import { type Cross, type Issued, type IssuingCertificate, issue } from './issuing.ts';
import { type ManyNames, type NameShard, NameShards } from './name-shards.ts';
import { newRevocationList, revocationListOf } from './revocation.ts';
import { certifyRoot, createRoot, type Root, rootOf } from './root.ts';
import * as x509 from './x509.ts';

/** The content of `rotation.json`, and when it was written. */
type Reading = { readonly rotation: Rotation; readonly written: number };

/** A root that will take over later. */
export type NextRoot = { readonly root: Root; readonly activateAt: Date };

/** Options of {@link CertificateAuthority.open}. */
export type AuthorityOptions = {
  readonly dir: string;
  /** Create a CA if the folder has none; default true. */
  readonly create?: boolean;
  /** Host suffixes, host patterns and IP literals that leaves may be issued for; null = no limit. */
  readonly permittedDomains: readonly string[] | ManyNames | null;
  /** Encrypts the root keys at rest. */
  readonly passphrase?: string | undefined;
  /** Base URL of the revocation lists, without a trailing slash; undefined: certificates name none. */
  readonly revocationBase?: () => string | undefined;
  /** Also open an expired root, in order to replace it. */
  readonly expired?: boolean;
  readonly now?: () => number;
};

/**
 * The root and issuing CAs. Issuing keys are kept in memory only and created when the first host of their shard is
 * requested.
 */
export class CertificateAuthority {
  readonly #options: AuthorityOptions;
  readonly #now: () => number;
  #root: Root;
  #rotation: Rotation;
  #rotationWritten: number;
  #next: NextRoot | undefined;
  #cross: Cross | undefined;
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

  /** Opens the CA of a folder. Throws PrivetError `ca_unusable` with a message for the operator. */
  static open(options: AuthorityOptions): CertificateAuthority {
    const now = options.now ?? Date.now;
    const { dir, passphrase, expired = false } = options;
    // Get the time before reading, so that `refresh` picks up anything written in between.
    const written = rotationWritten(dir);
    const rotation = readRotation(dir, now());
    const read = () => readRoot(dir, { name: rotation.current, passphrase, now: new Date(now()), expired });
    let root = read();
    if (!root) {
      if (rotation.current !== 'root') throw unusable(`The folder ${dir} contains no CA.`);
      if (options.create === false) assertNeverMade(dir);
      if (options.create === false)
        throw new PrivetError('ca_unusable', `The folder ${dir} contains no CA.`, {
          hint: 'The gateway creates one on its first start; PROXY_DATA_DIR sets the data folder.',
        });
      try {
        assertNeverMade(dir);
        writeFirstRoot(dir, createRoot(new Date(now()), passphrase));
      } catch (error) {
        // Another process may have created it in between.
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

  /** The current root. */
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

  /** The root that will take over; clients must trust it by then. */
  get next(): NextRoot | undefined {
    return this.#next;
  }

  /** The roots that clients should trust, the current one first. */
  get published(): readonly Root[] {
    return this.#next === undefined ? [this.#root] : [this.#root, this.#next.root];
  }

  /** Increases by one with every call of `cover` and every change of the root. */
  get version(): number {
    return this.#version;
  }

  /** Increases when another root takes over: leaves of the previous one must no longer be used. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether leaves are limited to a list of names. */
  get isLimited(): boolean {
    return this.#shards !== null;
  }

  /** The issuing CAs created so far. */
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
   * Activates a root that has become due and loads changes another process wrote to the folder; true if the root
   * changed. Cheap enough to call every few seconds. Throws PrivetError `ca_unusable`, and keeps the old state then.
   */
  refresh(): boolean {
    const written = rotationWritten(this.#options.dir);
    const isDue = this.#next !== undefined && this.#next.activateAt.getTime() <= this.#now();
    if (written === this.#rotationWritten && !isDue) return false;
    const rotation = readRotation(this.#options.dir, this.#now());
    const isOther = rotation.current !== this.#root.name;
    // Do everything that can fail first.
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
   * Creates the next root, which takes over at `activateAt`. If there is a next root already, only its time changes;
   * keys are written once per root. Throws PrivetError `ca_unusable`, and `invalid_input` for a time after the current
   * root expires.
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
      throw new PrivetError('invalid_input', `The next root must take over before the current one expires (${end}).`);
    }
    let name = this.#rotation.next?.name;
    if (name === undefined) {
      const made = createRoot(now, passphrase);
      name = `root-${made.id}`;
      writeRoot(dir, { ...made, name });
      if (this.#root.notAfter > now) {
        const older = this.#root;
        // The list is signed for the new root, which will be the current one when the certificate is used.
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

  /**
   * Cancels the rotation and removes the files of the next root; false if there is none. Throws PrivetError
   * `ca_unusable`.
   */
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
   * Replaces the list of names that leaves may be issued for, while running; null = no limit. Issuing CAs whose names
   * are all still listed are kept, new names get new ones, and one that has lost a name is recreated without it.
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

  /** Whether a leaf for the host (normalised name, or IP literal without brackets) may be signed. */
  covers(host: string): boolean {
    return this.#shards === null || this.#shards.find(host) !== undefined;
  }

  /**
   * The issuing CA for a host, created or renewed when needed (about 0.4 ms, once per shard and 60 days). Throws
   * PrivetError `host_not_covered` when no permitted name covers the host.
   */
  issuerFor(host: string): IssuingCertificate {
    const shard = this.#shards?.find(host);
    if (this.#shards && !shard) {
      throw new PrivetError('host_not_covered', 'The issuing CA is not permitted to sign for this host.');
    }
    const issued = shard ? this.#issued.get(shard) : this.#unlimited;
    const now = this.#now();
    if (issued && now < issued.renewAtMs && !x509.isFarAhead(issued.madeAtMs, now)) return issued.certificate;
    const fresh = issue(shard, {
      root: this.#root,
      cross: this.#cross,
      now,
      listOf: (issuer, span) => this.#listOf(this.#root, issuer, span),
    });
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

  /** The certificate of the current root signed by the previous one, while some clients may trust only that one. */
  #readCross({ current, previous }: Rotation): Cross | undefined {
    const [before] = previous;
    if (before === undefined) return undefined;
    const cross = readCertificate(this.#options.dir, `${current}-cross`);
    if (cross === undefined) return undefined;
    const untilMs = Math.min(before.untilMs, cross.validToDate.getTime());
    return untilMs <= this.#now() ? undefined : { pem: x509.toPem(cross.raw), untilMs };
  }

  /** The revocation list URL that certificates carry; `root` is the one that is current when the list is fetched. */
  #listOf(root: Root, issuer: Parameters<typeof newRevocationList>[1], span: { from: Date; until: Date }): Der[] {
    const base = this.#options.revocationBase?.();
    if (base === undefined) return [];
    return [x509.revocationListAt(`${base}/crl/${newRevocationList(root, issuer, span)}.crl`)];
  }
}
