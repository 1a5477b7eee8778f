import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { chownSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../certs/ca.ts';
import { appleProfile, certificatesOf, fullBundle, pemBundle, pkcs7 } from '../../certs/formats.ts';
import { createLeafKey, mintLeaf } from '../../certs/leaf.ts';
import { LeafCache } from '../../certs/leaf-cache.ts';
import { dayMs } from '../../certs/x509.ts';
import { tempFolder } from '../support/temp.ts';

const folder = () => tempFolder('rotation');

/** A CA with its own clock. */
function authority(options: { dir?: string; now?: number } = {}) {
  const clock = { now: options.now ?? Date.now() };
  const dir = options.dir ?? join(folder(), 'ca');
  const open = (more: object = {}) =>
    CertificateAuthority.open({
      dir,
      permittedDomains: ['openai.com'],
      revocationBase: () => 'http://127.0.0.1:3128',
      now: () => clock.now,
      ...more,
    });
  return { ca: open(), clock, dir, open };
}

/** The verdict of openssl on a leaf, for a client that trusts exactly these roots. */
function verdict(leaf: ReturnType<typeof mintLeaf>, trusted: string, crls?: string): string {
  const dir = folder();
  const file = (name: string, content: string) => {
    writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
  const revocation = crls === undefined ? [] : ['-crl_check_all', '-CRLfile', file('all.crl', crls)];
  const roots = ['-CAfile', file('roots.pem', trusted), '-no-CApath'];
  const chain = ['-untrusted', file('chain.pem', leaf.issuerPem), file('leaf.pem', leaf.certPem)];
  try {
    const args = ['verify', '-x509_strict', ...revocation, ...roots, ...chain];
    return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    return String((error as { stderr: string }).stderr);
  }
}

const verify = (ca: CertificateAuthority, trusted: string) =>
  verdict(mintLeaf(ca, { host: 'api.openai.com', key: createLeafKey() }), trusted);

describe('a root that is replaced', () => {
  test('is published early, takes over at its time, and old clients can still verify', () => {
    const { ca, clock } = authority();
    const old = ca.root;
    const generation = ca.generation;
    const next = ca.rotate(new Date(clock.now + dayMs));
    expect(ca.published.map(({ fingerprint256 }) => fingerprint256)).toEqual([
      old.fingerprint256,
      next.root.fingerprint256,
    ]);
    expect(ca.refresh()).toBe(false);
    expect(verify(ca, old.pem)).toMatch(/: OK/);
    clock.now += dayMs;
    expect(ca.refresh()).toBe(true);
    expect(ca.root.fingerprint256).toBe(next.root.fingerprint256);
    expect(ca.published).toHaveLength(1);
    expect(ca.next).toBeUndefined();
    expect(ca.generation).toBe(generation + 1);
    expect(verify(ca, ca.root.pem)).toMatch(/: OK/);
    // Through the cross certificate, which every chain includes.
    expect(verify(ca, old.pem)).toMatch(/: OK/);
    clock.now += 91 * dayMs;
    expect(ca.refresh()).toBe(false);
    expect(certificatesOf(ca.issuerFor('openai.com').pem)).toHaveLength(1);
  });

  test('is loaded identically by a later process, before and after its time', () => {
    const { ca, clock, open } = authority();
    const next = ca.rotate(new Date(clock.now + dayMs));
    expect(open().next?.root.fingerprint256).toBe(next.root.fingerprint256);
    clock.now += 2 * dayMs;
    const later = open();
    expect(later.root.fingerprint256).toBe(next.root.fingerprint256);
    expect(certificatesOf(later.issuerFor('openai.com').pem)).toHaveLength(2);
  });

  test('takes effect in another process using the folder', () => {
    const { ca, clock, open } = authority();
    const other = open();
    ca.rotate(new Date(clock.now - 1));
    expect(other.refresh()).toBe(true);
    expect(other.fingerprint256).toBe(ca.fingerprint256);
  });

  test('ends the use of leaves of the old root', () => {
    const { ca, clock } = authority();
    const results: string[] = [];
    const leaves = new LeafCache({ ca, now: () => clock.now, onResult: (result) => results.push(result) });
    leaves.contextFor('openai.com', '10.0.0.1');
    leaves.contextFor('openai.com', '10.0.0.1');
    ca.rotate(new Date(clock.now));
    leaves.contextFor('openai.com', '10.0.0.1');
    expect(results).toEqual(['mint', 'hit', 'mint']);
  });

  test('can be rescheduled by a second call, and cancelled', () => {
    const { ca, clock, dir } = authority();
    const first = ca.rotate(new Date(clock.now + dayMs));
    const second = ca.rotate(new Date(clock.now + 2 * dayMs));
    expect(second.root.fingerprint256).toBe(first.root.fingerprint256);
    expect(ca.next?.activateAt.getTime()).toBe(clock.now + 2 * dayMs);
    expect(ca.cancelRotation()).toBe(true);
    expect(ca.cancelRotation()).toBe(false);
    expect(readdirSync(dir).sort()).toEqual(['root-key.pem', 'root.pem', 'rotation.json']);
  });

  test('cannot take over after the current root expires', () => {
    const { ca, clock, dir } = authority();
    const late = () => ca.rotate(new Date(clock.now + 3_700 * dayMs));
    expect(late).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect([ca.next, readdirSync(dir).length]).toEqual([undefined, 2]);
  });

  test('may have expired already', () => {
    const { clock, dir, open } = authority();
    clock.now += 3_700 * dayMs;
    expect(() => open()).toThrow(/has expired/);
    const ca = open({ expired: true });
    ca.rotate(new Date(clock.now));
    expect(open().notAfter.getTime()).toBeGreaterThan(clock.now);
    expect(readdirSync(dir).filter((name) => name.endsWith('-cross.pem'))).toEqual([]);
  });

  test.each(['{', '{"version":2}', '{"version":1,"current":"../x","next":null,"previous":[]}'])(
    'with a damaged rotation.json (%s) stops the start',
    (text) => {
      const { dir, open } = authority();
      writeFileSync(join(dir, 'rotation.json'), text);
      expect(() => open()).toThrow(/rotation.json is damaged/);
    },
  );

  test('that is missing stops the start', () => {
    const { dir, open, clock, ca } = authority();
    const { root } = ca.rotate(new Date(clock.now));
    rmSync(join(dir, `${root.name}.pem`));
    rmSync(join(dir, `${root.name}-key.pem`));
    expect(() => open()).toThrow(/contains no CA/);
  });
});

test.runIf(process.getuid?.() === 0)(
  'files that root creates in the folder of another user belong to that user',
  () => {
    const { ca, dir } = authority();
    for (const file of [dirname(dir), dir, ...readdirSync(dir).map((name) => join(dir, name))])
      chownSync(file, 1234, 1234);
    ca.rotate(new Date(Date.now() + 40 * dayMs));
    for (const name of readdirSync(dir)) expect([name, statSync(join(dir, name)).uid]).toEqual([name, 1234]);
  },
);

describe('revocation lists', () => {
  const listOf = (ca: CertificateAuthority, pem: string) => ca.revocationList(idIn(pem)) as Buffer;

  test('are empty, listed in the certificates, and accepted by openssl', () => {
    const { ca } = authority();
    const leaf = mintLeaf(ca, { host: 'openai.com', key: createLeafKey() });
    const lists = [leaf.certPem, leaf.issuerPem].map((pem) => listOf(ca, pem));
    const args = ['crl', '-inform', 'DER', '-noout', '-text'];
    const text = execFileSync('openssl', args, { input: lists[0], encoding: 'utf8' });
    expect(text).toMatch(/Version 2[\s\S]*No Revoked Certificates/);
    expect(verdict(leaf, ca.root.pem, lists.map((der) => pemOf('X509 CRL', der)).join(''))).toMatch(/: OK/);
  });

  test('also exist for the cross certificate', () => {
    const { ca, clock } = authority();
    const old = ca.root;
    ca.rotate(new Date(clock.now + 1_000));
    clock.now += 2_000;
    ca.refresh();
    const leaf = mintLeaf(ca, { host: 'openai.com', key: createLeafKey(), nowMs: clock.now });
    const pems = `${leaf.certPem}${leaf.issuerPem}`.match(/-----BEGIN[\s\S]*?END CERTIFICATE-----\n?/g) ?? [];
    expect(pems).toHaveLength(3);
    expect(verdict(leaf, old.pem, pems.map((pem) => pemOf('X509 CRL', listOf(ca, pem))).join(''))).toMatch(/: OK/);
  });

  test('are served by every process with the same root, and are valid as long as their issuer', () => {
    const { ca, dir, clock } = authority();
    const leaf = mintLeaf(ca, { host: 'openai.com', key: createLeafKey() });
    const another = CertificateAuthority.open({ dir, create: false, permittedDomains: null, now: () => clock.now });
    const foreign = authority().ca;
    for (const pem of [leaf.certPem, leaf.issuerPem]) {
      const id = idIn(pem);
      const list = another.revocationList(id) as Buffer;
      expect(list).toEqual(ca.revocationList(id));
      expect(foreign.revocationList(id)).toBeUndefined();
      const text = execFileSync('openssl', ['crl', '-inform', 'DER', '-noout', '-nextupdate'], {
        input: list,
        encoding: 'utf8',
      });
      const end = new Date(new X509Certificate(leaf.issuerPem).validTo).getTime();
      expect(Date.parse(text.split('=')[1] as string)).toBe(end);
      const bytes = Buffer.from(id, 'base64url');
      for (const at of [0, 15, 16, bytes.length - 1]) {
        const other = Buffer.from(bytes);
        other[at] = (other[at] as number) ^ 1;
        expect(ca.revocationList(other.toString('base64url'))).toBeUndefined();
      }
    }
    for (const id of ['', 'AAAA', '0011223344556677', 'A'.repeat(600)]) expect(ca.revocationList(id)).toBeUndefined();
  });

  test('are not listed when disabled', () => {
    const dir = join(folder(), 'ca');
    const ca = CertificateAuthority.open({ dir, permittedDomains: null });
    expect(textOf(mintLeaf(ca, { host: 'openai.com', key: createLeafKey() }).certPem)).not.toMatch(/CRL Distribution/);
  });
});

describe('formats', () => {
  const { ca, clock } = authority();
  ca.rotate(new Date(clock.now + dayMs));
  const roots = ca.published;

  test('PEM contains every root with its fingerprint', () => {
    const text = pemBundle(roots);
    const read = certificatesOf(text).map((pem) => new X509Certificate(pem).fingerprint256);
    expect(read).toEqual(roots.map(({ fingerprint256 }) => fingerprint256));
    for (const fingerprint of read) expect(text).toContain(`# SHA-256 ${fingerprint}`);
  });

  test('PKCS #7 is read by openssl', () => {
    const args = ['pkcs7', '-inform', 'DER', '-print_certs'];
    const text = execFileSync('openssl', args, { input: pkcs7(roots), encoding: 'utf8' });
    expect(certificatesOf(text).map((pem) => new X509Certificate(pem).fingerprint256)).toEqual(
      roots.map(({ fingerprint256 }) => fingerprint256),
    );
  });

  test('the Apple profile is a property list with a certificate for each root, the same every time', () => {
    const script =
      'import plistlib,sys,json,hashlib\np=plistlib.loads(sys.stdin.buffer.read())\n' +
      'print(json.dumps([p["PayloadType"],p["PayloadUUID"],[[c["PayloadType"],c["PayloadUUID"],hashlib.sha256(c["PayloadContent"]).hexdigest()] for c in p["PayloadContent"]]]))';
    const [type, uuid, content] = JSON.parse(
      execFileSync('python3', ['-c', script], { input: appleProfile(roots), encoding: 'utf8' }),
    );
    expect(type).toBe('Configuration');
    expect(content.map(([kind]: string[]) => kind)).toEqual(['com.apple.security.root', 'com.apple.security.root']);
    expect(content.map(([, , sha]: string[]) => sha)).toEqual(
      roots.map(({ der }) => createHash('sha256').update(der).digest('hex')),
    );
    const ids = [uuid, ...content.map(([, id]: string[]) => id)];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/);
    expect(appleProfile(roots)).toBe(appleProfile(roots));
  });

  test('the full bundle has ours first, then the public roots, each once', () => {
    const text = fullBundle(roots, roots[0]?.pem);
    const all = certificatesOf(text).map((pem) => new X509Certificate(pem));
    expect(all.slice(0, 2).map(({ fingerprint256 }) => fingerprint256)).toEqual(
      roots.map(({ fingerprint256 }) => fingerprint256),
    );
    expect(all.length).toBeGreaterThan(100);
    expect(new Set(all.map(({ fingerprint256 }) => fingerprint256)).size).toBe(all.length);
  });
});

const idIn = (pem: string) => /http:\/\/127\.0\.0\.1:3128\/crl\/([\w-]+)\.crl/.exec(textOf(pem))?.[1] ?? '';

function textOf(pem: string): string {
  return execFileSync('openssl', ['x509', '-noout', '-text'], { input: pem, encoding: 'utf8' });
}

function pemOf(label: string, der: Buffer): string {
  const lines = der.toString('base64').replace(/(.{64})(?=.)/g, '$1\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
