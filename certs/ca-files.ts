/**
 * The roots on disk, in a folder of their own: `root.pem` with `root-key.pem`, later ones as `root-<id>.pem` with their
 * keys, and `rotation.json`, which says which of them counts from when. Nothing is ever renamed or overwritten but
 * `rotation.json`, as a whole, so that a crash leaves the old state or the new one.
 * A certificate without its key, or a key without its certificate, stops the start: making a new root silently would
 * break every client that trusts the old one.
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

/** Which roots of the folder count; names are those of the files without `.pem`. Times in ms. */
export type Rotation = {
  readonly current: string;
  /** Takes over at its time. */
  readonly next?: { readonly name: string; readonly activateAtMs: number };
  /** Roots before the current one that clients may still be the only ones to trust. */
  readonly previous: readonly { readonly name: string; readonly untilMs: number }[];
};

/** For how long after its end a root's clients are served a chain that they can verify: 90 days. */
const overlapMs = 90 * 86_400_000;

const first: Rotation = { current: 'root', previous: [] };

/**
 * Which roots count at a moment: what `rotation.json` says, with a next root whose time has come as the current one.
 * Throws PrivetError `ca_unusable` when the file is damaged.
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

/** Puts another rotation in force. Throws PrivetError `ca_unusable` when the folder cannot be written. */
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

/** A lock older than this was left by a process that died. */
const lockStaleMs = 10_000;
const lockWaitMs = 2_000;

/**
 * Does something that no other process may do to the folder at the same time (it takes milliseconds). Throws PrivetError
 * `ca_unusable` when another one does not come to an end.
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
      else if (performance.now() > until) throw unusable(`Another process changes the CA in ${dir}; try again.`);
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

/** When `rotation.json` was last written, in ms; 0 when there is none. */
export function rotationWritten(dir: string): number {
  return statSync(join(dir, 'rotation.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

const justNowMs = 2_000;

/**
 * Reads a root of a folder; undefined when the folder holds none of this name. Throws PrivetError `ca_unusable` with one
 * sentence when half of it is missing, the key can be read by others, the two do not belong together, or it has expired
 * (but for `expired: true`).
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
  // Another process that starts as well may be putting them there, and a copy is an empty file at first.
  for (let tries = 0; tries < 50 && isHalf(); tries++) {
    pause(20);
    [certificatePem, keyPem] = read();
  }
  if (certificatePem === undefined && keyPem === undefined) return undefined;
  if (keyPem === undefined) {
    throw unusable(`The CA certificate ${certificateFile} has no key beside it: restore ${keyFile} from your backup.`);
  }
  if (certificatePem === undefined) {
    throw unusable(`The CA key ${keyFile} has no certificate beside it: restore ${certificateFile} from your backup.`);
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
  if (!certificate.ca) throw unusable(`The certificate ${certificateFile} is not that of a CA.`);
  if (certificate.validToDate <= options.now && options.expired !== true) {
    throw unusable(`The CA certificate ${certificateFile} has expired: make a new one with "privet ca rotate".`);
  }
  return { certificate, key };
}

/** Beside the folder, so that it outlives it. */
const madeFile = (dir: string) => `${dir}.sha256`;

/** Notes the root that a folder has; throws nothing, as the folder around may be read-only. */
export function noteMade(dir: string, fingerprint256: string): void {
  try {
    const text = `${fingerprint256}\n`;
    if (readIfPresent(madeFile(dir)) !== text) writeNew(madeFile(dir), text, 0o644, 'w');
  } catch {
    // It cannot be written.
  }
}

/** @throws PrivetError `ca_unusable` when the folder had a CA: a lost folder is restored, not silently replaced */
export function assertNeverMade(dir: string): void {
  const fingerprint = readIfPresent(madeFile(dir));
  if (fingerprint === undefined) return;
  throw unusable(
    `The CA of ${dir} (SHA-256 ${fingerprint.trim()}) is gone: restore the folder from your backup. ` +
      `To have a new one made, which every client has to be given, remove ${madeFile(dir)}.`,
  );
}

/** The certificate of a name alone; undefined when there is none. Throws PrivetError `ca_unusable`. */
export function readCertificate(dir: string, name: string): X509Certificate | undefined {
  const file = join(dir, `${name}.pem`);
  const pem = readIfPresent(file);
  return pem === undefined ? undefined : attempt(file, 'is not a certificate', () => new X509Certificate(pem));
}

/** Writes a new root; the folder becomes 0700, the key 0600. Never overwrites. Throws PrivetError `ca_unusable`. */
export function writeRoot(dir: string, root: { certificatePem: string; keyPem: string; name?: string }): void {
  const { name = 'root' } = root;
  writeFiles(dir, [
    [`${name}-key.pem`, root.keyPem, 0o600],
    [`${name}.pem`, root.certificatePem, 0o644],
  ]);
}

/**
 * Puts the first root into a folder that holds none, as a whole: a folder made beside it takes its name, so that a crash
 * leaves no half of a root and of several processes that begin at the same time one is first. The others leave its root
 * alone. Throws PrivetError `ca_unusable`.
 */
export function writeFirstRoot(dir: string, root: { certificatePem: string; keyPem: string }): void {
  const temporary = `${dir}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    makeFolder(dirname(dir));
    writeRoot(temporary, root);
    renameSync(temporary, dir);
  } catch {
    rmSync(temporary, { force: true, recursive: true });
    // A volume cannot be replaced, nor may its parent be written; there the files go in one by one.
    if (!existsSync(join(dir, 'root-key.pem'))) writeRoot(dir, root);
  }
}

/** Writes a certificate alone. Never overwrites. Throws PrivetError `ca_unusable`. */
export function writeCertificate(dir: string, name: string, pem: string): void {
  writeFiles(dir, [[`${name}.pem`, pem, 0o644]]);
}

/** Removes the files of a root that never counted. */
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
    // Unlike writeSync it goes on, or fails, where a full disk takes only a part.
    writeFileSync(file, text);
    giveToFolderOwner(file, path);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The error of everything that makes the CA unusable. */
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
