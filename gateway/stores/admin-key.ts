/**
 * The admin key: made at the first start, shown once, stored as a SHA-256 hash. It has 190 random bits, so a slow
 * password hash would protect nothing more.
 */
import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { PrivetError } from '../../core/errors.ts';
import { createFileOnce } from './atomic-file.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const overrideLengthMin = 24;

const stored = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), created_at: z.string() });

/** The admin key of a data folder. */
export type AdminKey = {
  /** Whether a presented key is the admin key; takes the same time wherever they differ. */
  readonly verify: (presented: string) => boolean;
  /** Tells one admin key from another without telling the key: sessions of the consoles end when it changes. */
  readonly print: string;
  /** The plain key, only in the run that made it. */
  readonly created: string | undefined;
};

/**
 * Opens the admin key. `override` (PROXY_ADMIN_KEY, at least 24 characters) takes the place of the stored one and is not
 * stored. Throws PrivetError `invalid_input` for a short override, `unavailable` when the file is damaged or the folder
 * cannot be written.
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
    return adminKeyOf(sha256(override));
  }
  const file = join(options.dataDir, 'admin-key.json');
  const key = `pvt_admin_${randomText()}`;
  const record = { sha256: sha256(key).toString('hex'), created_at: new Date().toISOString() };
  const { text, isNew } = createFileOnce(file, () => `${JSON.stringify(record, null, 2)}\n`);
  return { ...adminKeyOf(hashFrom(text, file)), created: isNew ? key : undefined };
}

function adminKeyOf(expected: Buffer): AdminKey {
  return {
    verify: (presented) => timingSafeEqual(sha256(presented), expected),
    print: hash('sha256', expected).slice(0, 16),
    created: undefined,
  };
}

function hashFrom(text: string, file: string): Buffer {
  try {
    return Buffer.from(stored.parse(JSON.parse(text)).sha256, 'hex');
  } catch (error) {
    const message = `The admin key file ${file} is damaged: delete it to get a new key at the next start.`;
    throw new PrivetError('unavailable', message, { cause: error });
  }
}

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

const randomText = (): string =>
  Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
