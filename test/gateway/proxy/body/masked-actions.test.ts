/** Actions by type and configured recognizers, applied to bodies in the proxy. */
import { expect, test } from 'vitest';
import { builtinTypes } from '../../../../core/detect/detector.ts';
import { MemoryVault } from '../../../../core/vault.ts';
import { BodyMasker, type MaskingInput, type MaskingOptions } from '../../../../gateway/proxy/body/masking.ts';

const mail = 'ana@mail.example';
const card = '4111 1111 1111 1111';

function makeMasker(options: Partial<MaskingOptions>): BodyMasker {
  return new BodyMasker({
    vault: new MemoryVault(),
    types: {},
    dictionary: [],
    bodyBytesMax: 2 ** 24,
    uninspectable: { image: 'allow', audio: 'allow', document: 'extract', binary: 'block', signed: 'block' },
    tokenTtlMs: 0,
    batchTtlMs: 0,
    hints: [],
    builtinTypes,
    ...options,
  });
}

function bodyOf(content: string, types?: MaskingInput['types']): MaskingInput {
  return {
    body: Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] })),
    contentType: 'application/json',
    contentEncoding: undefined,
    host: 'api.example.com',
    path: '/v1/x',
    session: 's',
    mode: 'mask',
    types,
  };
}

const sentBy = async (masker: BodyMasker, input: MaskingInput) =>
  JSON.parse((await masker.mask(input)).body.toString()).messages[0].content as string;

test('the configuration and a rule choose actions by type, and the rest are tokens', async () => {
  const masker = makeMasker({ types: { CREDIT_CARD: 'mask', SECRETS: 'redact' } });
  const text = `Mail ${mail}, card ${card}.`;
  expect(await sentBy(masker, bodyOf(text))).toBe('Mail [EMAIL-1], card ****1111.');
  const rule = { EMAIL: { replace: 'someone' } } as const;
  expect(await sentBy(masker, bodyOf(text, rule))).toBe('Mail someone, card ****1111.');
  await expect(masker.mask(bodyOf(text, { CREDIT_CARD: 'block' }))).rejects.toMatchObject({
    code: 'blocked_by_policy',
  });
});

test('a replacement with quotes, a backslash and a line break keeps the JSON valid', async () => {
  const replace = 'say "someone" \\ here\n';
  expect(await sentBy(makeMasker({ types: { EMAIL: { replace } } }), bodyOf(`to ${mail}`))).toBe(`to ${replace}`);
});

test('hash uses the key of the gateway, also in worker threads', async () => {
  const masker = makeMasker({
    types: { EMAIL: 'hash' },
    hashKey: () => Buffer.from('a key of thirty-two bytes, shared'),
  });
  const short = await sentBy(masker, bodyOf(mail));
  expect(short).toMatch(/^\[EMAIL#[0-9a-f]{16}\]$/);
  const filler = 'Nothing is said here. '.repeat(60_000);
  expect((await sentBy(masker, bodyOf(`${mail} ${filler}`))).startsWith(`${short} Nothing`)).toBe(true);
});

test('configured recognizers find their types, and their actions apply', async () => {
  const recognizers = [{ type: 'EMPLOYEE_ID', forms: ['/E-\\d{6}/'], check: undefined, allow: ['E-000000'] }];
  const masker = makeMasker({ recognizers });
  expect(await sentBy(masker, bodyOf('E-123456 and E-000000'))).toBe('[EMPLOYEE_ID_1] and E-000000');
  const redacting = makeMasker({ recognizers, types: { EMPLOYEE_ID: 'redact' } });
  expect(await sentBy(redacting, bodyOf('E-123456'))).toBe('[EMPLOYEE_ID]');
});
