/** mockttp that passes everything through. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { PEER_HOME, PEER_PORT, PEER_CA, PEER_KEY, ORIGIN_CA } = process.env;
const { getLocal } = createRequire(path.join(PEER_HOME, 'package.json'))('mockttp');
const server = getLocal({ https: { certPath: PEER_CA, keyPath: PEER_KEY }, recordTraffic: false });
await server.forAnyRequest().thenPassThrough({ additionalTrustedCAs: [{ cert: readFileSync(ORIGIN_CA, 'utf8') }] });
await server.forAnyWebSocket().thenPassThrough();
await server.start(Number(PEER_PORT));
