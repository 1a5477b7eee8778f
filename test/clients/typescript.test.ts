/** TypeScript clients generated from the reference compile in strict mode and call the API. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { startApi } from '../gateway/api-under-test.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { generators } from './generators.ts';

const tsc = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

const uses = {
  'openapi-typescript': `import createClient from 'openapi-fetch';
import type { paths } from './schema';
const headers = { authorization: \`Bearer \${process.env.KEY}\` };
const client = createClient<paths>({ baseUrl: process.env.URL as string, headers });
const { data } = await client.POST('/mask', { body: { text: 'Mail ana@example.com', tokenFormat: 'counter' } });
if (data === undefined) throw new Error('no answer');
const back = await client.POST('/restore', { body: { text: data.masked, sessionId: data.sessionId } });
const score: number | undefined = data.detections[0]?.score;
const unknown = await client.POST('/restore', { body: { text: 'x', sessionId: 'none' } });
console.log(data.masked, back.data?.restored, score, unknown.error?.error.code);
// @ts-expect-error a text is needed
void (() => client.POST('/mask', { body: {} }));
`,
  '@hey-api/openapi-ts': `import { createClient } from './schema/client';
import { postMask, postRestore } from './schema';
const client = createClient({ baseUrl: process.env.URL as string, headers: { authorization: \`Bearer \${process.env.KEY}\` } });
const { data } = await postMask({ client, body: { text: 'Mail ana@example.com', tokenFormat: 'counter' } });
if (data === undefined) throw new Error('no answer');
const back = await postRestore({ client, body: { text: data.masked, sessionId: data.sessionId } });
const score: number | undefined = data.detections[0]?.score;
const unknown = await postRestore({ client, body: { text: 'x', sessionId: 'none' } });
console.log(data.masked, back.data?.restored, score, unknown.error?.error.code);
// @ts-expect-error a text is needed
void (() => postMask({ client, body: {} }));
`,
};

test.skipIf(generators === undefined).each(Object.entries(uses))('%s', async (name, code) => {
  const { call, keyOn, host, port } = await startApi();
  const folder = tempFolder('generated');
  symlinkSync(join(generators ?? '', 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify((await call('/openapi.json')).body));
  writeFileSync(join(folder, 'use.ts'), `declare const process: { env: Record<string, string | undefined> };\n${code}`);
  const compilerOptions = {
    ...{ strict: true, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [], skipLibCheck: true },
    ...{ module: 'esnext', moduleResolution: 'bundler', noEmit: true },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));

  const [command, ...args] =
    name === 'openapi-typescript'
      ? ['openapi-typescript', 'openapi.json', '-o', 'schema.ts']
      : ['openapi-ts', '-i', 'openapi.json', '-o', 'schema', '-c', '@hey-api/client-fetch'];
  const made = await run(join(folder, 'node_modules/.bin', command as string), args, {
    cwd: folder,
  });
  expect(made).toMatchObject({ code: 0 });
  expect((await run(process.execPath, [tsc, '-p', folder])).text).toBe('');
  // Bundle it, as an application does: the generated modules import each other without extensions, which Node does not
  // resolve.
  const bundle = await rolldown({ input: join(folder, 'use.ts'), platform: 'node', onLog: () => undefined });
  await bundle.write({ file: join(folder, 'use.mjs'), format: 'esm' });
  await bundle.close();
  const used = await run(process.execPath, [join(folder, 'use.mjs')], {
    cwd: folder,
    env: { URL: `http://${host}:${port}`, KEY: await keyOn('starter') },
  });
  expect(used.text).toBe('Mail [EMAIL-1] Mail ana@example.com 1 session_not_found\n');
});
