/** Trust anchors are read when the first connection needs them. */
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { UpstreamTls } from '../../../../gateway/proxy/upstream/trust.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test("connections continue with Node's own roots if those of the machine cannot be read", () => {
  const read = vi.spyOn(tls, 'getCACertificates').mockImplementation(() => {
    throw new Error('no store');
  });
  syncBuiltinESMExports();
  const upstream = new UpstreamTls({ caFile: null, clientCertificates: [], env: {} });
  expect(read).not.toHaveBeenCalled();
  expect(upstream.contextFor('a.example')).toBe(upstream.context);
  expect(read).toHaveBeenCalledTimes(1);
});
