import { expect, test } from 'vitest';
import { MemoryVault } from '../../../../core/vault.ts';
import { BodyMasker, type MaskingOptions } from '../../../../gateway/proxy/body/masking.ts';
import { hasMaskedField, maskFields, withValues } from '../../../../gateway/proxy/request/masked-fields.ts';
import { newRecord } from '../../../../gateway/proxy/request/record.ts';
import { turnsDuring } from '../../../support/turns.ts';

const masker = new BodyMasker({
  vault: new MemoryVault(),
  types: {},
  dictionary: [{ label: 'PROJECT', pattern: '富士' }],
  bodyBytesMax: 1_000_000,
  uninspectable: {},
  tokenTtlMs: 0,
  batchTtlMs: 0,
  hints: [],
  builtinTypes: ['EMAIL', 'NAME', 'PHONE'],
} as unknown as MaskingOptions);
const common = { host: 'a.test', path: '/', session: 's', mode: 'mask' } as const;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const wire = (text: string) => Buffer.from(text).toString('latin1');

async function masked(raw: string[]): Promise<string[]> {
  const record = newRecord('request', { address: '127.0.0.1', subject: '127.0.0.1' }, 'POST', 'a.test', 443);
  return withValues(raw, await maskFields(masker, common, raw, record));
}

test.each<[what: string, value: string, sent: string]>([
  ['in UTF-8', wire('報告 ann@example.com 一.txt'), wire('報告 [EMAIL-1] 一.txt')],
  ['in Latin-1', 'r\u00e9sum\u00e9 ann@example.com a.txt', 'r\u00e9sum\u00e9 [EMAIL-1] a.txt'],
  ['with words that only its UTF-8 form has', wire('富士.txt'), wire('[PROJECT_1].txt')],
  ['in percent-encoding', 'ann%40example.com%20a.txt', '%5BEMAIL-1%5D%20a.txt'],
  [
    'as in RFC 8187',
    `attachment; filename="a.txt"; filename*=UTF-8''${encodeURIComponent('富士 a.txt')}`,
    `attachment; filename="a.txt"; filename*=UTF-8''%5BPROJECT_1%5D%20a.txt`,
  ],
  ['with a percent sign', '50% %ff ann@example.com a.txt', '50% %ff [EMAIL-1] a.txt'],
  ['that begins like JSON', '[2026] ann@example.com {a}.txt', '[2026] [EMAIL-1] {a}.txt'],
  ['of no person', wire('報告.txt'), wire('報告.txt')],
])('the name of a file %s', async (_what, value, sent) => {
  expect(await masked(['Slug', value])).toEqual(['Slug', sent]);
});

test.each<[name: string, value: string, sent: string]>([
  [
    'X-Ms-Blob-Content-Disposition',
    'attachment; filename="ann@example.com a.txt"',
    'attachment; filename="[EMAIL-1] a.txt"',
  ],
  ['X-Amz-Meta-Original-Name', 'ann@example.com a.txt', '[EMAIL-1] a.txt'],
  ['x-goog-meta-owner', 'ann@example.com', '[EMAIL-1]'],
  ['x-ms-meta-name', 'ann%40example.com%20a.txt', '%5BEMAIL-1%5D%20a.txt'],
  ['Dropbox-API-Arg', '{"path":"/ann@example.com a.txt","mode":"add"}', '{"path":"/[EMAIL-1] a.txt","mode":"add"}'],
  [
    'Dropbox-API-Arg',
    String.raw`{"path":"/\u5bcc\u58eb \u5831 \"ann@example.com\".txt","autorename":true}`,
    String.raw`{"path":"/[PROJECT_1] \u5831 \"[EMAIL-1]\".txt","autorename":true}`,
  ],
  ['X-Amz-Metadata-Directive', 'ann@example.com', 'ann@example.com'],
  ['My-X-Amz-Meta-Name', 'ann@example.com', 'ann@example.com'],
])('%s: %s', async (name, value, sent) => {
  expect(hasMaskedField([name, value])).toBe(value !== sent);
  expect(await masked([name, value])).toEqual([name, sent]);
});

