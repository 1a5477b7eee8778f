/** Large data in slices, because TLS encrypts what is written at once in one turn, at some 100 MB/s. */
import { setImmediate } from 'node:timers/promises';

/** Larger data is written in slices of this many bytes. */
export const sliceBytes = 262_144;

/** The slices; other work runs between them. An empty document is one empty slice. */
export async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, sliceBytes);
  for (let at = sliceBytes; at < bytes.length; at += sliceBytes) {
    await setImmediate();
    yield bytes.subarray(at, at + sliceBytes);
  }
}
