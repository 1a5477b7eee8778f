import { describe, expect, it } from 'vitest';
import { joinBytes } from '../../../core/stream/frame.ts';
import { bedrockFrame } from '../../support/bedrock.ts';
import { eventsOf, restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });
const encode = (text: string) => new TextEncoder().encode(text);

/** Signed content goes back to the provider, so it must stay unchanged whether or not a token is cut. */
describe.each([
  ['a token in one piece', ['I write to [EMAIL-1] now.']],
  ['a token in two', ['I write to [EM', 'AIL-1] now.']],
])('%s', (_name, pieces) => {
  it.each(['sse', 'ndjson'] as const)('Anthropic, %s', (kind) => {
    const place = { type: 'content_block_delta', index: 0 };
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      ...pieces.map((thinking) => ({ ...place, delta: { type: 'thinking_delta', thinking } })),
      { ...place, delta: { type: 'signature_delta', signature: 'EqQBCgIYAhIM' } },
      { type: 'content_block_stop', index: 0 },
    ];
    const lines = events.map((event) =>
      kind === 'sse' ? `data: ${JSON.stringify(event)}\n\n` : `${JSON.stringify(event)}\n`,
    );
    expect(restoreStream(kind, map, encode(lines.join('')))).toBe(lines.join(''));
  });

  it('Bedrock Converse', () => {
    const delta = (content: object, contentBlockIndex = 0) =>
      bedrockFrame('contentBlockDelta', { contentBlockIndex, delta: content });
    const frames = [
      ...pieces.map((text) => delta({ reasoningContent: { text } })),
      delta({ reasoningContent: { signature: 'AbC=' } }),
      bedrockFrame('contentBlockStop', { contentBlockIndex: 0 }),
      ...pieces.map((text) => delta({ text }, 1)),
      bedrockFrame('contentBlockStop', { contentBlockIndex: 1 }),
    ];
    const deltas = eventsOf('event-stream', restoreStream('event-stream', map, joinBytes(frames))).map(
      (event) => event.delta,
    );
    expect(deltas.map((one) => one?.reasoningContent?.text ?? '').join('')).toBe('I write to [EMAIL-1] now.');
    expect(deltas.map((one) => one?.text ?? '').join('')).toBe('I write to a@b.example now.');
  });
});
