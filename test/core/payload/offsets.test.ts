import { describe, expect, it } from 'vitest';
import { TextShifts, utf8Length } from '../../../core/payload/offsets.ts';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import { type Event, eventsOf, restoreStream, tokenMap } from '../stream/wire-fixtures.ts';

const name = 'Zoë 😀 Hara';
const map = tokenMap({ '[NAME-1]': name, '[EMAIL-1]': 'a@b.example' });
const masked = 'By [NAME-1], see Report; mail [EMAIL-1] é Annex.';
const shown = masked.replace('[NAME-1]', name).replace('[EMAIL-1]', 'a@b.example');
const bytes = (text: string, part: string) => utf8Length(text.slice(0, text.indexOf(part)));
const range = (text: string, part: string) => [text.indexOf(part), text.indexOf(part) + part.length] as const;
const byteRange = (text: string, part: string) => [bytes(text, part), bytes(text, part) + utf8Length(part)] as const;
const parts = ['By', 'Report', 'Annex', '[NAME-1]'];
const shownPart = (part: string) => (part === '[NAME-1]' ? name : part);

describe('offsets in whole answers', () => {
  const restored = (body: unknown): Event => JSON.parse(restoreJsonBody(JSON.stringify(body), map).body);

  it.each(parts)('Responses: annotations of %s', (part) => {
    const [start_index, end_index] = range(masked, part);
    const content = {
      type: 'output_text',
      text: masked,
      annotations: [{ type: 'url_citation', start_index, end_index, title: '[NAME-1]' }],
    };
    const plain = { type: 'output_text', text: 'x y z', annotations: [{ start_index: 2, end_index: 3 }] };
    const output = restored({ output: [{ content: [plain] }, { content: [content] }] }).output;
    const annotation = output[1].content[0].annotations[0];
    expect(shown.slice(annotation.start_index, annotation.end_index)).toBe(shownPart(part));
    expect(annotation.title).toBe(name);
    expect(output[0]).toEqual({ content: [plain] });
  });

  it('Responses: where files are cited', () => {
    const at = masked.indexOf('Annex');
    const annotations = [
      { type: 'file_citation', file_id: 'f', index: at },
      { type: 'file_path', file_id: 'f', index: 0 },
      { type: 'container_file_citation', container_id: 'c', file_id: 'f', start_index: at, end_index: at + 5 },
      { type: 'other', index: at },
    ];
    const [{ content }] = restored({
      output: [{ content: [{ type: 'output_text', text: masked, annotations }] }],
    }).output;
    const there = shown.indexOf('Annex');
    expect(content[0].annotations).toEqual([
      { ...annotations[0], index: there },
      annotations[1],
      { ...annotations[2], start_index: there, end_index: there + 5 },
      annotations[3],
    ]);
  });

  it.each([
    ['from the beginning', 0],
    ['after the prompt', 17],
  ])('completions: tokens, counted %s', (_name, base) => {
    const words = ['By ', '[NAME-1]', ', see ', 'Report'];
    const offsets = words.map((_, i) => base + words.slice(0, i).join('').length);
    const logprobs = { tokens: ['By', '[', ',', 'Report'], text_offset: offsets };
    const [choice] = restored({ choices: [{ text: words.join(''), index: 0, logprobs }] }).choices;
    const grown = name.length - '[NAME-1]'.length;
    expect(choice.logprobs.text_offset).toEqual([base, base + 3, (offsets[2] ?? 0) + grown, (offsets[3] ?? 0) + grown]);
  });

  it.each(parts)('chat: annotations of %s', (part) => {
    const [start_index, end_index] = range(masked, part);
    const message = {
      content: masked,
      annotations: [{ url_citation: { start_index, end_index, url: 'https://a.example/' } }],
    };
    const { url_citation } = restored({ choices: [{ message }] }).choices[0].message.annotations[0];
    expect(shown.slice(url_citation.start_index, url_citation.end_index)).toBe(shownPart(part));
  });

  it.each(parts)('Assistants: annotations of %s', (part) => {
    const [start_index, end_index] = range(masked, part);
    const annotations = [{ type: 'file_citation', index: 30, text: part, start_index, end_index }];
    const message = { content: [{ type: 'text', text: { value: masked, annotations } }] };
    const [annotation] = restored({ data: [message] }).data[0].content[0].text.annotations;
    expect(shown.slice(annotation.start_index, annotation.end_index)).toBe(annotation.text);
    expect(annotation.index).toBe(30);
  });

  it.each(parts)('Cohere: citations of %s', (part) => {
    const [start, end] = range(masked, part);
    const message = { content: [{ type: 'text', text: masked }], citations: [{ start, end, text: part }] };
    const citation = restored({ message }).message.citations[0];
    expect(shown.slice(citation.start, citation.end)).toBe(citation.text);
  });

  it.each(parts)('Gemini: bytes of segments of %s', (part) => {
    const [startIndex, endIndex] = byteRange(masked, part);
    const candidate = {
      content: { parts: [{ text: 'first' }, { text: masked }] },
      groundingMetadata: { groundingSupports: [{ segment: { partIndex: 1, startIndex, endIndex, text: part } }] },
    };
    const { segment } = restored({ candidates: [candidate] }).candidates[0].groundingMetadata.groundingSupports[0];
    const text = Buffer.from(shown).subarray(segment.startIndex, segment.endIndex).toString();
    expect(text).toBe(shownPart(part));
    expect(segment.text).toBe(text);
  });

  it.each(parts)('Vertex AI Search: offsets as strings, of %s', (part) => {
    const [start, end] = byteRange(masked, part);
    const answer = { answerText: masked, citations: [{ startIndex: String(start), endIndex: String(end) }] };
    const { startIndex, endIndex } = restored({ answer }).answer.citations[0];
    expect([typeof startIndex, typeof endIndex]).toEqual(['string', 'string']);
    expect(Buffer.from(shown).subarray(Number(startIndex), Number(endIndex)).toString()).toBe(shownPart(part));
  });

  it.each(parts)('Azure: offsets of content filters, %s', (part) => {
    const [start, end] = range(masked, part);
    const offsets = { check_offset: start, start_offset: start, end_offset: end };
    const choice = { message: { content: masked }, content_filter_offsets: offsets };
    const filtered = restored({ choices: [choice] }).choices[0].content_filter_offsets;
    expect(shown.slice(filtered.start_offset, filtered.end_offset)).toBe(shownPart(part));
    expect(filtered.check_offset).toBe(filtered.start_offset);
  });

  it('seconds of audio and offsets into request documents are kept', () => {
    const body = {
      text: masked,
      segments: [{ start: 20.5, end: 30, text: 'x' }],
      citations: [{ start_char_index: 40, end_char_index: 50 }],
    };
    const output = restored(body);
    expect(output.segments).toEqual(body.segments);
    expect(output.citations).toEqual(body.citations);
  });
});

