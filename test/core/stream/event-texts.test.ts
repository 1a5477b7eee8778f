/**
 * The texts of events: Amazon's frames, cumulative texts, and what is held back when many are open at the same time.
 */
import { describe, expect, it, test } from 'vitest';
import { formatFrame, formatHeaders, readFrame } from '../../../core/stream/aws-event-stream.ts';
import { eventBytesMax, joinBytes } from '../../../core/stream/frame.ts';
import type { StreamKind } from '../../../core/stream/stream-restorer.ts';
import { encode, event, shown, watched } from './watched.ts';

describe("Amazon's frames", () => {
  const headers = (name = 'contentBlockDelta', type = 'event') =>
    formatHeaders([
      [':event-type', name],
      [':content-type', 'application/json'],
      [':message-type', type],
    ]);
  const delta = (text: string) =>
    formatFrame(headers(), encode(JSON.stringify({ contentBlockIndex: 0, delta: { text } })));
  const payloads = (bytes: Uint8Array) => {
    const found: string[] = [];
    for (let at = 0; at < bytes.length; ) {
      const total = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
      const frame = readFrame(bytes.subarray(at, at + total));
      found.push(shown(frame?.payload ?? new Uint8Array(0)));
      at += total;
    }
    return found;
  };

  test('a frame cut anywhere, and the rest after a cut end', () => {
    const bytes = joinBytes([delta('to [EM'), delta('AIL-1]')]);
    for (const size of [1, 5, 40]) {
      const { restorer } = watched('event-stream');
      const out: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) out.push(restorer.push(bytes.slice(at, at + size)).slice());
      expect(payloads(joinBytes(out)).map((json) => JSON.parse(json).delta.text)).toEqual(['to ', 'a@b.example']);
      restorer.push(bytes.slice(0, 30));
      expect(Buffer.compare(restorer.end(), bytes.slice(0, 30))).toBe(0);
    }
  });

  test('held text is sent before an exception, at the end, and on flush', () => {
    const failed = formatFrame(headers('x', 'exception'), encode('{"message":"[EMAIL-1]"}'));
    for (const way of ['exception', 'end', 'flush'] as const) {
      const { restorer } = watched('event-stream');
      expect(restorer.isHolding).toBe(false);
      restorer.push(delta('to [EM'));
      expect(restorer.isHolding).toBe(true);
      const out = way === 'exception' ? restorer.push(failed) : way === 'end' ? restorer.end() : restorer.flushHeld();
      const [held, then] = payloads(out);
      expect(JSON.parse(held ?? '').delta.text).toBe('[EM');
      expect(then).toBe(way === 'exception' ? '{"message":"[EMAIL-1]"}' : undefined);
      expect(restorer.isHolding).toBe(false);
    }
  });

  test('an event inside base64, and base64 without one', () => {
    const wrapped = (payload: string) => formatFrame(headers('chunk'), encode(payload));
    const inner = btoa('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"[EMAIL-1]"}}');
    const { restorer } = watched('event-stream');
    const [output = ''] = payloads(restorer.push(wrapped(`{"bytes":"${inner}","p":"abc"}`)));
    expect(JSON.parse(atob(JSON.parse(output).bytes)).delta.text).toBe('a@b.example');
    expect(JSON.parse(output).p).toBe('abc');
    for (const payload of ['{"bytes":"!"}', '{"bytes":1}', '{"other":"[EMAIL-1]"}', '{"bytes":"aGVsbG8="}', 'x']) {
      const frame = wrapped(payload);
      const out = payloads(watched('event-stream').restorer.push(frame));
      expect(out).toEqual([payload.replace('[EMAIL-1]', 'a@b.example')]);
    }
  });

  test('a payload that is not UTF-8 passes and is reported', () => {
    const frame = formatFrame(headers(), new Uint8Array([0x22, 0xff, 0x22]));
    const { restorer, counts } = watched('event-stream');
    expect(Buffer.compare(restorer.push(frame), frame)).toBe(0);
    expect(counts).toEqual([{ restored: 0, unresolved: 0, unreadable: 1 }]);
  });

  test('a frame that is too large passes as it arrives, and the next one is restored', () => {
    const large = formatFrame(headers(), new Uint8Array(eventBytesMax));
    const { restorer, counts } = watched('event-stream');
    restorer.push(delta('[EM'));
    let sent = restorer.push(large.subarray(0, 100)).length;
    expect(sent).toBeGreaterThan(100);
    sent = restorer.push(large.subarray(100, 1000)).length;
    expect(sent).toBe(900);
    const rest = joinBytes([large.subarray(1000), delta('[EMAIL-1]')]);
    const out = restorer.push(rest);
    expect(payloads(out.subarray(large.length - 1000)).map((json) => JSON.parse(json).delta.text)).toEqual([
      'a@b.example',
    ]);
    expect(counts).toContainEqual({ restored: 0, unresolved: 0, unreadable: 1 });
  });

  it('headers of all types are skipped', () => {
    /** Sizes by type; 6 and 7 have a length of their own. */
    const sizes = Object.entries({ 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 });
    const extra = sizes.flatMap(([type, size]) => [1, 0x61 + Number(type), Number(type), ...new Array(size).fill(7)]);
    const bytesHeader = [1, 0x7a, 6, 0, 3, 1, 2, 3];
    const head = joinBytes([new Uint8Array(extra), new Uint8Array(bytesHeader), headers()]);
    const frame = readFrame(formatFrame(head, encode('{}')));
    expect([...(frame?.headers ?? [])]).toEqual([
      [':event-type', 'contentBlockDelta'],
      [':content-type', 'application/json'],
      [':message-type', 'event'],
    ]);
    expect(readFrame(formatFrame(new Uint8Array([1, 0x61, 10, 0]), encode('{}')))).toBeUndefined();
    expect(readFrame(formatFrame(new Uint8Array([1, 0x61, 7, 0, 9, 1]), encode('{}')))).toBeUndefined();
  });
});

