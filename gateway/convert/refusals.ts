/** Errors for documents that cannot be opened, with advice. */
import { PrivetError } from '../../core/errors.ts';

export function encrypted(): PrivetError {
  return new PrivetError('invalid_input', 'The document is encrypted.', {
    hint: 'Save it without a password and send that.',
  });
}

/** A malformed document; `message` says how. */
export function damaged(message: string, cause?: unknown): PrivetError {
  return new PrivetError('invalid_input', message, {
    hint: 'Save it again with the program that created it and send that.',
    cause,
  });
}

/** A document that exceeds a limit; `message` says which. */
export function tooLarge(message: string): PrivetError {
  return new PrivetError('body_too_large', message, { hint: 'Send a smaller document.' });
}

/** A document that exceeds the limit when unpacked. */
export function unpackedTooLarge(): PrivetError {
  return tooLarge('The document is too large when unpacked.');
}
