import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { eventsOf, restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({
  '[EMAIL-1]': 'a@b.example',
  '[NAME-1]': 'O"Hara \\ Sons\nLtd \u2028',
  '[EMAIL-2]': '[EMAIL-1] 😀',
});
const encode = (text: string) => new TextEncoder().encode(text);
const sse = (events: unknown[]) => encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
const delta = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const text = (output: string) =>
  eventsOf('sse', output)
    .map((event) => event.choices?.[0]?.delta?.content ?? '')
    .join('');

describe('text in events', () => {
  const image = '![x](https://evil.example/?q=';
  const link = ['see https', '://', 'evil.example/', '[EMAIL-1]'];
  const rows: [name: string, pieces: string[], expected: string][] = [
    ['whole', ['to [EMAIL-1]!'], 'to a@b.example!'],
    ['one character at a time', [...'to [EMAIL-1]!'], 'to a@b.example!'],
    ['adjacent', ['[EMA', 'IL-1][EMAI', 'L-2]'], 'a@b.example[EMAIL-1] 😀'],
    ['never issued', ['[EMAIL-', '12] [EMAIL-9]'], '[EMAIL-12] [EMAIL-9]'],
    ['looks like it', ['a[0', '] = b[', 'i]'], 'a[0] = b[i]'],
    ['ends in the middle', ['so [EMAIL', '-1'], 'so [EMAIL-1'],
    ['in the address of an image', [image, '[EMAIL-1]', ')'], `${image}[EMAIL-1])`],
    ['in a bare link that began in unread events', link, link.join('')],
    ['after a link', ['https://a.example/ ', 'and ', '[EMAIL-1]'], 'https://a.example/ and a@b.example'],
    [
      'structured output',
      ['{"name":"', '[NAME', '-1]"}'],
      JSON.stringify({ name: 'O"Hara \\ Sons\nLtd \u2028' }).replace('\u2028', '\\u2028'),
    ],
    [
      'a block of JSON',
      ['[NAME-1]\n``', '`json\n{"a":"[NA', 'ME-1]"}\n``', '`\n[NAME-1]'],
      `${map.get('[NAME-1]')}\n\`\`\`json\n{"a":"O\\"Hara \\\\ Sons\\nLtd \\u2028"}\n\`\`\`\n${map.get('[NAME-1]')}`,
    ],
    ['a block of another language', ['```sh\necho "[NAME-1]"\n```'], `\`\`\`sh\necho "${map.get('[NAME-1]')}"\n\`\`\``],
  ];
  for (const [name, pieces, expected] of rows) {
    it(name, () => {
      expect(text(restoreStream('sse', map, sse([...pieces.map(delta), finish])))).toBe(expected);
    });
  }

  it('any split gives the same output', () => {
    const words = fc.constantFrom(
      ...'[EMAIL-1]|[NAME-1]|[EMAIL-9]|[|]|word |\\|"|é|😀|\n|【EMAIL-1】|a[0]|%5BEMAIL-1%5D'.split('|'),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), fc.array(fc.nat(200), { maxLength: 12 }), (parts, cuts) => {
        const whole = parts.join('');
        const marks = [...new Set(cuts.map((cut) => Math.min(cut, whole.length)))].sort((a, b) => a - b);
        const pieces = [0, ...marks].map((from, at) => whole.slice(from, marks[at] ?? whole.length));
        const one = text(restoreStream('sse', map, sse([delta(whole), finish])));
        expect(text(restoreStream('sse', map, sse([...pieces.map(delta), finish])))).toBe(one);
      }),
    );
  });
});

