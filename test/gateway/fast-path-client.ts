/** API clients that write raw bytes, to control which bytes arrive together. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { adminKey, startApi } from './api-under-test.ts';

/** An answer as received. */
export type Wire = { readonly status: number; readonly fields: Record<string, string>; readonly body: string };

/** A client that sends bytes and reads one answer after another. */
export class Client {
  readonly socket: Socket;
  #text = '';
  #hasEnded = false;
  #wake = () => {};

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.socket.on('error', () => {});
    this.socket.on('data', (bytes) => {
      this.#text += bytes.toString('latin1');
      this.#wake();
    });
    this.socket.on('end', () => {
      this.#hasEnded = true;
      this.#wake();
    });
    onTestFinished(() => void this.socket.destroy());
  }

  send(...pieces: (string | Buffer)[]): this {
    for (const piece of pieces) this.socket.write(piece);
    return this;
  }

  /** The next answer; `isHead`: one without a body. */
  async answer(isHead = false): Promise<Wire> {
    for (;;) {
      const end = this.#text.indexOf('\r\n\r\n');
      if (end !== -1) {
        const [line = '', ...lines] = this.#text.slice(0, end).split('\r\n');
        const fields = Object.fromEntries(
          lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]),
        );
        const to = end + 4 + (isHead ? 0 : Number(fields['content-length'] ?? 0));
        if (this.#text.length >= to) {
          const body = Buffer.from(this.#text.slice(end + 4, to), 'latin1').toString();
          this.#text = this.#text.slice(to);
          return { status: Number(line.split(' ')[1]), fields, body };
        }
      }
      if (this.#hasEnded) throw new Error(`the connection has ended: ${this.#text}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the server has ended the connection. */
  async ended(): Promise<void> {
    if (!this.#hasEnded) await once(this.socket, 'end');
  }
}

type Sent = { readonly path?: string; readonly key?: string; readonly fields?: readonly string[] };

/** The bytes of a call with this JSON. */
export function callOf(json: unknown, { path = '/mask', key = adminKey, fields = [] }: Sent = {}): string {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...fields,
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

/** The API, and the number of requests that reached the full server. */
export async function started(changes: Parameters<typeof startApi>[0] = {}) {
  const running = await startApi(changes);
  const behind = { requests: 0 };
  running.api.app.server.on('request', () => behind.requests++);
  return { ...running, behind, client: () => new Client(running.port) };
}
