import { expect, test } from 'vitest';
import { ThreadPool } from '../../../gateway/threads/thread-pool.ts';

/** A thread that ends at its first job. */
const ending = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => process.exit());",
);
/** `new Worker` throws for it, as it does where the system gives no thread. */
const refused = new URL('http://127.0.0.1/');

/** A thread that holds more and more buffers, which are not part of its heap. */
const filling = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; const all = []; parentPort.once('message', () => { for (;;) all.push(new Uint8Array(2 ** 20)); });",
);

/** A pool whose threads are started from these scripts, one after the other; the last one is for all that follow. */
function poolOf(...scripts: URL[]): ThreadPool<number, number> {
  return new ThreadPool({
    get script() {
      return (scripts.length > 1 ? scripts.shift() : scripts[0]) as URL;
    },
    timeMs: () => 60_000,
    bufferBytesMax: () => 64 * 2 ** 20,
    sentences: { tooMany: 'too many', tooLong: 'too long', tooLarge: 'too large', failed: 'failed' },
  });
}

const codes = (answers: PromiseSettledResult<number>[]) =>
  answers.map((answer) => (answer.status === 'rejected' ? answer.reason.code : answer.value));

test('jobs without a thread are refused, however many came before', async () => {
  const pool = poolOf(refused);
  for (let i = 0; i < 4; i++) await expect(pool.run(i)).rejects.toMatchObject({ code: 'unavailable' });
});

test('jobs that have waited for a thread are refused when no other can be started', async () => {
  const pool = poolOf(ending, ending, refused);
  const answers = await Promise.allSettled([0, 1, 2, 3, 4].map((job) => pool.run(job)));
  expect(codes(answers)).toEqual(['body_too_large', 'body_too_large', 'unavailable', 'unavailable', 'unavailable']);
});

test('a job that holds too much in buffers is given up, and the next one runs', async () => {
  const pool = poolOf(filling, ending);
  await expect(pool.run(0)).rejects.toMatchObject({ code: 'body_too_large', message: 'too large' });
  await expect(pool.run(1)).rejects.toMatchObject({ message: 'failed' });
});

/** A thread that works for as many milliseconds of CPU time as the job says, or waits where it is negative. */
const working = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ job }) => { const done = () => parentPort.postMessage({ result: job }); if (job < 0) setTimeout(done, -job); else { const from = process.threadCpuUsage(); let used = 0; while (used < job * 1000) { for (let i = 0; i < 1e6; i++); const now = process.threadCpuUsage(from); used = now.user + now.system; } done(); } });",
);

test('CPU time counts, of each job by itself, and not the time that passes', async () => {
  const pool = new ThreadPool<number, number>({
    script: working,
    threadsMax: 1,
    timeMs: () => 2_000,
    sentences: { tooMany: 'too many', tooLong: 'too long', tooLarge: 'too large', failed: 'failed' },
  });
  for (const job of [-3_000, 1_100, 1_100]) await expect(pool.run(job)).resolves.toBe(job);
  await expect(pool.run(60_000)).rejects.toMatchObject({ message: 'too long' });
});

/** A thread that answers how many jobs it has had. */
const counting = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; let jobs = 0; parentPort.on('message', () => parentPort.postMessage({ result: ++jobs }));",
);

test('a thread is not used again after a job that is not to be kept', async () => {
  const pool = new ThreadPool<number, number>({
    script: counting,
    threadsMax: 1,
    timeMs: () => 60_000,
    keeps: (job) => job < 10,
    sentences: { tooMany: 'too many', tooLong: 'too long', tooLarge: 'too large', failed: 'failed' },
  });
  const answers: number[] = [];
  for (const job of [1, 1, 10, 1]) answers.push(await pool.run(job));
  expect(answers).toEqual([1, 2, 3, 1]);
});
