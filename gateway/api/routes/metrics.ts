/**
 * The figures for Prometheus, for the addresses of `api.metrics_allow` and for the admin key.
 */
import type { FastifyInstance } from 'fastify';
import { PrivetError } from '../../../core/errors.ts';
import { bearerKey } from '../auth.ts';
import type { ApiDeps } from '../server.ts';

/** GET /metrics. */
export function metricsRoutes(app: FastifyInstance, deps: ApiDeps): void {
  app.get('/metrics', async (request, reply) => {
    const key = bearerKey(request);
    const isAllowed =
      deps.metricsAllow.has(request.socket.remoteAddress ?? '') || (key !== undefined && deps.verifyAdminKey(key));
    if (!isAllowed) {
      throw new PrivetError('forbidden', 'Your address may not read the metrics.', {
        hint: 'Add the network to api.metrics_allow.',
      });
    }
    reply.type(deps.metrics.contentType);
    return deps.metrics.expose();
  });
}
