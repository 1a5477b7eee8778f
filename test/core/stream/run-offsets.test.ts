import { expect, it } from 'vitest';
import { type Event, eventsOf, restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[NAME-1]': 'Taro Yamada' });
const url = 'https://a.example/';
const first = 'Hi [NAME-1]. ';
const second = `plain [x](${url})`;
const range = { start_index: 6, end_index: second.length };
const response = (type: string, output_index: number, more: object) => ({
  type: `response.output_text.${type}`,
  output_index,
  content_index: 0,
  ...more,
});
const chunk = (index: number, delta: object) => ({ choices: [{ index, delta, finish_reason: null }] });
const cohere = (index: number, text: string) => ({
  type: 'content-delta',
  index,
  delta: { message: { content: { text } } },
});
const citation = (index: number, more: object) => ({
  type: 'citation-start',
  index,
  delta: { message: { citations: { start: 12, end: 14, text: 'ok', ...more } } },
});

const rows: [name: string, events: object[], offsets: (event: Event) => unknown, expected: unknown][] = [
  [
    'values were restored in another output',
    [
      response('delta', 0, { delta: first }),
      response('delta', 1, { delta: second }),
      response('annotation.added', 1, { annotation: { type: 'url_citation', url, ...range } }),
    ],
    (event) => event.annotation,
    range,
  ],
  [
    'a file is cited',
    [
      response('delta', 0, { delta: first }),
      response('delta', 0, { delta: 'Report' }),
      response('annotation.added', 0, { annotation: { type: 'file_citation', index: first.length, file_id: 'f' } }),
    ],
    (event) => event.annotation?.index,
    'Hi Taro Yamada. '.length,
  ],
  [
    'values were restored in another choice',
    [
      chunk(0, { content: first }),
      chunk(1, { content: second }),
      chunk(1, { annotations: [{ type: 'url_citation', url_citation: { url, ...range } }] }),
    ],
    (event) => event.choices[0].delta.annotations[0].url_citation,
    range,
  ],
  [
    'values were restored in another content',
    [cohere(0, 'Hi [NAME-1] ok'), cohere(1, 'some words and ok'), citation(0, { content_index: 1 })],
    (event) => event.delta.message.citations,
    { start: 12, end: 14 },
  ],
  [
    'values were restored in the text itself: a service counts its citations',
    [cohere(0, 'Hi [NAME-1] ok'), citation(3, {})],
    (event) => event.delta.message.citations,
    { start: 15, end: 17 },
  ],
  [
    'values were restored in the text itself: the annotation names its position',
    [
      response('delta', 0, { delta: 'Hi [NAME-1] ok' }),
      {
        type: 'response.output_text.annotation.added',
        annotation: { content_index: 0, start_index: 12, end_index: 14 },
      },
    ],
    (event) => event.annotation,
    { start_index: 15, end_index: 17 },
  ],
];

it.each(rows)('offsets after a text: %s', (_name, events, offsets, expected) => {
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const output = eventsOf('sse', restoreStream('sse', map, new TextEncoder().encode(lines)));
  expect(offsets(output.at(-1))).toMatchObject(expected as object);
});
