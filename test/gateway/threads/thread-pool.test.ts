import { getEventListeners } from 'node:events';
import { getPriority } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FairSemaphore } from '../../../gateway/threads/fair-semaphore.ts';
import { heavyJobsMax, ThreadPool } from '../../../gateway/threads/thread-pool.ts';

/** A thread that ends at its first job. */
const ending = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => process.exit());",
);
/** `new Worker` throws for it, as it does if the system cannot create a thread. */
const refused = new URL('http://127.0.0.1/');

/** A thread that accumulates buffers, which are not part of its heap. */
const filling = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; const all = []; parentPort.once('message', () => { for (;;) all.push(new Uint8Array(2 ** 20)); });",
);

/** A pool whose threads run these scripts in order; the last one repeats. */
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

test('a job with too many buffers is aborted, and the next one runs', async () => {
  const pool = poolOf(filling, ending);
  await expect(pool.run(0)).rejects.toMatchObject({ code: 'body_too_large', message: 'too large' });
  await expect(pool.run(1)).rejects.toMatchObject({ message: 'failed' });
});

/** A thread that works for the requested milliseconds of CPU time, or waits if the number is negative. */
const working = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ job }) => { const done = () => parentPort.postMessage({ result: job }); if (job < 0) setTimeout(done, -job); else { const from = process.threadCpuUsage(); let used = 0; while (used < job * 1000) { for (let i = 0; i < 1e6; i++); const now = process.threadCpuUsage(from); used = now.user + now.system; } done(); } });",
);

test('CPU time is limited, per job, and not elapsed time', async () => {
  const pool = new ThreadPool<number, number>({
    script: working,
    threadsMax: 1,
    timeMs: () => 1_000,
    sentences: { tooMany: 'too many', tooLong: 'too long', tooLarge: 'too large', failed: 'failed' },
  });
  for (const job of [-1_250, 275, 275, 275, 275]) await expect(pool.run(job)).resolves.toBe(job);
  await expect(pool.run(60_000)).rejects.toMatchObject({ message: 'too long' });
});

/** A thread that returns the number of its jobs; a negative job fills its heap. */
const counting = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; let jobs = 0; let held; parentPort.on('message', ({ job }) => { if (job < 0) held = Array.from({ length: 2e7 }, (_, i) => i + 0.5); parentPort.postMessage({ result: ++jobs }); });",
);

const patient = {
  threadsMax: 1,
  timeMs: () => 60_000,
  sentences: { tooMany: 'too many', tooLong: 'too long', tooLarge: 'too large', failed: 'failed' },
};

test('a thread is not used again after a heavy job, nor once its heap has grown', async () => {
  const heavyJobs = new FairSemaphore({ max: 1, waitingMax: 9, waitMs: 60_000, message: 'heavy' });
  const pool = new ThreadPool<number, number>({ ...patient, script: counting, isHeavy: (job) => job > 9, heavyJobs });
  const answers: number[] = [];
  for (const job of [1, 1, 10, 1]) answers.push(await pool.run(job));
  expect(answers).toEqual([1, 2, 3, 1]);
  await pool.run(-1);
  // Checking its heap takes a message to the thread and back.
  let next = 0;
  while (next !== 1) next = await pool.run(1);
});

/** A thread that reports when its job began and ended. */
const timing = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ job }) => { const from = Date.now(); setTimeout(() => parentPort.postMessage({ result: [from, Date.now()] }), job); });",
);

test('heavy jobs of all pools take turns, and others do not wait for them', async () => {
  const heavyJobs = new FairSemaphore({ max: 1, waitingMax: 9, waitMs: 60_000, message: 'heavy' });
  const poolOf = () =>
    new ThreadPool<number, [number, number]>({ ...patient, script: timing, isHeavy: (job) => job > 9, heavyJobs });
  const [one, other] = [poolOf(), poolOf()];
  let done = 0;
  const heavy = [one, other, one].map((pool) => pool.run(300).finally(() => done++));
  await Promise.all([one.run(1), one.run(1), other.run(1)]);
  expect(done).toBeLessThan(3);
  const turns = (await Promise.all(heavy)).sort(([a], [b]) => a - b);
  for (const [i, [from]] of turns.entries())
    if (i > 0) expect(from).toBeGreaterThanOrEqual(turns[i - 1]?.[1] as number);
});

test('a heavy job that waits too long is refused', async () => {
  const heavyJobs = new FairSemaphore({ max: 1, waitingMax: 9, waitMs: 50, message: 'heavy' });
  const pool = new ThreadPool<number, [number, number]>({ ...patient, script: timing, isHeavy: () => true, heavyJobs });
  const first = pool.run(10_000).catch(() => {});
  await expect(pool.run(1)).rejects.toMatchObject({ code: 'unavailable', message: 'heavy' });
  void first;
});

