/** The response to a call that may not be sent, made so that AI packages show its reason and do not retry. */
import type { PrivetError } from '../core/errors.ts';

/** Codes of Google's errors, which its package shows (google.rpc.Code). */
const googleStatus: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  503: 'UNAVAILABLE',
};

/**
 * A response in the provider's error format. AI packages treat an error thrown by `fetch` as a connection error: they
 * retry, and then report only "Connection error.".
 */
export function refusedResponse({ code, status, message, hint, details }: PrivetError, url: string): Response {
  const text = `Privet: ${message} ${hint}`;
  const isGoogle = /\/\/[^/]*\.googleapis\.com\/|:(?:stream)?(?:generate|embed|count)\w*(?:\?|$)/i.test(url);
  const error = isGoogle
    ? { code: status, message: text, status: googleStatus[status] ?? 'FAILED_PRECONDITION', reason: code }
    : { type: 'privet_error', code, message: text, hint, param: null, ...(details === undefined ? {} : { details }) };
  const response = Response.json(
    // Anthropic has a type next to the error; others ignore it.
    { type: 'error', error },
    { status, headers: { 'x-should-retry': String(status >= 500), 'x-privet-refused': code } },
  );
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  return response;
}
