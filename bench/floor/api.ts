/** The floor of the API: an empty Fastify route that reads the same body. `node bench/floor/api.ts` prints its port. */
import { fastify } from 'fastify';

const app = fastify({ logger: false });
app.post('/mask', async () => ({}));
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
const port = address !== null && typeof address === 'object' ? address.port : 0;
process.stdout.write(`${JSON.stringify({ event: 'listening', listener: 'api', port })}\n`);
