/**
 * Exchanges whose form is known from recordings of other projects, with our own values, through the real process: every
 * personal value is masked, nothing else changes, and what comes back is what was sent.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventsOf, framesIn, payloadsIn } from '../core/stream/wire-fixtures.ts';
import { bedrockFrame } from '../support/bedrock.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { openTls, sendRaw } from '../support/tunnel.ts';

const host = 'recorded.example';
const email = 'hana.morita@example.com';
const name = 'Hana Morita';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = 'Qx7Rt';
const masked = (text: string) => text.replaceAll(email, '[EMAIL-1]').replaceAll(name, '[NAME-1]');

/** What the origin answers; without it, the body of the request. */
let answer: { readonly type: string; readonly body: Buffer } | undefined;
const origin = await startOrigin({
  names: [host],
  handler: ({ body }, response) =>
    void response.writeHead(200, { 'content-type': answer?.type ?? 'application/json' }).end(answer?.body ?? body),
});
const gateway = await startGateway({
  hosts: { [host]: origin },
  config: {
    masking: {
      dictionary: [
        { label: 'NAME', pattern: name },
        { label: 'CODE', pattern: secret },
      ],
    },
    policy: { rules: [{ when: { hosts: [host] }, then: { inspect: 'mask' } }] },
  },
});

/** Two users; only the second sends values. */
const without = '127.3.1.1';
const withValues = '127.3.1.2';

