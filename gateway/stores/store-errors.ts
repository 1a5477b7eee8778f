/** Errors shared by several stores. */
import { PrivetError } from '../../core/errors.ts';

/** The error for a value that a server rejects, such as a made-up cursor. */
export function refusedValue(cause: unknown): PrivetError {
  return new PrivetError('invalid_input', 'The store rejected a value in the request.', {
    hint: 'Send cursors and ids exactly as you received them.',
    cause,
  });
}

/** The error for a store whose schema another version of Privet created. */
export function otherVersion(isNewer: boolean): PrivetError {
  const [version, step] = isNewer
    ? ['a newer version', 'start that one']
    : ['a version before 0.1.0', 'use a new store'];
  return new PrivetError('not_supported', `The store was written by ${version} of Privet; ${step}.`);
}
