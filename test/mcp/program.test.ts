/** `privet mcp` as a program: without a network, with the inspector, and over HTTP. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { plainEnv, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { call, connect, program, root } from './client.ts';

const email = 'hanako.yamada@example.co.jp';

describe('without any network', () => {
  test('every tool works in a network namespace that has no interface', async () => {
    const alone = ['unshare', '--user', '--map-root-user', '--net'];
    // The namespace is really empty: not even the loopback interface is up.
    const links = spawnSync(alone[0] as string, [...alone.slice(1), 'cat', '/proc/net/dev'], { encoding: 'utf8' });
    expect(links.stdout.trim().split('\n').length, links.stderr).toBeLessThanOrEqual(3);

    const client = await connect({ under: alone });
    const { masked, sessionId } = await call<{ masked: string; sessionId: string }>(client, 'mask_pii', {
      text: `Write to ${email}`,
    });
    expect(masked).toMatch(/^Write to \[SECURED:type=EMAIL,id=\w+\]$/);
    expect(await call(client, 'restore_all', { text: masked, sessionId })).toMatchObject({
      restored: `Write to ${email}`,
    });
    const ingest = await call<{ sessionId: string; chunks: { text: string }[] }>(client, 'rag_ingest', { text: email });
    expect(
      await call(client, 'rag_resolve', { text: ingest.chunks[0]?.text, sessionId: ingest.sessionId }),
    ).toMatchObject({ restored: email });
    expect(await call(client, 'restore_pii', { token: masked.slice(9), sessionId })).toMatchObject({ restored: email });
    for (const tool of ['detect_pii', 'detect_injection', 'detect_all_injections']) {
      await call(client, tool, { text: 'Nothing to see.' });
    }
    expect(await call(client, 'store_status', {})).toMatchObject({ sessions: 2 });
  });
});

test('requests before the end of input are answered, also to a slow reader', async () => {
  const child = spawn(process.execPath, [program, 'mcp'], { env: plainEnv(), stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const text = `Write to ${email}. `.repeat(20_000);
  const ask = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.end(
    ask(1, 'initialize', client) +
      ask(2, 'tools/call', { name: 'rag_ingest', arguments: { text } }) +
      ask(3, 'tools/call', { name: 'mask_pii', arguments: { text } }),
  );
  // Read nothing until everything must have been written.
  await new Promise((resolve) => child.stdout.once('readable', resolve));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const answers: { id: number; length: number }[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    answers.push({ id: (JSON.parse(line) as { id: number }).id, length: line.length });
  }
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  expect(answers.every(({ id, length }) => id === 1 || length > 500_000)).toBe(true);
  expect(await ended).toBe(0);
});

describe('with the inspector', () => {
  const config = (): string => {
    const file = join(mkdtempSync(join(tempFolder('inspector'), 'x-')), 'mcp.json');
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { privet: { command: process.execPath, args: [program, 'mcp'] } } }),
    );
    return file;
  };
  const inspect = async (...args: string[]): Promise<Record<string, unknown>> => {
    const inspector = join(root, 'node_modules/.bin/mcp-inspector');
    const result = await run(inspector, ['--cli', '--config', config(), '--server', 'privet', ...args]);
    expect(result.code, result.stderr + result.text).toBe(0);
    return JSON.parse(result.text) as Record<string, unknown>;
  };

  test('tools are listed and called', async () => {
    const { tools } = await inspect('--method', 'tools/list');
    expect((tools as { name: string }[]).map(({ name }) => name)).toContain('mask_pii');
    const result = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'mask_pii',
      '--tool-arg',
      `text=Write to ${email}`,
    );
    expect(result.structuredContent).toMatchObject({
      masked: expect.stringMatching(/^Write to \[SECURED:type=EMAIL,id=\w+\]$/),
      counts: { EMAIL: 1 },
    });
  });
});

describe('over HTTP', () => {
  type Listening = { readonly port: number; readonly url: URL; readonly stderr: () => string };

  async function listen(env: Record<string, string>): Promise<Listening> {
    const child = spawn(process.execPath, [program, 'mcp', '--http', '--port', '0'], {
      env: { ...plainEnv(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line) as { event: string; listener: string; host: string; port: number };
      expect(event).toMatchObject({ event: 'listening', listener: 'mcp', host: '127.0.0.1' });
      return { port: event.port, url: new URL(`http://127.0.0.1:${event.port}/mcp`), stderr: () => stderr };
    }
    throw new Error(`privet mcp --http ended: ${stderr}`);
  }

  const key = `test-key-${'0'.repeat(24)}`;
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });

  function post(port: number, headers: Record<string, string>, path = '/mcp'): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          port,
          path,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${key}`,
            ...headers,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      request.once('error', reject);
      request.end(initialize);
    });
  }

  test.each(['legacy', 'modern'] as const)('the same tools, sessions kept between connections (%s)', async (era) => {
    const { url } = await listen({ SERVICE_KEY: key });
    const open = async (): Promise<Client> => {
      const client = new Client(
        { name: 'test', version: '1' },
        era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
      );
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
      );
      onTestFinished(() => client.close());
      return client;
    };
    const { masked, sessionId } = await call<{ masked: string; sessionId: string }>(await open(), 'mask_pii', {
      text: email,
    });
    expect(await call(await open(), 'restore_all', { text: masked, sessionId })).toMatchObject({ restored: email });
  });

  test('unauthorised requests are refused', async () => {
    const { port } = await listen({ SERVICE_KEY: key });
    expect(await post(port, {})).toBe(200);
    expect(await post(port, { origin: 'http://localhost:5173' })).toBe(200);
    expect(await post(port, { authorization: 'Bearer wrong' })).toBe(401);
    expect(await post(port, { authorization: '' })).toBe(401);
    expect(await post(port, { origin: 'https://evil.example' })).toBe(403);
    expect(await post(port, { origin: 'null' })).toBe(403);
    // DNS rebinding: an attacker's name that resolves to this machine.
    expect(await post(port, { host: `evil.example:${port}` })).toBe(403);
    expect(await post(port, {}, '/')).toBe(404);
    expect(await post(port, { 'content-type': 'text/plain' })).toBe(415);
  });

  test('without SERVICE_KEY a key is generated and shown once', async () => {
    const server = await listen({});
    await expect.poll(server.stderr).toMatch(/Key of this run .*: [\w-]{32}\n$/);
    const made = /: ([\w-]{32})\n/.exec(server.stderr())?.[1] ?? '';
    expect(await post(server.port, { authorization: `Bearer ${made}` })).toBe(200);
    expect(await post(server.port, {})).toBe(401);
  });
});

describe('wrong use', () => {
  test('an unknown option ends the program with code 2 and writes nothing to standard output', async () => {
    const result = await run(process.execPath, [program, 'mcp', '--htp']);
    expect(result).toMatchObject({ code: 2, text: '', stderr: expect.stringMatching(/--http/) });
  });

  test('noise on standard input is not echoed anywhere', async () => {
    const result = await run(process.execPath, [program, 'mcp'], { input: `{"not": "${email}"}\nnoise ${email}\n` });
    expect(result.code).toBe(0);
    expect(result.text + result.stderr).not.toContain(email);
  });
});

test('types, dictionary and recognizers of a configuration file apply', async () => {
  const file = join(tempFolder('mcp-config'), 'privet.yaml');
  writeFileSync(
    file,
    'masking:\n  types: { EMAIL: off, CREDIT_CARD: mask }\n  dictionary:\n    - { label: PROJECT, pattern: Apollo }\n' +
      '  recognizers: [{ type: EMPLOYEE_ID, forms: ["/E-[0-9]{6}/"] }]\n',
  );
  const client = await connect({ args: ['--config', file] });
  const text = `Apollo, ${email}, card 4242 4242 4242 4242, E-123456`;
  const masked = await call(client, 'mask_pii', { text, tokenFormat: 'counter' });
  expect(masked).toMatchObject({ masked: `[PROJECT_1], ${email}, card ****4242, [EMPLOYEE_ID_1]` });
});
