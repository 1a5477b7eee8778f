/** Which browser pages may read API responses (CORS): an exact list of origins, never a wildcard. */
import type { FastifyInstance } from 'fastify';

const preflightSeconds = 600;
const exposed = 'x-request-id, retry-after, ratelimit, ratelimit-policy, x-next-cursor, location, idempotent-replayed';

/**
 * Lets pages of the listed origins use the API; pages of other origins get the response without permission to read it.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins.map((origin) => origin.replace(/\/$/, '').toLowerCase()));
  if (allowed.size === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin.toLowerCase())) return done();
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', exposed);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done();
    reply
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', 'authorization, content-type, idempotency-key')
      .header('access-control-max-age', String(preflightSeconds))
      .status(204)
      .send();
  });
}
