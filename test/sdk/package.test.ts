/**
 * The package as users install it: packed, unpacked into an empty project, and its README run on every supported
 * runtime.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { build } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { npmPack, projectWith } from '../support/packed.ts';
import { run } from '../support/run.ts';
import { startEchoProvider } from './echo-provider.ts';
import { examplesOf } from './readme.ts';
import { runtimes } from './runtimes.ts';

const root = resolve(import.meta.dirname, '../..');
/** Maximum size of the packed package, in bytes. */
const packedBytesMax = 8 * 2 ** 20;

const provider = await startEchoProvider();
let project: string;
let tarball: string;

beforeAll(async () => {
  project = await packedProject();
});

async function packedProject(): Promise<string> {
  tarball = await npmPack(['core', 'sdk', 'LICENSE', 'tsconfig.json', 'package.json'], 'sdk');
  return projectWith(tarball, ['openai', '@anthropic-ai/sdk', 'express', 'fastify', '@types']);
}

function version(): string {
  return (JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as { version: string }).version;
}

test('it is small and includes its licenses', async () => {
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

test('its types check in another project', async () => {
  const file = join(project, 'types.ts');
  writeFileSync(
    file,
    `import OpenAI from 'openai';
import { createPrivet, type InjectionRisk, protectFetch, type MaskedText } from 'privet-sdk';
import { createPrivet as createLight } from 'privet-sdk/light';
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
// What the middleware add to requests, and what the server answers.
express().get('/', (req, res) => void res.json({ session: req.privet?.sessionId satisfies string | undefined }));
Fastify().get('/', async (request) => request.privet?.sessionId satisfies string | undefined);
const said: string = (await privet.chat({ message: 'x' })).text;
for await (const event of await privet.chat({ messages: [{ role: 'user', content: 'x' }], stream: true })) {
  if (event.type === 'delta') event.text satisfies string;
}
const pages: string[] = (await privet.upload(new Blob(['x']))).sections.map((section) => section.masked);
const risk: InjectionRisk = privet.detectInjection('x').risk;
// @ts-expect-error the light entry has no checks for injection
createLight().detectInjection;
export { bytes, one, pages, pieces, risk, said };
`,
  );
  writeFileSync(
    join(project, 'common.cts'),
    `import { createPrivet, PrivetError } from 'privet-sdk';
import { privetExpress } from 'privet-sdk/express';
export const middleware = privetExpress(createPrivet());
export const isRefused = (error: unknown): boolean => error instanceof PrivetError;
`,
  );
  // `require` of an ES module is an error before TypeScript 5.8, and in this setting of later versions.
  const configs = [
    ['nodenext', 'types.ts'],
    ['node18', 'common.cts'],
  ].map(([module, file]) => {
    const config = join(project, `tsconfig.${module}.json`);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module,
      types: ['node'],
      skipLibCheck: true,
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
    return config;
  });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  for (const config of configs) expect((await run(process.execPath, [tsc, '-p', config])).text).toBe('');
});

/** A bundle as an application builds it, with all dependencies. */
async function bundled(code: string): Promise<{ readonly code: string; readonly file: string }> {
  const file = join(project, 'bundle', `${createHash('sha256').update(code).digest('hex').slice(0, 8)}.mjs`);
  const entry = join(project, 'entry.mjs');
  writeFileSync(entry, code);
  const build = await rolldown({ input: entry, platform: 'browser', onLog: () => undefined });
  const { output } = await build.write({ file, format: 'esm' });
  await build.close();
  return { code: output[0].code, file };
}

describe('bundles', () => {
  test('importing an error or a constant loads nothing else', async () => {
    for (const from of ['privet-sdk', 'privet-sdk/errors']) {
      const { code } = await bundled(`import { PrivetError } from '${from}'; console.log(PrivetError);`);
      expect(code.length).toBeLessThan(10_000);
    }
    const { code } = await bundled(`import { tokenTypes } from 'privet-sdk/types'; console.log(tokenTypes);`);
    expect(code.length).toBeLessThan(100_000);
  });

  test('vite bundles it for a page as well', async () => {
    const entry = join(project, 'page.mjs');
    writeFileSync(
      entry,
      `import { createPrivet } from 'privet-sdk/light';
      const { masked } = await createPrivet().mask('Mail hanako@example.com', { tokenFormat: 'counter' });
      console.log(masked);`,
    );
    const outDir = join(project, 'vite');
    await build({
      root: project,
      configFile: false,
      logLevel: 'silent',
      build: { outDir, target: 'es2022', lib: { entry, formats: ['es'], fileName: 'page' } },
    });
    expect(readFileSync(join(outDir, 'page.js'), 'utf8').length).toBeLessThan(1_200_000);
    expect((await run(process.execPath, [join(outDir, 'page.js')])).text).toBe('Mail [EMAIL-1]\n');
  });

  test('the light entry masks and restores without name lists, and reports what it cannot find', async () => {
    const { code, file } = await bundled(`
      import { createPrivet } from 'privet-sdk/light';
      const privet = createPrivet();
      const masked = await privet.mask('Mail hanako@example.com, card 4111 1111 1111 1111', { tokenFormat: 'counter' });
      console.log(masked.masked);
      console.log((await privet.restoreAll(masked.masked, masked)).restored);
      try { createPrivet({ types: ['NAME'] }); } catch (error) { console.log(error.message); }`);
    expect(code.length).toBeLessThan(1_200_000);
    expect((await run(process.execPath, [file])).text.split('\n')).toEqual([
      'Mail [EMAIL-1], card [CREDIT_CARD-1]',
      'Mail hanako@example.com, card 4111 1111 1111 1111',
      'types: this entry of the package cannot find NAME.',
      '',
    ]);
  });
});

test('require works the same', async () => {
  const file = join(project, 'required.cjs');
  writeFileSync(
    file,
    `const { createPrivet, PrivetError } = require('privet-sdk');
console.log(typeof createPrivet, typeof require('privet-sdk/express').privetExpress);
console.log(new (require('privet-sdk/errors').PrivetError)('internal', 'x') instanceof PrivetError);
`,
  );
  expect((await run(process.execPath, [file])).text).toBe('function function\ntrue\n');
});

describe.each(runtimes)('on $name', ({ program, args }) => {
  const examples = examplesOf(join(root, 'sdk/README.md'));
  let sent: readonly string[];
  let printed: Map<string, string>;

  // All in one process, one after the other: starting each separately would take most of the time.
  beforeAll(async () => {
    if (program === undefined) return;
    for (const { name, code } of examples) writeFileSync(join(project, `${name}.mjs`), code);
    const steps = examples.map(({ name }) => `console.log('== ${name}');\nawait import('./${name}.mjs');\n`);
    const file = join(project, 'all.mjs');
    writeFileSync(file, steps.join(''));
    const before = provider.received().length;
    const result = await run(program, [...args, file], {
      cwd: project,
      env: {
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: provider.url,
      },
    });
    expect(result.stderr).toBe('');
    sent = provider.received().slice(before);
    printed = new Map(
      result.text
        .split(/^== /m)
        .slice(1)
        .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
    );
  });

  // `npm test` downloads missing runtimes beforehand, if it can.
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
