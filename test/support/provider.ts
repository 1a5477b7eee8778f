/**
 * A stand-in for the OpenAI and Anthropic APIs: it repeats the tokens that it receives, so that a test knows the
 * restored answer, and it can split its stream at any byte.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { OriginHandler, ReceivedRequest } from './origin.ts';

/** The provider's responses. */
export type ProviderOptions = {
  /** The answer's text for the tokens it found, in order of first appearance. */
  readonly say?: (tokens: readonly string[]) => string;
  /** The length of a streamed delta in UTF-16 code units. */
  readonly deltaLength?: number;
  /** Byte positions at which the stream is split into separate writes. */
  readonly cuts?: readonly number[];
};

/** Settings that a test may change between two requests. */
export type Provider = { options: ProviderOptions; readonly handler: OriginHandler };

const tokenShape = /\[[A-Z][A-Z_]*-\d+\]/g;

/** The provider's default text. */
export function defaultSay(tokens: readonly string[]): string {
  return `Understood. I will use ${tokens.join(' and ')} "as asked".\nNothing else – 承知しました 👍.`;
}

/** Creates a provider for `startOrigin({ handler: provider.handler })`. */
export function makeProvider(options: ProviderOptions = {}): Provider {
  const provider: Provider = {
    options,
    handler: async (request, response) => {
      const body = JSON.parse(request.body.toString()) as ProviderRequest;
      const answer = answerOf(request, body, provider.options);
      if (answer === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such route"}}');
      } else if (body.stream === true) {
        await writeStream(response, answer.events, provider.options.cuts ?? []);
      } else {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      }
    },
  };
  return provider;
}

/** The tokens in a text, each once, in order. */
export function tokensIn(text: string): string[] {
  return [...new Set(text.match(tokenShape) ?? [])];
}

type ProviderRequest = { readonly stream?: boolean; readonly tools?: readonly unknown[]; readonly model?: string };
type Answer = { readonly body: unknown; readonly events: string };

function answerOf(request: ReceivedRequest, body: ProviderRequest, options: ProviderOptions): Answer | undefined {
  const tokens = tokensIn(request.body.toString());
  const text = (options.say ?? defaultSay)(tokens);
  const pieces = slices(text, options.deltaLength ?? 5);
  const toolArguments = JSON.stringify({ to: tokens[0] ?? '', all: tokens, note: `for ${tokens.join(', ')}` });
  const argumentPieces = slices(toolArguments, options.deltaLength ?? 5);
  const useTool = body.tools !== undefined;
  if (request.url === '/v1/chat/completions') {
    return useTool ? chatTool(toolArguments, argumentPieces) : chatText(text, pieces);
  }
  if (request.url === '/v1/messages') {
    return useTool ? messagesTool(toolArguments, argumentPieces) : messagesText(text, pieces);
  }
  return undefined;
}

function chatText(text: string, pieces: readonly string[]): Answer {
  return chat({ role: 'assistant', content: text }, 'stop', [
    { role: 'assistant', content: '' },
    ...pieces.map((content) => ({ content })),
  ]);
}

function chatTool(toolArguments: string, pieces: readonly string[]): Answer {
  const call = { id: 'call_1', type: 'function', function: { name: 'send_mail', arguments: toolArguments } };
  const first = { index: 0, id: 'call_1', type: 'function', function: { name: 'send_mail', arguments: '' } };
  return chat({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls', [
    { role: 'assistant', content: null, tool_calls: [first] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ]);
}

function chat(message: object, finishReason: string, deltas: readonly object[]): Answer {
  const head = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'gpt-test' };
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`;
  return {
    body: {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finishReason }],
      usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
    },
    events: `${deltas.map((delta) => chunk(delta, null)).join('')}${chunk({}, finishReason)}data: [DONE]\n\n`,
  };
}

function messagesText(text: string, pieces: readonly string[]): Answer {
  return messages({ type: 'text', text }, { type: 'text', text: '' }, 'end_turn', [
    ...pieces.map((piece) => ({ type: 'text_delta', text: piece })),
  ]);
}

function messagesTool(toolArguments: string, pieces: readonly string[]): Answer {
  const block = { type: 'tool_use', id: 'toolu_1', name: 'send_mail', input: JSON.parse(toolArguments) as unknown };
  return messages(block, { ...block, input: {} }, 'tool_use', [
    ...pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  ]);
}

function messages(block: object, opening: object, stopReason: string, deltas: readonly object[]): Answer {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-test' };
  const usage = { input_tokens: 9, output_tokens: 9 };
  const event = (data: { readonly type: string; readonly [key: string]: unknown }): string =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  return {
    body: { ...head, content: [block], stop_reason: stopReason, stop_sequence: null, usage },
    events: [
      event({
        type: 'message_start',
        message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage },
      }),
      event({ type: 'content_block_start', index: 0, content_block: opening }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index: 0, delta })),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage }),
      event({ type: 'message_stop' }),
    ].join(''),
  };
}

/** Writes a stream in pieces, each on the wire before the next is written. */
async function writeStream(response: ServerResponse, events: string, cuts: readonly number[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  const bytes = Buffer.from(events);
  let start = 0;
  for (const cut of [...cuts.filter((position) => position > 0 && position < bytes.length), bytes.length]) {
    const piece = bytes.subarray(start, cut);
    start = cut;
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    await setImmediate();
  }
  response.end();
}

function slices(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += length) pieces.push(text.slice(start, start + length));
  return pieces;
}
