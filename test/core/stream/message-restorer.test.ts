import { describe, expect, it } from 'vitest';
import { MessageRestorer } from '../../../core/stream/message-restorer.ts';
import { type Event, fixtureText, meta, tokenMap } from './wire-fixtures.ts';

const lines = (name: string) => fixtureText(name).split('\n').filter(Boolean);
const parse = (messages: string[]): Event[] => messages.map((message) => JSON.parse(message));

describe('WebSocket messages', () => {
  for (const name of ['openai-realtime', 'copilot-web']) {
    it(`${name}: deltas and copies are restored`, () => {
      const { tokenMap: tokens, expectText } = meta(name);
      const restorer = new MessageRestorer({ map: tokenMap(tokens) });
      const events = parse([
        ...lines(`${name}/server.ndjson`).flatMap((line) => restorer.push(line)),
        ...restorer.end(),
      ]);
      const isDelta = (event: Event) => event.delta !== undefined || event.event === 'appendText';
      expect(
        events
          .filter(isDelta)
          .map((event) => event.delta ?? event.text)
          .join(''),
      ).toBe(expectText);
      for (const event of events) if (event.type?.endsWith('.done') && event.text) expect(event.text).toBe(expectText);
    });
  }

  const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });

  it('what is held comes out before the part ends', () => {
    const restorer = new MessageRestorer({ map });
    const place = { messageId: 'm', partId: 'p' };
    const messages = [
      { event: 'appendText', ...place, text: 'x [EM' },
      { event: 'partCompleted', ...place },
    ];
    expect(parse(messages.flatMap((message) => restorer.push(JSON.stringify(message))))).toEqual([
      { event: 'appendText', ...place, text: 'x ' },
      { event: 'appendText', ...place, text: '[EM' },
      { event: 'partCompleted', ...place },
    ]);
  });

  it('records of SignalR stay in their message', () => {
    const restorer = new MessageRestorer({ map });
    const record = '{"type":1,"arguments":[{"messages":[{"text":"to [EMAIL-1]"}]}]}\x1e';
    expect(restorer.push(record + '{"type":6}\x1e')).toEqual([
      '{"type":1,"arguments":[{"messages":[{"text":"to a@b.example"}]}]}\x1e{"type":6}\x1e',
    ]);
  });

  it('text that is no JSON', () => {
    expect(new MessageRestorer({ map }).push('to [EMAIL-1]')).toEqual(['to a@b.example']);
    expect(new MessageRestorer({ map }).push('to [EMAIL-2]')).toEqual(['to [EMAIL-2]']);
  });
});
