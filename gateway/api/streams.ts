/** Long responses: detecting that the client has left, and server-sent events. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A signal that aborts when the client leaves before its response is complete. */
export function abortOnClose(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // It may have left while the call was charged.
  if (reply.raw.destroyed && !reply.raw.writableFinished) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** After this much silence a comment keeps the stream alive, in milliseconds. */
const silenceMs = 15_000;

/** Sends server-sent events (WHATWG HTML, section 9.2), one JSON document each, and `[DONE]` at the end. */
export function sendEvents(reply: FastifyReply, events: AsyncGenerator<unknown, void>): FastifyReply {
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(Readable.from(framed(events), { objectMode: false, highWaterMark: 64 * 1024 }));
}

async function* framed(events: AsyncGenerator<unknown, void>): AsyncGenerator<string, void> {
  try {
    let next = events.next();
    for (;;) {
      const result = await orSilence(next);
      if (result === undefined) {
        yield ':\n\n';
        continue;
      }
      if (result.done) break;
      yield `data: ${JSON.stringify(result.value)}\n\n`;
      next = events.next();
    }
    yield 'data: [DONE]\n\n';
  } finally {
    await events.return();
  }
}

/** The next event, or undefined after a period of silence. */
async function orSilence<T>(next: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), silenceMs);
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Merges the events of several sources as they arrive. A source ends the whole stream only by throwing. */
export async function* merged<T>(sources: readonly AsyncGenerator<T, void>[]): AsyncGenerator<T, void> {
  type Turn = { readonly source: AsyncGenerator<T, void>; readonly result: IteratorResult<T, void> };
  const turn = async (source: AsyncGenerator<T, void>): Promise<Turn> => ({ source, result: await source.next() });
  const waiting = new Map(sources.map((source) => [source, turn(source)]));
  try {
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values());
      if (result.done) {
        waiting.delete(source);
        continue;
      }
      waiting.set(source, turn(source));
      yield result.value;
    }
  } finally {
    await Promise.allSettled([...waiting.keys()].map((source) => source.return()));
  }
}