test.each<[value: string, sent: string]>([
  [
    `filename ${base64('富士 ann@example.com.txt')},is_public`,
    `filename ${base64('[PROJECT_1] [EMAIL-1].txt')},is_public`,
  ],
  [
    `filetype ${base64('text/plain')}, name ${base64('ann@example.com a')}`,
    `filetype ${base64('text/plain')}, name ${base64('[EMAIL-1] a')}`,
  ],
  [`filename ${base64('plain.txt')}`, `filename ${base64('plain.txt')}`],
  ['name /w==,name2 !', 'name /w==,name2 !'],
  ['ann@example.com', 'ann@example.com'],
])('the pairs of tus: %s', async (value, sent) => {
  expect(hasMaskedField(['upload-metadata', value])).toBe(true);
  expect(await masked(['Upload-Metadata', value])).toEqual(['Upload-Metadata', sent]);
});

test('each of several fields of one name keeps its own', async () => {
  const raw = ['X-File-Name', 'ann@example.com a.txt', 'Other', 'ann@example.com a.txt', 'x-file-name', 'plain.txt'];
  expect(await masked(raw)).toEqual([
    'X-File-Name',
    '[EMAIL-1] a.txt',
    'Other',
    'ann@example.com a.txt',
    'x-file-name',
    'plain.txt',
  ]);
});

test.each<[value: string, sent: string]>([
  ['https://a.test/?q=mail+ann%40example.com&n=1', 'https://a.test/?q=mail+%5BEMAIL-1%5D&n=1'],
  ['https://a.test/c/1?n=1', 'https://a.test/c/1?n=1'],
  ['https://a.test/ann@example.com', 'https://a.test/%5BEMAIL-1%5D'],
  ['https://a.test/c%2Fd/ann%40example.com?n=1', 'https://a.test/c%2Fd/%5BEMAIL-1%5D?n=1'],
])('the referring page: %s', async (value, sent) => {
  expect(hasMaskedField(['Referer', value])).toBe(true);
  expect(await masked(['Referer', value, 'X-Other', value])).toEqual(['Referer', sent, 'X-Other', value]);
});

test.each<[name: string, value: string, sent: string]>([
  ['X-OpenWebUI-User-Email', 'ann@example.com', '[EMAIL-1]'],
  ['X-OpenWebUI-User-Email', 'ann%40example.com', '%5BEMAIL-1%5D'],
  ['X-OpenWebUI-User-Name', 'Hanako Yamada', '[NAME-1]'],
  ['X-OpenWebUI-User-Name', 'Hanako%20Yamada', '%5BNAME-1%5D'],
  // With literal spaces, which Python's quote() may leave.
  ['X-OpenWebUI-User-Name', `${encodeURIComponent('山田')} ${encodeURIComponent('花子')}`, '%5BNAME-1%5D'],
  ['X-OpenWebUI-User-Name', wire('山田 花子'), '[NAME-1]'],
  ['x-user-phone', '09012345678', '[PHONE-1]'],
  ['X-User-Id', 'ann@example.com', '[EMAIL-1]'],
  ['x-litellm-end-user-id', 'ann@example.com', '[EMAIL-1]'],
  ['X-Forwarded-Email', 'ann@example.com', '[EMAIL-1]'],
  ['Remote-User', 'ann@example.com', '[EMAIL-1]'],
  ['From', 'Ann <ann@example.com>', '[NAME-1] <[EMAIL-1]>'],
  ['Helicone-User-Id', 'ann@example.com', '[EMAIL-1]'],
  ['Helicone-Property-Customer', 'ann@example.com; eu', '[EMAIL-1]; eu'],
  ['cf-aig-metadata', '{"user":"ann@example.com","plan":2}', '{"user":"[EMAIL-1]","plan":2}'],
  [
    'x-portkey-metadata',
    String.raw`{"_user":"ann@example.com","team":"\u5831","user_name": "Hanako Yamada"}`,
    String.raw`{"_user":"[EMAIL-1]","team":"\u5831","user_name": "[NAME-2]"}`,
  ],
  ['baggage', 'userId=ann@example.com', 'userId=%5BEMAIL-1%5D'],
  [
    'Baggage',
    'a=%2F1, user_name = Hanako%20Yamada;by=ann+x%40example.com,b=2',
    'a=%2F1, user_name = %5BNAME-1%5D;by=%5BEMAIL-2%5D,b=2',
  ],
])('a field about the user, %s: %s', async (name, value, sent) => {
  expect(hasMaskedField([name, value])).toBe(true);
  const [, got] = await masked([name, value]);
  // All these tests share a session, so tokens are numbered across them.
  expect(got?.replace(/-\d+(?=\]|%5D)/g, '')).toBe(sent.replace(/-\d+(?=\]|%5D)/g, ''));
});

