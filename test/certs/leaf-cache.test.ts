import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { connect, type SecureVersion, TLSSocket, type TLSSocketOptions } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CertificateAuthority } from '../../certs/ca.ts';
import { addressBytes } from '../../certs/der.ts';
import { LeafCache, type LeafCacheOptions, type LeafResult } from '../../certs/leaf-cache.ts';
import { dayMs } from '../../certs/x509.ts';

function setUp(options: Partial<LeafCacheOptions> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'privet-leaf-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const ca = CertificateAuthority.open({ dir: join(dir, 'ca'), permittedDomains: ['openai.com', 'claude.ai'], now });
  const results: LeafResult[] = [];
  const cache = new LeafCache({ ca, now, onResult: (result) => results.push(result), ...options });
  return { ca, cache, clock, results };
}

/** The context of a host requested before. */
function ownContext(cache: LeafCache, host: string) {
  cache.contextFor(host, 'a');
  return cache.contextFor(host, 'a');
}

test('a leaf is minted once and then reused, also by other clients', () => {
  const { cache, results } = setUp();
  const context = ownContext(cache, 'openai.com');
  expect(cache.contextFor('openai.com', 'b')).toBe(context);
  expect(ownContext(cache, 'api.openai.com')).not.toBe(context);
  expect(results).toEqual(['mint', 'hit', 'hit', 'mint', 'hit']);
});

test('first connections share a context, and each shows the certificate of its own host', async () => {
  const { ca, cache } = setUp();
  const hosts = ['a.openai.com', 'b.openai.com', 'claude.ai', 'a.openai.com', 'x.claude.ai', 'claude.ai'];
  // Create all server sides before the first handshake begins.
  const names = hosts.map((host) => {
    const [client, server] = duplexPair();
    const served = new TLSSocket(server, { isServer: true, secureContext: cache.contextFor(host, 'a') });
    served.on('error', () => {});
    return new Promise<string>((resolve, reject) => {
      const seen = connect({ socket: client, servername: host, ca: ca.root.pem }, () => {
        resolve(`${seen.getPeerCertificate().subjectaltname} ${seen.authorized}`);
        seen.destroy();
      });
      seen.on('error', reject);
    });
  });
  expect(await Promise.all(names)).toEqual(hosts.map((host) => `DNS:${host} true`));
});

