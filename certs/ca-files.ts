/**
 * The root CA on disk: `root.pem` and `root-key.pem` in a folder of its own.
 * A certificate without its key, or a key without its certificate, stops the start: making a new root silently would
 * break every client that trusts the old one.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { PrivetError } from '../core/errors.ts';

/** The root certificate and its key. */
export type RootFiles = { readonly certificate: X509Certificate; readonly key: KeyObject };

/**
 * Reads the root of a folder; undefined when the folder holds none. Throws PrivetError `ca_unusable` with one sentence
 * when half of it is missing, the key can be read by others, the two do not belong together, or it has expired.
 */
export function readRoot(dir: string, options: { passphrase?: string; now: Date }): RootFiles | undefined {
  const certificateFile = join(dir, 'root.pem');
  const keyFile = join(dir, 'root-key.pem');
  const certificatePem = readIfPresent(certificateFile);
  const keyPem = readIfPresent(keyFile);
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
  const key = attempt(keyFile, 'is not a private key, or the passphrase is wrong', () =>
    createPrivateKey({ key: keyPem, passphrase: options.passphrase }),
  );
  if (!certificate.checkPrivateKey(key)) {
    throw unusable(`The CA key ${keyFile} does not belong to the certificate ${certificateFile}.`);
  }
  if (!certificate.ca) throw unusable(`The certificate ${certificateFile} is not that of a CA.`);
  if (certificate.validToDate <= options.now) {
    throw unusable(`The CA certificate ${certificateFile} has expired: make a new one with "privet ca rotate".`);
  }
  return { certificate, key };
}

/** Writes a new root; the folder becomes 0700, the key 0600. Never overwrites. Throws PrivetError `ca_unusable`. */
export function writeRoot(dir: string, root: { certificatePem: string; keyPem: string }): void {
  const written: string[] = [];
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const [name, text, mode] of [
      ['root-key.pem', root.keyPem, 0o600],
      ['root.pem', root.certificatePem, 0o644],
    ] as const) {
      const file = openSync(join(dir, name), 'wx', mode);
      written.push(join(dir, name));
      try {
        writeSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    throw unusable(`The CA cannot be written to ${dir} (${reasonOf(error)}).`, error);
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
