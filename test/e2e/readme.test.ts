/** The commands in README.md that need no provider do what it says. */
import { readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { leaksIn } from '../support/personal.ts';
import { type RunResult, run } from '../support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.stop());

/** Runs the code block that follows `<!-- test: name -->`, at the ports of the test's gateway. */
function runBlock(name: string): Promise<RunResult> {
  const code = new RegExp(`<!-- test: ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (code === undefined) throw new Error(`README.md has no block ${name}`);
  const script = code.replaceAll('127.0.0.1:3128', `127.0.0.1:${gateway.proxyPort}`);
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  return run('/bin/bash', ['-euc', script], { cwd: root, env: { PATH: path } });
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

test('every link leads to a file', () => {
  const targets = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target]) => target ?? '');
  expect(targets.length).toBeGreaterThan(3);
  for (const target of targets) expect(() => readFileSync(join(root, target)), target).not.toThrow(/ENOENT/);
});
