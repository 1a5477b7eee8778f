/** The commands in README.md and README.ja.md that need no provider work as described. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { leaksIn } from '../support/personal.ts';
import { type RunResult, run } from '../support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const gateway = await startGateway();

/** The code block after `<!-- test: name -->`. */
function block(page: string, name: string): string {
  const code = new RegExp(`<!-- test: ${name} -->\\n\`\`\`[a-z]+\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (code === undefined) throw new Error(`the page has no block ${name}`);
  return code;
}

/** Runs a block of the README with the ports of the test's gateway. */
function runBlock(name: string, page = readme): Promise<RunResult> {
  const code = block(page, name);
  const script = code.replaceAll('127.0.0.1:3128', `127.0.0.1:${gateway.proxyPort}`);
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { proxyPort, dataDir } = gateway;
  const port = new URL(gateway.apiUrl).port;
  const env = { PATH: path, PROXY_DATA_DIR: dataDir, GATEWAY_PORT: String(proxyPort), PORT: port };
  return run('/bin/bash', ['-euc', script], { cwd: root, env });
}

test('masking on the command line', async () => {
  const result = await runBlock('local');
  expect(result.text.trim()).toBe('Write to [EMAIL-1], card [CREDIT_CARD-1].');
  expect(leaksIn(result.text)).toEqual([]);
});

test('a blocked service', async () => {
  const result = await runBlock('blocked');
  expect(JSON.parse(result.text)).toMatchObject({ error: { code: 'blocked_by_policy' } });
});

test('an explained decision', async () => {
  const result = await runBlock('check');
  expect(result.code).toBe(0);
  expect(result.text).toMatch(/OpenAI API/);
  expect(result.text).toMatch(/mask/);
});

test('variables that make a program trust the gateway', async () => {
  const result = await runBlock('clients');
  expect(result.text).toMatch(/^ok +proxy /m);
  expect(result.text).toMatch(/^ok +curl /m);
  expect(result.code).toBe(0);
});

test('a configuration', async () => {
  const file = join(gateway.dataDir, 'readme.yaml');
  writeFileSync(file, block(readme, 'configuration'));
  const main = join(root, 'gateway/main.ts');
  const privet = (...args: string[]) => run(process.execPath, [main, ...args], { cwd: root });
  expect((await privet('config', 'check', file)).code).toBe(0);
  const check = await privet('check', 'https://claude.ai/', '--group', 'legal', '--config', file);
  expect(check.text).toMatch(/rule +legal may use Claude/);
  expect(check.text).toMatch(/EMAIL block/);
});

test('docs/api.md names every admin call', async () => {
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
  const { paths } = (await (await fetch(`${gateway.apiUrl}/openapi.json`)).json()) as { paths: object };
  const calls = Object.keys(paths).filter((path) => /^\/(admin|shadow-ai|license)/.test(path));
  expect(calls.length).toBeGreaterThan(30);
  // The last words of a row omit the prefix that they share.
  const isNamed = (path: string) => page.includes(path) || page.includes(`\`/${path.split('/').pop()}\``);
  expect(calls.map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1')).filter((path) => !isNamed(path))).toEqual([]);
});

test('metrics named in pages and alert rules are served', async () => {
  const metrics = await (await fetch(`${gateway.apiUrl}/metrics`)).text();
  const pages = globSync('{docs,docs/ja,docs/decisions,deploy/prometheus,deploy/grafana/dashboards}/*.{md,yaml,json}', {
    cwd: root,
  });
  const texts = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  const named = new Set(texts.match(/\bprivet_[a-z0-9_]+/g));
  expect(named.size).toBeGreaterThan(15);
  const isServed = (name: string) =>
    new RegExp(`^# TYPE ${name.replace(/_(bucket|sum|count)$/, '')}\\b`, 'm').test(metrics);
  expect([...named].filter((name) => !isServed(name))).toEqual([]);
});

describe('README.ja.md', () => {
  const page = readFileSync(join(root, 'README.ja.md'), 'utf8');

  test('masking on the command line', async () => {
    const { text } = await runBlock('local', page);
    expect(text.trim()).toBe('担当は[NAME-1]様です。メールは [EMAIL-1] までお願いします。');
  });

  test('the same commands and settings', () => {
    const names = [...readme.matchAll(/<!-- test: (\w+) -->/g)].map(([, name = '']) => name);
    const plain = (code: string): string => code.replaceAll(/ *# .*$/gm, '').replace(/name: .*/, 'name');
    for (const name of names.filter((name) => name !== 'local'))
      expect(plain(block(page, name)), name).toBe(plain(block(readme, name)));
  });
});
