/**
 * Tunnels: relay bytes between two sockets unread, preserving half-close and back-pressure (RFC 9110 §9.3.6). Quiet
 * tunnels read into one scratch buffer of the process and copy the few bytes out, so an idle tunnel owns no read
 * buffer. A direction with large reads gets its own recycled 256 KiB buffers, which are returned when the write is
 * done. Plain `pipe` costs twice the CPU per byte, because Node allocates for each read.
 */
import net from 'node:net';
import { TLSSocket } from 'node:tls';
import { setHeir } from '../listen/closed-sockets.ts';
import type { Inlet, InletReader } from '../listen/inlet.ts';
import { probe } from '../listen/keep-alive-probes.ts';

const scratch = Buffer.allocUnsafeSlow(64 * 1024);
/** A read of at least this size indicates bulk data. */
const largeReadBytes = 16 * 1024;
const bulkBufferBytes = 256 * 1024;
/** Bulk buffers per process (32 MiB); beyond that, a direction keeps using the scratch buffer. */
const bulkBuffersMax = 128;
/** A client that has sent this much is uploading. */
const bulkUploadBytes = 1024 * 1024;
/** Unsent bytes of a direction after which its source is paused. */
const pendingBytesMax = 512 * 1024;

const freeBuffers: Buffer[] = [];
let bulkBuffers = 0;

function acquireBuffer(): Buffer | undefined {
  const free = freeBuffers.pop();
  if (free) return free;
  if (bulkBuffers >= bulkBuffersMax) return undefined;
  bulkBuffers++;
  return Buffer.allocUnsafeSlow(bulkBufferBytes);
}

function releaseBuffer(buffer: Buffer): void {
  if (freeBuffers.length < 8) freeBuffers.push(buffer);
  else bulkBuffers--;
}

/** One direction of a tunnel. */
class Direction {
  bytes = 0;
  source: net.Socket | undefined = undefined;
  sink: net.Socket | undefined = undefined;
  /** Bytes read before there was a sink. */
  private waiting: Buffer[] | undefined = undefined;
  private bulk = false;
  private smallReads = 0;
  private paused = false;
  private held: Buffer | undefined = undefined;

  /** Read options for a socket of this direction. */
  onread(): net.OnReadOpts {
    return {
      buffer: () => this.nextBuffer(),
      callback: (length: number, buffer: Uint8Array) => this.deliver(length, buffer as Buffer),
    };
  }

  private nextBuffer(): Buffer {
    // Reuse a buffer that was handed out but not filled.
    if (this.held && this.bulk) return this.held;
    if (this.held) {
      releaseBuffer(this.held);
      this.held = undefined;
    }
    if (this.bulk) this.held = acquireBuffer();
    return this.held ?? scratch;
  }

  private deliver(length: number, buffer: Buffer): boolean {
    this.bytes += length;
    if (length >= largeReadBytes) {
      this.bulk = true;
      this.smallReads = 0;
    } else if (this.bulk && ++this.smallReads > 8) {
      this.bulk = false;
    }
    const sink = this.sink;
    if (!sink) {
      this.waiting ??= [];
      this.waiting.push(Buffer.from(buffer.subarray(0, length)));
      return true;
    }
    if (buffer === scratch) {
      sink.write(Buffer.from(buffer.subarray(0, length)), this.written);
    } else {
      this.held = undefined;
      sink.write(buffer.subarray(0, length), () => {
        releaseBuffer(buffer);
        this.written();
      });
    }
    if (sink.writableLength > pendingBytesMax) this.paused = true;
    return !this.paused;
  }

  /** Relays a chunk from a source without our read buffers. */
  relay(chunk: Buffer): void {
    this.bytes += chunk.length;
    const sink = this.sink as net.Socket;
    sink.write(chunk, this.written);
    if (sink.writableLength <= pendingBytesMax) return;
    this.paused = true;
    this.source?.pause();
  }

  private readonly written = (): void => {
    if (!this.paused || (this.sink?.writableLength ?? 0) > pendingBytesMax / 2) return;
    this.paused = false;
    this.source?.resume();
  };

  /** Connects both ends and sends waiting data. For the source's end see {@link end} and {@link start}. */
  join(source: net.Socket, sink: net.Socket): void {
    this.source = source;
    this.sink = sink;
    for (const chunk of this.waiting ?? []) sink.write(chunk);
    this.waiting = undefined;
  }

  /** Starts relaying: the end of one socket ends the other. */
  start(source: net.Socket, sink: net.Socket): void {
    this.join(source, sink);
    if (source.readableEnded) sink.end();
    else source.on('end', this.end);
  }

  /** Ends the sink. */
  readonly end = (): void => {
    this.sink?.end();
  };

  /** Sends further data to another socket of the same connection. */
  redirect(sink: net.Socket): void {
    this.sink = sink;
    if (this.source?.readableEnded) sink.end();
  }

  dispose(): void {
    if (this.held) releaseBuffer(this.held);
    this.held = undefined;
    this.bulk = false;
  }
}