describe('texts that are cumulative, or seem to be', () => {
  const joined = (kind: 'delta' | 'whole', values: readonly string[], place: (value: string) => unknown) => {
    const { restorer } = watched('ndjson');
    const out = values.map((value) => restorer.push(encode(`${JSON.stringify(place(value))}\n`)).slice());
    const texts = shown(joinBytes([...out, restorer.end()]))
      .trim()
      .split('\n')
      .map((line) => /"(?:text|response|t)":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? '');
    return kind === 'delta' ? texts.join('') : texts.at(-1);
  };
  const long = 'x'.repeat(47);

  test.each<[name: string, kind: 'delta' | 'whole', values: readonly string[], expected: string]>([
    ['pieces', 'delta', ['a', 'ab', 'abc', '[EMAIL-1]'], 'aababca@b.example'],
    ['a cumulative text', 'whole', ['to', 'to [', 'to [EMAIL', 'to [EMAIL-1]', 'to [EMAIL-1] ok'], 'to a@b.example ok'],
    ['a long cumulative text', 'whole', ['to whom [EMA', 'to whom [EMAIL-1]'], 'to whom a@b.example'],
    ['the same piece twice', 'delta', ['ha', 'ha', 'ha'], 'hahaha'],
  ])('%s', (_name, kind, values, expected) => {
    expect(joined(kind, values, (t) => ({ t }))).toBe(expected);
  });

  test.each<[name: string, kind: 'delta' | 'whole', values: readonly string[], expected: string]>([
    ['pieces', 'delta', ['a', 'ab', 'abc', 'abcd', '[EM', 'AIL-1]'], 'aababcabcda@b.example'],
    ['long pieces', 'delta', [long, `${long}y`], `${long}${long}y`],
    ['a complete text', 'whole', [`${long}z`, `${long}z [EM`, `${long}z [EMAIL-1]`], `${long}z a@b.example`],
  ])('%s with the name of a delta', (_name, kind, values, expected) => {
    expect(joined(kind, values, (response) => ({ response }))).toBe(expected);
  });
});

