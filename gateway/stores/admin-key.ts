/**
 * The admin key: created once the first start has succeeded, shown once, stored as a SHA-256 hash. It has 190 random
 * bits, so a slow password hash would add no protection.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { PrivetError } from '../../core/errors.ts';
import { newKey } from '../../policy/api-keys.ts';
import { createFileOnce, readFileIfPresent, replaceFile } from './atomic-file.ts';

const overrideLengthMin = 24;

const stored = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), created_at: z.string() });

/** How often the file is checked: another process may have created or replaced the key. */
const lookMs = 1_000;

export type AdminKey = {
  /** Compares a presented key with the admin key in constant time; always false while there is none. */
  readonly verify: (presented: string) => boolean;
  /** Identifies the key without revealing it: console sessions end when it changes. */
  readonly print: string;
  /**
   * Creates the key if there is none and returns it for display; undefined if there is one. Called after a successful
   * start, so that a failing start does not create a key that nobody has seen.
   */
  readonly create: () => string | undefined;
};

/**
 * Opens the admin key. `override` (PROXY_ADMIN_KEY, at least 24 characters) replaces the stored one and is not stored.
 * Throws PrivetError `invalid_input` for a short override, `unavailable` when the file is damaged.
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

/** Replaces the stored admin key and returns the new one; running gateways accept it within a second. */
export function resetAdminKey(dataDir: string): string {
  const key = newKey('admin');
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
    const key = newKey('admin');
    const { isNew } = createFileOnce(this.#file, () => recordOf(key));
    this.#look();
    return isNew ? key : undefined;
  };

  #current(): Buffer | undefined {
    if (performance.now() - this.#lookedAt >= lookMs)
      try {
        this.#look();
      } catch {
        // Keep the last key until the file can be read again.
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
    const message = `The admin key file ${file} is damaged: create a new key with "privet keys reset-admin".`;
    throw new PrivetError('unavailable', message, { cause: error });
  }
}

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