/**
 * Moves a connection from its socket to a new one that reads through `onread`. Node accepts read buffers only at
 * construction, and the server constructs accepted sockets. The old socket, which must have no pending writes, is
 * destroyed without closing the connection.
 */
export function rewrapSocket(socket: net.Socket, onread: net.OnReadOpts): net.Socket {
  const internal = socket as unknown as { _handle: { readStop(): void; reading: boolean } | null };
  const handle = internal._handle;
  if (!handle) throw new Error('the socket has no connection');
  handle.readStop();
  handle.reading = false;
  internal._handle = null;
  const options = { handle, onread, allowHalfOpen: true, manualStart: true };
  const fresh = new net.Socket(options as unknown as net.SocketConstructorOpts);
  fresh.on('error', () => {});
  probe(fresh);
  setHeir(socket, fresh);
  // Destroys only the old object.
  socket.destroy();
  return fresh;
}

/** Bytes pending in Node, and in libuv's current write. */
function unsent(socket: net.Socket | undefined): number {
  if (socket === undefined) return 0;
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}

/** Bytes moved by a finished tunnel. */
export type TunnelResult = { readonly bytesUp: number; readonly bytesDown: number };

/** A tunnel between a client and an upstream socket; reads the client's data. */
export class Tunnel implements InletReader {
  private readonly up = new Direction();
  private readonly down = new Direction();
  private open = 2;
  private readonly onEnd: (result: TunnelResult) => void;
  private inlet: Inlet | undefined = undefined;
  private client: net.Socket | undefined = undefined;
  private upstream: net.Socket | undefined = undefined;

  constructor(onEnd: (result: TunnelResult) => void) {
    this.onEnd = onEnd;
  }

  /** Bytes read, plus bytes accepted by a slow end, in both directions; constant while nothing happens. */
  get progress(): number {
    return this.up.bytes + this.down.bytes - unsent(this.client) - unsent(this.upstream);
  }

  /** Read options for the upstream socket's constructor. */
  get upstreamOnread(): net.OnReadOpts {
    return this.down.onread();
  }

  /** Lets upstream bytes reach the client before it has sent anything (SMTP and SSH servers speak first). */
  startDown(upstream: net.Socket, inlet: Inlet): void {
    const client = inlet.socket;
    this.upstream = upstream;
    this.inlet = inlet;
    this.client = client;
    this.watch(upstream);
    this.watch(client);
    this.down.start(upstream, client);
    // A parent proxy may use TLS; such a socket has none of our read buffers.
    if (upstream instanceof TLSSocket) upstream.on('data', (chunk: Buffer) => this.down.relay(chunk));
    upstream.resume();
  }

  /** Sends bytes that were read to classify the opening. */
  pass(early: Buffer): void {
    this.up.join(this.client as net.Socket, this.upstream as net.Socket);
    if (early.length > 0) this.up.relay(early);
  }

  /** Starts the other direction with such bytes. */
  startUp(early: Buffer = Buffer.alloc(0)): void {
    this.pass(early);
    this.inlet?.read(this);
  }

  data(chunk: Buffer): void {
    this.up.relay(chunk);
    if (this.up.bytes >= bulkUploadBytes) this.useReadBuffers();
  }

  end(): void {
    this.up.end();
  }

  /**
   * Gives an upload a new socket with recycled buffers: few tunnels upload much, and the socket costs a tenth of a
   * short tunnel. Pending writes on the old socket would be lost, so it waits for a quiet moment.
   */
  private useReadBuffers(): void {
    const client = this.client as net.Socket;
    const upstream = this.upstream as net.Socket;
    // The handle of a TLS socket reads and writes ciphertext.
    if (client instanceof TLSSocket) return;
    if (client.writableLength > 0 || client.readableLength > 0 || client.readableEnded || client.destroyed) return;
    this.unwatch(client);
    const isPaused = client.isPaused();
    this.inlet?.release();
    this.inlet = undefined;
    const fresh = rewrapSocket(client, this.up.onread());
    this.client = fresh;
    this.watch(fresh);
    this.down.redirect(fresh);
    this.up.start(fresh, upstream);
    if (!isPaused) fresh.resume();
  }

  /** Releases the client to another server; the upstream socket may be closed. */
  release(): void {
    if (this.client) this.unwatch(this.client);
    this.inlet = undefined;
    this.client = undefined;
    this.down.sink = undefined;
    this.open = 1;
  }

  /** Closes both sockets at once. */
  destroy(): void {
    this.client?.destroy();
    this.upstream?.destroy();
  }

  private readonly onError = (): void => this.destroy();

  private readonly onClose = (failed: boolean): void => {
    if (failed) this.destroy();
    if (--this.open === 0) this.finish();
  };

  private watch(socket: net.Socket): void {
    socket.on('error', this.onError);
    socket.on('close', this.onClose);
  }

  private unwatch(socket: net.Socket): void {
    socket.off('error', this.onError);
    socket.off('close', this.onClose);
  }

  private finish(): void {
    this.up.dispose();
    this.down.dispose();
    this.onEnd({ bytesUp: this.up.bytes, bytesDown: this.down.bytes });
  }
}
