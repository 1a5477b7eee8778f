/**
 * The roots on disk, in their own folder: `root.pem` with `root-key.pem`, later ones as `root-<id>.pem` with their
 * keys, and `rotation.json`, which says which root is valid from when. Only `rotation.json` is ever replaced,
 * atomically, so a crash leaves either the old state or the new one. A certificate without its key, or a key without
 * its certificate, prevents start-up: silently creating a new root would break every client that trusts the old one.
 */
import { createPrivateKey, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PrivetError } from '../core/errors.ts';
import { giveToFolderOwner, makeFolder } from './folders.ts';

/** A root certificate and its key. */
export type RootFiles = { readonly certificate: X509Certificate; readonly key: KeyObject };

/** The active roots of the folder, named by their files without `.pem`. Times in ms. */
export type Rotation = {
  readonly current: string;
  /** Takes over at this time. */
  readonly next?: { readonly name: string; readonly activateAtMs: number };
  /** Former roots that may still be the only ones some clients trust. */
  readonly previous: readonly { readonly name: string; readonly untilMs: number }[];
};

/** How long clients of a replaced root still get a chain that they can verify: 90 days. */
const overlapMs = 90 * 86_400_000;

const first: Rotation = { current: 'root', previous: [] };

/**
 * The active roots at a given time, from `rotation.json`; a next root whose time has come is the current one. Throws
 * PrivetError `ca_unusable` when the file is damaged.
 */
export function readRotation(dir: string, nowMs: number): Rotation {
  const file = join(dir, 'rotation.json');
  const text = readIfPresent(file);
  if (text === undefined) return first;
  const written = attempt(file, 'is damaged', () => rotationOf(JSON.parse(text)));
  const { current, next, previous } = written;
  const live = previous.filter(({ untilMs }) => untilMs > nowMs);
  if (next === undefined || next.activateAtMs > nowMs) return { ...written, previous: live };
  const before = { name: current, untilMs: next.activateAtMs + overlapMs };
  return { current: next.name, previous: [before, ...live].filter(({ untilMs }) => untilMs > nowMs) };
}

function rotationOf(value: unknown): Rotation {
  const { version, current, next, previous } = value as Record<string, unknown> & { previous: unknown[] };
  if (version !== 1) throw new Error('unknown version');
  const nextRoot = next as { name: unknown; activate_at: unknown } | null;
  return {
    current: nameOf(current),
    ...(nextRoot === null ? {} : { next: { name: nameOf(nextRoot.name), activateAtMs: timeOf(nextRoot.activate_at) } }),
    previous: previous.map((entry) => {
      const { name, until } = entry as { name: unknown; until: unknown };
      return { name: nameOf(name), untilMs: timeOf(until) };
    }),
  };
}

function nameOf(value: unknown): string {
  if (typeof value !== 'string' || !/^root(?:-[0-9a-f]{8,40})?$/.test(value)) throw new Error('not the name of a root');
  return value;
}

function timeOf(value: unknown): number {
  const time = Date.parse(String(value));
  if (Number.isNaN(time)) throw new Error('not a time');
  return time;
}

/** Stores a new rotation. Throws PrivetError `ca_unusable` when the folder cannot be written. */
export function writeRotation(dir: string, { current, next, previous }: Rotation): void {
  const text = JSON.stringify(
    {
      version: 1,
      current,
      next: next === undefined ? null : { name: next.name, activate_at: new Date(next.activateAtMs).toISOString() },
      previous: previous.map(({ name, untilMs }) => ({ name, until: new Date(untilMs).toISOString() })),
    },
    null,
    2,
  );
  const file = join(dir, 'rotation.json');
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeNew(temporary, `${text}\n`, 0o644, 'wx');
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unusable(`The CA cannot be written to ${dir} (${reasonOf(error)}).`, error);
  }
}

/** An older lock was left behind by a process that died. */
const lockStaleMs = 10_000;
const lockWaitMs = 2_000;