test.each([
  ['X-User-Id', '4f7c2b1e-user'],
  ['X-OpenWebUI-User-Role', 'admin'],
  ['X-OpenWebUI-User-Name', 'R%26D 100%'],
  ['cf-aig-metadata', '{"trace":"4f7c","ok":true}'],
  ['baggage', 'a=%2f1;p, =x,b = c ,,d'],
  ['x-user-credentials', 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'],
  ['x-user-id', 'a'.repeat(60_000)],
  ['baggage', 'k=v,'.repeat(15_000)],
])('a field about the user without personal data, %s: %s', async (name, value) => {
  expect(await masked([name, value])).toEqual([name, value]);
});

test.each([
  'User-Agent',
  'Authorization',
  'Cookie',
  'X-Api-Key',
  'X-User-Token',
  'X-User-Api-Key',
  'x-goog-user-project',
  'x-amz-user-agent',
  'X-Amz-Metadata-Directive',
  'X-Stainless-User',
  'Sec-CH-UA',
  'Sec-Fetch-User',
  'Metadata-Flavor',
  'Helicone-Auth',
  'X-Reuser-Properly',
])('%s is not a field about the user', async (name) => {
  expect(hasMaskedField([name, 'ann@example.com'])).toBe(false);
  expect(await masked([name, 'ann@example.com'])).toEqual([name, 'ann@example.com']);
});

const authorization = (value: string) => ['Authorization', value];
test.each<[scheme: string, name: string, rawHeaders: string[], path?: string]>([
  [
    'AWS Signature Version 4',
    'x-amz-meta-owner',
    authorization('AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host;x-amz-meta-owner, Signature=0'),
  ],
  ['AWS Signature Version 2', 'X-Amz-Meta-Owner', authorization('AWS key:abc=')],
  ['Azure Shared Key', 'x-ms-meta-owner', authorization('SharedKey account:abc=')],
  ['HTTP Signature', 'X-User-Id', authorization('Signature keyId="a",headers="date x-user-id",signature="b"')],
  ['HTTP Message Signatures', 'X-User-Id', ['Signature-Input', 'sig1=("@method" "x-user-id");created=1']],
  ['presigned URL', 'x-goog-meta-owner', [], '/k?X-Goog-Signature=0&X-Goog-SignedHeaders=host%3Bx-goog-meta-owner'],
])('a signed field (%s) is refused, or sent unchanged', async (scheme, name, rawHeaders, path = '/') => {
  const raw = [...rawHeaders, name, 'ann@example.com'];
  const record = newRecord('request', { address: '127.0.0.1', subject: '127.0.0.1' }, 'PUT', 'a.test', 443);
  await expect(maskFields(masker, { ...common, path }, raw, record)).rejects.toMatchObject({
    code: 'uninspectable',
    message: `Step rewrite: the header ${name.toLowerCase()} contains EMAIL and is signed (${scheme}), so it cannot be masked.`,
    details: { types: { EMAIL: 1 } },
  });
  expect(await maskFields(masker, { ...common, path }, [...rawHeaders, name, 'a-1'], record)).toBeUndefined();
  const lenient = new BodyMasker({
    ...masker.options,
    uninspectable: { signed: 'allow' },
  } as unknown as MaskingOptions);
  expect(await maskFields(lenient, { ...common, path }, raw, record)).toBeUndefined();
  expect(record.masked).toBe(0);
});

test.each<[rawHeaders: string[]]>([
  [authorization('AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host;x-amz-date, Signature=0')],
  [authorization('Signature keyId="a",headers="date",signature="b"')],
  [['Signature-Input', 'sig1=("@method" "@path");created=1']],
])('one outside the signature is masked: %s', async (rawHeaders) => {
  const got = await masked([...rawHeaders, 'x-amz-meta-owner', 'ann@example.com']);
  expect(got.at(-1)).toMatch(/^\[EMAIL-\d+\]$/);
});

test('other requests run between many fields, whose signature is looked up once', async () => {
  let reads = 0;
  const raw = Array.from({ length: 1_500 }, (_, i) => ['Referer', `http://a.test/u${i}@example.com`]).flat();
  const counted = new Proxy(raw, {
    get(target, key) {
      reads++;
      return Reflect.get(target, key);
    },
  });
  const record = newRecord('request', { address: '127.0.0.1', subject: '127.0.0.1' }, 'GET', 'a.test', 443);
  let values: ReadonlyMap<string, string> | undefined;
  const turns = await turnsDuring(async () => (values = await maskFields(masker, common, counted, record)));
  expect(values?.size).toBe(1_500);
  expect(turns).toBeGreaterThan(3);
  expect(reads).toBeLessThan(10 * raw.length);
});
