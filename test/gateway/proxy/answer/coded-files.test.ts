/** Files of a service with encoded text. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { restoreCodedFile } from '../../../../gateway/proxy/answer/coded-files.ts';

const value = ['anna', 'mail.example'].join('@');
const restored = (bytes: Uint8Array) => {
  const count = { restored: 0, unresolved: 0 };
  return {
    bytes: restoreCodedFile({ bytes, map: new Map([['[EMAIL-1]', value]]), allowsHost: undefined, count }),
    count,
  };
};

test('a compressed file is restored, unless it expands to very much', () => {
  const file = gzipSync('Write to [EMAIL-1].');
  expect(gunzipSync(restored(file).bytes).toString()).toBe(`Write to ${value}.`);
  const bomb = gzipSync(`Write to [EMAIL-1].${' '.repeat(5 * 1024 * 1024)}`);
  expect(restored(bomb)).toEqual({ bytes: bomb, count: { restored: 0, unresolved: 0 } });
});
