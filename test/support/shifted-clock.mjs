/**
 * Loaded into a gateway (NODE_OPTIONS=--import): its Date is ahead of the real one by the milliseconds in the file
 * TEST_CLOCK_FILE, which is read continuously. Timers and performance.now are unaffected, as when a machine's clock is
 * set.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const RealDate = Date;
let ahead = 0;
const file = process.env.TEST_CLOCK_FILE ?? '';
const read = () => {
  const wanted = Number(readFileSync(file, 'utf8')) || 0;
  if (wanted === ahead) return;
  ahead = wanted;
  // Shows the test that it is active.
  if (isMainThread) writeFileSync(`${file}.seen`, String(ahead));
};
read();
setInterval(read, 10).unref();
const now = () => RealDate.now() + ahead;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, self === globalThis.Date ? target : self),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
