/** Loaded into a gateway's process: at SIGUSR2 it tells the bytes of the buffers in use, as a line of the log. */
import { isMainThread } from 'node:worker_threads';

let number = 0;
if (isMainThread)
  process.on('SIGUSR2', () => {
    // V8 counts what a collection has found until the next one.
    globalThis.gc();
    globalThis.gc();
    process.stderr.write(
      `${JSON.stringify({ event: 'memory_probe', number: ++number, array_buffers: process.memoryUsage().arrayBuffers })}\n`,
    );
  });