describe('two texts in one event', () => {
  const both = (thinking: string, content: string) => ({ message: { role: 'assistant', thinking, content } });
  const joined = (output: string, key: 'thinking' | 'content') =>
    eventsOf('ndjson', output)
      .map((event) => event.message?.[key] ?? '')
      .join('');
  const lines = (events: unknown[]) => encode(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const done = { message: { role: 'assistant', content: '' }, done: true };

  const rows: [name: string, events: unknown[], thinking: string, content: string][] = [
    ['one is held back at the end', [both('I see ', 'Dear '), both('one. ', '[EMAIL')], 'I see one. ', 'Dear [EMAIL'],
    ['both are held back at the end', [both('ask [NA', '[EMAIL-')], 'ask [NA', '[EMAIL-'],
    [
      'one is held back during events of the other',
      [both('a [EMAIL', 'b '), both('-1] c', 'd')],
      'a a@b.example c',
      'b d',
    ],
  ];
  for (const [name, events, thinking, content] of rows) {
    it(name, () => {
      for (const end of [[], [done]]) {
        const output = restoreStream('ndjson', map, lines([...events, ...end]));
        expect([joined(output, 'thinking'), joined(output, 'content')]).toEqual([thinking, content]);
      }
    });
  }
});

describe('arguments of tools', () => {
  const call = (args: string) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: args } }] } }],
  });
  const argsOf = (output: string) =>
    eventsOf('sse', output)
      .map((event) => event.choices[0].delta.tool_calls?.[0].function.arguments ?? '')
      .join('');
  const rows: [name: string, args: string, expected: unknown][] = [
    ['quote, backslash and line feed in the value', '{"to":"[NAME-1]"}', { to: 'O"Hara \\ Sons\nLtd \u2028' }],
    ['escaped bracket', '{"to":"\\u005bEMAIL-1\\u005d"}', { to: 'a@b.example' }],
    ['brackets dropped', '{"to":"EMAIL-1","n":"EMAIL-12"}', { to: 'a@b.example', n: 'EMAIL-12' }],
    [
      'brackets dropped at the end of a word',
      '{"to":"to EMAIL-1 and xEMAIL-1"}',
      { to: 'to a@b.example and xEMAIL-1' },
    ],
    ['name of a member', '{"[EMAIL-1]":1}', { 'a@b.example': 1 }],
    [
      'array',
      '{"to":["[EMAIL-1]","[NAME-1]"],"a":[1,[2]]}',
      { to: ['a@b.example', 'O"Hara \\ Sons\nLtd \u2028'], a: [1, [2]] },
    ],
    ['emoji as two escapes', '{"a":"\\ud83d\\ude00 [EMAIL-1] \\ud83d\\ude00"}', { a: '😀 a@b.example 😀' }],
    [
      'JSON in JSON',
      JSON.stringify({ body: JSON.stringify({ who: '[NAME-1]' }) }),
      { body: JSON.stringify({ who: 'O"Hara \\ Sons\nLtd \u2028' }).replace('\u2028', '\\u2028') },
    ],
  ];
  for (const [name, args, expected] of rows) {
    it(`${name}, at every cut`, () => {
      const restored = (pieces: readonly string[]) =>
        JSON.parse(argsOf(restoreStream('sse', map, sse([...pieces.map(call), finish]))));
      for (let cut = 0; cut <= args.length; cut++)
        expect(restored(['', args.slice(0, cut), args.slice(cut)])).toEqual(expected);
      expect(restored([...args])).toEqual(expected);
    });
  }

  it('numbers are restored as numbers, wherever the stream is cut', () => {
    const args = '{"card":"[EMAIL-1]","EMAIL-1":"[EMAIL-2]" , "[EMAIL-1]":["[EMAIL-1]" ],"b":"[EMAIL-1] "}';
    const numbers = tokenMap({ '[EMAIL-1]': '4111', '[EMAIL-2]': 'x' });
    const restored = (size: number) => {
      const restorer = new StreamRestorer({ kind: 'sse', map: numbers, numbers: new Set(['[EMAIL-1]', '[EMAIL-2]']) });
      const pieces = args.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
      const bytes = [restorer.push(sse([...pieces.map(call), finish])), restorer.end()];
      return argsOf(Buffer.concat(bytes).toString());
    };
    for (const size of [1, 2, 3, 5, 8, 13, 200])
      expect(restored(size)).toBe('{"card":4111,"4111":"x" , "4111":[4111 ],"b":"4111 "}');
  });

  it('truncated arguments are sent unchanged', () => {
    expect(argsOf(restoreStream('sse', map, sse([call('{"to":"[EMA'), finish])))).toBe('{"to":"[EMA');
  });
});

