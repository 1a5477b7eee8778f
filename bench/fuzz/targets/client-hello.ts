/** The first bytes of a tunnel: does a TLS server find the same name in them? */
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { readOpening, type TunnelOpening } from '../../../gateway/proxy/listen/client-hello.ts';
import { type FuzzTarget, must, mustBeSettled, mustEqual } from '../target.ts';
import { clientHello as recordedHello } from './hello.ts';

/** As lenient as possible, to accept what any server accepts. */
const secureContext = createSecureContext({ minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' });

/** The server name that OpenSSL finds; undefined if there is none or it rejects the hello. */
export function nameForServer(bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
    const secured = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      SNICallback: resolve,
    });
    // It would wait for the end of a hello; its verdict on a complete one is known by then.
    socket.once('end', () => setImmediate(() => secured.destroy()));
    secured.on('error', () => undefined);
    secured.once('close', () => resolve(undefined));
    socket.push(bytes);
    socket.push(null);
  });
}

/** @throws Fault unless we read the name that a server finds; unclear input is rejected anyway */
export function mustAgree({ kind, ...opening }: TunnelOpening, name: string | undefined): void {
  if (name === undefined || kind === 'unclear') return;
  must(kind === 'tls', `a server finds ${JSON.stringify(name)} in what is ${kind} for us`);
  mustEqual((opening as { serverName?: string }).serverName, name, 'the server name');
}

/** The first bytes of a tunnel. */
export const clientHello: FuzzTarget = {
  seeds: () => [
    recordedHello(),
    fragmented(recordedHello(), 40),
    fragmented(recordedHello(), 3),
    'GET / HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n',
    'SSH-2.0-x\r\n',
  ],
  words: ['a.example', '\x16\x03\x01', '\x01\x00', '\x00\x00', '\x00\x0d', '\x00\x10', '\xff\xff'],
  bytesMax: 2500,
  async run(input) {
    mustBeSettled(input, readOpening, (answer) => answer.kind === 'incomplete');
    const opening = readOpening(input);
    if (opening.kind !== 'unclear') mustAgree(opening, await nameForServer(input));
    return opening.kind;
  },
};

/** The handshake message split into records of that size. */
function fragmented(hello: Buffer, size: number): Buffer {
  const records: Buffer[] = [];
  for (let at = 5; at < hello.length; at += size) {
    const part = hello.subarray(at, at + size);
    records.push(Buffer.from([0x16, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}