/**
 * Runs `work` while no other process can change the folder (it takes milliseconds). Throws PrivetError `ca_unusable`
 * when another process does not release the lock.
 */
export function withLock<T>(dir: string, work: () => T): T {
  const file = join(dir, 'rotation.lock');
  const until = performance.now() + lockWaitMs;
  for (;;) {
    try {
      closeSync(openSync(file, 'wx', 0o600));
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw unusable(`The CA cannot be written to ${dir} (${reasonOf(error)}).`, error);
      const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      if (made !== undefined && Math.abs(Date.now() - made) > lockStaleMs) rmSync(file, { force: true });
      else if (performance.now() > until) throw unusable(`Another process is changing the CA in ${dir}; try again.`);
      else pause(20);
    }
  }
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** When `rotation.json` was last written, in ms; 0 if there is none. */
export function rotationWritten(dir: string): number {
  return statSync(join(dir, 'rotation.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

const justNowMs = 2_000;

/**
 * Reads a root by name; undefined if the folder has no such root. Throws PrivetError `ca_unusable` with a one-sentence
 * message when half of it is missing, other users can read the key, key and certificate do not match, or it has expired
 * (unless `expired: true`).
 */
export function readRoot(
  dir: string,
  options: { name?: string; passphrase?: string | undefined; now: Date; expired?: boolean },
): RootFiles | undefined {
  const { name = 'root' } = options;
  const certificateFile = join(dir, `${name}.pem`);
  const keyFile = join(dir, `${name}-key.pem`);
  const read = () => [readIfPresent(certificateFile), readIfPresent(keyFile)] as const;
  let [certificatePem, keyPem] = read();
  const isBeingWritten = (pem: string | undefined, file: string) =>
    pem !== undefined &&
    !pem.includes('-----END ') &&
    Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < justNowMs;
  const isHalf = () =>
    (certificatePem === undefined) !== (keyPem === undefined) ||
    isBeingWritten(certificatePem, certificateFile) ||
    isBeingWritten(keyPem, keyFile);
  // Another process that is starting may still be writing the files, and a copied file is empty at first.
  for (let tries = 0; tries < 50 && isHalf(); tries++) {
    pause(20);
    [certificatePem, keyPem] = read();
  }
  if (certificatePem === undefined && keyPem === undefined) return undefined;
  if (keyPem === undefined) {
    throw unusable(`The CA certificate ${certificateFile} has no key file: restore ${keyFile} from your backup.`);
  }
  if (certificatePem === undefined) {
    throw unusable(`The CA key ${keyFile} has no certificate file: restore ${certificateFile} from your backup.`);
  }
  if (process.platform !== 'win32' && (statSync(keyFile).mode & 0o077) !== 0) {
    throw unusable(`The CA key ${keyFile} can be read by other users: run "chmod 600 ${keyFile}".`);
  }
  const certificate = attempt(certificateFile, 'is not a certificate', () => new X509Certificate(certificatePem));
  const key = attempt(keyFile, 'is not a private key, or PROXY_CA_PASSPHRASE is not its passphrase', () =>
    createPrivateKey({ key: keyPem, passphrase: options.passphrase }),
  );
  if (!certificate.checkPrivateKey(key)) {
    throw unusable(`The CA key ${keyFile} does not belong to the certificate ${certificateFile}.`);
  }
  if (!certificate.ca) throw unusable(`The certificate ${certificateFile} is not a CA certificate.`);
  if (certificate.validToDate <= options.now && options.expired !== true) {
    throw unusable(`The CA certificate ${certificateFile} has expired: create a new one with "privet ca rotate".`);
  }
  return { certificate, key };
}

/** Stored next to the folder, so it survives the folder's loss. */
const madeFile = (dir: string) => `${dir}.sha256`;

/** Records the root of a folder. Never throws, because the parent folder may be read-only. */
export function noteMade(dir: string, fingerprint256: string): void {
  try {
    const text = `${fingerprint256}\n`;
    if (readIfPresent(madeFile(dir)) !== text) writeNew(madeFile(dir), text, 0o644, 'w');
  } catch {
    // The parent folder is read-only.
  }
}

/**
 * @throws PrivetError `ca_unusable` when the folder once had a CA: a lost folder must be restored, not silently
 * replaced
 */
export function assertNeverMade(dir: string): void {
  const fingerprint = readIfPresent(madeFile(dir));
  if (fingerprint === undefined) return;
  throw unusable(
    `The CA of ${dir} (SHA-256 ${fingerprint.trim()}) is gone: restore the folder from your backup. ` +
      `To create a new one, which every client must then trust, remove ${madeFile(dir)}.`,
  );
}

/** Reads a certificate without its key; undefined if there is none. Throws PrivetError `ca_unusable`. */
export function readCertificate(dir: string, name: string): X509Certificate | undefined {
  const file = join(dir, `${name}.pem`);
  const pem = readIfPresent(file);
  return pem === undefined ? undefined : attempt(file, 'is not a certificate', () => new X509Certificate(pem));
}

/**
 * Writes a new root, with mode 0700 for the folder and 0600 for the key. Never overwrites. Throws PrivetError
 * `ca_unusable`.
 */
export function writeRoot(dir: string, root: { certificatePem: string; keyPem: string; name?: string }): void {
  const { name = 'root' } = root;
  writeFiles(dir, [
    [`${name}-key.pem`, root.keyPem, 0o600],
    [`${name}.pem`, root.certificatePem, 0o644],
  ]);
}

/**
 * Writes the first root atomically: it is written to a temporary folder, which is then renamed. A crash leaves no
 * half-written root, and if several processes start together, the first one wins and the others use its root. Throws
 * PrivetError `ca_unusable`.
 */
export function writeFirstRoot(dir: string, root: { certificatePem: string; keyPem: string }): void {
  const temporary = `${dir}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    makeFolder(dirname(dir));
    writeRoot(temporary, root);
    renameSync(temporary, dir);
  } catch {
    rmSync(temporary, { force: true, recursive: true });
    // A mounted volume cannot be replaced, nor may its parent be writable; write the files one by one there.
    if (!existsSync(join(dir, 'root-key.pem'))) writeRoot(dir, root);
  }
}

/** Writes a certificate without a key. Never overwrites. Throws PrivetError `ca_unusable`. */
export function writeCertificate(dir: string, name: string, pem: string): void {
  writeFiles(dir, [[`${name}.pem`, pem, 0o644]]);
}

/** Removes the files of a root that never became active. */
export function removeRoot(dir: string, name: string): void {
  for (const file of [`${name}.pem`, `${name}-key.pem`, `${name}-cross.pem`]) rmSync(join(dir, file), { force: true });
}

function writeFiles(dir: string, files: readonly (readonly [name: string, text: string, mode: number])[]): void {
  const written: string[] = [];
  try {
    makeFolder(dir);
    for (const [name, text, mode] of files) {
      writeNew(join(dir, name), text, mode, 'wx', () => written.push(join(dir, name)));
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    throw unusable(`The CA cannot be written to ${dir} (${reasonOf(error)}).`, error);
  }
}

function writeNew(path: string, text: string, mode: number, flags: 'w' | 'wx', onOpen?: () => void): void {
  const file = openSync(path, flags, mode);
  onOpen?.();
  try {
    // Unlike writeSync, this completes a partial write or fails when the disk is full.
    writeFileSync(file, text);
    giveToFolderOwner(file, path);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The error for everything that makes the CA unusable. */
export function unusable(message: string, cause?: unknown): PrivetError {
  return new PrivetError('ca_unusable', message, { cause });
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(`The CA file ${file} cannot be read (${reasonOf(error)}).`, error);
  }
}

function attempt<T>(file: string, fault: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unusable(`The CA file ${file} ${fault}.`, error);
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
