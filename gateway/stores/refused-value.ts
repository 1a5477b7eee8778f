import { PrivetError } from '../../core/errors.ts';

/** What a caller gets for a value that a server cannot take, such as a cursor that it never gave. */
export function refusedValue(cause: unknown): PrivetError {
  return new PrivetError('invalid_input', 'The store cannot take a value of the request.', {
    hint: 'Send cursors and ids as they were given.',
    cause,
  });
}
