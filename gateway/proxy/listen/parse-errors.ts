/** Converts HTTP/1.1 parser errors to ours. */
import { PrivetError } from '../../../core/errors.ts';

/** The error that the client gets. */
export function parseErrorOf(error: { code?: string | undefined }): PrivetError {
  switch (error.code) {
    case 'HTTP1_HEAD_TOO_LARGE':
      return new PrivetError('headers_too_large', 'The header fields are larger than 64 KiB.');
    case 'HTTP1_HEAD_TIMEOUT':
      return new PrivetError('request_timeout', 'The header fields did not arrive in time.');
    default:
      return new PrivetError('bad_request', 'The message is not valid HTTP/1.1.', { cause: error });
  }
}
