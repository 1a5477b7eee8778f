/**
 * A real MCP server behind an origin of the test, and real clients of both eras that connect to it through the gateway.
 */
import type { ServerResponse } from 'node:http';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, type JSONRPCMessage, McpServer, type Transport } from '@modelcontextprotocol/server';
import type { ProxiedFetch } from './clients.ts';
import type { OriginHandler, ReceivedRequest } from './origin.ts';

/** `sse`: revision 2024-11-05, whose answers arrive on a separate stream. */
export type Era = 'sse' | 'legacy' | 'modern';

/** Serves what `build` makes of a new server, for both eras. */
export function mcpHandler(build: (server: McpServer) => void): OriginHandler {
  const serve = () => {
    const server = new McpServer({ name: 'test-server', version: '1' });
    build(server);
    return server;
  };
  const handler = createMcpHandler(serve);
  const streams = new Map<string, Transport>();
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://origin');
    if (pathname === '/sse') {
      const id = String(streams.size);
      const transport = streamTransport(response, `/messages?sessionId=${id}`);
      streams.set(id, transport);
      await serve().connect(transport);
    } else if (pathname === '/messages') {
      response.writeHead(202).end('Accepted');
      const stream = streams.get(searchParams.get('sessionId') ?? '');
      stream?.onmessage?.(JSON.parse(request.body.toString()) as JSONRPCMessage);
    } else sendWeb(await handler.fetch(webRequest(request)), response);
  };
}

/** The server's end of a connection of 2024-11-05, which the official server package no longer has. */
function streamTransport(response: ServerResponse, endpoint: string): Transport {
  const send = (event: string, data: string) => response.write(`event: ${event}\ndata: ${data}\n\n`);
  return {
    start: async () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send('endpoint', endpoint);
    },
    send: async (message) => void send('message', JSON.stringify(message)),
    close: async () => void response.end(),
  };
}

/** Connects a client through the gateway; close it when done. */
export async function mcpClient(proxied: ProxiedFetch, url: string, era: Era): Promise<Client> {
  const client = new Client(
    { name: 'Test-Agent', version: '1' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  const options = { fetch: proxied.fetch as never };
  await client.connect(
    era === 'sse'
      ? new SSEClientTransport(new URL('/sse', url), options)
      : new StreamableHTTPClientTransport(new URL(url), options),
  );
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
