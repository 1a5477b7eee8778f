/**
 * Loaded into the gateway by stalls.ts: the longest time that its main thread worked without looking at anybody else, in CPU
 * time, which other programs on the machine do not lengthen. Written to TURN_FILE on SIGUSR2, and begun anew.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.TURN_FILE) {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = () => {
    const used = process.threadCpuUsage(last);
    longest = Math.max(longest, used.user + used.system);
    last = process.threadCpuUsage();
    setTimeout(look, 1).unref();
  };
  look();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.TURN_FILE, String(longest / 1000));
    longest = 0;
  });
}