test('buffers of a result are transferred, and parts of a buffer are copied', async () => {
  const script = new URL(
    "data:text/javascript,import { parentPort } from 'node:worker_threads'; import { answerJobs } from '%JOBS%'; const held = []; answerJobs('failed', (job) => { if (job === 1) return { sizes: held.map((one) => one.byteLength) }; const whole = new Uint8Array(100_000).fill(7); const part = new Uint8Array(100_000).subarray(5, 9).fill(8); held.push(whole, part); return { whole, part }; });".replace(
      '%JOBS%',
      new URL('../../../gateway/threads/jobs.ts', import.meta.url).href,
    ),
  );
  const pool = new ThreadPool<number, { whole: Uint8Array; part: Uint8Array; sizes: number[] }>({ ...patient, script });
  const { whole, part } = await pool.run(0);
  expect([whole.byteLength, whole[99_999], part.byteLength, part[3]]).toEqual([100_000, 7, 4, 8]);
  expect((await pool.run(1)).sizes).toEqual([0, 4]);
});

test.each([
  [8, 64, 1, 7],
  [8, 64, 3, 2],
  [8, 64, 8, 1],
  [8, 4, 1, 2],
  [2, 1, 1, 1],
  [1, 1, 4, 1],
])('%i processors and %i GiB with %i workers: %i heavy jobs in each', (processors, gib, workers, jobs) => {
  expect(heavyJobsMax(processors, gib * 2 ** 30, workers)).toBe(jobs);
});

test('a job that cannot be posted fails, and ends its turn', async () => {
  const heavyJobs = new FairSemaphore({ max: 1, waitingMax: 9, waitMs: 60_000, message: 'heavy' });
  const pool = new ThreadPool<number | symbol, number>({
    ...patient,
    script: counting,
    isHeavy: () => true,
    heavyJobs,
  });
  // A symbol cannot be cloned.
  await expect(pool.run(Symbol('job'))).rejects.toMatchObject({ message: 'failed' });
  await expect(pool.run(1)).resolves.toBe(1);
});

test('a heavy job whose client leaves no longer waits', async () => {
  const heavyJobs = new FairSemaphore({ max: 1, waitingMax: 9, waitMs: 3_600_000, message: 'heavy' });
  const pool = new ThreadPool<number, number>({ ...patient, script: counting, isHeavy: () => true, heavyJobs });
  const release = await heavyJobs.acquire(1);
  const client = new AbortController();
  const left = pool.run(1, { gone: client.signal });
  client.abort();
  await expect(left).rejects.toMatchObject({ code: 'bad_request' });
  release();
});

/** Jobs that never end by themselves. */
const endless = 1e9;

test('a job whose client leaves is removed from the queue, and frees its slot', async () => {
  const pool = new ThreadPool<number, number>({ ...patient, script: working, waitingMax: 1 });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = pool.run(-endless, { gone: running.signal });
  const second = pool.run(1, { gone: waiting.signal });
  await expect(pool.run(1)).rejects.toMatchObject({ code: 'unavailable' });
  waiting.abort();
  await expect(second).rejects.toMatchObject({ code: 'bad_request' });
  const third = pool.run(2);
  running.abort();
  await expect(first).rejects.toMatchObject({ code: 'bad_request' });
  await expect(third).resolves.toBe(2);
});

test('a running heavy job whose client leaves ends, and the next one starts', async () => {
  const heavyJobs = new FairSemaphore({ max: 1, waitingMax: 9, waitMs: 3_600_000, message: 'heavy' });
  const pool = new ThreadPool<number, number>({ ...patient, script: working, isHeavy: () => true, heavyJobs });
  const client = new AbortController();
  const left = pool.run(endless, { gone: client.signal });
  const next = pool.run(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  client.abort();
  await expect(left).rejects.toMatchObject({ code: 'bad_request' });
  await expect(next).resolves.toBe(1);
  await expect(pool.run(1, { gone: client.signal })).rejects.toMatchObject({ code: 'bad_request' });
});

test('a light job that ends soon after its client has left keeps its thread', async () => {
  // However long the thread takes to start, no time passes for the pool.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = new ThreadPool<number, number>({ ...patient, script: counting });
  const client = new AbortController();
  const left = pool.run(1, { gone: client.signal });
  client.abort();
  await expect(left).resolves.toBe(1);
  await expect(pool.run(1)).resolves.toBe(2);
});

test.each([true, false])('a job that is done leaves no listener behind (heavy: %s)', async (heavy) => {
  const pool = new ThreadPool<number, number>({ ...patient, script: counting, isHeavy: () => heavy });
  const { signal } = new AbortController();
  await Promise.all([1, 2, 3, 4].map((job) => pool.run(job, { gone: signal })));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

/** A thread that reports its niceness. */
const nice = new URL(
  `data:text/javascript,${[
    "import { readlinkSync } from 'node:fs'",
    "import { getPriority } from 'node:os'",
    "import { basename } from 'node:path'",
    `import { answerJobs } from '${new URL('../../../gateway/threads/jobs.ts', import.meta.url)}'`,
    "const ownThread = () => Number(basename(readlinkSync('/proc/thread-self')))",
    "answerJobs('failed', () => getPriority(ownThread()))",
  ].join(';')}`,
);

test.runIf(process.platform === 'linux')(
  'threads for jobs yield to the main thread when all cores are busy',
  async () => {
    const mainThread = getPriority(process.pid);
    expect(await poolOf(nice).run(0)).toBeGreaterThan(mainThread);
    expect(getPriority(process.pid)).toBe(mainThread);
  },
);
