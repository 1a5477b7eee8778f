import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CertificateAuthority } from '../../certs/ca.ts';
import { minimalNames, NameShards } from '../../certs/name-shards.ts';
import { dayMs } from '../../certs/x509.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'privet-ca-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return join(dir, 'ca');
}

const open = (dir: string, options: Partial<Parameters<typeof CertificateAuthority.open>[0]> = {}) =>
  CertificateAuthority.open({ dir, permittedDomains: ['openai.com'], ...options });

describe('the CA folder', () => {
  test('is created once with private permissions, then reused', () => {
    const dir = folder();
    const first = open(dir);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'root-key.pem')).mode & 0o777).toBe(0o600);
    expect(open(dir).fingerprint256).toBe(first.fingerprint256);
    expect(readFileSync(join(dir, 'root.pem'), 'utf8')).toBe(first.root.pem);
  });

  test.each<[name: string, damage: (dir: string) => void, message: RegExp]>([
    ['key readable by others', (dir) => chmodSync(join(dir, 'root-key.pem'), 0o640), /can be read by other users/],
    ['key missing', (dir) => rmSync(join(dir, 'root-key.pem')), /has no key file/],
    ['certificate missing', (dir) => rmSync(join(dir, 'root.pem')), /has no certificate file/],
    ['certificate damaged', (dir) => writeFileSync(join(dir, 'root.pem'), 'x'), /is not a certificate/],
    ['key damaged', (dir) => writeFileSync(join(dir, 'root-key.pem'), 'x'), /is not a private key/],
    [
      'key of another CA',
      (dir) => {
        const other = folder();
        open(other);
        writeFileSync(join(dir, 'root-key.pem'), readFileSync(join(other, 'root-key.pem')));
      },
      /does not belong to the certificate/,
    ],
  ])('%s: refused in one sentence, nothing is recreated', (_name, damage, message) => {
    const dir = folder();
    open(dir);
    damage(dir);
    expect(() => open(dir)).toThrow(message);
    expect(() => open(dir)).toThrow(expect.objectContaining({ code: 'ca_unusable' }));
  });

  test('a lost folder prevents start-up until a new root is explicitly requested', () => {
    const dir = folder();
    const { fingerprint256 } = open(dir);
    rmSync(dir, { recursive: true });
    expect(() => open(dir)).toThrow(expect.objectContaining({ code: 'ca_unusable' }));
    expect(() => open(dir)).toThrow(`SHA-256 ${fingerprint256}`);
    rmSync(`${dir}.sha256`);
    expect(open(dir).fingerprint256).not.toBe(fingerprint256);
  });

  test('a passphrase encrypts the key of the root', () => {
    const dir = folder();
    const { fingerprint256 } = open(dir, { passphrase: 'a hedge of privet' });
    expect(readFileSync(join(dir, 'root-key.pem'), 'utf8')).toContain('BEGIN ENCRYPTED PRIVATE KEY');
    expect(() => open(dir)).toThrow(/PROXY_CA_PASSPHRASE/);
    expect(() => open(dir, { passphrase: 'another' })).toThrow(/PROXY_CA_PASSPHRASE/);
    expect(open(dir, { passphrase: 'a hedge of privet' }).fingerprint256).toBe(fingerprint256);
  });

  test('a folder without a CA is an error if none may be created', () => {
    const hint = expect.stringMatching(/first start.*PROXY_DATA_DIR/);
    expect(() => open(folder(), { create: false })).toThrow(expect.objectContaining({ code: 'ca_unusable', hint }));
  });

  test('an unwritable folder is reported in one sentence', () => {
    expect(() => open('/dev/null/ca')).toThrow(/cannot be (read|written)/);
  });

  test('an expired root is refused', () => {
    const dir = folder();
    open(dir);
    expect(() => open(dir, { now: () => Date.now() + 3_700 * dayMs })).toThrow(/has expired/);
  });
});

