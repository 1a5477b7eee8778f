/**
 * Signed cursors: a store's list position with a MAC. Made-up cursors are rejected before a store sees them, so all
 * stores behave alike.
 */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Hmac } from '../hmac.ts';
import { invalidField } from './validate.ts';

/** The lists with cursors; a cursor of one list is invalid for another. */
type List = 'events' | 'sessions' | 'tail';

/** Truncation of the 32-byte MAC. A forged cursor gains nothing: an administrator sees the whole list anyway. */
const sealBytes = 12;

/** A cursor in a query. A session key of at most 300 code units takes up to 1,216 characters. */
export const cursorText = z
  .string()
  .max(1_500)
  .regex(/^[\w-]+$/, 'is not a cursor');

export class Cursors {
  readonly #secret: () => Buffer;

  /** `secret`: shared by all replicas. */
  constructor(secret: () => Buffer) {
    this.#secret = secret;
  }

  give(list: List, position: string): string {
    const bytes = Buffer.from(position);
    return Buffer.concat([this.#seal(list, bytes), bytes]).toString('base64url');
  }

  /** The position of a cursor. @throws PrivetError `invalid_input` for a cursor that was not created for this list. */
  take(list: List, cursor: string): string {
    const position = this.positionOf(list, cursor);
    if (position === undefined) throw invalidField('cursor', 'is not a cursor');
    return position;
  }

  /** The same, but undefined instead of an error. */
  positionOf(list: List, cursor: string): string | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    // The decoder ignores trailing bits that do not fill a byte.
    if (bytes.toString('base64url') !== cursor) return undefined;
    const [seal, position] = [bytes.subarray(0, sealBytes), bytes.subarray(sealBytes)];
    if (seal.length < sealBytes || !timingSafeEqual(seal, this.#seal(list, position))) return undefined;
    return position.toString();
  }

  #seal(list: List, position: Buffer): Buffer {
    const content = Buffer.concat([Buffer.from(`cursor ${list}\n`), position]);
    return new Hmac(this.#secret()).digest(content).subarray(0, sealBytes);
  }
}
