/** Errors as API responses: `{ error: { code, message, hint?, details?, requestId } }`. */
import { type ErrorCode, PrivetError } from '../../core/errors.ts';

/** Errors of the web framework and of Node's parser → ours. */
const known: Record<string, { readonly code: ErrorCode; readonly message: string; readonly hint?: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', message: 'The Content-Type is not supported.' },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body_too_large',
    message: 'The body is too large.',
    hint: 'Send at most 10 MiB, or the text in parts that continue one session.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'invalid_json', message: 'The body is empty.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'invalid_json', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'bad_request',
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_BAD_URL: { code: 'bad_request', message: 'The path is not correctly percent-encoded.' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The header fields are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request took too long to arrive.' },
};

/** Converts any error to ours; unknown errors reveal only that they happened. */
export function asPrivetError(error: unknown): PrivetError {
  if (error instanceof PrivetError) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const entry = known[code ?? ''];
  if (entry) return new PrivetError(entry.code, entry.message, { cause: error, hint: entry.hint });
  if (error instanceof SyntaxError && statusCode === 400) {
    return new PrivetError('invalid_json', 'The body is not valid JSON.', { cause: error });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new PrivetError('bad_request', 'The request is not valid.', { cause: error });
  }
  return new PrivetError('internal', 'The gateway failed to answer.', { cause: error });
}

export function errorBody(error: PrivetError, requestId: string): { error: Record<string, unknown> } {
  const { code, message, hint, details } = error;
  return { error: { code, message, hint, details, requestId } };
}

/** Additional header fields of an error response; `hasRetryAfter`: Retry-After is already set. */
export function errorFields({ status, code }: PrivetError, hasRetryAfter: boolean): Record<string, string> {
  return {
    ...((status === 503 || status === 429) && !hasRetryAfter ? { 'retry-after': '2' } : {}),
    ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="Privet"' } : {}),
  };
}

/** A complete HTTP/1.1 response for bytes that never became a request. */
export function rawErrorAnswer(error: unknown, requestId: string): string {
  const code = (error as { code?: string }).code ?? '';
  const known = asPrivetError({ code, statusCode: 400 });
  const body = JSON.stringify(errorBody(known, requestId));
  return [
    `HTTP/1.1 ${known.status} ${known.code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
