/** What a call that may not be sent is answered with, so that an AI package shows the reason and does not try again. */
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
 * An answer in the shape of the provider's own errors. An error that is thrown from `fetch` is taken for one of the
 * connection: tried again, and then hidden behind "Connection error.".
 */
export function refusedResponse({ code, status, message, hint, details }: PrivetError, url: string): Response {
  const text = `Privet: ${message} ${hint}`;
  const isGoogle = /\/\/[^/]*\.googleapis\.com\/|:(?:stream)?(?:generate|embed|count)\w*(?:\?|$)/i.test(url);
  const error = isGoogle
    ? { code: status, message: text, status: googleStatus[status] ?? 'FAILED_PRECONDITION', reason: code }
    : { type: 'privet_error', code, message: text, hint, param: null, ...(details === undefined ? {} : { details }) };
  const response = Response.json(
    // Anthropic has a type beside the error; others pass it over.
    { type: 'error', error },
    { status, headers: { 'x-should-retry': String(status >= 500), 'x-privet-refused': code } },
  );
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  return response;
}
