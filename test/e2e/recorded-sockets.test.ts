/**
 * The conversations of services that speak over WebSockets, replayed by an origin to a client, both on real sockets:
 * tokens at every cut, in text and binary messages, in fragments with pings between them, with compression offered and
 * without.
 */
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { type Event, eventsOf, fixtureText, meta } from '../core/stream/wire-fixtures.ts';
import { startGateway } from '../support/gateway.ts';
import { type Framing, startScriptedSockets } from '../support/scripted-sockets.ts';
import { openTls } from '../support/tunnel.ts';

const host = 'sockets.example';
const origin = await startScriptedSockets([host]);
const gateway = await startGateway({
  hosts: { [host]: origin },
  config: {
    masking: { dictionary: [{ label: 'NAME', pattern: 'Hana Morita' }] },
    policy: { rules: [{ when: { hosts: [host] }, then: { inspect: 'mask' } }] },
  },
});

const { tokenMap: values, expectText } = meta('openai-realtime');
const email = values['[EMAIL-1]'] as string;
const masked = 'To [EMAIL-1], [EMAIL-1].';
const restored = `To ${email}, ${email}.`;
/** The text in two pieces, for every cut within its first token. */
const cuts = Array.from({ length: '[EMAIL-1]'.length + 1 }, (_, at) => [
  masked.slice(0, 3 + at),
  masked.slice(3 + at),
]) as [string, string][];

/** The contents of a Gemini Live turn that begins with this set-up. */
function turnOf(messages: Parameters<typeof parsed>[0], id: string): Event[] {
  const events = parsed(messages);
  const start = events.findIndex(({ setupComplete }) => setupComplete?.id === id);
  const end = events.findIndex(({ serverContent }, at) => at > start && serverContent?.turnComplete);
  return events.slice(start, end).map(({ serverContent }) => serverContent);
}

const framings = [false, true].flatMap((isBinary) =>
  [false, true].flatMap((isFragmented) => [false, true].map((compresses) => ({ isBinary, isFragmented, compresses }))),
);

/** Replays one conversation through the gateway and returns the messages that the client received. */
async function replay(path: string, says: readonly string[], client: readonly string[], framing: Framing) {
  const heard = origin.play({ says, awaits: client.length, ...framing });
  const socket = await openTls(gateway, `${host}:443`);
  const webSocket = new WebSocket(`wss://${host}${path}`, {
    createConnection: () => socket as never,
    perMessageDeflate: framing.compresses,
    headers: { authorization: 'Bearer key' },
  });
  onTestFinished(() => webSocket.terminate());
  const received: string[] = [];
  const kinds = new Set<boolean>();
  webSocket.on('message', (data, isBinary) => {
    received.push(String(data));
    kinds.add(isBinary);
  });
  await once(webSocket, 'open');
  for (const message of client) webSocket.send(message);
  const [code] = await once(webSocket, 'close');
  expect(code).toBe(1000);
  for (const message of heard) for (const value of Object.values(values)) expect(message).not.toContain(value);
  return { received, kinds };
}

const linesOf = (name: string) => fixtureText(name).split('\n').filter(Boolean);

describe.each(framings)('binary: $isBinary, fragments: $isFragmented, compression: $compresses', (framing) => {
  test.each(['openai-realtime', 'copilot-web'])('the recording %s', async (name) => {
    const [client, server] = ['client', 'server'].map((side) => linesOf(`${name}/${side}.ndjson`)) as string[][];
    const { received } = await replay('/recorded', server as string[], client as string[], framing);
    const events = received.map((message) => JSON.parse(message) as Event);
    const pieces = events.flatMap(({ delta, event, text }) => delta ?? (event === 'appendText' ? text : []));
    expect(pieces.join('')).toBe(expectText);
    for (const { type, text, response } of events) {
      if (type === 'response.output_text.done') expect(text).toBe(expectText);
      if (type === 'response.done') expect(response.output[0].content[0].text).toBe(expectText);
    }
  });

  test('the recorded stream of OpenAI Responses, with one event per message, as Codex receives it', async () => {
    const events = eventsOf('sse', fixtureText('openai-responses/stream.sse'));
    const request = JSON.parse(fixtureText('openai-responses/request.json'));
    const { received } = await replay(
      '/v1/responses',
      events.map((event) => JSON.stringify(event)),
      [JSON.stringify({ type: 'response.create', ...request })],
      framing,
    );
    const texts = received
      .map((message) => JSON.parse(message) as Event)
      .filter(({ type }) => type === 'response.output_text.delta');
    expect(texts.map(({ delta }) => delta).join('')).toBe(expectText);
  });
});

