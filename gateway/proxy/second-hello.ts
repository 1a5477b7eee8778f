/**
 * What a client sends behind its ClientHello. A TLS 1.3 server may ask for another one (RFC 8446 §4.1.4), which is in plain
 * as well, and servers in use take the name that stands in that.
 */
import { type ClientHello, openingBytesMax, readClientHello } from './client-hello.ts';
import type { Inlet, InletReader } from './inlet.ts';
import type { Tunnel } from './tunnel.ts';

type Source = Pick<Inlet, 'read' | 'hold'>;
type Sink = Pick<Tunnel, 'pass' | 'startUp' | 'end'>;

const changeCipherSpec = 0x14;
const alert = 0x15;
const handshake = 0x16;
const applicationData = 0x17;
const clientHello = 1;
/** Bytes of a ClientHello up to the length of its session id. */
const helloStart = 4 + 2 + 32 + 1;
/** Records that a server may pass over between two hellos. */
const skippedRecordsMax = 64;
/** Early data that servers pass over (RFC 8446 §4.2.10) is 16 KiB in those in use. */
const skippedBytesMax = 256 * 1024;

/**
 * Relays into a tunnel, from `bytes` on, which begin with `hello`. Another hello goes on only with the same name; else
 * `onOther` is called, and the server has heard nothing of it.
 */
export function relayHello(
  inlet: Source,
  tunnel: Sink,
  { hello, bytes, onOther }: { readonly hello: ClientHello; readonly bytes: Buffer; readonly onOther: () => void },
): void {
  tunnel.pass(bytes.subarray(0, hello.end));
  const look = new SecondHello(inlet, tunnel, hello, onOther);
  if (!look.take(bytes.subarray(hello.end))) inlet.read(look);
}

class SecondHello implements InletReader {
  private readonly inlet: Source;
  private readonly tunnel: Sink;
  private readonly first: ClientHello;
  private readonly onOther: () => void;
  /** What is not told yet; the tunnel has not got it. */
  private held: Buffer | undefined = undefined;
  /** How many bytes of a record that does not matter are to come. */
  private skipped = 0;
  private records = 0;
  private skippedBytes = 0;

  constructor(inlet: Source, tunnel: Sink, first: ClientHello, onOther: () => void) {
    this.inlet = inlet;
    this.tunnel = tunnel;
    this.first = first;
    this.onOther = onOther;
  }

  data(chunk: Buffer): void {
    this.take(chunk);
  }

  end(): void {
    this.tunnel.end();
  }

  /** Whether the look has come to its end with these bytes. */
  take(chunk: Buffer): boolean {
    const bytes = this.held === undefined ? chunk : Buffer.concat([this.held, chunk]);
    let at = Math.min(this.skipped, bytes.length);
    this.skipped -= at;
    for (;;) {
      if (bytes.length < at + 5) break;
      const type = bytes[at] as number;
      if (type === handshake) {
        const length = bytes.readUInt16BE(at + 3);
        const shown = at + 5 + Math.min(length, helloStart);
        if (bytes.length < shown) break;
        if (!mayBeHello(bytes.subarray(at + 5, shown))) return this.goOn(bytes);
        const hello = readClientHello(bytes.subarray(at));
        if (hello.kind === 'tls') return hello.serverName === this.first.serverName ? this.goOn(bytes) : this.refuse();
        // No server takes data between the records of a hello, unless it may be early (RFC 8446 §5.1).
        const isCut = length > 0 && (length < 4 || length < 4 + bytes.readUIntBE(at + 6, 3));
        const behind = isCut ? bytes[at + 5 + length] : undefined;
        if (behind === applicationData && !this.first.early) return this.goOn(bytes);
        const isToCome = hello.kind === 'incomplete' || (isCut && behind === undefined);
        if (isToCome && bytes.length - at < openingBytesMax) break;
        return this.refuse();
      }
      const isSkipped = type === changeCipherSpec || type === alert || (type === applicationData && this.first.early);
      if (!isSkipped) return this.goOn(bytes);
      const length = 5 + bytes.readUInt16BE(at + 3);
      this.skippedBytes += length;
      if (type !== applicationData && ++this.records > skippedRecordsMax) return this.refuse();
      if (this.skippedBytes > skippedBytesMax) return this.goOn(bytes);
      const here = Math.min(length, bytes.length - at);
      this.skipped = length - here;
      at += here;
    }
    this.tunnel.pass(bytes.subarray(0, at));
    this.held = at < bytes.length ? bytes.subarray(at) : undefined;
    return false;
  }

  private goOn(bytes: Buffer): true {
    this.held = undefined;
    this.tunnel.startUp(bytes);
    return true;
  }

  private refuse(): true {
    this.held = undefined;
    this.inlet.hold();
    this.onOther();
    return true;
  }
}

/**
 * Whether these first bytes of a record, as many as are there, may begin a ClientHello that a server takes (RFC 8446 §4.1.2).
 * A session of TLS 1.2 that is resumed sends an encrypted message here, which is a random one to us and begins with any byte.
 */
function mayBeHello(start: Buffer): boolean {
  const lengthHigh = start[1] ?? 0;
  const version = start[4] ?? 3;
  const sessionId = start[helloStart - 1] ?? 0;
  return (start[0] ?? clientHello) === clientHello && lengthHigh <= 2 && version >= 3 && sessionId <= 32;
}
