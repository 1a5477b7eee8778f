/** Session limits, and a vault's errors. */
import { PrivetError } from '../errors.ts';

/**
 * Maximum number of pairs per session, in every store. A full session continues as a new one under the same id; its
 * tokens stay restorable until the new one is full as well.
 */
export const tokensPerSessionMax = 100_000;

/** Thrown by `reserve` if one call has more values than fit into a session. */
export function tooManyValues(max: number): PrivetError {
  return new PrivetError('body_too_large', `The request contains more than ${max} values to mask.`, {
    hint: 'Send it in parts.',
  });
}

/** Thrown by `reserve` with `create: false`. */
export function sessionUnknown(): PrivetError {
  return new PrivetError('session_not_found', 'The session does not exist.');
}
