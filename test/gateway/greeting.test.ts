/** The terminal output at start-up. */
import { expect, test, vi } from 'vitest';
import { greet } from '../../gateway/greeting.ts';

test.each([
  ['::1', '[::1]'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
])('the addresses of a gateway on %s can be copied and opened', (host, shown) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const facts = { proxyPort: 3128, apiPort: 3001, adminKey: undefined, unconstrained: false, rootName: 'root' };
  greet({ ...facts, settings: { gatewayHost: host, host, dataDir: '/data' } } as Parameters<typeof greet>[0]);
  const text = String(write.mock.calls[0]?.[0]);
  write.mockRestore();
  expect(text.match(/http:\/\/\S+/g)).toEqual([
    `http://${shown}:3128`,
    `http://${shown}:3001`,
    `http://${shown}:3001/console/`,
    `http://${shown}:3001/admin/`,
    'http://privet.proxy/',
    `http://${shown}:3128`,
    'http://01.ai/',
  ]);
});