test('with more than two thousand open texts the oldest are evicted, except for held ones', () => {
  const { restorer } = watched('ndjson');
  const push = (at: number, text: string) =>
    shown(restorer.push(encode(`${JSON.stringify({ list: [{ index: at, text }] })}\n`)).slice());
  push(0, 'to [EM');
  push(1, 'twelve characters');
  push(2, 'twelve characters');
  for (let at = 3; at <= 2000; at++) push(at, '[EMAIL-1]');
  // The second text was evicted, so it is not treated as cumulative; the third one was not.
  expect(push(1, 'twelve characters [E')).toBe('{"list":[{"index":1,"text":"twelve characters "}]}\n');
  expect(push(1, 'MAIL-1]')).toContain('a@b.example');
  expect(push(0, 'AIL-1]')).toContain('a@b.example');
});

test('a line that is not a document follows the text held before it, in pieces as in one', () => {
  const lines = '{"message":{"content":"to [EM"},"done":false}\n{\n{"message":{"content":"x"},"done":true}\n';
  const run = (cuts: readonly number[]) => {
    const { restorer } = watched('ndjson');
    const ends = [...cuts, lines.length];
    return ends.map((end, i) => shown(restorer.push(encode(lines.slice(ends[i - 1] ?? 0, end))))).join('');
  };
  const whole = run([]);
  expect(whole.indexOf('[EM')).toBeLessThan(whole.indexOf('\n{\n'));
  for (let cut = 1; cut < lines.length; cut++) expect(run([cut])).toBe(whole);
});

test.each<StreamKind>(['sse', 'ndjson'])('events whose texts are complete are sent whole: %s', (kind) => {
  const events = ['Loading 5%', 'Loading 10 %', 'See [EM', 'AIL-1]'].map((humidity) =>
    JSON.stringify({ type: 'reading', humidity }),
  );
  const { restorer } = watched(kind);
  const bytes = encode(events.map((event) => (kind === 'sse' ? `data: ${event}\n\n` : `${event}\n`)).join(''));
  const out = shown(joinBytes([restorer.push(bytes).slice(), restorer.end()]));
  const said = [...out.matchAll(/"humidity":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text as string));
  expect(said).toEqual(['Loading 5%', 'Loading 10 %', 'See ', 'a@b.example']);
});

test.each(['\\[', '%5B', '&#'])('a token whose spelling begins with %s at the end of a piece (Gemini)', (start) => {
  const spelling = { '\\[': '\\[EMAIL-1\\]', '%5B': '%5BEMAIL-1%5D', '&#': '&#91;EMAIL-1&#93;' }[start] as string;
  for (const cut of [1, start.length]) {
    const pieces = [`to ${spelling.slice(0, cut)}`, spelling.slice(cut)];
    const { restorer } = watched('sse');
    const out = pieces.map((text) =>
      shown(
        restorer
          .push(encode(`data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })}\n\n`))
          .slice(),
      ),
    );
    expect(out.join('')).not.toContain('EMAIL');
  }
});

