/** Member names: those of protocols are not texts, but any other name may be one. */
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { parseRequestBody } from '../../../core/payload/request.ts';

const detector = new Detector();
const textsOf = (name: string) => parseRequestBody('json', JSON.stringify({ a: { [name]: 1 } })).leaves;

describe('inspected names', () => {
  test.each([
    ['DE89370400440532013000', 'IBAN'],
    ['sk-proj-q7Tz2Lw9RkVb4XnYc8HsJd3MfGp6Aa5Ue1Ko', 'API_KEY'],
    ['AKIAIOSFODNN7EXAMPL2', 'API_KEY'],
    ['ghp_q7Tz2Lw9RkVb4XnYc8HsJd3MfGp6Aa5Ue1Ko', 'API_KEY'],
    ['jo@example.com', 'EMAIL'],
  ])('%s', (name, type) => {
    expect(textsOf(name)).toEqual([name]);
    expect(detector.detect(name)).toMatchObject([{ type, value: name }]);
  });

  test.each([
    'tel0901234567',
    'ABCDEFGHIJ12345',
    'ABCDEFGHIJKLMNO',
    `a${'b'.repeat(31)}`,
    '1234567',
    'a b',
    '山',
    '-a',
  ])('%s', (name) => expect(textsOf(name)).toEqual([name]));

  test('is masked in place', () => {
    const body = '{"accounts":{"DE89370400440532013000":1520.5, "x":1}}';
    const masked = '{"accounts":{"[IBAN-1]":1520.5, "x":1}}';
    expect(parseRequestBody('json', body).rewrite(['[IBAN-1]'])).toBe(masked);
  });
});

describe('names that are not inspected', () => {
  test.each([
    'cache_creation_input_tokens',
    'automaticActivityDetection',
    'ABCDEFGHIJ1234',
    'ABCDEFGHIJ_1234',
    'ABCDEFGHIJKLMNOp',
    'a12345678',
    `a${'b'.repeat(30)}`,
    '$schema',
    'x-goog/v1.2:a',
    '123456',
  ])('%s', (name) => expect(textsOf(name)).toEqual([]));
});
