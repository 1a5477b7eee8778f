/** The package `privet` as users install it: packed, unpacked into an empty project, and its commands run. */
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeBundle } from '../../scripts/pack/mcp-bundle.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { npmPack, projectWith } from '../support/packed.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const root = resolve(import.meta.dirname, '../..');
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const parts = [
  'bin',
  'core',
  'policy',
  'certs',
  'config',
  'gateway',
  'mcp',
  'console',
  'scripts/pack',
  'scripts/pack.ts',
];
const others = ['LICENSE', 'README.md', 'package.json'];

const tarball = await npmPack([...parts, ...others]);
const project = await projectWith(tarball);
/** `npx` and the Node of this test, as in a developer's shell. */
const env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };

test('it is small, contains its data and licenses, and no TypeScript', async () => {
  expect(statSync(tarball).size).toBeLessThan(8 * 2 ** 20);
  const listed = (await run('tar', ['-tzf', tarball])).text.split('\n');
  const needed = ['LICENSE', 'README.md', 'bin/privet.cjs', 'dist/core/data/NOTICE', 'dist/config/services.yaml'];
  for (const name of needed) expect(listed).toContain(`package/${name}`);
  expect(listed.filter((name) => /\.ts$|^package\/(?:test|gateway|dist\/sdk)\//.test(name))).toEqual([]);
});

test('npx privet runs the commands that need no server', async () => {
  const version = await run('npx', ['--offline', 'privet', '--version'], { cwd: project, env });
  expect(version).toMatchObject({ code: 0, text: `${own.version}\n`, stderr: '' });
  const input = 'Write to hanako@example.com.';
  const masked = await run('node_modules/.bin/privet', ['mask'], { cwd: project, env, input });
  expect(masked).toMatchObject({ code: 0, text: 'Write to [EMAIL-1].' });
});

test('serve responds, workers and threads start, and every page module exists', async () => {
  const program = join(project, 'node_modules/privet/bin/privet.cjs');
  const gateway = await startGatewayProcess({ program, env: { WORKERS: '2' } });
  onTestFinished(() => gateway.stop().then(() => undefined));
  await gateway.event(({ event }) => event === 'workers_started');
  const health = await (await gateway.api('/health')).json();
  expect(health).toMatchObject({ status: 'ok' });

  // A document is converted in a separate thread.
  const form = new FormData();
  form.set('file', new File(['name,mail\nHanako,hanako@example.com\n'], 'people.csv', { type: 'text/csv' }));
  const headers = { authorization: `Bearer ${gateway.adminKey}` };
  const upload = await fetch(`${gateway.apiUrl}/upload`, { method: 'POST', headers, body: form });
  expect(await upload.json()).toMatchObject({ kind: 'csv', masked: expect.stringContaining('[EMAIL-1]') });

  for (const page of ['/console/', '/admin/']) {
    const html = await (await fetch(gateway.apiUrl + page)).text();
    const addresses = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(20);
    for (const address of addresses) {
      const answer = await fetch(gateway.apiUrl + address);
      expect(answer.status, address).toBe(200);
      // Data is served as a module, so browsers do not need JSON modules.
      expect(await answer.text(), address).not.toMatch(/ with \{ type: /);
    }
  }
});

test('an older Node gets one sentence with the requirement', async () => {
  const folder = tempFolder('old-node');
  const old = join(folder, 'old.cjs');
  writeFileSync(old, `Object.defineProperty(process, 'versions', { value: { node: '20.11.1' } });\n`);
  const program = join(project, 'node_modules/privet/bin/privet.cjs');
  const result = await run(process.execPath, ['--require', old, program, 'serve']);
  expect(result).toMatchObject({ code: 1, text: '' });
  expect(result.stderr).toMatch(/^privet: Node 24 or newer is needed; this is Node 20\.11\.1\. .*\n$/);
  // The oldest Node still in use must be able to parse the file: no syntax of ES2015 or later, except `import`.
  expect(readFileSync(program, 'utf8')).not.toMatch(/=>|`|\b(?:const|let|class)\s/);
});

/** Connects to a server, and masks and restores through it. */
async function expectToWork(command: string, args: readonly string[], env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args: [...args], env }));
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown>) => {
    return (await client.callTool({ name, arguments: args })).structuredContent as Record<string, string>;
  };
  const { masked, sessionId } = await call('mask_pii', { text: 'hanako@example.com', tokenFormat: 'counter' });
  expect(masked).toBe('[EMAIL-1]');
  expect(await call('restore_all', { text: masked, sessionId })).toMatchObject({ restored: 'hanako@example.com' });
  return client;
}

describe('docs/mcp.md', () => {
  const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8');
  type Server = { readonly command: string; readonly args: readonly string[] };
  const servers = Array.from(page.matchAll(/```json\n([\s\S]*?)```/g), ([, json = '']) => {
    const config = JSON.parse(json) as Record<string, { privet: Server }>;
    return (config.mcpServers ?? config.servers)?.privet as Server;
  });

  test('every set-up uses the same command, which works from the package', async () => {
    expect(servers).toHaveLength(3);
    const commands = servers.map(({ command, args }) => [command, ...args].join(' '));
    const [, typed] = /claude mcp add privet -- (.+)/.exec(page) ?? [];
    expect(new Set([...commands, typed])).toEqual(new Set(['privet mcp']));
    const [server] = servers as [Server];
    // As `npm install --global` leaves it: a link in a folder of PATH.
    const bin = tempFolder('bin');
    symlinkSync(join(project, 'node_modules/.bin/privet'), join(bin, 'privet'));
    await expectToWork(server.command, server.args, { PATH: [bin, env.PATH].join(delimiter) });
  });
});

test('the MCP bundle starts as in its manifest, which lists its tools', async () => {
  const folder = tempFolder('bundle');
  const files = unzipSync(readFileSync(await writeBundle(root, folder)));
  const manifest = JSON.parse(strFromU8(files['manifest.json'] as Uint8Array));
  expect(manifest).toMatchObject({ manifest_version: '0.3', name: 'privet', version: own.version });
  const { type, entry_point: entry, mcp_config: config } = manifest.server;
  expect([type, config.command]).toEqual(['node', 'node']);
  const installed = join(folder, 'index.mjs');
  writeFileSync(installed, files[entry] as Uint8Array);
  const args = config.args.map((word: string) => word.replace(`\${__dirname}/${entry}`, installed));
  const language = manifest.user_config.language.default;
  const client = await expectToWork(process.execPath, args, { ...config.env, SERVICE_LANG: language });
  const { tools } = await client.listTools();
  expect(manifest.tools.map(({ name }: { name: string }) => name)).toEqual(tools.map(({ name }) => name));
});
