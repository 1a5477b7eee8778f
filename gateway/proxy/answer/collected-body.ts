/** Responses collected before they are restored, with a limit on their total memory. */
import { Pieces } from '../../../core/stream/pieces.ts';

const collectedMax = 256 * 1024 * 1024;
let collectedBytes = 0;

/** True when the collected responses of this process have reached the memory limit. */
export function collectionIsFull(): boolean {
  return collectedBytes > collectedMax;
}

/** Counts bytes as collected while `work` runs. */
export async function countedWhile<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  collectedBytes += bytes;
  const result = await work();
  collectedBytes -= bytes;
  return result;
}

/** The pieces of one response. */
export class CollectedBody {
  readonly #pieces = new Pieces<Buffer>((parts) => Buffer.concat(parts));
  #counted = 0;

  get size(): number {
    return this.#pieces.size;
  }

  /** Adds a piece; returns the size so far. */
  push(chunk: Buffer): number {
    this.#pieces.push(chunk);
    this.#counted += chunk.length;
    collectedBytes += chunk.length;
    return this.size;
  }

  /** Returns the pieces and clears the collection. */
  take(): readonly Buffer[] {
    this.uncount();
    return this.#pieces.take();
  }

  /** Returns everything joined and clears the collection. */
  takeWhole(): Buffer {
    this.uncount();
    return this.#pieces.takeWhole();
  }

  /** Stops counting this body's bytes, because the response has ended. */
  uncount(): void {
    collectedBytes -= this.#counted;
    this.#counted = 0;
  }
}
