/** Long answers must leave turns to other requests, however fast the origin is. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { sliceBytes } from '../../../../gateway/http1/slices.ts';
import { AnswerRelay } from '../../../../gateway/proxy/answer/answer-relay.ts';
import type { RelayInput } from '../../../../gateway/proxy/answer/relay-input.ts';
import { open, push } from './opened-restorer.ts';

const events = (count: number) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Write to [EMAIL-1], please. ' } }] })}\n\n`.repeat(
    count,
  );

/** A relay of an event stream. */
function relaying() {
  const response = Object.assign(new PassThrough({ highWaterMark: 1e9 }), { writeHead() {}, flushSoon() {} });
  const relayed = Promise.withResolvers<void>();
  const relay = new AnswerRelay(
    {
      request: { method: 'POST', headers: {}, rawHeaders: [], httpVersion: '1.1' },
      response,
      record: { client: { subject: 'ann' }, bytesOut: 0 },
      target: { scheme: 'https', host: 'api.example', port: 443 },
      decision: { action: 'allow' },
      path: '/v1/chat/completions',
      map: new Map([['[EMAIL-1]', 'ann@corp.example']]),
      bytesMax: 1e6,
    } as unknown as RelayInput,
    relayed.resolve,
    relayed.reject,
  );
  return { relay, response, relayed: relayed.promise };
}

test('restoring a stream pauses the origin until other work has run, and goes on', async () => {
  const { relay, response, relayed } = relaying();
  let pauses = 0;
  let ran = 0;
  let going = Promise.withResolvers<void>();
  going.resolve();
  const origin = {
    rawHeaders: ['content-type', 'text/event-stream'],
    pause() {
      pauses++;
      going = Promise.withResolvers<void>();
      setImmediate(() => ran++);
    },
    resume: () => going.resolve(),
  };
  relay.onRequestStart(origin as never);
  relay.onResponseStart(origin as never, 200, { 'content-type': 'text/event-stream' }, 'OK');
  const piece = Buffer.from(events(500));
  for (let i = 0; i < 100; i++) {
    relay.onResponseData(origin as never, piece);
    await going.promise;
  }
  relay.onResponseEnd(origin as never);
  await relayed;
  expect(pauses).toBeGreaterThan(3);
  expect(ran).toBe(pauses);
  const text = (response.read() as Buffer).toString();
  expect(text.match(/ann@corp\.example/g)).toHaveLength(50_000);
});

test('a large document is sent in slices, each when the client accepts more', async () => {
  const document = JSON.stringify({ to: '[EMAIL-1]', text: 'Nothing to see here. '.repeat(50_000) });
  const run = open('document', { bytesMax: 1e8, isSlow: true });
  push(run, document);
  run.restorer.end();
  while (run.output().length < document.length) {
    const before = run.pieces.length;
    await expect.poll(() => run.pieces.length).toBe(before + 1);
    expect(run.pieces.at(-1)?.length).toBeLessThanOrEqual(sliceBytes);
    run.restorer.resume();
  }
  expect(await run.ended).toBe('end');
  expect(run.output()).toBe(document.replace('[EMAIL-1]', 'ann@corp.example'));
  expect(run.pieces.length).toBeGreaterThan(4);
});
