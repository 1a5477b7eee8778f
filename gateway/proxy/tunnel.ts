/**
 * Tunnels: bytes from one socket to another, unread, with half-close and back-pressure kept (RFC 9110 §9.3.6).
 *
 * Quiet tunnels read into one scratch buffer that the whole process shares and copy the few bytes out, so that an idle
 * tunnel owns no read buffer; a direction whose reads are large gets its own recycled 256 KiB buffers, which are given
 * back when the write is done. Plain `pipe` costs twice the CPU per byte because node allocates for each read.
 */
import net from 'node:net';
import { TLSSocket } from 'node:tls';
import { setHeir } from './closed-sockets.ts';
import type { Inlet, InletReader } from './inlet.ts';
import { probe } from './keep-alive-probes.ts';

const scratch = Buffer.allocUnsafeSlow(64 * 1024);
/** A read of at least this size means that the direction carries bulk data. */
const largeReadBytes = 16 * 1024;
const bulkBufferBytes = 256 * 1024;
/** Bulk buffers of the whole process (32 MiB); past that a direction stays with the scratch buffer. */
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
  /** Bytes read before the sink was there. */
  private waiting: Buffer[] | undefined = undefined;
  private bulk = false;
  private smallReads = 0;
  private paused = false;
  private held: Buffer | undefined = undefined;

  /** Options for a socket that reads for this direction. */
  onread(): net.OnReadOpts {
    return {
      buffer: () => this.nextBuffer(),
      callback: (length: number, buffer: Uint8Array) => this.deliver(length, buffer as Buffer),
    };
  }

  private nextBuffer(): Buffer {
    // A buffer that was handed out but not filled is used again.
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

  /** Relays a chunk that came as an event, from a source without read buffers of ours. */
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

  /** Names both ends; what was read before goes out. The source calls {@link end}, or {@link start} sees to it. */
  join(source: net.Socket, sink: net.Socket): void {
    this.source = source;
    this.sink = sink;
    for (const chunk of this.waiting ?? []) sink.write(chunk);
    this.waiting = undefined;
  }

  /** Starts relaying: the end of one side ends the other. */
  start(source: net.Socket, sink: net.Socket): void {
    this.join(source, sink);
    if (source.readableEnded) sink.end();
    else source.on('end', this.end);
  }

  /** The source has ended. */
  readonly end = (): void => {
    this.sink?.end();
  };

  /** Sends what comes from now on to another socket of the same connection. */
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
 * Takes the connection out of a socket and puts it into a new one that reads through `onread`; node offers recycled
 * read buffers only at construction, and an accepted socket is constructed by the server.
 * The old socket is destroyed without closing the connection. Nothing may be waiting to be written on it.
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
  // Ends the old object only.
  socket.destroy();
  return fresh;
}

/** Bytes that wait in Node, and of the write that is under way in libuv. */
function unsent(socket: net.Socket | undefined): number {
  if (socket === undefined) return 0;
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}

/** What a finished tunnel moved. */
export type TunnelResult = { readonly bytesUp: number; readonly bytesDown: number };

/** A tunnel between a client and an upstream socket; it reads what the client sends. */
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

  /** Bytes that were read or that a slow end has taken, of both directions: stands still while nothing happens. */
  get progress(): number {
    return this.up.bytes + this.down.bytes - unsent(this.client) - unsent(this.upstream);
  }

  /** Read options for the upstream socket, to be passed to its constructor. */
  get upstreamOnread(): net.OnReadOpts {
    return this.down.onread();
  }

  /** Lets bytes of the upstream reach the client before the client has said anything (SMTP, SSH speak first). */
  startDown(upstream: net.Socket, inlet: Inlet): void {
    const client = inlet.socket;
    this.upstream = upstream;
    this.inlet = inlet;
    this.client = client;
    this.watch(upstream);
    this.watch(client);
    this.down.start(upstream, client);
    // A parent proxy may speak TLS; such a socket has no read buffers of ours.
    if (upstream instanceof TLSSocket) upstream.on('data', (chunk: Buffer) => this.down.relay(chunk));
    upstream.resume();
  }

  /** Sends bytes that were read to look at the opening. */
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
   * Few tunnels carry much upwards, and a new socket costs a tenth of a short tunnel: only those get one that reads
   * into recycled buffers. What waits to be written on the old one would be lost, so it happens in a quiet moment.
   */
  private useReadBuffers(): void {
    const client = this.client as net.Socket;
    const upstream = this.upstream as net.Socket;
    // The handle of a TLS socket gives and takes ciphertext.
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

  /** Lets go of the client, which is then served by someone else; the upstream side may be closed. */
  release(): void {
    if (this.client) this.unwatch(this.client);
    this.inlet = undefined;
    this.client = undefined;
    this.down.sink = undefined;
    this.open = 1;
  }

  /** Ends both sides at once. */
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
