/**
 * The MCP server over stdio: the cost of mask_pii with 1 KiB compared with an echo tool of the same protocol package, and
 * the time from process start to the first answer.
 *
 *   node bench/mcp.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const calls = Number(process.env.BENCH_CALLS ?? 400);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'privet-bench-mcp-'));

const values = 'Ana Lopez, ana.lopez@example.com, +1 415 555 0132, card 4111 1111 1111 1111, 203.0.113.77. ';
const text = (
  values + 'The quarterly report should mention the new plan and its effect on the team. '.repeat(20)
).slice(0, 1024);

const echoServer = path.join(folder, 'echo.mjs');
const module = (name: string) => JSON.stringify(import.meta.resolve(name));
writeFileSync(
  echoServer,
  `import { McpServer } from ${module('@modelcontextprotocol/server')};
import { serveStdio } from ${module('@modelcontextprotocol/server/stdio')};
import { z } from ${module('zod')};
serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1' });
  server.registerTool(
    'echo',
    { inputSchema: z.strictObject({ text: z.string() }), outputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text: JSON.stringify({ text }) }], structuredContent: { text } }),
  );
  return server;
});
`,
);

async function open(args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args] }));
  return client;
}

async function latencies(client: Client, name: string): Promise<number[]> {
  const call = () => client.callTool({ name, arguments: { text } });
  for (let i = 0; i < 200; i++) await call();
  const times: number[] = [];
  for (let i = 0; i < calls; i++) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return times;
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number;
const privetArgs = [path.join(root, 'gateway/main.ts'), 'mcp'];

async function firstAnswer(): Promise<number> {
  const began = performance.now();
  const client = await open(privetArgs);
  await client.callTool({ name: 'mask_pii', arguments: { text: 'Write to ana.lopez@example.com' } });
  const time = performance.now() - began;
  await client.close();
  return time;
}

try {
  const starts: number[] = [];
  for (let i = 0; i < rounds; i++) starts.push(await firstAnswer());
  const echo: number[] = [];
  const mask: number[] = [];
  for (let i = 0; i < rounds; i++) {
    for (const [name, args, times] of [
      ['echo', [echoServer], echo],
      ['mask_pii', privetArgs, mask],
    ] as const) {
      const client = await open(args);
      times.push(median(await latencies(client, name)));
      await client.close();
    }
  }
  const line = (name: string, value: number, limit: string) =>
    process.stdout.write(`${name.padEnd(56)}${value.toFixed(2).padStart(10)} ms   ${limit}\n`);
  line('start to first answer (smallest)', Math.min(...starts), 'limit 400');
  line('echo, 1 KiB, p50 (smallest of the rounds)', Math.min(...echo), '');
  line('mask_pii, 1 KiB, p50 (smallest of the rounds)', Math.min(...mask), '');
  line('mask_pii in addition to echo', Math.min(...mask) - Math.min(...echo), 'limit 1');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
