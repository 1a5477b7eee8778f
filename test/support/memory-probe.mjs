/** Loaded into a gateway's process: on SIGUSR2 it logs the bytes of the buffers in use. */
import { isMainThread } from 'node:worker_threads';

let number = 0;
if (isMainThread)
  process.on('SIGUSR2', () => {
    // V8 counts freed buffers until the next collection.
    globalThis.gc();
    globalThis.gc();
    process.stderr.write(
      `${JSON.stringify({ event: 'memory_probe', number: ++number, array_buffers: process.memoryUsage().arrayBuffers })}\n`,
    );
  });
