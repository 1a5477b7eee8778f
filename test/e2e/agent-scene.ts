/** An origin in the role of the providers, and a gateway with rules for tools and MCP servers. */
import { GoogleGenAI } from '@google/genai';
import type OpenAI from 'openai';
import { beforeEach, onTestFinished, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';

export const bedrock = 'bedrock-runtime.eu-central-1.amazonaws.com';
const names = ['api.openai.com', 'api.anthropic.com', 'generativelanguage.googleapis.com', bedrock];
const rules = [
  { name: 'no deletion', when: { tools: ['github/delete_*', 'drop_table'] }, then: { tools: 'strip' } },
  { name: 'docs', when: { mcp_servers: ['docs.example'], tools: ['search', 'read'] }, then: { tools: 'allow' } },
  { name: 'known servers', when: { mcp_servers: ['mcp.good.example', 'connector_gmail'] }, then: { tools: 'allow' } },
  { name: 'forbidden', when: { mcp_servers: ['*.evil.example'] }, then: { tools: 'block' } },
  { name: 'local', when: { mcp_servers: ['github'] }, then: { tools: 'allow' } },
  { name: 'others', when: { mcp_servers: ['*'] }, then: { tools: 'strip' } },
  { name: 'robots', when: { agents: ['robot*'] }, then: { action: 'block' } },
];

type Sent = { tools?: Record<string, unknown>[]; mcp_servers?: Record<string, unknown>[]; tool_choice?: unknown };
export const input = 'What is new in the handbook?';
export const fn = (name: string): OpenAI.Responses.FunctionTool => ({
  type: 'function',
  name,
  parameters: {},
  strict: false,
});
export const mcp = (label: string, url: string, more: object = {}) =>
  ({ type: 'mcp', server_label: label, server_url: url, ...more }) as OpenAI.Responses.Tool.Mcp;

/** The answer of the origin; reset before each test. */
type Script = {
  answer: { type: string; pieces: readonly (string | Uint8Array)[] };
  afterPiece: (i: number) => Promise<void>;
  /** Its answer to a WebSocket message. */
  says: (message: unknown) => readonly unknown[];
};
const quiet = (): Script => ({
  answer: {
    type: 'application/json',
    pieces: ['{"id":"x","object":"response","output":[],"choices":[],"content":[]}'],
  },
  afterPiece: async () => {},
  says: () => [],
});

/** Starts both. */
export async function startAgentScene() {
  const script = quiet();
  const sockets = new WebSocketServer({ noServer: true });
  /** WebSocket messages that the origin received. */
  const heard: unknown[] = [];
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const message: unknown = JSON.parse(String(data));
      heard.push(message);
      for (const one of script.says(message)) {
        if (one === 'close') socket.close(1000, 'done');
        else socket.send(JSON.stringify(one));
      }
    });
  });
  const origin = await startOrigin({
    names,
    handler: async (_request, response) => {
      response.writeHead(200, { 'content-type': script.answer.type });
      for (const [i, piece] of script.answer.pieces.entries()) {
        response.write(piece);
        await script.afterPiece(i);
      }
      response.end();
    },
    onUpgrade: (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (one) => sockets.emit('connection', one, request)),
  });
  const gateway = await startGateway({
    hosts: Object.fromEntries(names.map((name) => [name, origin])),
    config: { policy: { tools: { arguments: 'block' }, rules } },
  });
  const proxied = proxiedFetch(gateway);
  beforeEach(() => {
    origin.reset();
    heard.length = 0;
    Object.assign(script, quiet());
  });
  const sent = (): Sent => JSON.parse(origin.requests.at(-1)?.body.toString() ?? '{}') as Sent;
  /** The `@google/genai` package through the gateway: it uses the global fetch. */
  const gemini = (): GoogleGenAI => {
    vi.stubGlobal('fetch', proxied.fetch);
    onTestFinished(() => void vi.unstubAllGlobals());
    return new GoogleGenAI({ apiKey: 'test-key' });
  };
  const respond = (tools: OpenAI.Responses.Tool[]) =>
    openAiClient(proxied).responses.create({ model: 'm', input, tools });
  return { script, heard, origin, gateway, proxied, sent, gemini, respond };
}
