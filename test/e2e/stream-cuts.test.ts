/** A provider's stream gives the client the same text whatever byte it is cut at. */
import { expect, test } from 'vitest';
import { anthropicClient, openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { jsonPost } from '../support/json-post.ts';
import { startOrigin } from '../support/origin.ts';
import { leaksIn, personal } from '../support/personal.ts';
import { makeProvider } from '../support/provider.ts';

const content = `Mail ${personal.EMAIL} about ${personal.CREDIT_CARD}`;
const say = (tokens: readonly string[]): string => `To ${tokens.join('')}"\\${tokens[0]}🙂.`;
const expected = say([personal.EMAIL, personal.CREDIT_CARD]);
const messages = [{ role: 'user' as const, content }];

const provider = makeProvider();

const names = ['api.openai.com', 'api.anthropic.com'];
// HTTP/1.1, so that each piece is a separate write on the wire.
const origin = await startOrigin({ names, handler: provider.handler, protocols: ['http/1.1'] });
const gateway = await startGateway({ hosts: Object.fromEntries(names.map((name) => [name, origin])) });
const proxied = proxiedFetch(gateway);

/** The stream that a client receives, as text: the same for every cut. */
async function rawStream(url: string, body: object): Promise<string> {
  const answer = await proxied.fetch(url, jsonPost({ ...body, stream: true }, { authorization: 'Bearer test-key' }));
  return answer.text();
}

function contentOf(stream: string): string {
  const deltas = [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as ChatChunk);
  return deltas.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
}
type ChatChunk = { readonly choices: readonly { readonly delta: { readonly content?: string } }[] };

/** `EVERY_CUT=1` tries all positions, which takes twenty times as long; core tries them all without a network. */
const cutsMax = process.env.EVERY_CUT ? Number.POSITIVE_INFINITY : 125;

test.each([1, 3, 40])('cut positions all along, deltas of %d characters', async (deltaLength) => {
  const url = 'https://api.openai.com/v1/chat/completions';
  provider.options = { say, deltaLength };
  const whole = await rawStream(url, { model: 'm', messages });
  expect(contentOf(whole)).toBe(expected);

  const length = Buffer.byteLength(whole);
  const step = Math.ceil(length / cutsMax) || 1;
  const wrong: number[] = [];
  for (let cut = 1; cut < length; cut += step) {
    provider.options = { say, deltaLength, cuts: [cut] };
    if (contentOf(await rawStream(url, { model: 'm', messages })) !== expected) wrong.push(cut);
  }
  expect(wrong).toEqual([]);
  expect(leaksIn(origin.everything())).toEqual([]);
});

test('a stream in writes of one byte', { timeout: 60_000 }, async () => {
  provider.options = { say, deltaLength: 4, cuts: Array.from({ length: 6000 }, (_, index) => index + 1) };
  expect(contentOf(await rawStream('https://api.openai.com/v1/chat/completions', { model: 'm', messages }))).toBe(
    expected,
  );
});

test('the packages, at sampled cuts', async () => {
  for (let cut = 37; cut < 1600; cut += 53) {
    provider.options = { say, deltaLength: 4, cuts: [cut, cut + 1, cut + 9] };
    const chat = await openAiClient(proxied).chat.completions.stream({ model: 'm', messages }).finalContent();
    expect(chat, `openai, cut at ${cut}`).toBe(expected);
    const claude = await anthropicClient(proxied).messages.stream({ model: 'm', max_tokens: 9, messages }).finalText();
    expect(claude, `anthropic, cut at ${cut}`).toBe(expected);
  }
});
