/**
 * Packs the MCP server as an `.mcpb` file, which Claude Desktop installs with a double click: a zip with a manifest and
 * one module with the server and its packages. A single module starts fast and runs on the app's own Node.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { rolldown } from 'rolldown';
import { words } from '../../mcp/words.ts';

const entry = 'server/index.mjs';

/** Writes `privet-<version>.mcpb` into a folder and returns its path. */
export async function writeBundle(root: string, folder: string): Promise<string> {
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const text = (name: string) => readFileSync(join(root, name));
  const bytes = zipSync(
    {
      'manifest.json': strToU8(`${JSON.stringify(manifestOf(version, description), null, 2)}\n`),
      [entry]: strToU8(await serverOf()),
      LICENSE: text('LICENSE'),
      NOTICE: text('core/data/NOTICE'),
    },
    // A fixed date makes builds reproducible.
    { level: 9, mtime: '1980-01-01T00:00:00' },
  );
  const file = join(folder, `privet-${version}.mcpb`);
  writeFileSync(file, bytes);
  return file;
}

async function serverOf(): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'mcp-entry.ts'),
    platform: 'node',
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

/** Manifest version 0.3: github.com/modelcontextprotocol/mcpb, MANIFEST.md. */
function manifestOf(version: string, description: string) {
  const { tools, fields: _fields } = words.en;
  return {
    manifest_version: '0.3',
    name: 'privet',
    display_name: 'Privet',
    version,
    description: 'Finds, masks and restores personal data on this machine. No network, no key.',
    long_description: description,
    author: { name: 'Privet' },
    license: 'Apache-2.0',
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`],
        env: { SERVICE_LANG: `\${user_config.language}` },
      },
    },
    tools: Object.entries(tools).map(([name, { title }]) => ({ name, description: title })),
    user_config: {
      language: {
        type: 'string',
        title: 'Language',
        description: 'Language of descriptions and errors: en or ja.',
        default: 'en',
        required: false,
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.0.0' } },
  };
}
