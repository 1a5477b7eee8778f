/** The codings that the gateway offers to an inspected origin, depending on those of the client. */
import { expect, test } from 'vitest';
import { undoableCodings } from '../../../../gateway/proxy/request/upstream-headers.ts';

test.each([
  // Supported codings are kept as written.
  ['gzip, deflate, br, zstd', 'gzip, deflate, br, zstd'],
  ['GZIP;q=1.0 , br;q=0.5', 'GZIP;q=1.0 , br;q=0.5'],
  ['x-gzip, gzip', 'x-gzip, gzip'],
  ['identity', 'identity'],
  ['', ''],
  // Unsupported codings are removed without replacement.
  ['compress, gzip', 'gzip'],
  ['gzip;q=0.8, dcb, dcz, sdch', 'gzip;q=0.8'],
  ['compress', 'identity'],
  ['compress, identity;q=0.5', 'identity;q=0.5'],
  ['gzip, br, zstd, deflate, x-gzip, lz4', 'gzip, br, zstd, deflate, x-gzip'],
  // Any coding: any supported one.
  ['*', 'gzip, deflate, br, zstd'],
  ['br;q=1.0, *;q=0.1', 'br;q=1.0, gzip;q=0.1, deflate;q=0.1, zstd;q=0.1'],
  ['gzip;q=1.0, *;q=0', 'gzip;q=1.0, *;q=0'],
  ['gzip, *; q=0.00', 'gzip, *; q=0.00'],
])('%s: %s', (offered, passed) => {
  expect(undoableCodings(offered)).toBe(passed);
});
