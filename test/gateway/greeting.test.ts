/** The terminal output at start-up. */
import { expect, test, vi } from 'vitest';
import { greet } from '../../gateway/greeting.ts';

test('IPv6 addresses are in brackets, so that they can be copied', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const facts = { proxyPort: 3128, apiPort: 3001, adminKey: undefined, unconstrained: false, rootName: 'root' };
  greet({ ...facts, settings: { gatewayHost: '::1', host: '::1', dataDir: '/data' } } as Parameters<typeof greet>[0]);
  const text = String(write.mock.calls[0]?.[0]);
  write.mockRestore();
  expect(text.match(/http:\/\/\S+/g)).toEqual([
    'http://[::1]:3128',
    'http://[::1]:3001',
    'http://[::1]:3001/console/',
    'http://privet.proxy/',
    'http://[::1]:3128',
  ]);
});
