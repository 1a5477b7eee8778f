/**
 * Events of the Realtime API that repeat an item in full while its text is streamed, and several texts at the same time,
 * read by the client of the openai package.
 */
import { once } from 'node:events';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Event } from '../core/stream/wire-fixtures.ts';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startScriptedSockets } from '../support/scripted-sockets.ts';
import { openTls } from '../support/tunnel.ts';

const host = 'api.openai.com';
const origin = await startScriptedSockets([host]);
const gateway = await startGateway({ hosts: { [host]: origin } });
const email = 'hana.morita@kitamura-shoji.example';
const prompt = `Write to ${email}.`;
const masked = 'To [EMAIL-1], [EMAIL-1].';
const restored = `To ${email}, ${email}.`;
/** The text in two pieces, for every cut within its first token. */
const cuts = Array.from({ length: '[EMAIL-1]'.length + 1 }, (_, at) => [
  masked.slice(0, 3 + at),
  masked.slice(3 + at),
]) as [string, string][];

describe('the Realtime client of the openai package', () => {
  /** The events of a response in the order of the Realtime API, whose first piece is in the events that open the item. */
  function response(id: string, pieces: readonly string[], opened: string, status = 'completed'): Event[] {
    const item_id = `item_${id}`;
    const item = (text: string, itemStatus: string) => ({
      id: item_id,
      object: 'realtime.item',
      type: 'message',
      status: itemStatus,
      role: 'assistant',
      content: [{ type: 'output_text', text }],
    });
    const text = opened + pieces.join('');
    const place = { response_id: id, output_index: 0 };
    const part = { ...place, item_id, content_index: 0 };
    return [
      { type: 'response.created', response: { id, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', ...place, item: item(opened, 'in_progress') },
      { type: 'conversation.item.added', previous_item_id: null, item: item(opened, 'in_progress') },
      { type: 'conversation.item.created', previous_item_id: null, item: item(opened, 'in_progress') },
      { type: 'response.content_part.added', ...part, part: { type: 'output_text', text: opened } },
      ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...part, delta })),
      // An interrupted text has no end of its own.
      ...(status === 'completed' ? [{ type: 'response.output_text.done', ...part, text }] : []),
      { type: 'conversation.item.done', previous_item_id: null, item: item(text, status) },
      { type: 'response.output_item.done', ...place, item: item(text, status) },
      { type: 'response.done', response: { id, status, output: [item(text, status)] } },
    ];
  }

  /** The events that the client of the package receives for those of the origin. */
  async function receive(events: readonly Event[], compresses: boolean): Promise<Event[]> {
    const says = events.map((event, at) => JSON.stringify({ event_id: `event_${at}`, ...event }));
    const heard = origin.play({ says, awaits: 1, isBinary: false, isFragmented: compresses, compresses });
    const socket = await openTls(gateway, `${host}:443`);
    const client = new OpenAIRealtimeWS(
      { model: 'gpt-realtime', options: { createConnection: () => socket as never, perMessageDeflate: compresses } },
      openAiClient(proxiedFetch(gateway)),
    );
    onTestFinished(() => client.close());
    const received: Event[] = [];
    client.on('event', (event) => received.push(event));
    client.on('error', () => undefined);
    await once(client.socket, 'open');
    client.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
    });
    await once(client.socket, 'close');
    expect(heard.join()).not.toContain(email);
    return received;
  }

  /** What an application displays: an item, replaced by each of its copies, with the pieces that follow. */
  function shown(events: readonly Event[], id: string): string[] {
    const texts: string[] = [];
    for (const { item, part, delta, item_id, text } of events) {
      if (item?.id === id) texts.push(item.content[0].text);
      else if (item_id !== id) continue;
      else if (part) texts.push(part.text);
      else if (delta !== undefined) texts.push(texts.at(-1) + delta);
      else if (text !== undefined) texts.push(text);
    }
    return texts;
  }

  test.each([false, true])('the copies of an item equal its pieces at every cut; compression: %s', async (on) => {
    const events = cuts.flatMap(([opened, rest], at) => response(`r${at}`, [rest], opened));
    const received = await receive(events, on);
    for (const at of cuts.keys()) {
      const texts = shown(received, `item_r${at}`);
      expect(texts.at(-1)).toBe(restored);
      for (const text of texts) expect(restored.startsWith(text)).toBe(true);
    }
  });

  test.each(['completed', 'incomplete'])('an item that ends within a token, %s', async (status) => {
    const received = await receive(response('r', ['To [EM', 'AIL'], '', status), false);
    const texts = shown(received, 'item_r');
    expect(texts.at(-1)).toBe('To [EMAIL');
    for (const text of texts) expect('To [EMAIL'.startsWith(text)).toBe(true);
  });

  test('the end of a response does not end the text of another one', async () => {
    const [one, two] = [response('a', ['To [EMA', 'IL-1].'], ''), response('b', ['Ok.'], '')] as [Event[], Event[]];
    // The second response is complete between the pieces of the first.
    const received = await receive([...one.slice(0, 6), ...two, ...one.slice(6)], false);
    expect(shown(received, 'item_a').at(-1)).toBe(`To ${email}.`);
    expect(shown(received, 'item_a')).not.toContain('To [EMA');
  });

  test('the transcripts of two inputs do not mix', async () => {
    const type = 'conversation.item.input_audio_transcription.delta';
    const delta = (item_id: string, text: string) => ({ type, item_id, content_index: 0, delta: text });
    const done = (item_id: string, transcript: string) => ({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id,
      content_index: 0,
      transcript,
    });
    const received = await receive(
      [
        delta('a', 'mail [EM'),
        delta('b', 'call [EMAIL'),
        delta('a', 'AIL-1]'),
        done('a', 'mail [EMAIL-1]'),
        delta('b', '-1]'),
        done('b', 'call [EMAIL-1]'),
      ],
      false,
    );
    const textOf = (id: string) =>
      received.flatMap(({ item_id, delta: piece }) => (item_id === id ? (piece ?? []) : [])).join('');
    expect([textOf('a'), textOf('b')]).toEqual([`mail ${email}`, `call ${email}`]);
    expect(received.flatMap(({ transcript }) => transcript ?? [])).toEqual([`mail ${email}`, `call ${email}`]);
  });

  test('settings of a session that end like the beginning of a token are not cut', async () => {
    const session = { type: 'realtime', instructions: 'Ask [EM', output_modalities: ['text'] };
    const received = await receive(
      [
        { type: 'session.created', session },
        { type: 'session.updated', session },
      ],
      false,
    );
    expect(received.map((event) => event.session)).toEqual([session, session]);
  });
});
