/** http-mitm-proxy with kept connections to the origin. */
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { createRequire } from 'node:module';
import path from 'node:path';

const { PEER_HOME, PEER_PORT, PEER_DIR, ORIGIN_CA } = process.env;
const { Proxy: MitmProxy } = createRequire(path.join(PEER_HOME, 'package.json'))('http-mitm-proxy');
const proxy = new MitmProxy();
proxy.onError(() => {});
proxy.listen({
  host: '127.0.0.1',
  port: Number(PEER_PORT),
  sslCaDir: PEER_DIR,
  keepAlive: true,
  httpsAgent: new https.Agent({ keepAlive: true, ca: readFileSync(ORIGIN_CA) }),
});
