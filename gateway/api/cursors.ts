/**
 * Cursors as callers get them: a place in a list in the words of the store, under a seal. A text that we never gave is
 * refused before a store sees it, so that it is refused alike whichever store that is.
 */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Hmac } from '../hmac.ts';
import { invalidField } from './validate.ts';

/** The lists that have cursors; one of another list is none. */
type List = 'events' | 'sessions' | 'tail';

/** Of the 32 bytes of the keyed hash: nobody gains by a forged cursor, an administrator sees all of the list anyway. */
const sealBytes = 12;

/** A cursor in a query. The key of a session, at most 300 code units, takes up to 1,216 characters. */
export const cursorText = z
  .string()
  .max(1_500)
  .regex(/^[\w-]+$/, 'is no cursor');

/** Gives and takes cursors. */
export class Cursors {
  readonly #secret: () => Buffer;

  /** `secret`: what all replicas share. */
  constructor(secret: () => Buffer) {
    this.#secret = secret;
  }

  /** The cursor of a place that the store named. */
  give(list: List, place: string): string {
    const bytes = Buffer.from(place);
    return Buffer.concat([this.#seal(list, bytes), bytes]).toString('base64url');
  }

  /** The place of a cursor. @throws PrivetError `invalid_input` for what was never given for this list. */
  take(list: List, cursor: string): string {
    const place = this.placeOf(list, cursor);
    if (place === undefined) throw invalidField('cursor', 'is no cursor');
    return place;
  }

  /** The same, undefined in place of an error. */
  placeOf(list: List, cursor: string): string | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    // The decoder passes over what does not fill a byte.
    if (bytes.toString('base64url') !== cursor) return undefined;
    const [seal, place] = [bytes.subarray(0, sealBytes), bytes.subarray(sealBytes)];
    if (seal.length < sealBytes || !timingSafeEqual(seal, this.#seal(list, place))) return undefined;
    return place.toString();
  }

  #seal(list: List, place: Buffer): Buffer {
    const content = Buffer.concat([Buffer.from(`cursor ${list}\n`), place]);
    return new Hmac(this.#secret()).digest(content).subarray(0, sealBytes);
  }
}
