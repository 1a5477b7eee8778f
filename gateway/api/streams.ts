/** Answers that take their time: telling that the client has left, and server-sent events. */
import type { FastifyReply } from 'fastify';

/** A signal that is given when the client leaves before its answer is complete. */
export function abortOnClose(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
