/** The errors that a client gets for upstream failures. */
import { expect, test } from 'vitest';
import { PrivetError } from '../../../../core/errors.ts';
import { upstreamError } from '../../../../gateway/proxy/upstream/upstream.ts';

// Codes and messages of Node 24; it has no codes for weak keys and digests.
test.each<[code: string, message: string, expected: string, says: RegExp]>([
  ['CERT_HAS_EXPIRED', 'certificate has expired', 'upstream_certificate', /expired/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match', 'upstream_certificate', /another name/],
  ['UNSPECIFIED', 'EE certificate key too weak', 'upstream_certificate', /weak key/],
  ['UNSPECIFIED', 'CA certificate key too weak', 'upstream_certificate', /weak key/],
  ['UNSPECIFIED', 'CA signature digest algorithm too weak', 'upstream_certificate', /weak algorithm/],
  ['UNSPECIFIED', 'something else', 'upstream_certificate', /not acceptable/],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'unsupported protocol', 'upstream_certificate', /TLS protocol/],
  ['ECONNREFUSED', 'connect ECONNREFUSED', 'upstream_failed', /refused/],
  ['HPE_INVALID_CONSTANT', 'Parse Error', 'upstream_failed', /malformed HTTP/],
  ['UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error', 'upstream_timeout', /in time/],
  ['HTTP1_BUSY', 'no connection became free', 'unavailable', /in use/],
])('%s (%s) is %s', (code, message, expected, says) => {
  const told = upstreamError(Object.assign(new Error(message), { code }));
  expect(told.code).toBe(expected);
  expect(told.message).toMatch(says);
});

test('our own refusal inside another error is reported', () => {
  const own = new PrivetError('egress_refused', 'No.');
  expect(upstreamError(new Error('fetch failed', { cause: own }))).toBe(own);
  expect(upstreamError(new AggregateError([new Error('one'), own]))).toBe(own);
});
