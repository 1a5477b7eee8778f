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

  it('packets of Socket.IO keep what stands before their JSON', () => {
    const tokens = tokenMap({ '[NAME-1]': 'Ann "Nan" Lee' });
    const restorer = new MessageRestorer({ map: tokens });
    expect(restorer.push('42/chat,7["message",{"content":"to [NAME-1]"}]')).toEqual([
      '42/chat,7["message",{"content":"to Ann \\"Nan\\" Lee"}]',
    ]);
    // Nothing of a packet is held back: there is none to put it into.
    const cut = '42["chunk",{"type":"response.output_text.delta","item_id":"i","delta":"to [NAM"}]';
    expect(restorer.push(cut)).toEqual([cut]);
    expect([...restorer.push('2'), ...restorer.push('431[{"ok":true}]'), ...restorer.end()]).toEqual([
      '2',
      '431[{"ok":true}]',
    ]);
    expect(restorer.push('42[not JSON [NAME-1]')).toEqual(['42[not JSON Ann "Nan" Lee']);
    expect(restorer.push('3')).toEqual(['3']);
  });

  it('records of SignalR stay in their message', () => {
    const restorer = new MessageRestorer({ map });
    const record = '{"type":1,"arguments":[{"messages":[{"text":"to [EMAIL-1]"}]}]}\x1e';
    expect(restorer.push(`${record}{"type":6}\x1e`)).toEqual([
      '{"type":1,"arguments":[{"messages":[{"text":"to a@b.example"}]}]}\x1e{"type":6}\x1e',
    ]);
  });

  it('what is put in stands before the record that ends the run', () => {
    const restorer = new MessageRestorer({ map });
    const place = { messageId: 'm', partId: 'p' };
    const records = [
      { event: 'appendText', ...place, text: 'x [EM' },
      { event: 'partCompleted', ...place },
      { type: 6 },
    ].map((record) => `${JSON.stringify(record)}\x1e`);
    const [message = '', ...more] = restorer.push(records.join(''));
    expect(more).toEqual([]);
    expect(
      parse(message.split('\x1e').filter(Boolean)).map((record) => record.text ?? record.event ?? record.type),
    ).toEqual(['x ', '[EM', 'partCompleted', 6]);
  });

  it('broken JSON passes and is told', () => {
    const counts: unknown[] = [];
    const restorer = new MessageRestorer({ map, onCount: (count) => counts.push(count) });
    expect(restorer.push('{"text":"[EMAIL-1]"')).toEqual(['{"text":"[EMAIL-1]"']);
    expect(counts).toEqual([{ restored: 0, unresolved: 0, unreadable: 1 }]);
  });

  it('several answers on one connection count their events anew', () => {
    const restorer = new MessageRestorer({ map });
    const place = { output_index: 0, content_index: 0 };
    const answer = (id: string) => [
      { type: 'response.created', response: { id }, sequence_number: 0 },
      { type: 'response.output_text.delta', ...place, delta: 'x [EM', sequence_number: 1 },
      { type: 'response.output_text.done', ...place, text: 'x [EM', sequence_number: 2 },
      { type: 'response.completed', response: { id }, sequence_number: 3 },
    ];
    const events = parse([...answer('a'), ...answer('b')].flatMap((event) => restorer.push(JSON.stringify(event))));
    expect(events.map((event) => event.sequence_number)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  });

  describe.each([
    ['lines of events', 'encoded_item', (text: string) => text],
    ['base64 of them', 'body', (text: string) => btoa(text)],
  ])('%s in a message', (_name, key, encode) => {
    const decode = key === 'body' ? atob : (text: string) => text;
    const message = (topic: string, events: string) =>
      JSON.stringify({ type: 'message', topic_id: topic, payload: { [key]: encode(events), n: 1 } });
    const shown = (messages: string[], topic: string) =>
      parse(messages)
        .filter((one) => one.topic_id === topic)
        .flatMap((one) => [...decode(one.payload[key]).matchAll(/^data: (\{.*)$/gm)])
        .map(([, json = '']) => JSON.parse(json).v)
        .join('');
    const first = 'event: delta\ndata: {"p":"/message/content/parts/0","o":"append","v":"to [EM"}\n\n';

    it('tokens are restored, conversation by conversation', () => {
      const restorer = new MessageRestorer({ map });
      const out = [
        message('a', 'event: delta_encoding\ndata: "v1"\n\n'),
        message('a', first),
        message('b', first),
        message('a', 'event: delta\ndata: {"v":"AIL-1] x"}\n\n'),
        message('b', 'event: delta\ndata: {"v":"X"}\n\n'),
      ].flatMap((one) => restorer.push(one));
      expect(out).toHaveLength(5);
      expect(shown(out, 'a')).toBe('to a@b.example x');
      expect(shown(out, 'b')).toBe('to [EMX');
    });

    it('a message without a token is the same', () => {
      const plain = message('a', 'event: delta\ndata: {"v": "plain"}\n\n').replace('"n":1', '"n": 1.0');
      expect(new MessageRestorer({ map }).push(plain)).toEqual([plain]);
    });

    it('silence releases what is held', () => {
      const restorer = new MessageRestorer({ map });
      expect(shown([...restorer.push(message('a', first)), ...restorer.end()], 'a')).toBe('to [EM');
    });
  });

  it('text that only begins like an event', () => {
    const message = JSON.stringify({ type: 'mail', body: 'event: lunch\nwith [EMAIL-1]' });
    expect(new MessageRestorer({ map }).push(message)).toEqual([message.replace('[EMAIL-1]', 'a@b.example')]);
  });

  it('text that is no JSON', () => {
    expect(new MessageRestorer({ map }).push('to [EMAIL-1]')).toEqual(['to a@b.example']);
    expect(new MessageRestorer({ map }).push('to [EMAIL-2]')).toEqual(['to [EMAIL-2]']);
  });
});
