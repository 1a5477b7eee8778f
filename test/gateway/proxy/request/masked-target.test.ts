/** Personal data in the path of a request: masked where a person has written it; the service's own names stay. */
import { expect, test } from 'vitest';
import { builtinTypes } from '../../../../core/detect/detector.ts';
import { MemoryVault } from '../../../../core/vault.ts';
import { BodyMasker, type MaskingOptions } from '../../../../gateway/proxy/body/masking.ts';
import { maskTarget, mayBePersonal } from '../../../../gateway/proxy/request/masked-target.ts';
import type { RequestRecord } from '../../../../gateway/proxy/request/record.ts';

const options: MaskingOptions = {
  vault: new MemoryVault(),
  types: {},
  dictionary: [{ label: 'PROJECT', pattern: 'Zeus' }],
  bodyBytesMax: 1e6,
  uninspectable: { image: 'allow', audio: 'allow', document: 'extract', binary: 'block', signed: 'block' },
  tokenTtlMs: 0,
  batchTtlMs: 0,
  hints: [],
  builtinTypes,
};
const common = { host: 'api.example.com', path: '/', session: 's', mode: 'mask' } as const;

/** As the proxy calls it: only for paths that may contain something. */
async function masked(path: string, record = { masked: 0 } as RequestRecord, rawHeaders: string[] = []) {
  const masker = new BodyMasker({ ...options, vault: new MemoryVault() });
  return mayBePersonal(path) ? await maskTarget(masker, common, { path, rawHeaders }, record) : path;
}

test.each<[path: string, sent: string]>([
  ['/v1beta/files/ana@example.org', '/v1beta/files/%5BEMAIL-1%5D'],
  ['/v1/x/ana%40example.org/y%2fz/4111111111111111', '/v1/x/%5BEMAIL-1%5D/y%2fz/%5BCREDIT_CARD-1%5D'],
  ['/v1/x/ana%2540example.org', '/v1/x/%5BEMAIL-1%5D'],
  ['/v1/to=ana@example.org;n=1:batch', '/v1/to=%5BEMAIL-1%5D;n=1:batch'],
  ['/v1/4111-1111-1111-1111:get/', '/v1/%5BCREDIT_CARD-1%5D:get/'],
  ['/v1/DE89370400440532013000', '/v1/%5BIBAN-1%5D'],
  ['/v1/536-22-1234', '/v1/%5BSSN-1%5D'],
  ['/v1/+819012345678', '/v1/%5BPHONE-1%5D'],
  ['/v1/ana+news@example.org', '/v1/%5BEMAIL-1%5D'],
  // The prompt in the path of readers, searches and image generators.
  ['/https://a.test/u/ana@example.org?x=1', '/https://a.test/u/%5BEMAIL-1%5D?x=1'],
  ['/https%3A%2F%2Fa.test%2Fana%40example.org', '/https%3A%2F%2Fa.test%2F%5BEMAIL-1%5D'],
  ['/write%20to%20ana@example.org,%20please', '/write%20to%20%5BEMAIL-1%5D,%20please'],
  ['/call+415-555-0132+now', '/call+%5BPHONE-1%5D+now'],
  ['/call%20415-555-0132%20about%20Zeus', '/call%20%5BPHONE-1%5D%20about%20%5BPROJECT_1%5D'],
  [
    `/p/${encodeURIComponent('山田花子さんの電話は090-1234-5678')}`,
    `/p/${encodeURIComponent('[NAME-1]さんの電話は[PHONE-1]')}`,
  ],
  // Next to bytes of another charset, and with the query.
  ['/caf%E9%20ana@example.org?q=ana%40example.org&n=1', '/caf%E9%20%5BEMAIL-1%5D?q=%5BEMAIL-1%5D&n=1'],
])('%s', async (path, sent) => {
  const record = { masked: 0 } as RequestRecord;
  expect(await masked(path, record)).toBe(sent);
  const tokens = sent.match(/%5B[A-Z_]+[-_]\d%5D/g)?.length;
  expect(record.masked).toBe(tokens);
  expect(Object.values(record.piiTypes ?? {}).reduce((sum, one) => sum + one, 0)).toBe(tokens);
});

