/** Google's own package in a live conversation, whose sockets end at the gateway. */
import tls from 'node:tls';
import { GoogleGenAI, type LiveServerMessage, Modality } from '@google/genai';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { openTls } from '../support/tunnel.ts';

const host = 'generativelanguage.googleapis.com';
const email = 'hana.morita@example.com';
const said = 'To [EMAIL-1].';
const cuts = Array.from({ length: said.length + 1 }, (_, at) => [said.slice(0, at), said.slice(at)]);
const handle = 'CihOb3RhU2VjcmV0SGFuZGxlT2ZBU2Vzc2lvbg';

/** What the service says in answer to a message. */
function answersTo(message: Record<string, unknown>): object[] {
  if (message.setup) return [{ setupComplete: { sessionId: 's' } }];
  if (message.clientContent)
    return cuts.flatMap((pieces) => [
      ...pieces.map((text) => ({ serverContent: { modelTurn: { parts: [{ text }] } } })),
      ...pieces.map((text) => ({ serverContent: { outputTranscription: { text, languageCode: 'en' } } })),
      { serverContent: { generationComplete: true } },
      { serverContent: { turnComplete: true } },
    ]);
  return [
    { toolCall: { functionCalls: [{ id: 'f1', name: 'mail', args: { to: '[EMAIL-1]', note: 'for EMAIL-1' } }] } },
    { sessionResumptionUpdate: { newHandle: handle, resumable: true } },
  ];
}

const heard: string[] = [];
const server = new WebSocketServer({ noServer: true });
server.on('connection', (socket) =>
  socket.on('message', (data) => {
    heard.push(String(data));
    // The service sends JSON in binary messages.
    for (const answer of answersTo(JSON.parse(String(data)))) socket.send(Buffer.from(JSON.stringify(answer)));
  }),
);
const origin = await startOrigin({
  names: [host],
  onUpgrade: (request, socket, head) =>
    server.handleUpgrade(request, socket, head, (webSocket) => server.emit('connection', webSocket, request)),
});
const gateway = await startGateway({ hosts: { [host]: origin } });

test('its messages are masked, and what it hands to its callbacks is restored', async () => {
  // The package makes its socket itself and knows no proxy.
  const tunnel = await openTls(gateway, `${host}:443`);
  const connect = vi.spyOn(tls, 'connect').mockImplementationOnce(() => tunnel);
  onTestFinished(() => connect.mockRestore());
  const received: LiveServerMessage[] = [];
  const live = await new GoogleGenAI({ apiKey: 'k' }).live.connect({
    model: 'gemini-live',
    config: {
      responseModalities: [Modality.TEXT],
      systemInstruction: `You write to ${email}.`,
      sessionResumption: { handle },
    },
    callbacks: { onmessage: (message) => received.push(message) },
  });
  onTestFinished(() => live.close());
  live.sendClientContent({ turns: [{ role: 'user', parts: [{ text: `Mail ${email}` }] }], turnComplete: true });
  const turns = () => received.filter(({ serverContent }) => serverContent?.turnComplete).length;
  await expect.poll(turns).toBe(cuts.length);
  const texts = received.map(({ serverContent }) => serverContent?.modelTurn?.parts?.[0]?.text ?? '').join('');
  const spoken = received.map(({ serverContent }) => serverContent?.outputTranscription?.text ?? '').join('');
  expect([texts, spoken]).toEqual([0, 1].map(() => `To ${email}.`.repeat(cuts.length)));

  live.sendToolResponse({ functionResponses: [{ id: 'f0', name: 'find', response: { of: email } }] });
  await expect.poll(() => received.at(-1)?.sessionResumptionUpdate?.newHandle).toBe(handle);
  const [call] = received.flatMap(({ toolCall }) => toolCall?.functionCalls ?? []);
  expect(call?.args).toEqual({ to: email, note: `for ${email}` });

  expect(heard.map((message) => Object.keys(JSON.parse(message))[0])).toEqual([
    'setup',
    'clientContent',
    'toolResponse',
  ]);
  expect(JSON.parse(heard[0] as string).setup.sessionResumption).toEqual({ handle });
  for (const message of heard) expect(message).toMatch(/^(?!.*hana).*\[EMAIL-1\]/);
});
