import { execFile, execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../certs/ca.ts';
import { createLeafKey, createRsaLeafKey, mintLeaf } from '../../certs/leaf.ts';
import { LeafCache } from '../../certs/leaf-cache.ts';
import type { LeafKey } from '../../certs/leaf-form.ts';
import { dayMs } from '../../certs/x509.ts';
import { listening } from '../support/listening.ts';

const run = promisify(execFile);
const dir = mkdtempSync(join(tmpdir(), 'privet-certs-'));
afterAll(() => rmSync(dir, { recursive: true }));

const permitted = [
  'openai.com',
  'xn--bcher-kva.example',
  '*.openai.azure.com',
  '192.0.2.7',
  '2001:db8::7',
  'localhost',
];
const ca = CertificateAuthority.open({ dir: join(dir, 'ca'), permittedDomains: permitted });
const rootFile = join(dir, 'root.pem');
writeFileSync(rootFile, ca.root.pem);

/** A leaf for `host` signed by the issuing CA of `shardOf`, whether that is permitted or not. */
function leafUnder(shardOf: string, host: string, key: LeafKey): { leafFile: string; issuerFile: string } {
  const issuer = ca.issuerFor(shardOf);
  const leaf = mintLeaf({ issuerFor: () => issuer } as unknown as CertificateAuthority, { host, key });
  const leafFile = join(dir, 'leaf.pem');
  const issuerFile = join(dir, 'issuer.pem');
  writeFileSync(leafFile, leaf.certPem);
  writeFileSync(issuerFile, issuer.pem);
  return { leafFile, issuerFile };
}

function opensslVerify(files: { leafFile: string; issuerFile: string }, ...options: string[]): string {
  const parts = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', rootFile, '-no-CApath'];
  try {
    return execFileSync('openssl', [...parts, ...options, '-untrusted', files.issuerFile, files.leafFile], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return String((error as { stderr: string }).stderr);
  }
}

describe('openssl verifies the chain, strictly', () => {
  const key = createLeafKey();
  test.each<[shardOf: string, host: string, expected: RegExp]>([
    ['openai.com', 'openai.com', /: OK/],
    ['openai.com', 'api.openai.com', /: OK/],
    ['openai.com', `${'a'.repeat(60)}.api.openai.com`, /: OK/],
    ['openai.com', 'eu.openai.azure.com', /: OK/],
    ['openai.com', 'xn--bcher-kva.example', /: OK/],
    ['openai.com', 'notopenai.com', /permitted subtree violation/],
    ['openai.com', 'openai.com.evil.example', /permitted subtree violation/],
    ['openai.com', 'bank.example', /permitted subtree violation/],
    ['openai.com', 'azure.com', /permitted subtree violation/],
    ['openai.com', '192.0.2.7', /excluded subtree violation/],
    ['openai.com', '2001:db8::7', /excluded subtree violation/],
    ['192.0.2.7', '192.0.2.7', /: OK/],
    ['2001:db8::7', '2001:db8::7', /: OK/],
    ['192.0.2.7', '192.0.2.8', /permitted subtree violation/],
    ['192.0.2.7', '2001:db8::8', /permitted subtree violation/],
    ['192.0.2.7', 'openai.com', /excluded subtree violation/],
  ])('issuing CA of %s, leaf for %s', (shardOf, host, expected) => {
    expect(opensslVerify(leafUnder(shardOf, host, key))).toMatch(expected);
  });

  test('the name is checked as a name and the address as an address', () => {
    const byName = leafUnder('openai.com', 'api.openai.com', key);
    expect(opensslVerify(byName, '-verify_hostname', 'api.openai.com')).toMatch(/: OK/);
    expect(opensslVerify(byName, '-verify_hostname', 'x.api.openai.com')).toMatch(/hostname mismatch/i);
    const byAddress = leafUnder('2001:db8::7', '2001:db8::7', key);
    expect(opensslVerify(byAddress, '-verify_ip', '2001:db8::7')).toMatch(/: OK/);
    expect(opensslVerify(byAddress, '-verify_ip', '2001:db8::8')).toMatch(/IP address mismatch/i);
  });

  test('an RSA leaf verifies too', async () => {
    expect(opensslVerify(leafUnder('openai.com', 'openai.com', await createRsaLeafKey()))).toMatch(/: OK/);
  });
});

describe('fields', () => {
  const now = Date.now();
  const leaf = mintLeaf(ca, { host: 'api.openai.com', key: createLeafKey(), nowMs: now });
  const certificate = new X509Certificate(leaf.certPem);
  const issuing = new X509Certificate(ca.issuerFor('openai.com').pem);
  const root = new X509Certificate(ca.root.pem);
  const text = (pem: string) =>
    execFileSync('openssl', ['x509', '-noout', '-text'], { input: pem, encoding: 'utf8' }).replace(/\s+/g, ' ');

  test('the leaf names exactly the host', () => {
    expect(certificate.subjectAltName).toBe('DNS:api.openai.com');
    expect(new X509Certificate(mintLeaf(ca, { host: '192.0.2.7', key: createLeafKey() }).certPem).subjectAltName).toBe(
      'IP Address:192.0.2.7',
    );
  });

  test('leaf: 30 days, back-dated by one, never past the issuer', () => {
    expect(now - certificate.validFromDate.getTime()).toBeLessThan(dayMs + 1_000);
    expect(certificate.validToDate.getTime() - now).toBeLessThanOrEqual(30 * dayMs);
    expect(certificate.validToDate.getTime() - now).toBeGreaterThan(29 * dayMs);
    const late = mintLeaf(ca, { host: 'openai.com', key: createLeafKey(), nowMs: now + 80 * dayMs });
    expect(late.notAfterMs).toBe(ca.issuerFor('openai.com').notAfter.getTime());
  });

  test('has the extensions required by strict verifiers', () => {
    const leafText = text(leaf.certPem);
    expect(leafText).toContain('X509v3 Basic Constraints: critical CA:FALSE');
    expect(leafText).toContain('X509v3 Key Usage: critical Digital Signature X509v3');
    expect(leafText).toContain('X509v3 Extended Key Usage: TLS Web Server Authentication X509v3');
    const issuingText = text(ca.issuerFor('openai.com').pem);
    expect(issuingText).toContain('X509v3 Basic Constraints: critical CA:TRUE, pathlen:0');
    expect(issuingText).toContain('X509v3 Key Usage: critical Certificate Sign, CRL Sign');
    expect(issuingText).toContain('X509v3 Name Constraints: critical Permitted:');
    expect(issuingText).toContain('DNS:openai.azure.com');
    expect(issuingText).toContain('Excluded: IP:0.0.0.0/0.0.0.0 IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0');
    const ski = /Subject Key Identifier: ([0-9A-F:]+)/.exec(issuingText)?.[1];
    expect(leafText).toContain(`X509v3 Authority Key Identifier: ${ski}`);
    expect(text(ca.root.pem)).toContain('X509v3 Basic Constraints: critical CA:TRUE X509v3');
  });

  test('issuing CA: at most 90 days; root: at most 10 years and without name constraints', () => {
    const days = (c: X509Certificate) => (c.validToDate.getTime() - c.validFromDate.getTime()) / dayMs;
    expect(days(issuing)).toBeLessThanOrEqual(90);
    expect(days(root)).toBeLessThanOrEqual(3_653);
    expect(text(ca.root.pem)).not.toContain('Name Constraints');
  });

  test('serials have 16 bytes and differ for one host', () => {
    const serials = Array.from(
      { length: 20 },
      () => new X509Certificate(mintLeaf(ca, { host: 'openai.com', key: createLeafKey() }).certPem).serialNumber,
    );
    expect(new Set(serials).size).toBe(20);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });
});

describe('clients accept a handshake', () => {
  async function serve(): Promise<number> {
    const cache = new LeafCache({ ca });
    const server = tls.createServer(
      { SNICallback: (name, done) => done(null, cache.contextFor(name, 'test')), ALPNProtocols: ['http/1.1'] },
      (socket) => {
        socket.on('error', () => {});
        socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
      },
    );
    server.on('tlsClientError', () => {});
    return listening(server);
  }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('Node, %s', async (version) => {
    const port = await serve();
    const socket = tls.connect({
      port,
      host: '127.0.0.1',
      servername: 'api.openai.com',
      ca: ca.root.pem,
      minVersion: version,
      maxVersion: version,
    });
    await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    expect(socket.authorized).toBe(true);
    const chain = socket.getPeerCertificate(true);
    expect(chain.issuerCertificate.subject.CN).toMatch(/^Privet issuing CA [0-9a-f]{8}$/);
    socket.destroy();
  });

  test('curl', async () => {
    const port = await serve();
    const { stdout } = await run('curl', [
      ...['-sS', '--noproxy', '*', '--cacert', rootFile, '-o', '/dev/null', '-w', '%{http_code} %{ssl_verify_result}'],
      ...['--resolve', `api.openai.com:${port}:127.0.0.1`, `https://api.openai.com:${port}/`],
    ]);
    expect(stdout).toBe('204 0');
  });

  test('Python with VERIFY_X509_STRICT', async () => {
    const port = await serve();
    const program = `
import socket, ssl, sys
context = ssl.create_default_context(cafile=sys.argv[1])
context.verify_flags |= ssl.VERIFY_X509_STRICT
with socket.create_connection(("127.0.0.1", int(sys.argv[2]))) as plain:
    with context.wrap_socket(plain, server_hostname="api.openai.com") as secure:
        print(secure.version(), secure.getpeercert()["subjectAltName"])
`;
    const { stdout } = await run('python3', ['-c', program, rootFile, String(port)]);
    expect(stdout.trim()).toBe("TLSv1.3 (('DNS', 'api.openai.com'),)");
  });
});
