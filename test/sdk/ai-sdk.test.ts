/** The middleware for language models, with the real package `ai` and a model that repeats its input. */
import { generateText, jsonSchema, streamText, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { expect, test } from 'vitest';
import { privetMiddleware } from '../../sdk/ai-sdk.ts';
import { createPrivet } from '../../sdk/index.ts';

const mail = 'hanako@example.com';
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;

/** A model with the middleware, and the prompts that it received. */
function protectedModel(answer: object) {
  const prompts: string[] = [];
  const model = new MockLanguageModelV4({
    doGenerate: (async ({ prompt }: { prompt: unknown }) => {
      prompts.push(JSON.stringify(prompt));
      return { finishReason: { unified: 'stop' }, usage, warnings: [], ...answer };
    }) as never,
    doStream: (async ({ prompt }: { prompt: unknown }) => {
      prompts.push(JSON.stringify(prompt));
      return { stream: simulateReadableStream({ chunks: (answer as { chunks: never[] }).chunks }) };
    }) as never,
  });
  const privet = createPrivet({ types: ['EMAIL', 'PHONE'] });
  return { model: wrapLanguageModel({ model, middleware: privetMiddleware(privet) }), prompts };
}

test('generateText: the model sees tokens, the program values, in texts and in arguments of tools', async () => {
  const { model, prompts } = protectedModel({
    content: [
      { type: 'text', text: 'I ask [EMAIL-1].' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'send', input: '{"to":"[EMAIL-1]"}' },
    ],
  });
  const given: unknown[] = [];
  const send = tool({
    inputSchema: jsonSchema<{ to: string }>({ type: 'object', properties: { to: { type: 'string' } } }),
    execute: (input) => void given.push(input),
  });
  const { text } = await generateText({
    model,
    system: `You work for ${mail}.`,
    prompt: `Ask ${mail}`,
    tools: { send },
  });
  expect(text).toBe(`I ask ${mail}.`);
  expect(given).toEqual([{ to: mail }]);
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).not.toContain('hanako');
  expect(prompts[0]).toMatch(/You work for \[EMAIL-1\].*Ask \[EMAIL-1\]/);
});

test('streamText: tokens split across pieces are restored', async () => {
  const deltas = ['I wrote to [EM', 'AIL', '-1] ', 'today.'];
  const { model, prompts } = protectedModel({
    chunks: [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: 't' },
      ...deltas.map((delta) => ({ type: 'text-delta', id: 't', delta })),
      { type: 'text-end', id: 't' },
      { type: 'finish', finishReason: { unified: 'stop' }, usage },
    ],
  });
  const { textStream } = streamText({ model, prompt: `Write to ${mail}` });
  const pieces: string[] = [];
  for await (const piece of textStream) pieces.push(piece);
  expect(pieces.join('')).toBe(`I wrote to ${mail} today.`);
  expect(pieces.length).toBeGreaterThan(1);
  expect(prompts.join('')).not.toContain('hanako');
});
