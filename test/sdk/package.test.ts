/** The package as people get it: packed, unpacked into an empty project, and its README run on every runtime it is for. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { npmPack, projectWith } from '../support/packed.ts';
import { run } from '../support/run.ts';
import { type EchoProvider, startEchoProvider } from './echo-provider.ts';
import { examplesOf } from './readme.ts';
import { runtimes } from './runtimes.ts';

const root = resolve(import.meta.dirname, '../..');
/** Bytes that the packed package may have. */
const packedBytesMax = 8 * 2 ** 20;

let project: string;
let tarball: string;
let provider: EchoProvider;

beforeAll(async () => {
  [project, provider] = await Promise.all([packedProject(), startEchoProvider()]);
  return () => provider.close();
}, 180_000);

async function packedProject(): Promise<string> {
  tarball = await npmPack(['core', 'sdk', 'LICENSE', 'tsconfig.json', 'package.json'], 'sdk');
  return projectWith(tarball, ['openai', '@anthropic-ai/sdk', 'express', 'fastify', '@types']);
}

function version(): string {
  return (JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as { version: string }).version;
}

test('it is small and carries its licences', async () => {
  expect(statSync(tarball).size).toBeLessThan(packedBytesMax);
  const listed = (await run('tar', ['-tzf', tarball])).text.split('\n');
  for (const name of ['LICENSE', 'NOTICE', 'README.md', 'dist/index.js', 'dist/types/sdk/index.d.ts']) {
    expect(listed).toContain(`package/${name}`);
  }
  expect(listed.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
});

test('its version is that of the project', () => {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(version()).toBe(own.version);
});

test('its types check in a project of somebody else', async () => {
  const file = join(project, 'types.ts');
  writeFileSync(
    file,
    `import OpenAI from 'openai';
import { createPrivet, protectFetch, type MaskedText } from 'privet-sdk';
import { privetExpress } from 'privet-sdk/express';
import { privetFastify } from 'privet-sdk/fastify';
import { privetHandler } from 'privet-sdk/web';
import express from 'express';
import Fastify from 'fastify';
const privet = createPrivet({ types: ['EMAIL'], dictionary: [{ label: 'A', pattern: 'b' }] });
const masked: MaskedText = await privet.mask('x');
const text: string = (await privet.restoreAll(masked.masked, masked)).restored;
const one: string = (await privet.restore('[EMAIL-1]', masked)).restored;
const { messages } = await privet.maskMessages([{ role: 'user' as const, content: text }]);
messages[0]?.content satisfies string | undefined;
new OpenAI({ fetch: protectFetch(fetch, { privet }) });
express().use(privetExpress(privet));
await Fastify().register(privetFastify, { privet });
privetHandler(privet, (request: Request, other: number) => new Response(String(other) + request.url));
const bytes: TransformStream<Uint8Array, Uint8Array> = privet.restoreStream('s', { kind: 'sse' });
const pieces: TransformStream<string, string> = privet.restoreStream('s');
// @ts-expect-error no such option
createPrivet({ language: 'en' });
export { bytes, one, pieces };
`,
  );
  const config = join(project, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: 'nodenext',
        types: ['node'],
        skipLibCheck: true,
      },
      files: ['types.ts'],
    }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const result = await run(process.execPath, [tsc, '-p', config]);
  expect(result.text).toBe('');
});

describe.each(runtimes)('on $name', ({ program, args }) => {
  const examples = examplesOf(join(root, 'sdk/README.md'));
  let sent: readonly string[];
  let printed: Map<string, string>;

  // All in one process, one after the other: starting each alone would take most of the time.
  beforeAll(async () => {
    if (program === undefined) return;
    for (const { name, code } of examples) writeFileSync(join(project, `${name}.mjs`), code);
    const steps = examples.map(({ name }) => `console.log('== ${name}');\nawait import('./${name}.mjs');\n`);
    const file = join(project, 'all.mjs');
    writeFileSync(file, steps.join(''));
    const before = provider.received.length;
    const result = await run(program, [...args, file], {
      cwd: project,
      timeoutMs: 50_000,
      env: {
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: provider.url,
      },
    });
    expect(result.stderr).toBe('');
    sent = provider.received.slice(before);
    printed = new Map(
      result.text
        .split(/^== /m)
        .slice(1)
        .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
    );
  });

  // `npm test` fetches what is missing before, where it can.
  const testThere = test.skipIf(program === undefined);
  testThere.each(examples)('README: $name prints what it says', ({ name, prints }) => {
    expect(prints.length).toBeGreaterThan(0);
    expect(printed.get(name)).toBe(prints.map((line) => `${line}\n`).join(''));
  });

  testThere('no value reached the provider', () => {
    expect(sent).toHaveLength(2);
    for (const body of sent) expect(body).toMatch(/\[EMAIL-1\]/);
    expect(sent.join('')).not.toMatch(/example\.com|Apollo/);
  });
});
