import { PrivetError } from '../../core/errors.ts';

/** The error for a value that a server rejects, such as a made-up cursor. */
export function refusedValue(cause: unknown): PrivetError {
  return new PrivetError('invalid_input', 'The store rejected a value in the request.', {
    hint: 'Send cursors and ids exactly as you received them.',
    cause,
  });
}
