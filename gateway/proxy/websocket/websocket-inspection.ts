/**
 * The client end of an inspected WebSocket, as a stream: reading yields the client's frames, masked; frames from the
 * origin written to it reach the client restored. States: head (the origin's response to the upgrade has not ended) →
 * open (frames both ways) or refused (the origin did not upgrade; its response passes unchanged) → closed (the client
 * was sent the reason, and nothing more passes).
 */

import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { PrivetError } from '../../../core/errors.ts';
import { utf8Text } from '../../../core/parsing.ts';
import { isJson } from '../../../core/payload/json-strings.ts';
import { shortJsonWeightMax, weighJson } from '../../../core/payload/json-weight.ts';
import { eventBytesMax } from '../../../core/stream/frame.ts';
import { MessageRestorer } from '../../../core/stream/message-restorer.ts';
import { encodeWebSocketFrame, type WebSocketMessage, WebSocketParser } from '../../../core/stream/websocket.ts';
import type { MessageVerdict } from '../../agents/socket-guard.ts';
import { LiveMap } from '../answer/live-map.ts';
import { ExchangeNumbers } from '../body/number-tokens.ts';
import { mergeCounts } from '../request/query.ts';
import type { InspectionInput } from './inspection-input.ts';
import { closeFrame, isReadable, mayHoldToken, withoutMark } from './message-text.ts';
import { ProxiedSocket } from './proxied-socket.ts';
import { SoundConnection } from './websocket-sound.ts';

/** How long a client may take to close after receiving the reason. */
const closeMs = 2_000;
/** Buffered size from which an incomplete message is watched like a request body. */
const watchedBytesMin = 65_536;
/** How often the session's tokens are refreshed. */
const refreshMs = 250;
const headBytesMax = 65_536;
const silenceMs = 2_000;
/** Maximum size of a counter or id in a non-text ping, such as a time in eight bytes. */
const countBytesMax = 8;
/** Messages that are processed before other requests run; one read may have ten thousand. */
const messagesAtOnce = 64;
/** Maximum number of pings in flight. */
const pingsMax = 8;

/** The client end of an inspected WebSocket. */
export class InspectedSocket extends ProxiedSocket {
  private readonly input: InspectionInput;
  private readonly up: WebSocketParser;
  private readonly down: WebSocketParser;
  private readonly restorer: MessageRestorer;
  private readonly tokens = new LiveMap();
  /** Tokens that replaced numbers in the session's requests and messages. */
  private readonly numbers = new ExchangeNumbers();
  private readonly sound: SoundConnection;
  private state: 'head' | 'open' | 'refused' | 'closed' = 'head';
  private headBytes: Buffer[] = [];
  /** Client data is processed in order; masking may wait for the vault. */
  private queue: Promise<void> = Promise.resolve();
  /** Number of unprocessed pieces; reading pauses until there are none. */
  private waiting = 0;
  /** True if the reader of the masked frames accepts more. */
  private isWanted = true;
  private silence: NodeJS.Timeout | undefined;
  private closing: NodeJS.Timeout | undefined;
  private readonly gone = new AbortController();
  private stopWatch: (() => void) | undefined;
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private largeBytes = 0;
  /** The payloads of the origin's last pings, which the client echoes. */
  private readonly pings: Uint8Array[] = [];

  constructor(input: InspectionInput) {
    super({ allowHalfOpen: false });
    this.input = input;
    this.sound = new SoundConnection(input.target.path, input.decision.service?.kind);
    const messageBytesMax = input.masker.options.bodyBytesMax;
    this.up = new WebSocketParser({ fromClient: true, messageBytesMax });
    this.down = new WebSocketParser({ fromClient: false, messageBytesMax: eventBytesMax, passesLarge: true });
    this.restorer = new MessageRestorer({
      map: this.tokens,
      numbers: this.numbers.tokens,
      allowsHost: input.masker.options.allowsHost,
      onCount: ({ restored, unresolved, unreadable = 0 }) => {
        input.record.restored += restored;
        input.record.unresolved += unresolved;
        input.record.unreadable += unreadable;
      },
    });
    const { socket } = input;
    this.tokens.current = input.tokens;
    if (input.head.length > 0) this.enqueue(input.head);
    socket.on('data', (chunk: Buffer) => this.enqueue(chunk));
    socket.once('end', () => {
      this.queue = this.queue.then(() => {
        // There is no reader yet that could receive the end.
        if (this.state === 'head') this.destroy();
        else this.push(null);
      });
    });
    socket.once('error', (error) => this.destroy(error));
    socket.once('close', () => {
      this.gone.abort();
      this.destroy();
    });
  }