/** A service's messages for a text in two pieces, and how its clients read the text. */
type Conversation = {
  readonly name: string;
  readonly path: string;
  readonly client: readonly string[];
  readonly server: (pieces: readonly [string, string], id: string) => readonly string[];
  /** The text with an id, in the client's messages. */
  readonly read: (messages: readonly string[], id: string) => string;
};

const json = (...events: readonly object[]) => events.map((event) => JSON.stringify(event));
const parsed = (messages: readonly string[]): Event[] => messages.map((message) => JSON.parse(message));
const record = (...events: readonly object[]) => json(...events).map((one) => `${one}\x1e`);
const recordsOf = (messages: readonly string[]): Event[] =>
  messages.flatMap((message) => message.split('\x1e').filter(Boolean)).map((one) => JSON.parse(one));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const sse = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const prompt = `Write to ${email}.`;

const conversations: readonly Conversation[] = [
  {
    name: 'Gemini Live',
    path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    client: json(
      { setup: { model: 'models/gemini-live' } },
      { clientContent: { turns: [{ role: 'user', parts: [{ text: prompt }] }], turnComplete: true } },
    ),
    server: ([first, second], id) =>
      json(
        { setupComplete: { id } },
        { serverContent: { modelTurn: { parts: [{ text: first }] } } },
        { serverContent: { modelTurn: { parts: [{ text: second }] } } },
        { serverContent: { generationComplete: true } },
        { serverContent: { turnComplete: true } },
      ),
    read: (messages, id) =>
      turnOf(messages, id)
        .flatMap((content) => content?.modelTurn?.parts ?? [])
        .map(({ text }: Event) => text)
        .join(''),
  },
  {
    name: 'the transcripts of Gemini Live',
    path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    client: json({ realtimeInput: { text: prompt } }),
    server: ([first, second], id) =>
      json(
        { setupComplete: { id } },
        { serverContent: { outputTranscription: { text: first } } },
        { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: 'AAEC' } }] } } },
        { serverContent: { outputTranscription: { text: second } } },
        { serverContent: { turnComplete: true } },
      ),
    read: (messages, id) =>
      turnOf(messages, id)
        .flatMap((content) => content?.outputTranscription?.text ?? [])
        .join(''),
  },
  {
    name: 'a SignalR hub that appends',
    path: '/m365Copilot/Chathub',
    client: ['{"protocol":"json","version":1}\x1e', `${json({ type: 4, target: 'chat', arguments: [prompt] })[0]}\x1e`],
    server: ([first, second], id) =>
      record(
        { type: 6 },
        { type: 1, target: 'update', arguments: [{ requestId: id, writeAtCursor: first }] },
        { type: 1, target: 'update', arguments: [{ requestId: id, writeAtCursor: second }] },
        { type: 3, invocationId: id },
      ),
    read: (messages, id) => {
      const events = recordsOf(messages);
      const end = events.findIndex(({ invocationId }) => invocationId === id);
      const begin = events.slice(0, end).findLastIndex(({ type }) => type === 6);
      return events
        .slice(begin, end)
        .map(({ arguments: said }) => said?.[0]?.writeAtCursor ?? '')
        .join('');
    },
  },
  {
    name: 'a SignalR hub that repeats the text so far',
    path: '/m365Copilot/Chathub',
    client: ['{"protocol":"json","version":1}\x1e', `${json({ type: 4, target: 'chat', arguments: [prompt] })[0]}\x1e`],
    server: ([first, second], id) =>
      record(
        { type: 1, target: 'update', arguments: [{ messages: [{ messageId: id, text: first, author: 'bot' }] }] },
        {
          type: 1,
          target: 'update',
          arguments: [{ messages: [{ messageId: id, text: first + second, author: 'bot' }] }],
        },
        { type: 2, invocationId: id, item: { messages: [{ messageId: id, text: first + second, author: 'bot' }] } },
        { type: 3, invocationId: id },
      ),
    read: (messages, id) =>
      recordsOf(messages)
        .flatMap(({ item }) => item?.messages ?? [])
        .find(({ messageId }: Event) => messageId === id)?.text,
  },
  {
    name: 'chatgpt.com, whose events are in base64 in messages',
    path: '/celsius/ws/user',
    client: json({ type: 'message', content: { parts: [prompt] } }),
    server: ([first, second], id) =>
      [first, second, '[DONE]'].map((text) => {
        const delta = { choices: [{ index: 0, delta: { content: text } }] };
        const body = base64(text === '[DONE]' ? 'data: [DONE]\n\n' : sse(delta));
        return JSON.stringify({ type: 'message', data: { type: 'http.response.body', body, response_id: id } });
      }),
    read: (messages, id) =>
      parsed(messages)
        .filter(({ data }) => data.response_id === id)
        .map(({ data }) => Buffer.from(data.body, 'base64').toString())
        .flatMap((text) => eventsOf('sse', text))
        .map(({ choices }) => choices[0].delta.content)
        .join(''),
  },
  {
    name: 'an MCP server, which sends texts in one piece',
    path: '/mcp',
    client: json({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'say', arguments: { text: prompt } } }),
    server: ([first, second], id) =>
      json({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: first + second }] } }),
    read: (messages, id) => parsed(messages).find((message) => message.id === id)?.result.content[0].text,
  },
  {
    name: 'Socket.IO, pieces of a text',
    path: '/socket.io/?EIO=4&transport=websocket',
    client: ['40', `42${JSON.stringify(['chat', { text: prompt }])}`],
    server: ([first, second], id) => [
      ...[first, second].map((delta) => `42${JSON.stringify(['token', { id, delta }])}`),
      `42${JSON.stringify(['done', { id }])}`,
    ],
    read: (messages, id) =>
      messages
        .filter((message) => message.startsWith('42'))
        .map((message) => JSON.parse(message.slice(2))[1] as Event)
        .filter((message) => message.id === id)
        .map(({ delta = '' }) => delta)
        .join(''),
  },
  {
    name: 'Socket.IO, which sends texts in one piece',
    path: '/socket.io/?EIO=4&transport=websocket',
    client: ['40', `42${JSON.stringify(['chat', { text: prompt }])}`],
    server: ([first, second], id) => ['2', `42${JSON.stringify(['reply', { id, text: first + second }])}`],
    read: (messages, id) =>
      messages
        .filter((message) => message.startsWith('42'))
        .map((message) => JSON.parse(message.slice(2))[1] as Event)
        .find((message) => message.id === id)?.text,
  },
];

describe.each(conversations)('$name', ({ path, client, server, read }) => {
  // Records and packets are text.
  const isText = /Chathub|socket\.io/.test(path);
  const possible = framings.filter(({ isBinary }) => !(isText && isBinary));
  test.each(possible)('binary: $isBinary, fragments: $isFragmented, compression: $compresses', async (framing) => {
    const says = cuts.flatMap((pieces, at) => server(pieces, `r${at}`));
    const { received } = await replay(path, says, client, framing);
    expect(cuts.map((_, at) => read(received, `r${at}`))).toEqual(cuts.map(() => restored));
  });
});
