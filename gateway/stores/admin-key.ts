/**
 * The admin key: made when the first start has succeeded, shown once, stored as a SHA-256 hash. It has 190 random bits, so a slow
 * password hash would protect nothing more.
 */
import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { PrivetError } from '../../core/errors.ts';
import { createFileOnce, readFileIfPresent, replaceFile } from './atomic-file.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const overrideLengthMin = 24;

const stored = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), created_at: z.string() });

/** How often the file is looked at: another process may have made the key, or made it anew. */
const lookMs = 1_000;

/** The admin key of a data folder. */
export type AdminKey = {
  /** Whether a presented key is the admin key; takes the same time wherever they differ. Nothing is before there is one. */
  readonly verify: (presented: string) => boolean;
  /** Tells one admin key from another without telling the key: sessions of the consoles end when it changes. */
  readonly print: string;
  /**
   * Makes the key where there is none and answers with it, to be shown; undefined where there is one. A start that fails
   * must not have made a key that nobody has seen.
   */
  readonly create: () => string | undefined;
};

/**
 * Opens the admin key. `override` (PROXY_ADMIN_KEY, at least 24 characters) takes the place of the stored one and is not
 * stored. Throws PrivetError `invalid_input` for a short override, `unavailable` when the file is damaged.
 */
export function openAdminKey(options: { dataDir: string; override?: string }): AdminKey {
  const { override } = options;
  if (override !== undefined && override !== '') {
    if (override.length < overrideLengthMin) {
      throw new PrivetError(
        'invalid_input',
        `PROXY_ADMIN_KEY is too short: use at least ${overrideLengthMin} characters.`,
      );
    }
    const expected = sha256(override);
    return { verify: (presented) => isSame(presented, expected), print: printOf(expected), create: () => undefined };
  }
  return new StoredKey(fileIn(options.dataDir));
}

/** Makes the stored admin key anew and answers with it; running gateways take it within a second. */
export function resetAdminKey(dataDir: string): string {
  const key = newKey();
  replaceFile(fileIn(dataDir), recordOf(key));
  return key;
}

class StoredKey implements AdminKey {
  readonly #file: string;
  #expected: Buffer | undefined;
  #lookedAt = 0;

  constructor(file: string) {
    this.#file = file;
    this.#look();
  }

  readonly verify = (presented: string): boolean => {
    const expected = this.#current();
    return expected !== undefined && isSame(presented, expected);
  };

  get print(): string {
    const expected = this.#current();
    return expected === undefined ? '' : printOf(expected);
  }

  readonly create = (): string | undefined => {
    const key = newKey();
    const { isNew } = createFileOnce(this.#file, () => recordOf(key));
    this.#look();
    return isNew ? key : undefined;
  };

  #current(): Buffer | undefined {
    if (performance.now() - this.#lookedAt >= lookMs)
      try {
        this.#look();
      } catch {
        // The key that was read stays until the file can be read again.
      }
    return this.#expected;
  }

  #look(): void {
    this.#lookedAt = performance.now();
    const text = readFileIfPresent(this.#file);
    if (text !== undefined) this.#expected = hashFrom(text, this.#file);
  }
}

const fileIn = (dataDir: string): string => join(dataDir, 'admin-key.json');
const newKey = (): string => `pvt_admin_${randomText()}`;
const isSame = (presented: string, expected: Buffer): boolean => timingSafeEqual(sha256(presented), expected);
const printOf = (expected: Buffer): string => hash('sha256', expected).slice(0, 16);

function recordOf(key: string): string {
  const record = { sha256: sha256(key).toString('hex'), created_at: new Date().toISOString() };
  return `${JSON.stringify(record, null, 2)}\n`;
}

function hashFrom(text: string, file: string): Buffer {
  try {
    return Buffer.from(stored.parse(JSON.parse(text)).sha256, 'hex');
  } catch (error) {
    const message = `The admin key file ${file} is damaged: make a new key with "privet keys reset-admin".`;
    throw new PrivetError('unavailable', message, { cause: error });
  }
}

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

const randomText = (): string =>
  Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
