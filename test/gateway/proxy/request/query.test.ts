/** Personal data in the query of a request is masked wherever it is; all other bytes stay. */
import { expect, test } from 'vitest';
import { MemoryVault } from '../../../../core/vault.ts';
import { BodyMasker, type MaskingOptions } from '../../../../gateway/proxy/body/masking.ts';
import { maskQuery } from '../../../../gateway/proxy/request/query.ts';
import type { RequestRecord } from '../../../../gateway/proxy/request/record.ts';

const options: MaskingOptions = {
  vault: new MemoryVault(),
  types: {},
  dictionary: [],
  bodyBytesMax: 1e6,
  uninspectable: { image: 'allow', audio: 'allow', document: 'extract', binary: 'block', signed: 'block' },
  tokenTtlMs: 0,
  batchTtlMs: 0,
  hints: [],
  builtinTypes: ['EMAIL', 'PHONE'],
};
const masker = new BodyMasker(options);
const common = { host: 'api.example.com', path: '/', session: 's', mode: 'mask' } as const;

test.each([
  ['/?q=ana%40example.org&n=1', '/?q=%5BEMAIL-1%5D&n=1'],
  ['/?q=mail+to+ana@example.org', '/?q=mail+to+%5BEMAIL-1%5D'],
  // Next to bytes of another charset, and a percent sign.
  ['/?q=caf%E9+ana%40example.org', '/?q=caf%E9+%5BEMAIL-1%5D'],
  ['/?q=50%+ana%40example.org', '/?q=50%25+%5BEMAIL-1%5D'],
  // Without a value, and as a name.
  ['/?ana@example.org', '/?%5BEMAIL-1%5D'],
  ['/?mail+ana%40example.org+now', '/?mail+%5BEMAIL-1%5D+now'],
  ['/?ana%40example.org=1&x', '/?%5BEMAIL-1%5D=1&x'],
  ['/?ana%40example.org=', '/?%5BEMAIL-1%5D='],
  // Credentials, and values without personal data.
  ['/?key=AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY', '/?key=AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY'],
  ['/?code=4%2F0AX4XfWh&state=YW5hQGV4YW1wbGU%3D', '/?code=4%2F0AX4XfWh&state=YW5hQGV4YW1wbGU%3D'],
  // The same names with values that are not credentials.
  ['/?key=ana%40example.org', '/?key=%5BEMAIL-1%5D'],
  ['/?code=send(%22ana@example.org%22)', '/?code=send(%22%5BEMAIL-1%5D%22)'],
  ['/?token=415-555-0132', '/?token=%5BPHONE-1%5D'],
  ['/?alt=sse&&=&b%zz=%ff&c=%2F/', '/?alt=sse&&=&b%zz=%ff&c=%2F/'],
  ['/ana@example.org?', '/ana@example.org?'],
])('%s', async (path, masked) => {
  const record = { masked: 0 } as RequestRecord;
  expect(await maskQuery(masker, common, path, record)).toBe(masked);
  expect(record.masked).toBe(path === masked ? 0 : 1);
});

const secret = 'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY';
test.each([
  [`/?%6bey=${secret}`, true],
  [`/?%256Bey=${secret}`, true],
  [`/?KEY=${secret}`, true],
  [`/?+key=${secret}`, true],
  [`/?api%2Dkey=${secret}`, true],
  [`/?monkey=${secret}`, false],
  [`/?q=${secret}`, false],
])('a key is passed under the name that the service uses: %s', async (path, isLeft) => {
  const secrets = new BodyMasker({ ...options, vault: new MemoryVault(), builtinTypes: ['API_KEY'] });
  expect((await maskQuery(secrets, common, path, { masked: 0 } as RequestRecord)) === path).toBe(isLeft);
});

const dictionary = ['K7', 'Zeus'].map((pattern) => ({ label: 'PROJECT', pattern }));

test.each([
  ['/?q=K7', '/?q=%5BPROJECT_1%5D'],
  ['/?K7&n=1', '/?%5BPROJECT_1%5D&n=1'],
  ['/?n=1&=Zeus', '/?n=1&=%5BPROJECT_1%5D'],
  ['/?q=K8&&=', '/?q=K8&&='],
])('a short term of the dictionary: %s', async (path, masked) => {
  const named = new BodyMasker({ ...options, vault: new MemoryVault(), dictionary });
  expect(await maskQuery(named, common, path, { masked: 0 } as RequestRecord)).toBe(masked);
});

test('a blocked short dictionary term causes the request to be refused', async () => {
  const strict = new BodyMasker({ ...options, dictionary, types: { PROJECT: 'block' } });
  await expect(maskQuery(strict, common, '/?q=K7', { masked: 0 } as RequestRecord)).rejects.toMatchObject({
    code: 'blocked_by_policy',
  });
});
