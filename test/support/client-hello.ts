/** The first message of a TLS client, for tests that change it. */
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** The ClientHello for a server name, in a single record, as this Node sends it. */
export function helloFor(servername: string): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket: Duplex = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer) => {
        resolve(chunk);
        setImmediate(() => client.destroy());
      },
    });
    const client = connect({ socket, servername });
    client.on('error', () => undefined);
  });
}