test.each<[offered: string, taken: string]>([
  ['TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ['TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
  ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
])('a client that offers %s gets %s', async (ciphers, taken) => {
  const { ca, cache } = setUp();
  const [near, far] = duplexPair();
  const server = new TLSSocket(near, {
    isServer: true,
    secureContext: cache.contextFor('a.openai.com', 'client'),
  } as TLSSocketOptions);
  const client = connect({ socket: far, servername: 'a.openai.com', ca: ca.root.pem, ciphers });
  await once(client, 'secureConnect');
  expect(client.getCipher().name).toBe(taken);
  client.destroy();
  server.destroy();
});

test('a context is replaced at half the life of its leaf', () => {
  const { cache, clock } = setUp();
  const context = ownContext(cache, 'openai.com');
  clock.now += 14.9 * dayMs;
  expect(cache.contextFor('openai.com', 'a')).toBe(context);
  clock.now += 0.2 * dayMs;
  expect(cache.contextFor('openai.com', 'a')).not.toBe(context);
});

test('a full cache evicts the least recently used context', () => {
  const { cache, results } = setUp({ max: 2 });
  for (const host of ['a.openai.com', 'b.openai.com', 'a.openai.com', 'c.openai.com', 'a.openai.com', 'b.openai.com']) {
    cache.contextFor(host, 'a');
  }
  expect(cache.size).toBe(2);
  expect(results).toEqual(['mint', 'mint', 'hit', 'mint', 'hit', 'mint']);
});

test('a client with too many new hosts is limited; other clients and cached hosts are not', () => {
  const { cache, clock, results } = setUp({ mintsPerClientPerMinute: 3 });
  for (let i = 0; i < 3; i++) cache.contextFor(`h${i}.openai.com`, 'a');
  expect(() => cache.contextFor('h3.openai.com', 'a')).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
  expect(results.at(-1)).toBe('limited');
  cache.contextFor('h0.openai.com', 'a');
  cache.contextFor('h3.openai.com', 'b');
  clock.now += 20_000;
  cache.contextFor('h4.openai.com', 'a');
  expect(() => cache.contextFor('h5.openai.com', 'a')).toThrow(/too many hosts/);
});

test('a cached host that is no longer covered is refused', () => {
  const { ca, cache } = setUp();
  const kept = ownContext(cache, 'openai.com');
  cache.contextFor('claude.ai', 'a');
  ca.cover(['openai.com']);
  expect(() => cache.contextFor('claude.ai', 'a')).toThrow(expect.objectContaining({ code: 'host_not_covered' }));
  expect(cache.contextFor('openai.com', 'a')).toBe(kept);
  expect(() => cache.contextFor('bank.example', 'a')).toThrow(expect.objectContaining({ code: 'host_not_covered' }));
});

test('parallel requests for an RSA leaf share one', async () => {
  const { cache, results } = setUp();
  const contexts = await Promise.all(
    Array.from({ length: 50 }, () => cache.contextFor('openai.com', 'a', { rsa: true })),
  );
  expect(new Set(contexts).size).toBe(1);
  expect(results).toEqual(['mint']);
  expect(cache.contextFor('openai.com', 'a')).not.toBe(contexts[0]);
  await expect(cache.contextFor('bank.example', 'a', { rsa: true })).rejects.toThrow(/not permitted/);
});

test.each<[host: string, expected: number[] | undefined]>([
  ['192.0.2.7', [192, 0, 2, 7]],
  ['::', Array(16).fill(0)],
  ['::1', [...Array(15).fill(0), 1]],
  ['2001:db8::7', [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]],
  ['fe80::', [0xfe, 0x80, ...Array(14).fill(0)]],
  ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
  ['::ffff:192.0.2.7', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 7]],
  ['openai.com', undefined],
  ['1.2.3', undefined],
  ['fe80::1%eth0', undefined],
])('address bytes of %s', (host, expected) => {
  const bytes = addressBytes(host);
  expect(bytes && [...bytes]).toEqual(expected);
});

describe('session tickets', () => {
  /** Connects a client, optionally with a session; returns its new session and whether the old one was resumed. */
  async function visit(served: LeafCache, ca: CertificateAuthority, session?: Buffer, maxVersion?: SecureVersion) {
    const [client, server] = duplexPair();
    const secureContext = served.contextFor('openai.com', 'a');
    const inside = new TLSSocket(server, { isServer: true, secureContext });
    inside.on('error', () => {});
    inside.once('secure', () => inside.end('served'));
    const seen = connect({ socket: client, servername: 'openai.com', ca: ca.root.pem, session, maxVersion });
    let left: Buffer | undefined;
    seen.on('session', (one) => {
      left = one;
    });
    seen.resume();
    await once(seen, 'end');
    const isReused = seen.isSessionReused();
    seen.destroy();
    return { isReused, session: left };
  }

  test.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])(
    'of %s are accepted by every process with the same CA, and by the context of the second connection',
    async (version) => {
      const { ca, cache, clock } = setUp();
      const other = new LeafCache({ ca, now: () => clock.now });
      const first = await visit(cache, ca, undefined, version);
      expect(first.isReused).toBe(false);
      expect((await visit(cache, ca, first.session, version)).isReused).toBe(true);
      expect((await visit(other, ca, first.session, version)).isReused).toBe(true);
    },
  );

  test('from yesterday or from another CA lead to a full handshake', async () => {
    const { ca, cache, clock } = setUp();
    const first = await visit(cache, ca);
    const strange = setUp();
    expect((await visit(strange.cache, strange.ca, first.session)).isReused).toBe(false);
    clock.now += dayMs;
    const later = await visit(cache, ca, first.session);
    expect(later.isReused).toBe(false);
    expect((await visit(cache, ca, later.session)).isReused).toBe(true);
  });
});
