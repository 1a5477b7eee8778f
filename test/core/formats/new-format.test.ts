/** A provider is one declaration that determines how streams and requests are read; no other file names a provider. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats, wireFormats } from '../../../core/formats/index.ts';
import { WireFormats } from '../../../core/formats/wire-formats.ts';
import { anyOf } from '../../../core/patterns.ts';
import { withHint } from '../../../core/payload/hint.ts';
import { parseRequestBody } from '../../../core/payload/request.ts';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { type Event, tokenMap } from '../stream/wire-fixtures.ts';
import { lanes } from './lanes.ts';

const withLanes = new WireFormats([...formats, lanes]);

const map = tokenMap({ '[EMAIL-1]': 'ana@corp.example', '[NAME-1]': 'Ana Lopez' });

/** What the gateway would send for these events, parsed again. */
function restored(events: readonly object[], read = withLanes): Event[] {
  const restorer = new StreamRestorer({ kind: 'sse', map, formats: read });
  const bytes = new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  const text = Buffer.concat([...Array.from(bytes, (byte) => restorer.push(new Uint8Array([byte]))), restorer.end()]);
  return text
    .toString()
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice('data: '.length)));
}

const say = (lane: number, utterance: string) => ({ type: 'lane', lane, utterance });
const textOf = (events: readonly Event[], lane: number) =>
  events
    .filter((event) => event.lane === lane && event.type === 'lane')
    .map(({ utterance }) => utterance)
    .join('');

describe('a new format', () => {
  const events = [
    say(1, 'Mail [EMA'),
    say(2, 'Ask [NA'),
    say(1, 'IL-1] or ['),
    say(2, 'ME-1].'),
    { type: 'lane-over', lane: 1 },
    { type: 'lane-summary', utterance: 'To [EMAIL-1]' },
    { type: 'status', hasSettled: true },
  ];

  test('its texts are distinguished by index, and end as declared', () => {
    const out = restored(events);
    expect(textOf(out, 1)).toBe('Mail ana@corp.example or [');
    expect(textOf(out, 2)).toBe('Ask Ana Lopez.');
    const over = out.findIndex(({ type }) => type === 'lane-over');
    expect(textOf(out.slice(0, over), 1)).toBe('Mail ana@corp.example or [');
    expect(out.find(({ type }) => type === 'lane-summary').utterance).toBe('To ana@corp.example');
  });

  test('without the declaration the two texts run together', () => {
    const out = restored(events, wireFormats);
    expect(textOf(out, 1) + textOf(out, 2)).not.toContain('ana@corp.example');
  });

  test('a token in tool arguments may lack brackets, also in an event that looks ordinary', () => {
    const [event] = restored([{ type: 'lane', lane: 1, orders: '{"to":"EMAIL-1"}' }]);
    expect(event.orders).toBe('{"to":"ana@corp.example"}');
  });

  test('a request is masked as declared', () => {
    const seal = 'QUxMIFRIRSBMQU5FUyBBUkUgT1VSUw==';
    const body = JSON.stringify({ gait: 'brisk', seal_of_lane: seal, utterance: 'Hello' });
    expect(parseRequestBody('json', body, { formats: withLanes }).leaves).toEqual(['Hello']);
    expect(parseRequestBody('json', body).leaves).toContain('brisk');
  });

  test('its system text is at the declared position', () => {
    expect(withHint('{"utterance":"Hi"}', 'lanes.example/lanes/say', withLanes)).toMatch(/^\{"briefing":"Text in/);
    expect(withHint('{"utterance":"Hi"}', 'lanes.example/lanes/say')).toBeUndefined();
  });
});

test('names are declared once', () => {
  const names = formats.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe('no provider is mentioned outside core/formats', () => {
  const names = `openai anthropic claude gemini google bedrock cohere vercel copilot chatgpt deepseek mistral ollama groq
    perplexity openrouter watsonx hugging snowflake hunyuan`;
  const provider = new RegExp(anyOf(names), 'i');
  const root = path.resolve(import.meta.dirname, '../../..');
  // Signatures of storage services are not a wire format of a model; the names of client programs neither.
  const others = ['core/payload/signed-url.ts', 'gateway/agents/agent-name.ts'];
  const files = ['core/stream', 'core/payload', 'core/agents', 'gateway/agents']
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.ts') && !others.includes(file));
  test.each(files)('%s', (file) => {
    expect(readFileSync(path.join(root, file), 'utf8')).not.toMatch(provider);
  });
});