describe('issuing CAs', () => {
  test('are renewed early enough for full leaf lifetimes', () => {
    let now = Date.now();
    const ca = open(folder(), { now: () => now });
    const first = ca.issuerFor('openai.com');
    now += 50 * dayMs;
    expect(ca.issuerFor('openai.com')).toBe(first);
    now += 10 * dayMs;
    const second = ca.issuerFor('openai.com');
    expect(second).not.toBe(first);
    expect(first.notAfter.getTime() - (now - 10 * dayMs)).toBeGreaterThan(30 * dayMs);
  });

  test('adding a domain keeps the other CAs, removing one stops signing for it', () => {
    const ca = open(folder(), { permittedDomains: ['openai.com', 'claude.ai'] });
    const before = ca.issuerFor('openai.com');
    ca.cover(['openai.com', 'claude.ai', 'new.example']);
    expect(ca.issuerFor('openai.com')).toBe(before);
    expect(ca.issuerFor('www.new.example').shard?.names).toEqual(['new.example']);
    ca.cover(['openai.com', 'new.example']);
    expect(() => ca.issuerFor('claude.ai')).toThrow(expect.objectContaining({ code: 'host_not_covered' }));
    expect(ca.issuerFor('openai.com').shard?.names).toEqual(['openai.com']);
  });

  test('null means no limit, and a list can be set again', () => {
    const ca = open(folder(), { permittedDomains: null });
    expect(ca.issuerFor('anything.example').shard).toBeUndefined();
    expect(ca.issuerFor('192.0.2.1').shard).toBeUndefined();
    ca.cover([]);
    expect(() => ca.issuerFor('anything.example')).toThrow(/not permitted/);
  });
});

describe('names', () => {
  test.each<[name: string, input: string[], expected: string[]]>([
    ['below a listed suffix', ['openai.com', 'chat.openai.com', 'a.b.openai.com'], ['openai.com']],
    ['label boundary', ['openai.com', 'notopenai.com'], ['notopenai.com', 'openai.com']],
    ['pattern', ['*.openai.azure.com'], ['openai.azure.com']],
    ['pattern inside a label', ['prod-*.webpubsub.azure.com'], ['webpubsub.azure.com']],
    ['pattern in the middle', ['bedrock.*.amazonaws.com'], ['amazonaws.com']],
    ['two stars', ['*.x.*.example.com'], ['example.com']],
    ['pattern that leaves a top-level domain', ['chat.*.com', 'a.*'], []],
    ['addresses', ['192.0.2.7', '2.7'], ['192.0.2.7', '2.7']],
    ['one label', ['localhost'], ['localhost']],
  ])('%s', (_name, input, expected) => {
    expect(minimalNames(input)).toEqual(expected);
  });

  test.each<[host: string, covered: boolean]>([
    ['openai.com', true],
    ['a.b.openai.com', true],
    ['notopenai.com', false],
    ['openai.com.evil.example', false],
    ['com', false],
    ['', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['x.192.0.2.7', true],
  ])('%s covered: %s', (host, covered) => {
    const shards = new NameShards();
    shards.cover(['openai.com', '192.0.2.7']);
    // Normalisation rejects the last host; its certificate would fail the name constraints anyway.
    expect(shards.find(host) !== undefined).toBe(covered);
  });

  test('a large list creates shards for requested names only', () => {
    const many = Array.from({ length: 25_000 }, (_, i) => `s${i}.example.com`);
    const shards = new NameShards();
    shards.cover(['old.example', 's1.example.com']);
    const before = shards.find('s1.example.com');
    shards.cover([...many, 'a.s7.example.com', '*.x.pattern.example', '192.0.2.7']);
    expect(shards.list()).toEqual([]);
    expect(before?.names).toContain('old.example');
    expect(shards.find('b.a.s7.example.com')).toEqual({ kind: 'name', names: ['s7.example.com'] });
    expect(shards.find('s7.example.com')).toBe(shards.find('c.s7.example.com'));
    expect(shards.find('n.x.pattern.example')?.names).toEqual(['x.pattern.example']);
    expect(shards.find('192.0.2.7')).toEqual({ kind: 'address', names: ['192.0.2.7'] });
    for (const host of ['example.com', 'xs7.example.com', '192.0.2.8', 'com'])
      expect(shards.find(host)).toBeUndefined();
    expect([shards.list().length, shards.size]).toEqual([3, 25_003]);
    shards.cover(many.slice(8));
    expect(shards.find('s7.example.com')).toBeUndefined();
    shards.cover(['s7.example.com']);
    expect([shards.size, shards.find('s7.example.com')?.names]).toEqual([1, ['s7.example.com']]);
  });

  const label = fc.constantFrom('a', 'b', 'c', 'd');
  const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => `${labels.join('.')}.example`);

  test('shards hold every name once, at most 16 each, whatever the order of changes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(domain, { maxLength: 40 }), { minLength: 1, maxLength: 5 }),
        domain,
        (lists, host) => {
          const shards = new NameShards();
          for (const list of lists) shards.cover(list);
          const last = lists.at(-1) as string[];
          const listed = last.some((name) => host === name || host.endsWith(`.${name}`));
          const shard = shards.find(host);
          expect(shard !== undefined).toBe(listed);
          for (const name of shard?.names ?? []) expect(last).toContain(name);
          expect(shard?.names.length ?? 0).toBeLessThanOrEqual(16);
        },
      ),
    );
  });
});
