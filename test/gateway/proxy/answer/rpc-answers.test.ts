/** Refusals for clients of gRPC and Connect: the code of every error, and texts that are not ASCII. */
import { expect, test } from 'vitest';
import { type ErrorCode, errorCodes, PrivetError } from '../../../../core/errors.ts';
import { rpcAnswer } from '../../../../gateway/proxy/answer/rpc-answers.ts';

const answerTo = (code: ErrorCode, rawHeaders: string[], message = 'Why.') => {
  const answer = rpcAnswer(new PrivetError(code, message), { rawHeaders, fields: [] });
  if (answer === undefined) throw new Error('no answer');
  return answer;
};
const field = (headers: string[], name: string) => headers[headers.indexOf(name) + 1];

const rows: [code: ErrorCode, connect: string, grpc: number][] = [
  ['blocked_by_policy', 'permission_denied', 7],
  ['uninspectable', 'permission_denied', 7],
  ['undecodable_body', 'invalid_argument', 3],
  ['body_too_large', 'resource_exhausted', 8],
  ['too_many_requests', 'resource_exhausted', 8],
  ['proxy_auth_required', 'unauthenticated', 16],
  ['unavailable', 'unavailable', 14],
  ['upstream_failed', 'unavailable', 14],
  ['upstream_timeout', 'deadline_exceeded', 4],
  ['misdirected_request', 'failed_precondition', 9],
  ['internal', 'internal', 13],
];

test.each(rows)('%s', (code, connect, grpc) => {
  const { status, headers, body } = answerTo(code, ['content-type', 'application/grpc+proto']);
  expect([status, body.length, field(headers, 'grpc-status')]).toEqual([200, 0, String(grpc)]);
  const unary = answerTo(code, ['connect-protocol-version', '1', 'content-type', 'application/json']);
  expect(JSON.parse(unary.body.toString())).toEqual({
    code: connect,
    message: `Privet: Why. ${errorCodes[code].hint}`,
  });
  const end = answerTo(code, ['Content-Type', 'application/connect+json; charset=utf-8']).body;
  expect([end.readUInt8(0), end.readUInt32BE(1)]).toEqual([2, end.length - 5]);
  expect(JSON.parse(end.subarray(5).toString()).error.code).toBe(connect);
});

test('every error has a code', () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[])
    expect(field(answerTo(code, ['content-type', 'application/grpc']).headers, 'grpc-status')).toMatch(/^\d+$/);
});

test('a message in another language is percent-encoded UTF-8', () => {
  const { headers } = answerTo('uninspectable', ['content-type', 'application/grpc'], '100% 太\n');
  expect(field(headers, 'grpc-message')).toMatch(/^Privet: 100%25 %E5%A4%AA%0A Send /);
});

test.each([
  ['JSON', ['content-type', 'application/json']],
  ['nothing', []],
  ['a type that only begins like one', ['content-type', 'application/grpcish']],
])('%s is not one of them', (_name, rawHeaders) => {
  expect(rpcAnswer(new PrivetError('uninspectable', ''), { rawHeaders, fields: [] })).toBeUndefined();
});
