/** The Python client is generated from the reference that the API serves, and its own tests run against the API. */
import { expect, test } from 'vitest';
import { providersOf } from '../../gateway/chat-providers/providers.ts';
import { writePythonClient } from '../../scripts/python/generate.ts';
import { adminKey, startApi } from '../gateway/api-under-test.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { makeProvider } from '../support/provider.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

test('the client generated from the reference works', async () => {
  const provider = makeProvider({ say: (tokens) => `I wrote to ${tokens.join(' and ')}.` });
  const origin = await startOrigin({ handler: provider.handler });
  const providers = providersOf({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `http://${origin.address}/v1` });
  const { call, keyOn, host, port } = await startApi({ providers });

  const folder = tempFolder('python');
  writePythonClient((await call('/openapi.json')).body, folder);
  const python = programPath('python3');
  const compiled = await run(python, ['-W', 'error', '-m', 'compileall', '-q', folder]);
  expect(compiled).toMatchObject({ code: 0, text: '' });
  const result = await run(python, ['-m', 'unittest', '-v'], {
    cwd: folder,
    env: { PRIVET_URL: `http://${host}:${port}`, PRIVET_KEY: await keyOn('starter'), PRIVET_ADMIN_KEY: adminKey },
  });
  expect(result.stderr).toMatch(/^Ran \d+ tests[\s\S]*\nOK\n$/m);
  expect(result.code).toBe(0);

  // Every annotation names an existing type.
  const hints = `import typing, privet_client as p
for name in dir(p.Privet):
    if not name.startswith("_"): typing.get_type_hints(getattr(p.Privet, name), vars(p.api))
`;
  expect(await run(python, ['-c', hints], { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
});
