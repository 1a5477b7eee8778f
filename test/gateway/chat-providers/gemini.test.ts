/** The time limit of Gemini's answers applies to their beginning; a stream may continue as long as data arrives. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { GeminiProvider } from '../../../gateway/chat-providers/gemini.ts';
import type { ChatRequest } from '../../../gateway/chat-providers/provider.ts';

const event = (text: string) => `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })}\n\n`;

async function provider(answerMs: number, answer: (response: ServerResponse) => unknown): Promise<GeminiProvider> {
  const server = createServer((_request, response) => void answer(response));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new GeminiProvider({ apiKey: 'key', baseUrl, answerMs });
}

const request = (): ChatRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hello' }],
  signal: new AbortController().signal,
});

test('a stream longer than the start timeout is not cut', async () => {
  const answerMs = 3_000;
  const gemini = await provider(answerMs, async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event('first '));
    await pause(answerMs + 500);
    response.end(event('last'));
  });
  let text = '';
  for await (const piece of gemini.stream(request())) if ('text' in piece) text += piece.text;
  expect(text).toBe('first last');
});

test('one that does not start times out, whole or as a stream', async () => {
  const gemini = await provider(100, () => {});
  await expect(gemini.stream(request()).next()).rejects.toMatchObject({ code: 'upstream_timeout' });
  await expect(gemini.complete(request())).rejects.toMatchObject({ code: 'upstream_timeout' });
});
