/**
 * The MCP server over Streamable HTTP on the loopback address. Checks three things before reading anything: Host and
 * Origin must name this machine (which stops DNS rebinding), and the key must be right.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { ToolContext } from './context.ts';
import { createToolServer } from './server.ts';

const host = '127.0.0.1';
const bodyBytesMax = 32 * 2 ** 20;
const connectionsMax = 256;

/** A listening MCP server. */
export type HttpListener = { readonly host: string; readonly port: number; close(): Promise<void> };

/** Listens on the loopback address. @throws the system's error if the port is in use */
export async function listenHttp(options: { context: ToolContext; key: string; port: number }): Promise<HttpListener> {
  const { context } = options;
  const handler = createMcpHandler(() => createToolServer(context), { maxRequestBodySize: bodyBytesMax });
  const expected = digest(options.key);

  const respond = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused !== undefined) return refused;
    if (new URL(request.url).pathname !== '/mcp') return plain(404, 'The MCP server is at /mcp.');
    if (!isAuthorized(request.headers.get('authorization'), expected)) {
      return plain(401, 'Send the key as "Authorization: Bearer <key>".', {
        'www-authenticate': 'Bearer realm="privet"',
      });
    }
    return handler.fetch(request);
  };

  const server = createServer({ requestTimeout: 60_000 }, (req, res) => void serve(req, res, respond));
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await handler.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  req: IncomingMessage,
  res: ServerResponse,
  respond: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  res.on('error', () => undefined);
  try {
    const response = await respond(toRequest(req, gone.signal));
    res.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) res.end();
    else await pipeline(Readable.fromWeb(response.body as NodeReadableStream), res);
  } catch {
    // The client left or sent something that is not a request, so there is nobody to answer.
    if (res.headersSent) res.destroy();
    else res.writeHead(400).end();
  }
}

function toRequest(req: IncomingMessage, signal: AbortSignal): Request {
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD';
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headersDistinct))
    for (const text of value ?? []) headers.append(name, text);
  return new Request(`http://${req.headers.host ?? host}${req.url}`, {
    method: req.method ?? 'GET',
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(req) as ReadableStream, duplex: 'half' } : {}),
  });
}

function isAuthorized(header: string | null, expected: Buffer): boolean {
  const key = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  return key !== undefined && timingSafeEqual(digest(key), expected);
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });
}
