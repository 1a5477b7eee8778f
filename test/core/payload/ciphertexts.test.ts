/** Names of ciphertexts: what is no ciphertext under such a name is text. */
import { expect, test } from 'vitest';
import { parseRequestBody } from '../../../core/payload/request.ts';

const names = 'fingerprint redactedData redactedContent reasoning_opaque thought_signatures encrypted_stdout'.split(
  ' ',
);
const cipher = 'gAAAAABo5xKq0vN2uYc3Rw8sT1mZb4Lk7Jf9Hd6Pq';

test.each(names)('%s', (name) => {
  const leaves = (value: unknown) =>
    parseRequestBody('json', JSON.stringify({ input: [{ type: 'text', [name]: value }] })).leaves;
  for (const value of ['4111111111111111', '123-45-6789', '09012345678', 'Tanaka', 'sk-0123456789abcdef0123'])
    expect(leaves(value)).toContain(value);
  expect(leaves([cipher])).not.toContain(cipher);
});
