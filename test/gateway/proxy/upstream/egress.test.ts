/** Targets that are refused before a name is looked up. */
import { describe, expect, test } from 'vitest';
import { Egress } from '../../../../gateway/proxy/upstream/egress.ts';
import { UpstreamTls } from '../../../../gateway/proxy/upstream/trust.ts';
import { normalizeHost } from '../../../../policy/host.ts';

const own = 3001;

function egress(options: { ports?: number[] | 'any'; resolve?: Record<string, string> } = {}): Egress {
  const made = new Egress({
    denyPrivate: true,
    allow: [],
    deny: [],
    ports: [80, 443],
    resolve: {},
    parents: { parent: null, parents: [], noProxy: [] },
    dns: [],
    tls: new UpstreamTls({ caFile: null, clientCertificates: [], env: {} }),
    dnsTimeoutMs: 1_000,
    connectTimeoutMs: 1_000,
    ...options,
  });
  made.addOwnPort(own);
  return made;
}

/** The code of the refusal. */
function refusal(of: Egress, spelling: string, port: number): string | undefined {
  const { host, kind } = normalizeHost(spelling);
  try {
    of.checkTarget(host, kind, port);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('own ports are a loop, also where egress.ports lacks them', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
  ])('%s', (host) => {
    expect(refusal(egress(), host, own)).toBe('loop_detected');
    expect(refusal(egress({ ports: 'any' }), host, own)).toBe('loop_detected');
  });
});

test.each<[host: string, port: number, code: string | undefined]>([
  ['127.0.0.1', 3002, 'port_refused'],
  ['localhost', 3002, 'port_refused'],
  ['9.9.9.9', own, 'port_refused'],
  ['a.example', own, 'port_refused'],
  ['127.0.0.1', 443, 'egress_refused'],
  ['a.example', 443, undefined],
])('%s:%d is not affected', (host, port, code) => {
  expect(refusal(egress(), host, port)).toBe(code);
});

test('an address that the administrator redirects is not ours', () => {
  expect(refusal(egress({ ports: 'any', resolve: { '127.0.0.1': '192.0.2.1:443' } }), '127.0.0.1', own)).toBe(
    undefined,
  );
});
