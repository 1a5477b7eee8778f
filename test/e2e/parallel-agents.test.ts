/** Answers of several agents on one stream, whose events alternate and which only their ids distinguish. */
import { expect, test } from 'vitest';
import type { Event } from '../core/stream/wire-fixtures.ts';
import { proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';

const host = 'agents.example';
const mail = 'anna.berg@example.com';
let events: (token: string) => readonly string[];
const origin = await startOrigin({
  names: [host],
  handler: async ({ body }, response) => {
    const [token = ''] = /\[EMAIL-\d+\]/.exec(body.toString()) ?? [];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events(token)) await new Promise<void>((done) => response.write(event, () => done()));
    response.end();
  },
});
const gateway = await startGateway({
  hosts: { [host]: origin },
  config: { policy: { rules: [{ when: { hosts: [host] }, then: { inspect: 'mask' } }] } },
});

test.each([
  [
    'LangGraph',
    'event: messages\n',
    (id: string, content: string) => [{ type: 'AIMessageChunk', id, content }, { langgraph_node: id }],
    ([{ id, content }]: Event) => [id, content],
  ],
  [
    'A2A',
    '',
    (id: string, text: string) => ({
      jsonrpc: '2.0',
      id: 1,
      result: { kind: 'artifact-update', taskId: 't', artifact: { artifactId: id, parts: [{ kind: 'text', text }] } },
    }),
    ({ result }: Event) => [result.artifact.artifactId, result.artifact.parts[0].text],
  ],
  [
    'the Agent Development Kit',
    '',
    (author: string, text: string) => ({ author, partial: true, content: { role: 'model', parts: [{ text }] } }),
    ({ author, content }: Event) => [author, content.parts[0].text],
  ],
])('%s: each gets its own text, character by character', async (_name, head, piece, read) => {
  const ids = ['planner', 'writer', 'critic'];
  events = (token) => {
    const texts = ids.map((id) => `The ${id} writes to ${token} and ${token}.`);
    const frames: string[] = [];
    for (let at = 0; at < 80; at++) {
      for (const [i, id] of ids.entries()) {
        const text = texts[i]?.[at];
        if (text !== undefined) frames.push(`${head}data: ${JSON.stringify(piece(id, text))}\n\n`);
      }
    }
    return frames;
  };
  const answer = await proxiedFetch(gateway).fetch(`https://${host}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ input: { messages: [{ role: 'user', content: `Write to ${mail}` }] } }),
  });
  const said = [...(await answer.text()).matchAll(/^data: (.*)$/gm)].map(([, json = '']) => read(JSON.parse(json)));
  for (const id of ids) {
    const text = said.filter(([of]) => of === id).map(([, part]) => part);
    expect(text.join('')).toBe(`The ${id} writes to ${mail} and ${mail}.`);
  }
});