  override _read(): void {
    this.isWanted = true;
    this.flow();
  }

  private flow(): void {
    if (this.isWanted && this.waiting === 0) this.input.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.input.record.bytesOut += chunk.length;
    if (this.state === 'closed') done();
    else if (this.state === 'head') this.readHead(chunk, done);
    else if (this.state === 'refused') this.input.socket.write(chunk, done);
    else this.relayDown(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    clearTimeout(this.silence);
    this.endCalls();
    if (this.state === 'closed') {
      // The client has yet to read the reason.
      if (this.input.socket.destroyed) done();
      else this.input.socket.once('close', () => done());
      return;
    }
    if (this.state === 'open') for (const text of this.restorer.end()) this.sendText(text);
    this.input.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.silence);
    clearTimeout(this.closing);
    this.stopWatch?.();
    this.input.socket.destroy();
    done(error);
  }

  private enqueue(chunk: Buffer): void {
    if (this.state === 'closed') return;
    this.input.record.bytesIn += chunk.length;
    this.input.socket.pause();
    this.waiting++;
    this.queue = this.queue
      .then(() => this.relayUp(chunk))
      .catch((error: unknown) => this.refuse(error))
      .then(() => {
        this.waiting--;
        this.flow();
      });
  }

  private async relayUp(chunk: Buffer): Promise<void> {
    if (this.destroyed || this.writableEnded || this.state === 'closed') return;
    const messages = this.up.push(chunk);
    this.watchPending(messages.some(({ kind }) => kind === 'text' || kind === 'binary'));
    for (const [i, message] of messages.entries()) {
      if (i > 0 && i % messagesAtOnce === 0) await setImmediate();
      const payload = await this.maskMessage(message);
      if (this.destroyed) return;
      this.isWanted = this.push(encodeWebSocketFrame(message.kind, payload, randomBytes(4)));
    }
  }

  /** Watches incomplete messages: each must complete at the minimum rate, and all of them share the buffer limit. */
  private watchPending(isAnother: boolean): void {
    if (isAnother || this.up.pending < watchedBytesMin) {
      this.stopWatch?.();
      this.stopWatch = undefined;
    }
    if (this.up.pending < watchedBytesMin) return;
    this.stopWatch ??= this.input.bodies.watch(
      () => this.up.pending,
      (error) => {
        this.up.forget();
        this.queue = this.queue.then(() => this.refuse(error));
      },
    );
  }

