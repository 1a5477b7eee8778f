/**
 * Whether the process lives (`/health`) and whether it should get traffic (`/ready`). Both without a key.
 */
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../server.ts';

/** GET /health, GET /ready. */
export function healthRoutes(app: FastifyInstance, deps: ApiDeps): void {
  app.get('/health', async () => ({
    status: 'ok',
    version: deps.version,
    uptime: Math.round(process.uptime()),
    timestamp: new Date().toISOString(),
  }));

  app.get('/ready', async (_request, reply) => {
    const { ready, checks } = deps.isReady();
    if (!ready) reply.status(503).header('retry-after', '5');
    return { status: ready ? 'ready' : 'unavailable', checks };
  });
}
