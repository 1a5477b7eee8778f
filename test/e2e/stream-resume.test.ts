/** A client that resumes an answer behind the last event it has seen gets every event of the origin, and all text once. */
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';

const host = 'api.openai.com';
const type = 'response.output_text.delta';
const place = (output_index: number) => ({
  item_id: `item_${output_index}`,
  output_index,
  content_index: 0,
  logprobs: [],
});
/** The first text ends in what may become a token, so that the gateway puts an event of its own before its end. */
const events = [
  { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
  { type, ...place(0), delta: 'a [EMA' },
  { type: 'response.output_text.done', ...place(0), text: 'a [EMA' },
  { type, ...place(1), delta: 'to [EMAIL-1]' },
  { type, ...place(1), delta: ', sent' },
  { type: 'response.output_text.done', ...place(1), text: 'to [EMAIL-1], sent' },
  { type: 'response.completed', response: { id: 'resp_1', object: 'response', output: [] } },
].map((event, sequence_number) => ({ ...event, sequence_number }));

let origin: Origin;
let gateway: Gateway;

beforeAll(async () => {
  const authority = new TestAuthority();
  origin = await startOrigin({
    authority,
    names: [host],
    handler: ({ url }, response) => {
      const after = Number(new URL(url, 'https://x').searchParams.get('starting_after') ?? -1);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events)
        if (event.sequence_number > after) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    },
  });
  gateway = await startGateway({ authority, hosts: { [host]: origin } });
});
afterAll(async () => {
  await gateway?.stop();
  await origin?.close();
});

test.each([1, 2, 3, 4, 5, 6, 7])('cut after %i events', async (seen) => {
  const proxied = proxiedFetch(gateway);
  const client = openAiClient(proxied);
  const got: ResponseStreamEvent[] = [];
  const first = await client.responses.create({ model: 'm', input: `to ${personal.EMAIL}`, stream: true });
  for await (const event of first) {
    got.push(event);
    if (got.length === seen) break;
  }
  const starting_after = got.at(-1)?.sequence_number ?? -1;
  const rest = await client.responses.retrieve('resp_1', { stream: true, starting_after });
  for await (const event of rest) got.push(event);
  await proxied.dispatcher.close();

  const ofOrigin = got.filter(
    (event, at) => got.findIndex((one) => one.sequence_number === event.sequence_number) === at,
  );
  expect(ofOrigin.map((event) => [event.type, event.sequence_number])).toEqual(
    events.map((event) => [event.type, event.sequence_number]),
  );
  const second = got.flatMap((event) => (event.type === type && event.output_index === 1 ? [event.delta] : []));
  expect(second.join('')).toBe(`to ${personal.EMAIL}, sent`);
});
