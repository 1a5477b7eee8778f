/** Reads the first data of a client in a tunnel, to find out what the tunnel is for. */

import type { Tunnel } from '../tunnel/tunnel.ts';
import { openingBytesMax, readOpening, type TunnelOpening } from './client-hello.ts';
import type { Inlet, InletReader } from './inlet.ts';

/** How long a client may take to send its opening; does not delay servers that speak first. */
const openingMs = 10_000;
/** Maximum delay of bytes that only a lenient server would read as a request. */
const opaqueMs = 1_000;

type OpeningTunnel = Pick<Tunnel, 'pass' | 'startUp'>;

/** Called once with the classification and the bytes. */
export type OnOpening = (opening: TunnelOpening, bytes: Buffer) => void;

/**
 * Reads until the opening is classified; then nothing is read until `onOpening` assigns a reader. Silence is not an
 * opening: servers that speak first get their turn. Meanwhile `tunnel` receives bytes that are probably not a request
 * from a client that may wait for a reply, and the end of a silent client; those bytes are not reported again.
 */
export function readFirstBytes(inlet: Inlet, head: Buffer, onOpening: OnOpening, tunnel?: OpeningTunnel): void {
  const first = new FirstBytes(inlet, onOpening, tunnel);
  if (head.length === 0 || !first.take(head)) inlet.read(first);
}

/** A copy, because it may be kept for long: a slice of Node's common pool would pin a whole pool chunk. */
function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

class FirstBytes implements InletReader {
  private readonly inlet: Inlet;
  private readonly onOpening: OnOpening;
  private readonly tunnel: OpeningTunnel | undefined;
  private bytes: Buffer | undefined = undefined;
  /** How many of the bytes the tunnel has received. */
  private passed = 0;
  private timer: NodeJS.Timeout | undefined = undefined;
  /** The shorter time limit applies. */
  private isShort = false;

  constructor(inlet: Inlet, onOpening: OnOpening, tunnel: OpeningTunnel | undefined) {
    this.inlet = inlet;
    this.onOpening = onOpening;
    this.tunnel = tunnel;
  }

  data(chunk: Buffer): void {
    this.take(chunk);
  }

  /** True if these bytes complete the opening. */
  take(chunk: Buffer): boolean {
    const bytes = this.bytes === undefined ? chunk : Buffer.concat([this.bytes, chunk]);
    const opening = readOpening(bytes);
    const isIncomplete = opening.kind === 'incomplete' && bytes.length < openingBytesMax;
    this.bytes = isIncomplete ? ownCopy(bytes) : bytes;
    if (isIncomplete) {
      // Only a client that has begun to speak must finish its first message in time. There is no hurry where only a
      // request is acceptable.
      const isShort = opening.mayBeOpaque === true && this.tunnel !== undefined;
      if (isShort && this.passed > 0) this.pass();
      else if (this.timer === undefined || isShort !== this.isShort) this.limitTime(isShort);
      return false;
    }
    this.tell(opening.kind === 'incomplete' ? { kind: 'unclear' } : opening);
    return true;
  }

  end(): void {
    if (this.bytes !== undefined) {
      const opening = readOpening(this.bytes);
      // Some servers answer a method and target without anything else, as in HTTP/0.9. A single word names no host.
      const isRequest =
        opening.kind === 'incomplete' && /[!-~][\t\v\f\r\x1c- \x85\xa0]+[!-~]/.test(this.bytes.toString('latin1'));
      this.tell({ kind: isRequest && opening.mayBeOpaque !== true ? 'unclear' : 'opaque' });
    } else if (this.tunnel !== undefined) {
      this.tunnel.startUp();
    } else {
      this.inlet.socket.end();
    }
  }

  private tell(opening: TunnelOpening): void {
    clearTimeout(this.timer);
    this.inlet.hold();
    // The server already has the beginning, so it can no longer be served here.
    const isMixed = this.passed > 0 && opening.kind !== 'opaque';
    const rest = (this.bytes as Buffer).subarray(this.passed);
    // The socket keeps this listener for its lifetime, so release the bytes.
    this.bytes = undefined;
    this.onOpening(isMixed ? { kind: 'unclear' } : opening, rest);
  }

  /** The sender may wait for a reply to this word; what follows is still inspected. */
  private pass(): void {
    const bytes = this.bytes as Buffer;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.tunnel?.pass(bytes.subarray(this.passed));
    this.passed = bytes.length;
  }

  private limitTime(isShort: boolean): void {
    const { socket } = this.inlet;
    if (this.timer === undefined && this.passed === 0) socket.once('close', () => clearTimeout(this.timer));
    clearTimeout(this.timer);
    this.isShort = isShort;
    const isOver = () => (isShort ? this.pass() : socket.destroy());
    this.timer = setTimeout(isOver, isShort ? opaqueMs : openingMs);
  }
}
