/**
 * Loaded into the gateway by stalls.ts: measures the longest event loop turn in CPU time, which is independent of other
 * programs. Written to TURN_FILE and reset on SIGUSR2.
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
