/**
 * The stand-in model as an origin: an HTTPS server on this machine with OpenAI's chat completions. `privet demo` sends the
 * name of the API to it, so that a request goes through the whole gateway.
 */

import { mkdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CertificateAuthority } from '../../certs/ca.ts';
import { createLeafKey, mintLeaf } from '../../certs/leaf.ts';
import { parseJson } from '../../core/parsing.ts';
import { piecesOf, standInAnswer } from './stand-in-answer.ts';

const bodyBytesMax = 1024 * 1024;
const pieceMs = 15;

/** A running origin. */
export type StandInOrigin = {
  readonly port: number;
  /** The root that the gateway has to trust for it. */
  readonly rootPem: string;
  /** The last request and its response, as sent on the wire. */
  readonly last: () => { readonly told: string; readonly said: string };
  close(): void;
};

/** Starts the origin for a host name; its authority is kept in `dir`. */
export async function startStandInOrigin(options: {
  readonly host: string;
  readonly dir: string;
}): Promise<StandInOrigin> {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const ca = CertificateAuthority.open({ dir: options.dir, permittedDomains: [options.host] });
  const { certPem, issuerPem, keyPem } = mintLeaf(ca, { host: options.host, key: createLeafKey() });
  let last = { told: '', said: '' };
  const server = createServer({ cert: `${certPem}\n${issuerPem}`, key: keyPem }, (request, response) => {
    answer(request, response, (exchange) => {
      last = exchange;
    }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    rootPem: ca.root.pem,
    last: () => last,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Completion = { readonly stream?: boolean; readonly messages?: readonly { readonly content?: unknown }[] };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  note: (exchange: { told: string; said: string }) => void,
): Promise<void> {
  const body = await bodyOf(request);
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions' || body === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"The stand-in model answers POST /v1/chat/completions only."}}');
    return;
  }
  const content = body.messages?.at(-1)?.content;
  const told = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  const said = standInAnswer(told);
  note({ told, said });
  const head = { id: 'chatcmpl-demo', created: Math.floor(Date.now() / 1000), model: 'stand-in' };
  if (body.stream !== true) {
    const choice = { index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...head, object: 'chat.completion', choices: [choice] }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, reason: string | null) => {
    const chunk = { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const piece of piecesOf(said)) {
    if (response.destroyed) return;
    send({ content: piece }, null);
    await pause(pieceMs);
  }
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

/** The JSON of a request; undefined if invalid or too long. */
async function bodyOf(request: IncomingMessage): Promise<Completion | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  const body = parseJson(Buffer.concat(chunks).toString());
  return typeof body === 'object' && body !== null ? (body as Completion) : undefined;
}
