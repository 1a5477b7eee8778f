/**
 * Runs jobs in worker threads, one at a time per thread. A job that exceeds its time ends its thread. Heavy jobs of all
 * pools take turns, so that the main thread always has a processor and the memory of one job is released before the
 * next.
 */
import { availableParallelism, totalmem } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { PrivetError } from '../../core/errors.ts';
import { clientLeft, FairSemaphore } from './fair-semaphore.ts';
import { type Ask, type JobAnswer, type JobMessage, postedError, privetError } from './jobs.ts';

/** A pool's jobs, and the messages for failures. */
export type ThreadPoolOptions<J> = {
  /** A module that calls `answerJobs`. */
  readonly script: URL;
  /** CPU time that a job may take: unlike wall-clock time, independent of the machine's load. */
  readonly timeMs: (job: J) => number;
  /** Maximum size of buffers outside the heap that the thread may use; default 768 MiB. */
  readonly bufferBytesMax?: (job: J) => number;
  /** Maximum number of waiting jobs; default 64. */
  readonly waitingMax?: number;
  /** Maximum number of concurrent light jobs; default 2. */
  readonly threadsMax?: number;
  /** True for a job that takes long or much memory: it waits for its turn among all clients and pools; default no. */
  readonly isHeavy?: (job: J) => boolean;
  /** Where heavy jobs wait for their turn; default: one semaphore for all pools. */
  readonly heavyJobs?: FairSemaphore;
  /** Error code of an aborted job; default `body_too_large`, because slow jobs are usually too large. */
  readonly givenUp?: PrivetError['code'];
  readonly sentences: {
    readonly tooMany: string;
    readonly tooLong: string;
    readonly tooLarge: string;
    readonly failed: string;
    readonly hint?: string;
  };
};

/** The client of a job, for the turns of heavy ones; `gone` drops or ends the job when the client disconnects. */
export type JobClient = { readonly client?: string | undefined; readonly gone?: AbortSignal | undefined };

/** Options of a job; `answer` answers its questions. */
export type RunOptions = JobClient & { readonly answer?: Ask };

type Waiting<J, R> = {
  readonly job: J;
  readonly answer: Ask | undefined;
  readonly done: (result: R) => void;
  readonly fail: (error: unknown) => void;
  /** Ends the turn of a heavy job. */
  readonly leave: (() => void) | undefined;
  readonly gone: AbortSignal | undefined;
  /** Removes the job from the queue. */
  readonly drop: () => void;
};

const threadsMaxDefault = 2;
/** An idle thread is ended after this time; it uses about 60 MiB. */
const idleMs = 30_000;
/** Heap limits of a thread. A small young generation costs a large job a tenth more time and saves 100 MiB. */
const heapLimits = { maxOldGenerationSizeMb: 400, maxYoungGenerationSizeMb: 24 };
/** Wall-clock time as a multiple of CPU time: threads yield to others (see jobs.ts) and wait for answers. */
const wallFactor = 12;
/** How often a busy thread's buffers and time are checked. */
const lookMs = 100;
/** A thread with a larger heap is not reused, because V8 keeps the memory; a new one starts in half a second. */
const keptHeapBytesMax = 96 * 2 ** 20;
/** Memory that one heavy job may need. */
const heavyBytes = 2 * 2 ** 30;
const heavyWaitMs = 120_000;
/** A light job continues for this long without its client: a new thread would cost as much CPU time. */
const abandonedMs = 500;

const allHeavyJobs = new FairSemaphore({
  max: heavyJobsMax(availableParallelism(), memoryBytes(), Number(process.env.PRIVET_WORKER_COUNT ?? 1)),
  waitingMax: 64,
  waitMs: heavyWaitMs,
  message: 'Too many large requests are being processed.',
});

/** Maximum number of heavy jobs per process: all `workers` together leave one processor for the main threads. */
export function heavyJobsMax(processors: number, bytes: number, workers: number): number {
  return Math.max(1, Math.floor(Math.min(processors - 1, bytes / heavyBytes) / workers));
}

function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Threads are started on demand and do not keep the process alive. */
export class ThreadPool<J, R> {
  readonly #options: ThreadPoolOptions<J>;
  readonly #idle: { readonly worker: Worker; leave(): void }[] = [];
  /** Threads that end after their job. */
  readonly #grown = new WeakSet<Worker>();
  readonly #waiting: Waiting<J, R>[] = [];
  #busy = 0;

  constructor(options: ThreadPoolOptions<J>) {
    this.#options = options;
  }

