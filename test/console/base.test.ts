/** How the consoles are served, and what they share. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodingFor } from '../../gateway/api/pages.ts';
import { lookFaults } from '../support/axe.ts';
import { sharedChromium } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { openPage } from './visitor.ts';

const [gateway, browser] = await Promise.all([startGateway(), sharedChromium()]);

/** The bytes as sent over the wire: fetch would decompress them. */
async function bytesOf(path: string, encoding: string): Promise<{ body: Buffer; headers: Headers; status: number }> {
  const { request } = await import('undici');
  const { body, headers, statusCode } = await request(gateway.apiUrl + path, {
    headers: { 'accept-encoding': encoding },
  });
  return {
    body: Buffer.from(await body.arrayBuffer()),
    headers: new Headers(headers as Record<string, string>),
    status: statusCode,
  };
}

async function filesOf(path: string): Promise<string[]> {
  const html = await (await fetch(gateway.apiUrl + path)).text();
  return [...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1] as string))];
}

describe('pages', () => {
  test.each(['/console/', '/admin/'])('%s allows nothing inline and nothing from other origins', async (path) => {
    const answer = await fetch(gateway.apiUrl + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|\bon\w+=|https?:/);
  });

  test.each([
    ['/', 302, '/console/'],
    ['/console', 308, '/console/'],
    ['/admin', 308, '/admin/'],
  ])('%s redirects', async (path, status, target) => {
    const answer = await fetch(gateway.apiUrl + path, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([status, target]);
  });

  test.each([
    '/assets/x/../../package.json',
    '/assets/x/%2e%2e/tsconfig.json',
    '/assets/x/tsconfig.json',
    '/assets/x/nothing.ts',
    '/assets/x/admin/index.html',
  ])('%s does not exist', async (path) => {
    expect((await bytesOf(path, 'identity')).status).toBe(404);
  });

  test('the pages do not shadow the API routes below /admin', async () => {
    expect((await gateway.api('/admin/keys')).status).toBe(200);
    expect((await fetch(`${gateway.apiUrl}/admin/keys`)).status).toBe(401);
  });

  test('no page needs more than 300 KB, compressed', async () => {
    for (const page of ['/console/', '/admin/']) {
      const files = await filesOf(page);
      const sizes = await Promise.all([page, ...files].map(async (path) => (await bytesOf(path, 'br')).body.length));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      console.log(`${page} ${files.length} files, ${total} bytes with brotli`);
      expect(total).toBeLessThan(300_000);
    }
  });

  test('the Japanese messages are loaded with the first error of the test console', async () => {
    const catalogs = (await filesOf('/console/')).filter((path) => path.endsWith('.json'));
    expect(catalogs).toEqual([expect.stringMatching(/\/ja\.json$/)]);
  });
});

describe('files', () => {
  test('are identical in every encoding, immutable by build, and revalidated by ETag otherwise', async () => {
    const [path = ''] = (await filesOf('/console/')).filter((file) => file.endsWith('/shared/button.ts'));
    const plain = await bytesOf(path, 'identity');
    const packed = { br: await bytesOf(path, 'gzip, deflate, br'), gzip: await bytesOf(path, 'gzip, deflate') };
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(packed.br.headers.get('content-encoding')).toBe('br');
    expect(packed.gzip.headers.get('content-encoding')).toBe('gzip');
    expect(brotliDecompressSync(packed.br.body)).toEqual(plain.body);
    expect(gunzipSync(packed.gzip.body)).toEqual(plain.body);
    expect(plain.headers.get('cache-control')).toContain('immutable');

    const other = await bytesOf(path.replace(/^\/assets\/\w+/, '/assets/0123456789abcdef'), 'br');
    expect(other.headers.get('cache-control')).toBe('no-cache');
    const status = async (tag: string) => {
      const headers = { 'if-none-match': tag, 'accept-encoding': 'br' };
      return (await fetch(gateway.apiUrl + path, { headers })).status;
    };
    expect(await status(other.headers.get('etag') ?? '')).toBe(304);
    expect(await status(plain.headers.get('etag') ?? '')).toBe(200);
  });

  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['identity, *;q=0', 'identity'],
    ['BR', 'br'],
  ])('accept-encoding %s → %s', (field, encoding) => {
    expect(encodingFor(field)).toBe(encoding);
  });

  test('serving them prints no warning', async () => {
    await Promise.all((await filesOf('/console/')).map((path) => fetch(gateway.apiUrl + path)));
    expect(gateway.output()).not.toMatch(/warning/i);
  });
});

describe('sources', () => {
  const root = resolve(import.meta.dirname, '../../console');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

  test('no text becomes markup or code', () => {
    const risky = /dangerouslySetInnerHTML|(?:inner|outer|insertAdjacent)HTML|document\.write|\beval\(|new Function\b/;
    expect(sources.filter(([, source]) => risky.test(source)).map(([file]) => file)).toEqual([]);
  });
});

test('the API reference is accessible and fits every screen', async () => {
  const { page, close } = await openPage(browser, `${gateway.apiUrl}/docs/`);
  expect(await lookFaults(page)).toEqual([]);
  await close();
});

describe('both consoles', () => {
  test.each(['/console/', '/admin/'])('%s remembers language and theme', async (path) => {
    const { page, close, faults } = await openPage(browser, gateway.apiUrl + path, { theme: 'dark' });
    const background = () => page.evaluate('getComputedStyle(document.body.parentElement).backgroundColor');
    const dark = await background();
    await page.getByRole('button', { name: '日本語' }).click();
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('ja');
    await page.getByRole('button', { name: /^テーマ/ }).click();
    expect(await background()).not.toBe(dark);
    await page.reload();
    await page.getByRole('button', { name: /^テーマ: ライト/ }).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('ja');
    expect(await background()).not.toBe(dark);
    expect(faults).toEqual([]);
    await close();
  });
});