describe('numbered events', () => {
  it('one event is sent for each received one, so that clients can resume after any', () => {
    const type = 'response.output_text.delta';
    const place = { output_index: 0, content_index: 0 };
    const output = restoreStream(
      'sse',
      map,
      sse([
        { type, ...place, delta: 'x [EM', sequence_number: 4 },
        { type: 'response.output_text.done', ...place, text: 'x [EM', sequence_number: 5 },
        { type: 'response.completed', sequence_number: 6 },
      ]),
    );
    expect(
      eventsOf('sse', output).map((event) => [event.type, event.sequence_number, event.delta ?? event.text]),
    ).toEqual([
      [type, 4, 'x [EM'],
      ['response.output_text.done', 5, 'x [EM'],
      ['response.completed', 6, undefined],
    ]);
  });
});

describe('delta encoding', () => {
  it('an inserted event leaves path and operation unchanged', () => {
    const piece = (v: string) => ({ p: '/message/content/parts/0', o: 'append', v });
    const end = { p: '/message/status', o: 'replace', v: 'finished_successfully' };
    const output = restoreStream('sse', map, sse([piece('a [EM'), end]));
    expect(eventsOf('sse', output)).toEqual([piece('a '), piece('[EM'), end]);
  });
});

describe('framing', () => {
  it('an event passes with its own bytes at once', () => {
    const restorer = new StreamRestorer({ kind: 'sse', map });
    const chunk = encode(': ping\n\nevent: x\r\ndata: {"a": 1.0e400, "b":"é"}\r\n\r\n');
    expect(restorer.push(chunk)).toEqual(chunk);
    expect(restorer.end()).toHaveLength(0);
  });

  it('a comment passes before the event that is still arriving', () => {
    const restorer = new StreamRestorer({ kind: 'sse', map });
    expect(Buffer.from(restorer.push(encode(': keep\ndata: {'))).toString()).toBe(': keep\n');
  });

  it('an event stream declared as text whose byte order mark is cut', () => {
    const bytes = new TextEncoder().encode('\uFEFFdata: {"text":"a [EMAIL-1]"}\n\n\uFEFFdata: {"choices[EMAIL-1]\n\n');
    const cuts = Array.from({ length: bytes.length - 1 }, (_, i) => i + 1);
    expect(restoreStream('text', map, bytes, cuts)).toBe(restoreStream('text', map, bytes));
    expect(restoreStream('text', map, bytes, [1])).toBe(restoreStream('text', map, bytes));
  });

  it('several data lines, a lone CR, a byte order mark, no last blank line', () => {
    const input = '\uFEFFdata: {"text":\rdata: "[EMAIL-1]"}\r\rdata: {"text":"[EMAIL-1]"}';
    const output = restoreStream('sse', map, encode(input));
    expect(output.startsWith('\uFEFFdata: ')).toBe(true);
    expect(output).not.toContain('EMAIL');
  });

  it('raw text as data', () => {
    const said = (first: string, second: string) =>
      `event: output\ndata: ${first}\n\nevent: output\ndata: ${second}\ndata: x\n\nevent: done\ndata: {}\n\n`;
    const output = restoreStream('sse', map, encode(said('Hi [EMA', 'IL-1]')));
    expect(output).toBe(said('Hi ', 'a@b.example'));
  });

  it('raw text truncated by the end is an event of the same name', () => {
    const output = restoreStream('sse', map, encode('event: output\ndata: [EM\n\nevent: done\ndata: {}\n\n'));
    expect(output).toBe('event: output\ndata: \n\nevent: output\ndata: [EM\n\nevent: done\ndata: {}\n\n');
  });

  it.each([
    [
      'a lone string',
      '0:"to [EM"\n0:"AIL-1]"\n9:{"args":{"to":"[EMAIL-1]"}}\n0:"[EM"\nd:{"finishReason":"stop"}\n',
      '0:"to "\n0:"a@b.example"\n9:{"args":{"to":"a@b.example"}}\n0:""\n0:"[EM"\nd:{"finishReason":"stop"}\n',
    ],
    [
      'a patch',
      '15:{"op":"append","path":"/0","value":"[EM"}\n15:{"op":"append","path":"/0","value":"AIL-1]"}\n',
      '15:{"op":"append","path":"/0","value":""}\n15:{"op":"append","path":"/0","value":"a@b.example"}\n',
    ],
    ['text that only looks like one', 'a:[EMAIL-1] b:"[EM\nAIL-1]\n', 'a:a@b.example b:"[EM\nAIL-1]\n'],
  ])('lines with a prefix before their JSON: %s', (_name, input, expected) => {
    const bytes = encode(input);
    expect(restoreStream('text', map, bytes)).toBe(expected);
    const cuts = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
    expect(restoreStream('text', map, bytes, cuts)).toBe(expected);
  });

  it('pieces that are padded with NUL', () => {
    const line = (token: string) => `${JSON.stringify({ type: 'stream', token: token.padEnd(16, '\0') })}\n`;
    const output = restoreStream('ndjson', map, encode(['to [EM', 'AIL-', '1]', ' ok'].map(line).join('')));
    const shown = eventsOf('ndjson', output).map((event) => event.token.replaceAll('\0', ''));
    expect(shown.join('')).toBe('to a@b.example ok');
  });

  it('plain text across a cut character', () => {
    const bytes = encode('é [EMAIL-1] 😀 [NAME-1');
    const cuts = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
    expect(restoreStream('text', map, bytes, cuts)).toBe('é a@b.example 😀 [NAME-1');
  });

  it('an object where an array was expected is restored whole', () => {
    expect(restoreStream('json-array', map, encode('{"error":{"message":"[EMAIL-1]"}}\n'))).toBe(
      '{"error":{"message":"a@b.example"}}\n',
    );
  });

  it('the held end of an array precedes its bracket', () => {
    const chunk = (part: string) => ({ candidates: [{ content: { parts: [{ text: part }] } }] });
    const output = restoreStream('json-array', map, encode(JSON.stringify([chunk('a'), chunk('[EM')])));
    expect(JSON.parse(output)).toEqual([chunk('a'), chunk(''), chunk('[EM')]);
  });

  it('invalid JSON and invalid UTF-8 pass', () => {
    const bytes = new Uint8Array([...encode('data: {"a":"[EMAIL-1]"\n\ndata: "'), 0xff, ...encode('[EMAIL-1]"\n\n')]);
    const restorer = new StreamRestorer({ kind: 'sse', map });
    const output = Buffer.concat([restorer.push(bytes), restorer.end()]);
    expect(output.includes(0xff)).toBe(true);
  });

  it('silence releases what is held', () => {
    const restorer = new StreamRestorer({ kind: 'sse', map });
    expect(text(Buffer.from(restorer.push(sse([delta('see [')]))).toString())).toBe('see ');
    expect(text(Buffer.from(restorer.flushHeld()).toString())).toBe('[');
    expect(restorer.flushHeld()).toHaveLength(0);
  });

  it('counts restored and unresolved tokens', () => {
    const counts: unknown[] = [];
    const restorer = new StreamRestorer({ kind: 'sse', map, onCount: (count) => counts.push(count) });
    restorer.push(sse([delta('[EMAIL-1] [EMAIL-9]'), delta('x')]));
    expect(counts).toEqual([{ restored: 1, unresolved: 1 }]);
  });
});
