/** Responses collected before they are restored, and their total memory limit. */
import { Pieces } from '../../../core/stream/pieces.ts';

const collectedMax = 256 * 1024 * 1024;
let collectedBytes = 0;

/** True when the collected responses of this process have reached the memory limit. */
export function collectionIsFull(): boolean {
  return collectedBytes > collectedMax;
}

/** Counts bytes as collected while work with them is under way. */
export async function countedWhile<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  collectedBytes += bytes;
  const result = await work();
  collectedBytes -= bytes;
  return result;
}

/** The pieces of one answer. */
export class CollectedBody {
  readonly #pieces = new Pieces<Buffer>((parts) => Buffer.concat(parts));
  #counted = 0;

  get size(): number {
    return this.#pieces.size;
  }

  /** Keeps a piece; returns the size so far. */
  push(chunk: Buffer): number {
    this.#pieces.push(chunk);
    this.#counted += chunk.length;
    collectedBytes += chunk.length;
    return this.size;
  }

  /** Returns the parts and forgets them. */
  take(): readonly Buffer[] {
    this.uncount();
    return this.#pieces.take();
  }

  /** Returns all of it and forgets it. */
  takeWhole(): Buffer {
    this.uncount();
    return this.#pieces.takeWhole();
  }

  /** The response has ended: its remaining bytes no longer count. */
  uncount(): void {
    collectedBytes -= this.#counted;
    this.#counted = 0;
  }
}
