/** What node's HTTP parser found wrong, as an error of ours. */
import { PrivetError } from '../../core/errors.ts';

/** Maps a `clientError` of node:http to the answer that the client gets. */
export function parseErrorOf(error: { code?: string | undefined }): PrivetError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new PrivetError('headers_too_large', 'The header fields are larger than 64 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PrivetError('request_timeout', 'The header fields did not arrive in time.');
    case 'PRIVET_NESTED_CONNECT':
      return new PrivetError('method_not_allowed', 'CONNECT is refused inside a tunnel.');
    default:
      return new PrivetError('bad_request', 'The message is not valid HTTP/1.1.', { cause: error });
  }
}
