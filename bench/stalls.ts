/**
 * How long other clients wait while one client sends expensive requests: `node bench/stalls.ts [memory|sqlite|redis|postgres]`.
 * A prober thread calls the proxy and the API continuously. The origins run in a thread too, and the bodies are written
 * beforehand, so that the bench itself causes no delays. Prints the prober's longest wait under each load, the
 * longest turn of the gateway's main thread in CPU time (turn-probe.mjs), and the gateway's peak memory. Targets:
 * 100 ms and 1 GiB. On a busy machine, waits are longer than turns.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { startGatewayProcess } from '../test/support/gateway-process.ts';
import { postgresServer, redisServer, type StoreServer } from '../test/support/store-servers.ts';

/** A request over its own connection; returns the status. */
function send(url: string, options: http.RequestOptions, body: string | Buffer, agent?: http.Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', ...options, ...(agent && { agent }) }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

const host = 'api.openai.com';
const json = { 'content-type': 'application/json' };

type Probe = {
  readonly name: string;
  readonly url: string;
  readonly options: http.RequestOptions;
  readonly body: string;
};

/** Sends requests one after the other and records the longest wait. */
async function probe(probes: readonly Probe[]): Promise<void> {
  let longest: Record<string, number> = {};
  parentPort?.on('message', () => {
    parentPort?.postMessage(longest);
    longest = {};
  });
  await Promise.all(
    probes.map(async ({ name, url, options, body }) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const started = performance.now();
        await send(url, options, body, agent).catch(() => {});
        longest[name] = Math.max(longest[name] ?? 0, performance.now() - started);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }),
  );
}

/** Two origins, one of them with an answer full of tokens; posts their ports. */
async function serveOrigins(): Promise<void> {
  const items = Array.from({ length: 400_000 }, (_, i) => ({ id: i, text: 'say [EMAIL-1]' }));
  const huge = Buffer.from(JSON.stringify({ data: items }));
  const ports = [1, 2].map(async () => {
    const server = http.createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(request.url?.includes('huge') ? huge : '{}');
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return (server.address() as AddressInfo).port;
  });
  parentPort?.postMessage(await Promise.all(ports));
}

/** This file in a thread: the prober with its probes, or the origins. */
const threadOf = (workerData: readonly Probe[] | 'origins') =>
  new Worker(fileURLToPath(import.meta.url), { workerData });

/** Memory of a process in megabytes. */
function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