test.each([
  '/v1/chat/completions',
  '/v1/threads/thread_4111111111111111/messages?limit=20',
  '/v1/files/file-4111111111111111/content',
  '/v1/responses/resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
  '/v1/messages/6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  '/v1/runs/1764205525000/2026-11-27T01:05:25Z/2026-11-27',
  '/v1/projects/123456789012/locations/us-central1/endpoints/4532015112830366384:predict',
  // With the check digit of a card, and of a My Number.
  '/v1/projects/p/locations/l/endpoints/4000000000000000006:predict',
  '/v1/projects/123456789018/secrets/x',
  '/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-3-5-sonnet-v2@20241022:streamRawPredict',
  '/v1/projects/-/serviceAccounts/bot@my-project.iam.gserviceaccount.com:generateAccessToken',
  '/v1/projects/-/serviceAccounts/123456789012-compute%40developer.gserviceaccount.com',
  '/model/anthropic.claude-3-5-sonnet-20241022-v2%3A0/converse',
  '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fus.anthropic.claude/invoke',
  '/openai/deployments/gpt-4o-2024-08-06-Zeus/chat/completions?api-version=2024-10-21',
  '/npm/@scope/pkg@1.2.3-beta.rc/dist/a.js',
  '/repos/pkg@v1.2.beta',
  '/npm/vue@next.js',
  '/gh/user/repo@main.zip',
  '/git@github.com/a/b',
  '/calendars/c_188a@group.calendar.google.com/events',
  '/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage',
  '/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
  '/hooks/sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD',
  '/blobs/aGVsbG8+d29ybGQ4Zm9vYmFy+cGFzc3dvcmQ=',
  '/v1/4155550132/415-555-0132/192.168.1.10',
  '/a//b/%2f%7E/%zz/%ff/c%20d/%E3%81%82/[x]',
  '/%5BEMAIL-1%5D/ask%20[EMAIL-1]%20again',
])('unchanged: %s', async (path) => {
  const record = { masked: 0 } as RequestRecord;
  expect(await masked(path, record)).toBe(path);
  expect(record).toEqual({ masked: 0, piiTypes: undefined });
});

test('ordinary paths are not inspected', () => {
  for (const path of ['/v1/chat/completions', '/v1/deployments/gpt-4o-2024-08-06', '/model/a.claude-3%3A0/converse'])
    expect(mayBePersonal(path)).toBe(false);
});

const authorization = (value: string) => ['Authorization', value];
test.each<[what: string, rawHeaders: string[], query?: string]>([
  ['AWS Signature Version 4', authorization('AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=0')],
  [
    'AWS Signature Version 4',
    [
      ...authorization('AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=0'),
      'x-amz-content-sha256',
      'UNSIGNED-PAYLOAD',
    ],
  ],
  ['OAuth 1', authorization('OAuth oauth_consumer_key="a",oauth_signature="b"')],
  ['Azure Shared Key', authorization('SharedKey account:abc=')],
  ['HTTP Signature', authorization('Signature keyId="a",headers="(request-target) date",signature="b"')],
  ['HTTP Message Signatures', ['Signature-Input', 'sig1=("@method" "@path");created=1']],
  ['presigned URL', [], '?X-Amz-Signature=0123456789abcdef'],
  ['presigned URL', [], '?Expires=1&Signature=0123456789abcdef'],
  ['presigned URL', [], '?sv=2024-11-04&sig=0123456789abcdef'],
])('a signed URL (%s) is refused, or sent unchanged', async (what, rawHeaders, query = '') => {
  const path = `/files/ana@example.org${query}`;
  await expect(masked(path, undefined, rawHeaders)).rejects.toMatchObject({
    code: 'uninspectable',
    message: `Step rewrite: the address contains EMAIL and is signed (${what}), so it cannot be masked.`,
    details: { types: { EMAIL: 1 } },
  });
  expect(await masked(`/files/4-ana${query}`, undefined, rawHeaders)).toBe(`/files/4-ana${query}`);
  const lenient = new BodyMasker({ ...options, uninspectable: { ...options.uninspectable, signed: 'allow' } });
  const record = { masked: 0 } as RequestRecord;
  expect(await maskTarget(lenient, common, { path, rawHeaders }, record)).toBe(path);
  expect(record).toEqual({ masked: 0, piiTypes: { EMAIL: 1 } });
});

test.each<[rawHeaders: string[], query: string]>([
  [authorization('Bearer x'), ''],
  [authorization('Signature keyId="a",headers="date",signature="b"'), ''],
  [['Signature-Input', 'sig1=("@method" "content-digest");created=1'], ''],
  [[], '?sig=0123456789abcdef'],
])('one not covered by the signature is masked: %s', async (rawHeaders, query) => {
  expect(await masked(`/files/ana@example.org${query}`, undefined, rawHeaders)).toBe(`/files/%5BEMAIL-1%5D${query}`);
});

test('in mode audit it is counted and sent unchanged', async () => {
  const record = { masked: 0 } as RequestRecord;
  const path = '/files/ana@example.org';
  const input = { path, rawHeaders: authorization('AWS4-HMAC-SHA256 Credential=a') };
  expect(await maskTarget(new BodyMasker(options), { ...common, mode: 'audit' }, input, record)).toBe(path);
  expect(record).toEqual({ masked: 0, piiTypes: { EMAIL: 1 } });
});

test('a blocked type causes the request to be refused', async () => {
  const strict = new BodyMasker({ ...options, types: { EMAIL: 'block' } });
  const input = { path: '/files/ana@example.org', rawHeaders: [] };
  await expect(maskTarget(strict, common, input, { masked: 0 } as RequestRecord)).rejects.toMatchObject({
    code: 'blocked_by_policy',
  });
});
