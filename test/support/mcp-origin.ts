/** A real MCP server behind an origin of the test, and real clients of both eras that reach it through the gateway. */
import type { ServerResponse } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { ProxiedFetch } from './clients.ts';
import type { OriginHandler, ReceivedRequest } from './origin.ts';

export type Era = 'legacy' | 'modern';

/** Serves what `build` makes of a fresh server, for both eras. */
export function mcpHandler(build: (server: McpServer) => void): OriginHandler {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'test-server', version: '1' });
    build(server);
    return server;
  });
  return async (request, response) => sendWeb(await handler.fetch(webRequest(request)), response);
}

/** Connects a client through the gateway; close it when done. */
export async function mcpClient(proxied: ProxiedFetch, url: string, era: Era): Promise<Client> {
  const client = new Client(
    { name: 'Test-Agent', version: '1' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: proxied.fetch as never }));
  return client;
}

function webRequest({ method, url, rawHeaders, body }: ReceivedRequest): Request {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (!name.startsWith(':')) headers.append(name, rawHeaders[i + 1] as string);
  }
  const hasBody = method === 'POST' && body.length > 0;
  return new Request(`https://server.example${url}`, {
    method,
    headers,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

async function sendWeb(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
}
