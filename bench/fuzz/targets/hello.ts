/** A real ClientHello, as this Node sends it. */

import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** The bytes of the first flight for a name, with ALPN. */
export async function recordHello(serverName = 'a.example'): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const secure = connect({ socket, servername: serverName, ALPNProtocols: ['h2', 'http/1.1'] });
  secure.on('error', () => undefined);
  for (let i = 0; i < 50 && chunks.length === 0; i++) await new Promise(setImmediate);
  secure.destroy();
  return Buffer.concat(chunks);
}

const recorded = await recordHello();

/** The bytes for `a.example`. */
export function clientHello(): Buffer {
  return recorded;
}
