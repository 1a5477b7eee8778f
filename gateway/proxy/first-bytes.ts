/** What a client sends first in a tunnel, which tells what the tunnel is for. */
import { openingBytesMax, readOpening, type TunnelOpening } from './client-hello.ts';
import type { Inlet, InletReader } from './inlet.ts';

/** The client must show what it wants within this time; servers that speak first are not held up by it. */
const openingMs = 10_000;
/** What may still become a request only to a lenient server is not held up longer. */
const opaqueMs = 1_000;

/** Told what the first bytes are, once, and the bytes themselves. */
export type OnOpening = (opening: TunnelOpening, bytes: Buffer) => void;

/**
 * Reads until the opening is known; then nobody reads until `onOpening` says who does. Silence is no opening: servers that
 * speak first get their turn, and a client that ends its side without a word is told to `onEnd`.
 */
export function readFirstBytes(inlet: Inlet, head: Buffer, onOpening: OnOpening, onEnd?: () => void): void {
  const first = new FirstBytes(inlet, onOpening, onEnd);
  if (head.length === 0 || !first.take(head)) inlet.read(first);
}

class FirstBytes implements InletReader {
  private readonly inlet: Inlet;
  private readonly onOpening: OnOpening;
  private readonly onSilentEnd: (() => void) | undefined;
  private bytes: Buffer | undefined = undefined;
  private timer: NodeJS.Timeout | undefined = undefined;
  /** The time is that of what is most likely no request. */
  private isShort = false;

  constructor(inlet: Inlet, onOpening: OnOpening, onEnd: (() => void) | undefined) {
    this.inlet = inlet;
    this.onOpening = onOpening;
    this.onSilentEnd = onEnd;
  }

  data(chunk: Buffer): void {
    this.take(chunk);
  }

  /** Whether the opening is known with these bytes. */
  take(chunk: Buffer): boolean {
    const bytes = this.bytes === undefined ? chunk : Buffer.concat([this.bytes, chunk]);
    const opening = readOpening(bytes);
    if (opening.kind === 'incomplete' && bytes.length < openingBytesMax) {
      this.bytes = bytes;
      // Only a client that has begun to speak must finish its first message in time.
      const isShort = opening.mayBeOpaque === true;
      if (this.timer === undefined || isShort !== this.isShort) this.limitTime(isShort);
      return false;
    }
    this.tell(opening.kind === 'incomplete' ? { kind: 'unclear' } : opening, bytes);
    return true;
  }

  end(): void {
    if (this.bytes !== undefined) this.tell({ kind: 'opaque' }, this.bytes);
    else if (this.onSilentEnd !== undefined) this.onSilentEnd();
    else this.inlet.socket.end();
  }

  private tell(opening: TunnelOpening, bytes: Buffer): void {
    clearTimeout(this.timer);
    this.inlet.hold();
    this.onOpening(opening, bytes);
  }

  private limitTime(isShort: boolean): void {
    const { socket } = this.inlet;
    if (this.timer === undefined) socket.once('close', () => clearTimeout(this.timer));
    clearTimeout(this.timer);
    this.isShort = isShort;
    const isOver = () => (isShort && this.bytes ? this.tell({ kind: 'opaque' }, this.bytes) : socket.destroy());
    this.timer = setTimeout(isOver, isShort ? opaqueMs : openingMs);
  }
}
