/**
 * Checks the data after a ClientHello. A TLS 1.3 server may request a second one (RFC 8446 §4.1.4), which is also
 * unencrypted, and real servers use the name in that one.
 */

import type { Tunnel } from '../tunnel/tunnel.ts';
import { type ClientHello, openingBytesMax, readClientHello } from './client-hello.ts';
import type { Inlet, InletReader } from './inlet.ts';

type Source = Pick<Inlet, 'read' | 'hold'>;
type Sink = Pick<Tunnel, 'pass' | 'startUp' | 'end'>;

const changeCipherSpec = 0x14;
const alert = 0x15;
const handshake = 0x16;
const applicationData = 0x17;
const clientHello = 1;
/** Bytes of a ClientHello up to the length of its session id. */
const helloStart = 4 + 2 + 32 + 1;
/** Records that a server may skip between two hellos. */
const skippedRecordsMax = 64;
/** Real servers skip up to 16 KiB of early data (RFC 8446 §4.2.10). */
const skippedBytesMax = 256 * 1024;

/**
 * Relays into a tunnel, starting with `bytes`, which start with `hello`. A second hello is relayed only if it has the
 * same name; otherwise `onOther` is called, and the server receives none of it.
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
  /** Undecided data that the tunnel has not received. */
  private held: Buffer | undefined = undefined;
  /** Remaining bytes of a record to skip. */
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

  /** True if these bytes complete the check. */
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
        // No server accepts data between the records of a hello, except early data (RFC 8446 §5.1).
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
 * True if the first bytes of a record may start a ClientHello that a server accepts (RFC 8446 §4.1.2). A resumed TLS
 * 1.2 session sends an encrypted message here, which may start with any byte.
 */
function mayBeHello(start: Buffer): boolean {
  const lengthHigh = start[1] ?? 0;
  const version = start[4] ?? 3;
  const sessionId = start[helloStart - 1] ?? 0;
  return (start[0] ?? clientHello) === clientHello && lengthHigh <= 2 && version >= 3 && sessionId <= 32;
}