const addresses = (bytes: number, from = 0) => {
  const lines: string[] = [];
  for (let size = 0, i = from; size < bytes; i++) {
    const line = `user${i}@mail${i % 97}.example`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n');
};

const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const big = (text: string) => bodyOf({ messages: [{ role: 'user', content: text }] });

async function main(): Promise<void> {
  const kind = process.argv[2] ?? 'memory';
  const turnFile = join(mkdtempSync(join(tmpdir(), 'stalls-')), 'turn');
  const origins = threadOf('origins');
  const [answering, origin] = await new Promise<number[]>((resolve) => origins.once('message', resolve));
  let server: StoreServer | undefined;
  if (kind === 'redis') server = await redisServer();
  if (kind === 'postgres') server = await postgresServer();
  await server?.start();
  const gateway = await startGatewayProcess({
    hosts: { [host]: `127.0.0.1:${answering}`, 'chatgpt.com': `127.0.0.1:${origin}` },
    // With rules for tools, bodies of any size are read.
    config: { policy: { rules: [{ name: 'tools', when: { tools: ['drop_table'] }, then: { tools: 'strip' } }] } },
    env: {
      NODE_OPTIONS: `--import=${new URL('./turn-probe.mjs', import.meta.url)}`,
      TURN_FILE: turnFile,
      PROXY_STORE: kind,
      ...(server === undefined ? {} : { PROXY_STORE_URL: server.url }),
    },
  });
  const longestTurn = async () => {
    rmSync(turnFile, { force: true });
    process.kill(gateway.pid, 'SIGUSR2');
    while (!existsSync(turnFile)) await new Promise((resolve) => setTimeout(resolve, 10));
    return Number(readFileSync(turnFile, 'utf8'));
  };
  const keyOf = async (plan: string) => {
    const answer = await gateway.api('/admin/keys', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: plan, plan }),
    });
    return { authorization: `Bearer ${((await answer.json()) as { key: string }).key}` };
  };
  const [mine, theirs] = [await keyOf('business'), await keyOf('business')];
  const proxied = (path: string, from: string, headers = {}): http.RequestOptions => ({
    host: '127.0.0.1',
    port: gateway.proxyPort,
    path: `http://${host}${path}`,
    localAddress: from,
    headers: { host, ...json, ...headers },
  });
  const small = JSON.stringify({ text: 'Write to ann@mail.example.' });
  const api = (path: string) => `${gateway.apiUrl}${path}`;
  const prober = threadOf([
    { name: 'proxy', url: gateway.proxyUrl, options: proxied('/v1/small', '127.0.0.9'), body: small },
    { name: 'api', url: api('/mask'), options: { headers: { ...json, ...mine } }, body: small },
  ]);
  const longest = () =>
    new Promise<Record<string, number>>((resolve) => {
      prober.once('message', resolve);
      prober.postMessage('');
    });
  const post = (body: Buffer, from = '127.0.0.2') =>
    send(gateway.proxyUrl, proxied('/v1/chat/completions', from), body);
  const call = (path: string, body: Buffer) => send(api(path), { headers: { ...json, ...theirs } }, body);
  const text25 = big(addresses(25_000_000));
  const words = `${'Nothing to see here, and no address of anybody. '.repeat(500_000)}ann@mail.example`;
  const few25 = big(words);
  const few9 = bodyOf({ text: words.slice(-9_500_000) });
  const many9 = bodyOf({ text: addresses(9_500_000) });
  const values = bodyOf({ text: addresses(460_000) });
  const rows = bodyOf(Array.from({ length: 500_000 }, (_, i) => ({ id: i, name: `row ${i}` })));
  const keys = Buffer.from(`{${Array.from({ length: 1_800_000 }, (_, i) => `"k${i}":1`).join(',')}}`);
  const named = Array.from({ length: 15_000 }, (_, i) => `[EMAIL-${i + 1}]`).join(' ');
  const tokens = bodyOf({ text: named.repeat(45).slice(0, 9_500_000) });
  const many = big(addresses(2_400_000, 5_000_000));
  const some = big(addresses(250_000));
  const requestOf = (count: number, text: string) =>
    bodyOf({ messages: Array.from({ length: count }, (_, i) => ({ role: 'user', content: `row ${i}${text}` })) });
  const parameters = { type: 'object', properties: {} };
  const tools = bodyOf({
    messages: [],
    tools: Array.from({ length: 1_000 }, (_, i) => ({ type: 'function', name: `tool_${i}`, parameters })),
  });
  const params = { name: 'save', arguments: { text: words.slice(-10_000_000) } };
  const mcp = bodyOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const [brief, wordy] = [requestOf(40_000, ''), requestOf(40_000, ' of the table of contents'.repeat(20))];
  const prompts = Array.from({ length: 20 }, (_, i) => big(`n${i}@mail.example`));
  const loads: [name: string, run: () => Promise<unknown>][] = [
    ['nothing', () => new Promise((resolve) => setTimeout(resolve, 2_000))],
    ['25 MB of addresses through the proxy', () => post(text25)],
    ['the same, three at once', () => Promise.all([1, 2, 3].map(() => post(text25)))],
    ['25 MB with one address', () => post(few25)],
    ['25 MB in small members', () => post(rows)],
    ['22 MB of short names', () => post(keys)],
    ['40,000 messages of a few words', () => post(brief)],
    ['40,000 messages, 22 MB', () => post(wordy)],
    ['1,000 tools', () => post(tools)],
    ['a call of an MCP server, 10 MB', () => post(mcp)],
    ['250 KB of addresses', () => post(some)],
    ['100,000 addresses, masked', () => post(many)],
    [
      'small ones after it',
      async () => {
        for (const prompt of prompts) await post(prompt);
      },
    ],
    [
      'an answer of 15 MB with 400,000 tokens',
      () => send(gateway.proxyUrl, proxied('/v1/huge', '127.0.0.2'), prompts[0] as Buffer),
    ],
    ['/detect, 9.5 MB of addresses', () => call('/detect', many9)],
    ['/detect, 19,000 addresses', () => call('/detect', values)],
    ['/mask, 9.5 MB with one address', () => call('/mask', few9)],
    ['/mask, 19,000 addresses', () => call('/mask', values)],
    ['/restore-all, 9.5 MB of tokens', () => call('/restore-all', tokens)],
    ['/rag/ingest, 9.5 MB with one address', () => call('/rag/ingest', few9)],
    ['ten /detect of 9.5 MB at once', () => Promise.all(Array.from({ length: 10 }, () => call('/detect', few9)))],
  ];
  const only = process.argv[3];
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  for (const [name, run] of loads) {
    if (only !== undefined && !name.includes(only)) continue;
    await longest();
    await longestTurn();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, residentMiB(gateway.pid))), 20);
    const started = performance.now();
    const status = await run().catch((error: Error) => error.message);
    const ms = performance.now() - started;
    clearInterval(watch);
    const turn = await longestTurn();
    const waits = await longest();
    const waitTexts = Object.entries(waits).map(([who, wait]) => `${who} ${wait.toFixed(0)} ms`);
    console.log(
      `${name}: ${ms.toFixed(0)} ms, status ${status ?? ''}; longest wait of others: ${waitTexts.join(', ')}; longest turn ${turn.toFixed(0)} ms; ${most.toFixed(0)} MiB`,
    );
  }
  await prober.terminate();
  await gateway.stop();
  await server?.kill();
  await origins.terminate();
}

if (isMainThread) await main();
else if (workerData === 'origins') await serveOrigins();
else await probe(workerData as Probe[]);
