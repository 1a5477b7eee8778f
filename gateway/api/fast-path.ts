/**
 * The API fast path: calls with a short JSON body, answered directly on their connection. What node:http and Fastify do
 * for a request costs more than masking a short text; here it is a scan of the bytes and one write. Anything that is
 * not clearly such a call goes, with all received data, to the full server, which then keeps the connection: only the
 * full server implements HTTP and rejects requests.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ConnectionSet } from '../http1/connection-set.ts';
import { destroyIfLeft } from '../http1/left-client.ts';
import { http } from '../http1/node-http.ts';
import { ReadRoom } from '../http1/read-room.ts';
import { EndedConnection } from './ended-connection.ts';
import type { FastAnswer } from './fast-call.ts';
import { FastConnection, type FastPathOptions } from './fast-connection.ts';
import { Uuids } from './uuids.ts';

export type { FastPathOptions } from './fast-connection.ts';

/** Answers short calls ahead of a server. */
export class FastPath {
  readonly options: FastPathOptions;
  readonly keepAliveSeconds: number;
  readonly #firstSeconds: number;
  readonly #server: Server;
  readonly #serve: (connection: Duplex) => void;
  readonly #connections = new ConnectionSet<FastConnection>();
  readonly room = new ReadRoom();
  readonly requestIds = new Uuids();
  readonly #fields: string;
  #timer: NodeJS.Timeout | undefined;
  #date = { second: 0, text: '' };
  /** From now on connections are not kept open. */
  isDraining = false;

  /** Takes over the server's connections; those handed back stay with the server. */
  constructor(server: Server, options: FastPathOptions) {
    this.options = options;
    this.#server = server;
    this.#fields = lines(options.fields);
    this.keepAliveSeconds = Math.floor(server.keepAliveTimeout / 1_000);
    this.#firstSeconds = Math.ceil(server.headersTimeout / 1_000);
    const [serve] = server.listeners('connection') as ((connection: Duplex) => void)[];
    if (serve === undefined) throw new Error('the server accepts no connections');
    this.#serve = serve;
    server.removeListener('connection', serve);
    server.on('connection', (socket) => this.#take(socket));
  }

  /** Closes idle connections, and every other one after its response. */
  drain(): void {
    this.isDraining = true;
    for (const connection of this.#connections.list()) connection.closeIfIdle();
  }

  close(): void {
    this.#connections.destroyAll();
  }

  /** Hands a connection to the server, with the data that was received and not consumed. */
  handOver(connection: FastConnection, unread: Buffer | undefined): void {
    this.forget(connection);
    const { socket } = connection;
    if (socket.destroyed) return;
    // Copy it: the read buffer is reused.
    const rest = unread && Buffer.from(unread);
    if (socket.readableEnded) {
      this.#serve.call(this.#server, new EndedConnection(socket, rest ?? Buffer.alloc(0)));
      destroyIfLeft(socket);
      return;
    }
    this.#give(socket);
    if (rest !== undefined) socket.unshift(rest);
    socket.resume();
  }

  #give(socket: Socket): void {
    this.#serve.call(this.#server, socket);
    socket.once('end', () => destroyIfLeft(socket));
  }

  /** Answers a client that sends nothing, with the server's error. */
  timedOut(connection: FastConnection): void {
    this.forget(connection);
    const error = Object.assign(new Error('no request came in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    this.#server.emit('clientError', error, connection.socket);
    // Destroy the socket after flushing; a client that never closes its side would keep it open.
    connection.socket.destroySoon();
  }

  /** A connection has ended or was handed over. */
  forget(connection: FastConnection): void {
    this.#connections.delete(connection.entry);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** There is only one connection. */
  get hasOne(): boolean {
    return this.#connections.size === 1;
  }

  answer({ requestId, status, fields, json }: FastAnswer, closes: boolean): { text: string; isAscii: boolean } {
    const length = Buffer.byteLength(json);
    const end = closes
      ? 'Connection: close\r\n\r\n'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${this.keepAliveSeconds}\r\n\r\n`;
    const head =
      `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\nx-request-id: ${requestId}\r\n${this.#fields}${lines(fields)}` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${length}\r\nDate: ${this.#now()}\r\n${end}`;
    return { text: head + json, isAscii: length === json.length };
  }

  #take(socket: Socket): void {
    if (this.isDraining) {
      this.#give(socket);
      return;
    }
    const connection = new FastConnection(this, socket, this.#firstSeconds);
    connection.entry = this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#tick(), 1_000).unref();
  }

  #tick(): void {
    for (const connection of this.#connections.list()) connection.tick();
  }

  /** The current time for the Date field. */
  #now(): string {
    const second = Math.floor(Date.now() / 1_000);
    if (second !== this.#date.second) this.#date = { second, text: new Date(second * 1_000).toUTCString() };
    return this.#date.text;
  }
}

function lines(fields: Readonly<Record<string, string>>): string {
  let text = '';
  for (const name in fields) text += `${name}: ${fields[name]}\r\n`;
  return text;
}
