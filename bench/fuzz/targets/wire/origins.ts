/** Origins that record what the gateway forwards. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TestAuthority } from '../../../../test/support/authority.ts';
import { readRequests, type StrictHead, type StrictMessage } from '../../../../test/support/strict-http.ts';

export const secureHost = 'chatgpt.com';
export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok';

const isOfTry = ({ start }: StrictHead) => !start.includes(' /health ');

/** Origins that record requests, and check that all parsers agree on them. */
export class Origins {
  /** Requests since the last try: all that began, and the complete ones. */
  readonly heads: StrictHead[] = [];
  readonly messages: StrictMessage[] = [];
  fault: string | undefined;
  /** The response to further requests for `/x`. */
  answer = ok;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** A plain origin, or one with TLS. */
  async listen(authority?: TestAuthority): Promise<string> {
    const take = (socket: Socket) => this.#take(socket);
    const server =
      authority === undefined
        ? createServer({ noDelay: true }, take)
        : createTlsServer({ ...authority.issue({ names: [secureHost] }), ALPNProtocols: ['http/1.1'] }, take);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Resets the records before the next try. */
  forget(): void {
    this.heads.length = 0;
    this.messages.length = 0;
    this.fault = undefined;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
    let bytes = Buffer.alloc(0);
    let answered = 0;
    let counted = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const { messages, heads, rest, reason } = readRequests(bytes);
      this.heads.push(...heads.slice(counted).filter(isOfTry));
      this.messages.push(...messages.slice(answered).filter(isOfTry));
      counted = heads.length;
      for (const { start } of messages.slice(answered)) {
        const path = start.split(' ')[1] ?? '';
        socket.write(path.startsWith('/x') ? this.answer : ok, 'latin1');
        if (path.startsWith('/x')) socket.end();
      }
      answered = messages.length;
      if (rest === 'malformed')
        this.fault ??= `the origin received invalid HTTP (${reason}): ${JSON.stringify(bytes.toString('latin1').slice(-400))}`;
      if (rest !== 'none') return;
      bytes = Buffer.alloc(0);
      [answered, counted] = [0, 0];
    });
  }
}
