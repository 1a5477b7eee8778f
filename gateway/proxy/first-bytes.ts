/** What a client sends first in a tunnel, which tells what the tunnel is for. */
import { openingBytesMax, readOpening, type TunnelOpening } from './client-hello.ts';
import type { Inlet, InletReader } from './inlet.ts';
import type { Tunnel } from './tunnel.ts';

/** The client must show what it wants within this time; servers that speak first are not held up by it. */
const openingMs = 10_000;
/** What may still become a request only to a lenient server is not held up longer. */
const opaqueMs = 1_000;

type OpeningTunnel = Pick<Tunnel, 'pass' | 'startUp'>;

/** Told what the first bytes are, once, and the bytes themselves. */
export type OnOpening = (opening: TunnelOpening, bytes: Buffer) => void;

/**
 * Reads until the opening is known; then nobody reads until `onOpening` says who does. Silence is no opening: servers that
 * speak first get their turn. Into a `tunnel` goes meanwhile what is most likely no request, of a client that may wait for an
 * answer to it, and the end of a client that says nothing; those bytes are not told again.
 */
export function readFirstBytes(inlet: Inlet, head: Buffer, onOpening: OnOpening, tunnel?: OpeningTunnel): void {
  const first = new FirstBytes(inlet, onOpening, tunnel);
  if (head.length === 0 || !first.take(head)) inlet.read(first);
}

/** May be kept for long: what Node takes from its common pool keeps a whole piece of it. */
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
  /** How many of them the tunnel has. */
  private passed = 0;
  private timer: NodeJS.Timeout | undefined = undefined;
  /** The time is that of what is most likely no request. */
  private isShort = false;

  constructor(inlet: Inlet, onOpening: OnOpening, tunnel: OpeningTunnel | undefined) {
    this.inlet = inlet;
    this.onOpening = onOpening;
    this.tunnel = tunnel;
  }

  data(chunk: Buffer): void {
    this.take(chunk);
  }

  /** Whether the opening is known with these bytes. */
  take(chunk: Buffer): boolean {
    const bytes = this.bytes === undefined ? chunk : Buffer.concat([this.bytes, chunk]);
    const opening = readOpening(bytes);
    const isOpen = opening.kind === 'incomplete' && bytes.length < openingBytesMax;
    this.bytes = isOpen ? ownCopy(bytes) : bytes;
    if (isOpen) {
      // Only a client that has begun to speak must finish its first message in time.
      // There is no hurry where nothing but a request would do.
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
      // Some servers answer a method and its target without anything else, as of HTTP/0.9. A word alone names nobody.
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
    // The server has the beginning of it, so that it is nothing that could be served here.
    const isMixed = this.passed > 0 && opening.kind !== 'opaque';
    const rest = (this.bytes as Buffer).subarray(this.passed);
    // The socket has a listener of this for as long as it lives.
    this.bytes = undefined;
    this.onOpening(isMixed ? { kind: 'unclear' } : opening, rest);
  }

  /** It may be a word that its sender wants an answer to; what follows is looked at all the same. */
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
