/** The providers' own packages parse the output, wherever a token was cut. */
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { CohereClientV2 } from 'cohere-ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { joinBytes } from '../../../core/stream/frame.ts';
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { framesOf, type Shape, shapes } from './provider-shapes.ts';
import { fixture, meta, tokenMap } from './wire-fixtures.ts';

const { tokenMap: tokens, expectText, expectArgs } = meta('openai-chat');
const map = tokenMap(tokens);

/** A fetch whose response is this stream, restored, in writes of five bytes. */
function answering(kind: StreamKind, bytes: Uint8Array, type: string): typeof fetch {
  const restorer = new StreamRestorer({ kind, map });
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 5) pieces.push(restorer.push(bytes.slice(at, at + 5)).slice());
  pieces.push(restorer.end());
  const body = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
        controller.close();
      },
    });
  return async () => new Response(body(), { headers: { 'content-type': type } });
}

const sse = 'text/event-stream';
const shape = (name: string) => shapes.find((one) => one.name === name) as Shape;
const bytesOf = (name: string, pieces: readonly string[]) => joinBytes(framesOf(shape(name), pieces));
const key = 'test-key';
const messages = [{ role: 'user' as const, content: 'x' }];

async function collect<T>(stream: AsyncIterable<T>, pick: (event: T) => string | null | undefined): Promise<string> {
  let text = '';
  for await (const event of stream) text += pick(event) ?? '';
  return text;
}

const clients: Record<string, (bytes: Uint8Array) => Promise<string>> = {
  'chat completions': async (bytes) => {
    const client = new OpenAI({ apiKey: key, fetch: answering('sse', bytes, sse) });
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    return collect(stream, (event) => event.choices[0]?.delta.content);
  },
  Responses: async (bytes) => {
    const client = new OpenAI({ apiKey: key, fetch: answering('sse', bytes, sse) });
    let last = -1;
    return collect(await client.responses.create({ model: 'm', input: 'x', stream: true }), (event) => {
      expect(event.sequence_number).toBeGreaterThanOrEqual(last);
      last = event.sequence_number;
      return event.type === 'response.output_text.delta' ? event.delta : '';
    });
  },
  Messages: async (bytes) => {
    const client = new Anthropic({ apiKey: key, fetch: answering('sse', bytes, sse) });
    return client.messages.stream({ model: 'm', max_tokens: 9, messages }).finalText();
  },
  Gemini: async (bytes) => {
    vi.stubGlobal('fetch', answering('sse', bytes, sse));
    const client = new GoogleGenAI({ apiKey: key });
    return collect(await client.models.generateContentStream({ model: 'm', contents: 'x' }), (event) => event.text);
  },
  'Ollama, chat': async (bytes) => {
    const client = new Ollama({ fetch: answering('ndjson', bytes, 'application/x-ndjson') });
    return collect(await client.chat({ model: 'm', messages, stream: true }), (event) => event.message.content);
  },
  Cohere: async (bytes) => {
    vi.stubGlobal('fetch', answering('sse', bytes, sse));
    const client = new CohereClientV2({ token: key, fetch: answering('sse', bytes, sse) });
    return collect(await client.chatStream({ model: 'm', messages }), (event) =>
      event.type === 'content-delta' ? event.delta?.message?.content?.text : '',
    );
  },
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(Object.entries(clients))('%s', (name, read) => {
  it('text in one piece, in characters, and with a token in two', async () => {
    const text = 'to [EMAIL-1], [NAME-1] [EMAIL-9] list[0]';
    const shown = text.replace('[EMAIL-1]', tokens['[EMAIL-1]'] ?? '').replace('[NAME-1]', tokens['[NAME-1]'] ?? '');
    for (const pieces of [[text], [...text], ...[4, 5, 8, 11].map((at) => [text.slice(0, at), text.slice(at)])]) {
      expect(await read(bytesOf(name, pieces))).toBe(shown);
    }
  });

  it('text that ends inside a token', async () => {
    expect(await read(bytesOf(name, ['to ', '[EMA', 'IL-']))).toBe('to [EMAIL-');
  });
});

describe('fixtures', () => {
  const rows: [file: string, client: string][] = [
    ['openai-chat/stream.sse', 'chat completions'],
    ['openai-chat/stream-crlf-comments.sse', 'chat completions'],
    ['azure-openai/stream.sse', 'chat completions'],
    ['openai-responses/stream.sse', 'Responses'],
    ['anthropic-messages/stream.sse', 'Messages'],
    ['gemini/stream.sse', 'Gemini'],
    ['ollama/chat.ndjson', 'Ollama, chat'],
    ['cohere-v2/stream.sse', 'Cohere'],
  ];
  it.each(rows)('%s', async (file, client) => {
    expect(await (clients[client] as (bytes: Uint8Array) => Promise<string>)(fixture(file))).toBe(expectText);
  });

  it('the arguments that the packages assemble', async () => {
    const openai = new OpenAI({ apiKey: key, fetch: answering('sse', fixture('openai-chat/stream-tools.sse'), sse) });
    const chat = await openai.chat.completions.stream({ model: 'm', messages }).finalMessage();
    const [call] = chat.tool_calls ?? [];
    expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).toEqual(expectArgs);
    const anthropic = new Anthropic({
      apiKey: key,
      fetch: answering('sse', fixture('anthropic-messages/stream.sse'), sse),
    });
    const { content } = await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages }).finalMessage();
    expect(content.find((block) => block.type === 'tool_use')?.input).toEqual(expectArgs);
  });
});