  /** Masks text, and binary messages that are JSON (Gemini Live); audio and other binary data follow the policy. */
  private async maskMessage(message: WebSocketMessage): Promise<Uint8Array> {
    if (message.kind !== 'text' && message.kind !== 'binary') return this.maskControl(message);
    const text = utf8Text(message.payload);
    if (text === undefined) return this.passBinary(message);
    const json = /^\s*[[{]/.test(text);
    if (message.kind === 'text') this.sound.noteText(text);
    if (message.kind === 'binary' && (!json || text.includes('\0'))) return this.passBinary(message);
    // It is parsed here, while others wait.
    if (json && weighJson(text, shortJsonWeightMax) === 'heavy') {
      if (this.mode === 'audit') return message.payload;
      throw new PrivetError('body_too_large', 'A WebSocket message is larger than the maximum.');
    }
    const isDocument = json && isJson(text);
    const { guard } = this.input;
    const opened = isDocument ? guard.open(text) : undefined;
    const result = await this.maskText(message.payload, text, isDocument ? 'application/json' : 'text/plain');
    const { body, changed } = opened === undefined ? result : await guard.finish(opened, result);
    return changed ? body : message.payload;
  }

  /** Masks pings, pongs and close reasons, which can carry text (RFC 6455 §5.5): removes a payload with a value. */
  private async maskControl({ kind, payload }: WebSocketMessage): Promise<Uint8Array> {
    const silent = payload.subarray(0, kind === 'close' ? 2 : 0);
    const said = payload.subarray(silent.length);
    if (said.length === 0 || (kind === 'pong' && this.pings.some((ping) => Buffer.compare(ping, said) === 0)))
      return payload;
    const text = utf8Text(said);
    if (text === undefined) return said.length <= countBytesMax || this.mode === 'audit' ? payload : silent;
    return (await this.maskText(said, text, 'text/plain')).changed ? silent : payload;
  }

  private get mode(): 'mask' | 'audit' {
    return this.input.decision.inspect === 'mask' ? 'mask' : 'audit';
  }

  private async maskText(bytes: Uint8Array, text: string, contentType: string) {
    const { masker, decision, target, record, session } = this.input;
    const result = await masker.maskText(
      {
        body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        contentType,
        host: target.host,
        path: target.path,
        session,
        client: record.client.subject,
        gone: this.gone.signal,
        mode: this.mode,
        types: decision.types,
      },
      text,
    );
    record.piiTypes = mergeCounts(record.piiTypes, result.counts);
    record.masked += result.masked;
    this.numbers.note(result);
    masker.numbers.remember(session, result.numbers);
    if (result.changed) await this.refresh();
    return result;
  }

  private passBinary(message: WebSocketMessage): Uint8Array {
    if (this.mode === 'audit') return message.payload;
    const kind = this.sound.carries(message.payload) ? 'audio' : 'binary';
    if (this.input.masker.options.uninspectable[kind] !== 'allow') {
      throw new PrivetError('uninspectable', `Step inspect: ${kind} messages are not sent to this service.`);
    }
    return message.payload;
  }

  private readHead(chunk: Buffer, done: (error?: Error | null) => void): void {
    this.headBytes.push(chunk);
    const bytes = Buffer.concat(this.headBytes);
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) {
      done(bytes.length > headBytesMax ? new Error('the answer to the upgrade is too large') : null);
      return;
    }
    this.headBytes = [];
    this.state = /^HTTP\/1\.1 101 /.test(bytes.toString('latin1', 0, 13)) ? 'open' : 'refused';
    if (this.state === 'refused') this.input.record.status = Number(bytes.toString('latin1', 9, 12)) || 502;
    this.input.socket.write(bytes.subarray(0, end + 4));
    const rest = bytes.subarray(end + 4);
    if (rest.length === 0) done();
    else if (this.state === 'open') this.relayDown(rest, done);
    else this.input.socket.write(rest, done);
  }

  private relayDown(chunk: Buffer, done: (error?: Error | null) => void): void {
    this.passDown(chunk).then(() => this.wrote(done), done);
  }

  private async passDown(chunk: Buffer): Promise<void> {
    for (const [i, message] of this.down.push(chunk, true).entries()) {
      if (i > 0 && i % messagesAtOnce === 0) await setImmediate();
      if (message.kind !== 'raw' && mayHoldToken(message)) await this.follow();
      if (this.state !== 'open' || this.destroyed) return;
      if (message.kind === 'close') this.endCalls();
      const refused = message.kind === 'raw' ? this.input.guard.unread() : undefined;
      if (refused !== undefined) this.pass(refused);
      else if (message.kind === 'raw') this.passRaw(message.payload);
      else if (isReadable(message)) this.guardMessage(message);
      else this.restoreMessage(message);
    }
  }

  /** Holds messages with a tool call until it is decided; all others pass immediately. */
  private guardMessage(message: WebSocketMessage): void {
    const text = utf8Text(message.payload);
    if (text === undefined) this.restoreMessage(message);
    else this.pass(this.input.guard.judge(message, withoutMark(text)));
  }

  /** The origin has finished: decides an open call, which may close the connection with the reason. */
  private endCalls(): void {
    if (this.state === 'open') this.pass(this.input.guard.end());
  }

  private pass(verdict: MessageVerdict<WebSocketMessage>): void {
    if ('error' in verdict) {
      for (const text of this.restorer.end()) this.sendText(text);
      this.sendText(verdict.notice);
      this.refuse(verdict.error);
      return;
    }
    for (const [message, json] of verdict.passed) {
      this.restoreMessage(json === undefined ? message : { kind: message.kind, payload: Buffer.from(json, 'utf8') });
    }
  }

  private wrote(done: (error?: Error | null) => void): void {
    if (this.state !== 'open' || this.destroyed) {
      done();
      return;
    }
    this.silence ??= setTimeout(() => {
      for (const text of this.restorer.end()) this.sendText(text);
    }, silenceMs).unref();
    this.silence.refresh();
    const { socket } = this.input;
    if (socket.writableNeedDrain) socket.once('drain', () => done());
    else done();
  }

  /** Passes on a message that is too large to be read, tokens included. */
  private passRaw(bytes: Uint8Array): void {
    // Held text precedes it and could not be inserted within it.
    for (const text of this.restorer.end()) this.sendText(text);
    if (this.largeBytes === 0) this.input.record.unreadable++;
    this.largeBytes += bytes.length;
    this.input.socket.write(bytes);
  }

  private restoreMessage(message: WebSocketMessage): void {
    if (this.state === 'closed') return;
    const { socket, decision } = this.input;
    if (message.kind === 'ping') {
      this.pings.push(Uint8Array.from(message.payload));
      if (this.pings.length > pingsMax) this.pings.shift();
    }
    const isRead = isReadable(message) && decision.inspect === 'mask';
    const text = isRead ? utf8Text(message.payload) : undefined;
    if (text === undefined) {
      if (isRead) this.input.record.unreadable++;
      else if (message.kind === 'close') for (const held of this.restorer.end()) this.sendText(held);
      socket.write(encodeWebSocketFrame(message.kind, message.payload));
      return;
    }
    const plain = withoutMark(text);
    for (const out of this.restorer.push(plain)) {
      socket.write(encodeWebSocketFrame(message.kind, out === plain ? message.payload : Buffer.from(out, 'utf8')));
    }
  }

  private sendText(text: string): void {
    if (!this.input.socket.destroyed) this.input.socket.write(encodeWebSocketFrame('text', Buffer.from(text, 'utf8')));
  }

  /** Closes the connection with the reason if a message is not safe to send. */
  private refuse(error: unknown): void {
    if (this.state === 'closed' || this.destroyed) return;
    const { socket, record } = this.input;
    const known =
      error instanceof PrivetError
        ? error
        : new PrivetError('internal', 'The gateway failed to read this message.', { cause: error });
    record.error = known.code;
    if (this.state === 'open') socket.end(closeFrame(known));
    else socket.end();
    this.state = 'closed';
    this.up.forget();
    this.stopWatch?.();
    clearTimeout(this.silence);
    // Later data in either direction is discarded; the connection ends when the client has read the reason.
    this.push(null);
    socket.resume();
    this.closing = setTimeout(() => this.destroy(), closeMs).unref();
  }

  private async refresh(): Promise<void> {
    this.refreshedAt = performance.now();
    const { vault, session, masker } = this.input;
    this.tokens.current = await vault.tokens(session);
    this.numbers.add(await masker.numbers.of(session));
  }

  /** Refreshes the tokens, which other requests may have added; if the store is unavailable, the known ones stay. */
  private async follow(): Promise<void> {
    if (this.input.decision.inspect !== 'mask' || performance.now() - this.refreshedAt < refreshMs) return;
    await this.refresh().catch(() => {});
  }
}
