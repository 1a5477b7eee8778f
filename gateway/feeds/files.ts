/** The files named in a feed's configuration: its list and its public key. */
import { readFileSync } from 'node:fs';
import type { Fault } from '../../config/fault.ts';
import { whyUnreadable } from '../../config/problem.ts';
import type { Config } from '../../config/schema.ts';
import { PrivetError } from '../../core/errors.ts';
import { readPublicKey } from './signature.ts';

/** Warnings about lists and keys that cannot be read; such a feed fails until they can. */
export function feedWarnings(feeds: Config['feeds']): Fault[] {
  return feeds.flatMap(({ file, public_key: key }, i): Fault[] => {
    const ofFile = file === undefined ? undefined : whyUnreadable(file);
    const ofKey = key === undefined ? undefined : whyNoKey(key);
    return [
      ...(ofFile === undefined ? [] : [{ path: ['feeds', i, 'file'], message: ofFile }]),
      ...(ofKey === undefined ? [] : [{ path: ['feeds', i, 'public_key'], message: ofKey }]),
    ];
  });
}

function whyNoKey(key: string): string | undefined {
  try {
    readPublicKey(keyText(key));
    return undefined;
  } catch (error) {
    if (!(error instanceof PrivetError)) throw error;
    return whyUnreadable(key) ?? 'must be PEM, or 32 bytes of an Ed25519 key in base64';
  }
}

/** The key itself, or the content of the named file. @throws PrivetError `unavailable` if it cannot be read */
export function keyText(text: string): string {
  if (text.includes('-----BEGIN') || /^[A-Za-z0-9+/_-]{43}=?$/.test(text.trim())) return text;
  try {
    return readFileSync(text, 'utf8');
  } catch (cause) {
    throw new PrivetError('unavailable', `The public key ${text} cannot be read.`, { cause });
  }
}
