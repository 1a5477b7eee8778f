/** The official client package, connected to a real `privet mcp` process. */
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { plainEnv } from '../support/run.ts';

export const root = resolve(import.meta.dirname, '../..');
export const program = join(root, 'gateway/main.ts');

/** The tools of the server. */
export const toolNames = [
  'detect_pii',
  'mask_pii',
  'restore_pii',
  'restore_all',
  'detect_injection',
  'detect_all_injections',
  'rag_ingest',
  'rag_resolve',
  'store_status',
];

/** Options of {@link connect}. */
export type ConnectOptions = {
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** Words before the command, e.g. `unshare -rn`. */
  readonly under?: readonly string[];
  /** The revision of the protocol; default: that of 2025, which clients still offer first. */
  readonly era?: 'legacy' | 'modern';
};

/** Starts a server and connects a client to it; both end with the test. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const { env = {}, args = [], under = [], era = 'legacy' } = options;
  const [command = '', ...words] = [...under, process.execPath, program, 'mcp', ...args];
  const client = new Client(
    { name: 'test', version: '1' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(
    new StdioClientTransport({ command, args: words, env: { ...plainEnv(), ...env }, stderr: 'pipe' }),
  );
  onTestFinished(() => client.close());
  return client;
}

/** The structured result of a tool. @throws if the tool answered with an error */
export async function call<T = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<T> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(textOf(result));
  return result.structuredContent as T;
}

/** The message of a tool that answered with an error. */
export async function failure(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError !== true) throw new Error(`${name} did not fail`);
  return textOf(result);
}

function textOf(result: { readonly content: readonly unknown[] }): string {
  return (result.content[0] as { text: string }).text;
}