  /**
   * Runs a job. Rejects with the job's error; with `givenUp` if it takes too long or too much memory; with
   * `unavailable` if too many jobs are waiting, a heavy one has waited too long, or the system provides no thread; with
   * `bad_request` if `gone` ends it.
   */
  async run(job: J, { answer, client, gone }: RunOptions = {}): Promise<R> {
    const { waitingMax = 64, sentences, isHeavy, heavyJobs = allHeavyJobs } = this.#options;
    let leave: (() => void) | undefined;
    if (isHeavy?.(job)) {
      leave = await heavyJobs.acquire(1, client, gone);
      // Reading the body and copying it for the thread are separate turns, so that other tasks can run in between.
      await setImmediate();
    }
    if (gone?.aborted) {
      leave?.();
      throw clientLeft();
    }
    return new Promise((done, fail) => {
      const waiting: Waiting<J, R> = { job, answer, done, fail, leave, gone, drop: () => this.#drop(waiting) };
      if (leave !== undefined) this.#start(waiting);
      else if (this.#waiting.length >= waitingMax) fail(new PrivetError('unavailable', sentences.tooMany));
      else {
        this.#waiting.push(waiting);
        gone?.addEventListener('abort', waiting.drop, { once: true });
        this.#next();
      }
    });
  }

  #drop(waiting: Waiting<J, R>): void {
    const at = this.#waiting.indexOf(waiting);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    waiting.fail(clientLeft());
  }

  #next(): void {
    if (this.#busy >= (this.#options.threadsMax ?? threadsMaxDefault)) return;
    const waiting = this.#waiting.shift();
    if (waiting) this.#start(waiting);
  }

  #start(waiting: Waiting<J, R>): void {
    const { job, leave, gone } = waiting;
    const { sentences, givenUp = 'body_too_large' } = this.#options;
    // A WebSocket's signal outlives its jobs and would keep their bodies.
    gone?.removeEventListener('abort', waiting.drop);
    const idle = this.#idle.pop();
    idle?.leave();
    let worker: Worker;
    try {
      worker = idle?.worker ?? startWorker(this.#options.script);
    } catch (cause) {
      leave?.();
      waiting.fail(new PrivetError('unavailable', sentences.failed, { cause }));
      // A running job starts the next one when it ends.
      if (this.#busy === 0) this.#next();
      return;
    }
    if (leave === undefined) this.#busy++;
    worker.ref();
    const bufferBytesMax = this.#options.bufferBytesMax?.(job) ?? 768 * 2 ** 20;
    let isOver = false;
    const finish = (isReusable: boolean) => {
      isOver = true;
      clearTimeout(timer);
      clearInterval(look);
      clearTimeout(abandoning);
      gone?.removeEventListener('abort', onGone);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      if (isReusable && leave === undefined && !this.#grown.has(worker)) this.#keep(worker);
      else void worker.terminate().finally(leave);
      if (leave === undefined) this.#busy--;
      this.#next();
    };
    const endWith = (error: PrivetError) => {
      finish(false);
      waiting.fail(error);
    };
    const giveUp = (message: string) => endWith(new PrivetError(givenUp, message, { hint: sentences.hint }));
    let abandoning: NodeJS.Timeout | undefined;
    const onGone = () => {
      if (leave !== undefined) endWith(clientLeft());
      else abandoning = setTimeout(() => endWith(clientLeft()), abandonedMs);
    };
    gone?.addEventListener('abort', onGone, { once: true });
    const timeMs = this.#options.timeMs(job);
    const timer = setTimeout(() => giveUp(sentences.tooLong), wallFactor * timeMs);
    let usedBefore: number | undefined;
    const look = setInterval(async () => {
      const cpu = await worker.cpuUsage().catch(() => undefined);
      if (!isOver && cpu !== undefined) {
        const used = (cpu.user + cpu.system) / 1_000;
        // A reused thread has already used CPU time.
        usedBefore ??= idle === undefined ? 0 : used;
        if (used - usedBefore > timeMs) return giveUp(sentences.tooLong);
      }
      // A thread that has ended reports nothing.
      const usage = await worker.getHeapStatistics().catch(() => undefined);
      if (!isOver && usage !== undefined && usage.external_memory > bufferBytesMax) giveUp(sentences.tooLarge);
    }, lookMs);
    const post = (message: JobMessage<J>) => {
      if (isOver) return;
      try {
        worker.postMessage(message);
      } catch {
        // No memory for a copy.
        giveUp(sentences.failed);
      }
    };
    const onMessage = (answer: JobAnswer<R>) => {
      if ('question' in answer) {
        const { question } = answer;
        new Promise((resolve) => resolve(waiting.answer?.(question))).then(
          (given) => post({ answer: given }),
          (error) => post({ refusal: postedError(error, sentences.failed) }),
        );
        return;
      }
      finish(true);
      if ('result' in answer) waiting.done(answer.result);
      else waiting.fail(privetError(answer.error));
    };
    const onError = () => giveUp(sentences.tooLarge);
    const onExit = () => giveUp(sentences.failed);
    worker.on('message', onMessage).once('error', onError).once('exit', onExit);
    post({ job });
  }

  #keep(worker: Worker): void {
    worker.unref();
    // A thread that ends while idle gets no job.
    const forget = () => {
      entry.leave();
      this.#idle.splice(this.#idle.indexOf(entry), 1);
    };
    const end = () => {
      forget();
      void worker.terminate();
    };
    const timer = setTimeout(end, idleMs).unref();
    const entry = {
      worker,
      leave() {
        clearTimeout(timer);
        worker.off('exit', forget);
      },
    };
    worker.once('exit', forget);
    this.#idle.push(entry);
    void worker.getHeapStatistics().then(
      ({ total_heap_size: heap }) => {
        if (heap <= keptHeapBytesMax) return;
        if (this.#idle.includes(entry)) end();
        else this.#grown.add(worker);
      },
      () => {},
    );
  }
}

function startWorker(script: URL): Worker {
  const worker = new Worker(script, {
    resourceLimits: heapLimits,
    // A PDF library logs warnings about every unusual file.
    stdout: true,
    stderr: true,
  });
  // A thread may run out of memory while it is being ended; without a listener that would end the process.
  return worker.on('error', () => {});
}