describe('offsets in streams', () => {
  const pieces = ['By [NA', 'ME-1], see ', 'Report; mail [EMAIL', '-1] é Annex.'];
  const sse = (events: unknown[]) =>
    new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  const restored = (events: unknown[]) => eventsOf('sse', restoreStream('sse', map, sse(events)));

  it.each(parts)('Responses: an annotation of %s', (part) => {
    const [start_index, end_index] = range(masked, part);
    const place = { output_index: 0, content_index: 0 };
    const annotation = { type: 'url_citation', start_index, end_index };
    const events = restored([
      ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.annotation.added', ...place, annotation },
      { type: 'response.output_text.done', ...place, text: masked },
      {
        type: 'response.content_part.done',
        ...place,
        part: { type: 'output_text', text: masked, annotations: [annotation] },
      },
    ]);
    for (const found of [events[4].annotation, events[6].part.annotations[0]]) {
      expect(shown.slice(found.start_index, found.end_index)).toBe(shownPart(part));
    }
  });

  it.each(parts)('chat: an annotation of %s', (part) => {
    const [start_index, end_index] = range(masked, part);
    const chunk = (delta: object) => ({ choices: [{ index: 0, delta }] });
    const events = restored([
      ...pieces.map((content) => chunk({ content })),
      chunk({ annotations: [{ url_citation: { start_index, end_index } }] }),
    ]);
    const { url_citation } = events[4].choices[0].delta.annotations[0];
    expect(shown.slice(url_citation.start_index, url_citation.end_index)).toBe(shownPart(part));
  });

  it.each(parts)('Assistants: an annotation of %s', (part) => {
    const [start_index, end_index] = range(masked, part);
    const delta = (value: string, more: object = {}) => ({
      object: 'thread.message.delta',
      delta: { content: [{ index: 0, type: 'text', text: { value, ...more } }] },
    });
    const annotations = [{ index: 0, type: 'file_citation', text: part, start_index, end_index }];
    const events = restored([...pieces.map((value) => delta(value)), delta('', { annotations })]);
    const [annotation] = events[4].delta.content[0].text.annotations;
    expect(shown.slice(annotation.start_index, annotation.end_index)).toBe(annotation.text);
  });

  it.each(parts)('Cohere: a citation of %s', (part) => {
    const [start, end] = range(masked, part);
    const events = restored([
      ...pieces.map((text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })),
      { type: 'citation-start', index: 0, delta: { message: { citations: { start, end, text: part } } } },
    ]);
    const { citations } = events[4].delta.message;
    expect(shown.slice(citations.start, citations.end)).toBe(citations.text);
  });

  it.each(parts)('Gemini: bytes of a segment of %s', (part) => {
    const [startIndex, endIndex] = byteRange(masked, part);
    const chunk = (text: string, more: object = {}) => ({ candidates: [{ content: { parts: [{ text }] }, ...more }] });
    const groundingMetadata = { groundingSupports: [{ segment: { startIndex, endIndex } }] };
    const events = restored([
      ...pieces.map((text) => chunk(text)),
      chunk('', { finishReason: 'STOP', groundingMetadata }),
    ]);
    const { segment } = events[4].candidates[0].groundingMetadata.groundingSupports[0];
    expect(Buffer.from(shown).subarray(segment.startIndex, segment.endIndex).toString()).toBe(shownPart(part));
  });

  it('counts pieces that were sent uninspected', () => {
    const quiet = Array.from({ length: 700 }, (_, at) => `word${at % 10} `);
    const before = quiet.join('').length;
    const chunk = (delta: object) => ({ choices: [{ index: 0, delta }] });
    const start_index = before + '[NAME-1] '.length;
    const events = restored([
      ...quiet.map((content) => chunk({ content })),
      chunk({ content: '[NAME-1] end' }),
      chunk({ annotations: [{ url_citation: { start_index, end_index: start_index + 3 } }] }),
    ]);
    expect(events.at(-1).choices[0].delta.annotations[0].url_citation.start_index).toBe(before + name.length + 1);
  });
});

it('an offset inside a replaced part moves to its edge', () => {
  const shifts = new TextShifts();
  shifts.add(2, 5, 10);
  expect([
    shifts.map(2, false),
    shifts.map(3, false),
    shifts.map(3, true),
    shifts.map(5, true),
    shifts.map(9, false),
  ]).toEqual([2, 2, 12, 12, 16]);
});

it.each(['', 'a', 'é', '\u3042', '😀', 'aé\u3042😀'])('bytes of %j', (text) => {
  expect(utf8Length(text)).toBe(Buffer.byteLength(text));
});