test('a text after a long list continues in the next event', () => {
  const { restorer } = watched('sse');
  const sources = Array.from({ length: 300 }, (_, i) => ({ text: `a ${i}`, origin: 'b' }));
  const events = [{ sources, answer: 'Hi [EMA' }, { answer: 'IL-1] bye' }];
  const out = events
    .map((event) => shown(restorer.push(encode(`data: ${JSON.stringify(event)}\n\n`)).slice()))
    .join('');
  expect([...out.matchAll(/"answer":"([^"]*)"/g)].map(([, text]) => text)).toEqual(['Hi ', 'a@b.example bye']);
});

test.each(['percent', 'statusText', 'progress_text'])('the progress of a service (%s) is sent whole', (name) => {
  const { restorer } = watched('sse');
  const bytes = encode(['50%', '51%', '100%'].map((text) => `data: ${JSON.stringify({ [name]: text })}\n\n`).join(''));
  expect(shown(joinBytes([restorer.push(bytes).slice(), restorer.end()]))).toBe(shown(bytes));
});

test.each([(said: object) => said, (said: object) => ({ response: said })])(
  'a percent sign of Gemini continues',
  (around) => {
    const { restorer } = watched('sse');
    const events = ['5%', '5BEMAIL-1%5D z'].map((text) =>
      JSON.stringify(around({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] })),
    );
    const out = shown(
      joinBytes([...events.map((event) => restorer.push(encode(`data: ${event}\n\n`)).slice()), restorer.end()]),
    );
    expect([...out.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text)).toEqual(['5', 'a%40b.example z']);
  },
);

test.each([
  [
    'a patch of a state',
    ['50%', '75%'].map((value) => ({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/p', value }] })),
  ],
  ['a tool result', ['60% [', 'x'].map((content) => ({ type: 'TOOL_CALL_RESULT', toolCallId: 'a', content }))],
  ['a state', ['19% [', 'x'].map((rate) => ({ type: 'STATE_SNAPSHOT', snapshot: { rate } }))],
  ['an output', ['19% [', 'x'].map((rate) => ({ type: 'tool-output-available', toolCallId: 'a', output: { rate } }))],
  ['data of an application', ['19% [', 'x'].map((rate) => ({ type: 'data-rate', id: 'a', data: { rate } }))],
])('%s is complete in each event', (_what, events) => {
  const text = `${events.map(event).join('')}${event({ type: 'RUN_FINISHED' })}`;
  const { restorer } = watched('sse');
  expect(shown(joinBytes([restorer.push(encode(text)).slice(), restorer.end()]))).toBe(text);
});

test('data that an application sends piece by piece continues', () => {
  const piece = (data: string) => event({ type: 'data-textDelta', data });
  const { restorer } = watched('sse');
  const out = shown(joinBytes([restorer.push(encode(piece('to [EM') + piece('AIL-1]'))).slice(), restorer.end()]));
  expect(out).toBe(piece('to ') + piece('a@b.example'));
});

test('an escaped token is found across a cut after its escape', () => {
  const { restorer } = watched('ndjson');
  const lines = ['Write to \\', '[EMAIL-1\\] now'].map((message) => `${JSON.stringify({ message })}\n`).join('');
  expect(shown(joinBytes([restorer.push(encode(lines)).slice(), restorer.end()]))).toBe(
    '{"message":"Write to "}\n{"message":"a@b.example now"}\n',
  );
});

test('only a limited number of texts that end inside a token are held back', () => {
  const { restorer } = watched('sse');
  const events = Array.from({ length: 30_000 }, (_, i) => event({ [`a${i}`]: '[' }));
  const sent = restorer.push(encode(events.join(''))).length;
  expect(encode(events.join('')).length - sent).toBeLessThan(1_000);
  expect(shown(restorer.end()).match(/data:/g)).toHaveLength(500);
});

test('texts that are truncated repeatedly are scanned again only a limited number of times', () => {
  const { restorer } = watched('sse');
  const body = '[EMAIL-1] '.repeat(19_000);
  restorer.push(encode(event({ p: '/content', o: 'append', v: body })));
  const cuts = Array.from({ length: 2_000 }, () => event({ p: '/content', o: 'truncate', v: 190_000 }));
  const out = shown(restorer.push(encode(cuts.join(''))));
  expect(out.match(/"v":228000/g)).toHaveLength(6);
  expect(out.endsWith('"v":190000}\n\n')).toBe(true);
});
