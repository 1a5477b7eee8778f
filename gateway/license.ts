/**
 * Loads the license: a key from the environment, a file (air-gapped), or the evaluation license that the gateway issues
 * to itself on first start.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { PrivetError } from '../core/errors.ts';
import { issueLicense, type License, verifyLicense } from '../policy/license.ts';
import { dayMs } from './durations.ts';
import { createFileOnce, readFileIfPresent, replaceFile } from './stores/atomic-file.ts';

const evaluationDays = 365;

/** Where the license came from. `jwt` is a key from the environment, and the only mode that reports usage. */
export type LicenseMode = 'jwt' | 'file' | 'evaluation';

/** A verified license with its text. */
export type OpenedLicense = License & { readonly mode: LicenseMode; readonly token: string };

/** The settings that select a license. */
export type LicenseSettings = {
  readonly dataDir: string;
  readonly licenseKey?: string;
  readonly licenseFile?: string;
  /** File with the public keys (PEM) of trusted issuers, replacing the one in the data folder. */
  readonly licenseIssuer?: string;
};

/** Finds and verifies the license. @throws PrivetError `license_invalid` with a message for the operator. */
export async function openLicense(settings: LicenseSettings, now = new Date()): Promise<OpenedLicense> {
  const { licenseKey, licenseFile } = settings;
  if (licenseKey !== undefined && licenseFile !== undefined) {
    throw new PrivetError('license_invalid', 'Both PROXY_LICENSE_KEY and PROXY_LICENSE_FILE are set; set one of them.');
  }
  if (licenseKey !== undefined) return check(settings, licenseKey, 'jwt', now);
  if (licenseFile !== undefined) return check(settings, readLicense(licenseFile), 'file', now);
  const file = join(settings.dataDir, 'license', 'evaluation.jwt');
  const known = readFileIfPresent(file)?.trim();
  const issuer = new IssuerKey(settings.dataDir);
  const issued = known ?? (await issueEvaluation(issuer.private(), now));
  const token = known ?? createFileOnce(file, () => `${issued}\n`).text.trim();
  const license = await verifyLicense(token, [issuer.public() as KeyObject], now);
  return { ...license, mode: 'evaluation', token };
}

/** The public keys that a gateway with these settings trusts; empty if there are none yet. */
export function trustedIssuers(settings: LicenseSettings): KeyObject[] {
  if (settings.licenseIssuer !== undefined) return readIssuers(settings.licenseIssuer);
  const own = new IssuerKey(settings.dataDir).public();
  return own === undefined ? [] : [own];
}

/** The text of a license file. @throws PrivetError `license_invalid` when there is none. */
export function readLicense(file: string): string {
  const text = readText(file)?.trim();
  if (text === undefined || text === '') {
    throw new PrivetError(
      'license_invalid',
      `The license file ${file} ${text === '' ? 'is empty' : 'does not exist'}.`,
    );
  }
  return text;
}

function readText(file: string): string | undefined {
  try {
    return readFileIfPresent(file);
  } catch (error) {
    throw new PrivetError('license_invalid', (error as Error).message, { cause: error });
  }
}

/** The issuer's key pair in a data folder: `license/issuer.key.pem` (mode 0600) and `license/issuer.pem`. */
export class IssuerKey {
  readonly #privateFile: string;
  readonly publicFile: string;

  constructor(dataDir: string) {
    this.#privateFile = join(dataDir, 'license', 'issuer.key.pem');
    this.publicFile = join(dataDir, 'license', 'issuer.pem');
  }

  /** The private key, created if missing. */
  private(): KeyObject {
    const { text, isNew } = createFileOnce(
      this.#privateFile,
      () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    );
    const key = readKey(text, this.#privateFile, createPrivateKey);
    if (isNew) replaceFile(this.publicFile, createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string);
    return key;
  }

  /** The public key; undefined if there is none. */
  public(): KeyObject | undefined {
    const text = readFileIfPresent(this.publicFile);
    if (text !== undefined) return readKey(text, this.publicFile, createPublicKey);
    const own = readFileIfPresent(this.#privateFile);
    return own === undefined ? undefined : createPublicKey(readKey(own, this.#privateFile, createPrivateKey));
  }
}

/** One or more public keys from a PEM file. @throws PrivetError `license_invalid`. */
export function readIssuers(file: string): KeyObject[] {
  const blocks = readFileIfPresent(file)?.match(/-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g);
  if (!blocks) throw new PrivetError('license_invalid', `The issuer file ${file} contains no public key (PEM).`);
  return blocks.map((block) => readKey(block, file, createPublicKey));
}

/** A private key from a PEM file. @throws PrivetError `license_invalid`. */
export function readIssuerPrivate(file: string): KeyObject {
  const text = readFileIfPresent(file);
  if (text === undefined) throw new PrivetError('license_invalid', `The issuer key ${file} does not exist.`);
  return readKey(text, file, createPrivateKey);
}

function readKey(text: string, file: string, create: (text: string) => KeyObject): KeyObject {
  try {
    const key = create(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below.
  }
  throw new PrivetError('license_invalid', `The file ${file} contains no Ed25519 key (PEM).`);
}

async function check(settings: LicenseSettings, token: string, mode: LicenseMode, now: Date): Promise<OpenedLicense> {
  const license = await verifyLicense(token.trim(), trustedIssuers(settings), now);
  return { ...license, mode, token: token.trim() };
}

function issueEvaluation(key: KeyObject, now: Date): Promise<string> {
  const expiresAt = new Date(now.getTime() + evaluationDays * dayMs);
  return issueLicense({ customer: 'evaluation', plan: 'enterprise', evaluation: true, issuedAt: now, expiresAt }, key);
}