async function send(path: string, body: string, from = withValues) {
  const socket = await openTls(gateway, `${host}:443`, { from });
  const fields = { host, authorization: `Bearer key-${from}`, 'content-type': 'application/json' };
  const lines = Object.entries({ ...fields, 'content-length': Buffer.byteLength(body) }).map(
    ([n, v]) => `${n}: ${v}\r\n`,
  );
  const response = await sendRaw(socket, Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`));
  socket.destroy();
  expect(response.status, String(response.body)).toBe(200);
  return response.body;
}

/** Opaque state with a word that is masked wherever it is read; also as a text in base64, and a picture. */
const random = Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 97 + ((i * i) >> 3)) & 255)).toString('base64');
const state = `${random.slice(0, 400)}/${secret}/${random.slice(400)}`;
const words = base64(`rsn_${state.slice(0, 410)}`);
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.from(random)]).toString(
  'base64',
);
type Row = { readonly title: string; readonly path: string; readonly body: unknown };
const requests = readFileSync(new URL('../fixtures/recorded-requests.jsonl', import.meta.url), 'utf8')
  .replaceAll('{{state}}', state)
  .replaceAll('{{words}}', words)
  .replaceAll('{{random}}', random)
  .replaceAll('{{png}}', png)
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Row);

test.each(requests)('$title', async ({ path, body }) => {
  answer = undefined;
  const text = JSON.stringify(body);
  expect(String(await send(path, masked(text), without))).toBe(masked(text));
  expect(String(origin.requests.at(-1)?.body)).toBe(masked(text));
  expect(String(await send(path, text))).toBe(text);
  expect(String(origin.requests.at(-1)?.body)).toBe(masked(text));
});

const said = `Write to [EMAIL-1] or [NAME-1], [EMAIL-9].`;
const expected = `Write to ${email} or ${name}, [EMAIL-9].`;
const cutsOf = (text: string) => [...Array(text.length + 1).keys()].map((at) => [text.slice(0, at), text.slice(at)]);

const agent = 'an agent of Bedrock sends pieces of text, with sources beside the last one and traces between them';
test.each(['', '{Note} ', '{"to":"'])(`${agent}: %j`, async (start) => {
  const trace = bedrockFrame('trace', {
    agentId: 'A',
    trace: { orchestrationTrace: { rationale: { text: '[NAME-1]' } } },
  });
  for (const [first = '', second = ''] of cutsOf(start + said)) {
    const source = { text: { text: 'From [NAME-1]' }, location: { type: 'S3', s3Location: { uri: 's3://b/a.txt' } } };
    const frames = [
      bedrockFrame('chunk', { bytes: base64(first) }),
      trace,
      bedrockFrame('chunk', {
        bytes: base64(second),
        attribution: { citations: [{ retrievedReferences: [{ content: source }] }] },
      }),
      bedrockFrame('files', { files: [] }),
    ];
    answer = { type: 'application/vnd.amazon.eventstream', body: Buffer.concat(frames) };
    const bytes = await send(
      '/agents/A/agentAliases/B/sessions/c/text',
      JSON.stringify({ inputText: `${email}, ${name}` }),
    );
    const payloads = payloadsIn(bytes);
    const texts = payloads.map((payload) => Buffer.from(payload.bytes ?? '', 'base64').toString());
    expect(texts.join('')).toBe(start + expected);
    expect(JSON.stringify(payloads)).not.toContain('[NAME-1]');
  }
});

type Payload = { readonly attribution?: { readonly citations: readonly object[] }; readonly citation?: object };
const spanOf = (whole: string, part: string) => ({
  start: whole.indexOf(part),
  end: whole.indexOf(part) + part.length,
});
const cites = (part: string, whole: string) => ({
  generatedResponsePart: { textResponsePart: { text: part, span: spanOf(whole, part) } },
  retrievedReferences: [{ content: { text: `see ${part}` }, location: { type: 'S3' } }],
});
const cited = (whole: string, shown: boolean) => [
  cites('Thanks', whole),
  cites(shown ? `${name} asked` : '[NAME-1] asked', whole),
  cites('today', whole),
];
test.each([
  [
    'an agent of Bedrock',
    (text: string, more?: object) => bedrockFrame('chunk', { bytes: Buffer.from(text).toString('base64'), ...more }),
    ({ attribution }: Payload) => attribution?.citations ?? [],
  ],
  [
    'a knowledge base of Bedrock',
    (text: string, more?: { attribution: { citations: readonly object[] } }) =>
      Buffer.concat([
        bedrockFrame('output', { text }),
        ...(more?.attribution.citations ?? []).map((citation) => bedrockFrame('citation', { citation, ...citation })),
      ]),
    ({ citation, ...beside }: Payload) => {
      if (citation !== undefined) expect(beside).toEqual(citation);
      return citation === undefined ? [] : [citation];
    },
  ],
])('the spans that %s cites follow the restored text', async (_name, write, citationsIn) => {
  const whole = 'Thanks, [EMAIL-1] and [NAME-1] asked today.';
  const pieces = whole.match(/.{1,9}/g) ?? [];
  // The last citation stands in an event without a token.
  const [first, second, last] = cited(whole, false) as [object, object, object];
  const frames = [
    ...pieces.map((text, at) =>
      write(text, at === pieces.length - 1 ? { attribution: { citations: [first, second] } } : undefined),
    ),
    write(' ', { attribution: { citations: [last] } }),
  ];
  answer = { type: 'application/vnd.amazon.eventstream', body: Buffer.concat(frames) };
  const bytes = await send(
    '/agents/A/agentAliases/B/sessions/c/text',
    JSON.stringify({ inputText: `${email}, ${name}` }),
  );
  const payloads = payloadsIn(bytes) as Payload[];
  expect(payloads.flatMap(citationsIn)).toEqual(cited(`Thanks, ${email} and ${name} asked today.`, true));
});

const streams = {
  'server-sent events': (pieces: readonly string[]) =>
    [...pieces.map((text) => JSON.stringify({ token: { text } })), '[DONE]'].map((data) => `data: ${data}\n\n`),
  'lines of JSON': (pieces: readonly string[]) => pieces.map((text) => `${JSON.stringify({ outputs: [text] })}\n`),
  text: (pieces: readonly string[]) => pieces,
};
test.each(Object.entries(streams))('an endpoint of SageMaker cuts its stream anywhere: %s', async (_name, write) => {
  const path = '/endpoints/e/invocations-response-stream';
  for (const size of [1, 7, 30]) {
    const stream = Buffer.from(write(said.match(/.{1,5}/g) ?? []).join(''));
    const frames = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
      bedrockFrame('PayloadPart', new Uint8Array(stream.subarray(at * size, (at + 1) * size))),
    );
    answer = { type: 'application/vnd.amazon.eventstream', body: Buffer.concat(frames) };
    const read = Buffer.concat(framesIn(await send(path, JSON.stringify({ inputs: `${email}, ${name}` }))));
    const texts = [...String(read).matchAll(/(?:"text":|\[)("[^"]*")/g)].map(([, text]) => JSON.parse(text as string));
    expect(texts.length > 0 ? texts.join('') : String(read)).toBe(expected);
    // Sound passes unchanged.
    const sound = [0, 255, 91, 69, 77, 128, 10].map((first) => new Uint8Array(300).fill(first, 0, 100));
    answer = { ...answer, body: Buffer.concat(sound.map((bytes) => bedrockFrame('AudioEvent', bytes))) };
    expect(Buffer.concat(framesIn(await send(path, '{}'))).equals(Buffer.concat(sound))).toBe(true);
  }
});

test('the annotations of an interaction count bytes', async () => {
  const text = `Ü [NAME-1] ü [EMAIL-1]`;
  const shown = `Ü ${name} ü ${email}`;
  const index = (whole: string, part: string) => Buffer.byteLength(whole.slice(0, whole.indexOf(part)));
  const note = (whole: string, part: string) => ({
    type: 'url_citation',
    start_index: index(whole, part),
    end_index: index(whole, part) + Buffer.byteLength(part),
    url: 'https://a.example',
  });
  const step = (whole: string, part: string) => ({
    type: 'model_output',
    content: [{ type: 'text', text: whole, annotations: [note(whole, part)] }],
  });
  const document = (whole: string, part: string) => ({ object: 'interaction', steps: [step(whole, part)] });
  const events = (whole: string, part: string) => [
    { event_type: 'step.start', index: 1, step: { type: 'model_output' } },
    { event_type: 'step.delta', index: 1, delta: { type: 'text', text: whole } },
    {
      event_type: 'step.delta',
      index: 1,
      delta: { type: 'text_annotation_delta', annotations: [note(whole, part)] },
    },
    { event_type: 'step.stop', index: 1 },
    { event_type: 'interaction.completed', interaction: document(whole, part) },
  ];
  answer = { type: 'application/json', body: Buffer.from(JSON.stringify(document(text, '[EMAIL-1]'))) };
  expect(JSON.parse(String(await send('/v1beta/interactions', JSON.stringify({ input: shown }))))).toEqual(
    document(shown, email),
  );
  const stream = events(text, '[EMAIL-1]').map((event) => `data: ${JSON.stringify(event)}\n\n`);
  answer = { type: 'text/event-stream', body: Buffer.from(stream.join('')) };
  const read = eventsOf(
    'sse',
    String(await send('/v1beta/interactions', JSON.stringify({ input: shown, stream: true }))),
  );
  expect(read).toEqual(events(shown, email));
});
