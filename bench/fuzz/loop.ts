/** Tries mutated inputs on one target until time is up, and keeps those that reach new branches. */
import type { Instrumented } from './instrument.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';
import type { FuzzTarget } from './target.ts';

/** An input that revealed a fault, shortened as far as was quickly possible. */
export type Failure = { readonly target: string; readonly message: string; readonly input: Uint8Array };

/** Results of one target. */
export type Report = {
  readonly target: string;
  readonly executions: number;
  readonly seconds: number;
  /** CPU time in seconds. */
  readonly cpuSeconds: number;
  readonly corpus: number;
  /** Branches reached, of those in the loaded modules. */
  readonly reached: number;
  readonly branches: number;
  readonly failures: readonly Failure[];
};

export type LoopOptions = {
  readonly name: string;
  readonly seconds: number;
  readonly executionsMax: number;
  readonly seed: number;
  readonly instrumented: Instrumented;
  /** Stops after this many different faults; default 20. */
  readonly failuresMax?: number;
  /** Called before each try, so that an endless input is known. */
  readonly onTry: (input: Buffer) => void;
};

/** Fuzzes one target. */
export async function loop(target: FuzzTarget, options: LoopOptions): Promise<Report> {
  const { counts, branches } = options.instrumented;
  const { bytesMax = 4096, msMax = 2000 } = target;
  const { failuresMax = 20 } = options;
  const random = new Random(options.seed);
  const best = new Uint8Array(counts.length);
  const reported = new Set<string>();
  const corpus: Buffer[] = [];
  const failures = new Map<string, Failure>();
  let executions = 0;

  /** The fault of an input, and whether it reached new branches. */
  const attempt = async (input: Buffer): Promise<{ error?: Error; isNew: boolean }> => {
    options.onTry(input);
    executions++;
    const used = branches();
    counts.fill(0, 0, used);
    const began = process.threadCpuUsage().user;
    let isNew = false;
    try {
      const pending = target.run(input);
      const word = pending instanceof Promise ? await pending : pending;
      if (word !== undefined && !reported.has(word)) isNew = reported.add(word).size > 0;
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(String(error)), isNew: false };
    }
    const ms = (process.threadCpuUsage().user - began) / 1000;
    if (ms > msMax) return { error: new Error(`took over ${msMax} ms of CPU time`), isNew: false };
    for (let at = 0; at < used; at++) {
      const count = counts[at] as number;
      // Hit count buckets, as in AFL: 1, 2, 3, 4–7, 8–15, …
      const step = count < 4 ? count : Math.min(9, 34 - Math.clz32(count));
      if (step > (best[at] as number)) {
        best[at] = step;
        isNew = true;
      }
    }
    return { isNew };
  };

  const keep = async (input: Buffer): Promise<void> => {
    const { error, isNew } = await attempt(input);
    if (isNew) corpus.push(Buffer.from(input));
    if (!error) return;
    const key = keyOf(error);
    if (failures.has(key) || failures.size >= failuresMax) return;
    failures.set(key, { target: options.name, message: '', input });
    const small = await shortened(input, async (shorter) => {
      const again = (await attempt(shorter)).error;
      return again !== undefined && keyOf(again) === key;
    });
    failures.set(key, { target: options.name, message: `${error.stack ?? error}`, input: Buffer.from(small) });
  };

  const started = performance.now();
  const until = started + options.seconds * 1000;
  const seeds = target.seeds().map((seed) => Buffer.from(seed as string));
  for (const seed of seeds) await keep(seed);
  if (corpus.length === 0) corpus.push(seeds[0] ?? Buffer.alloc(0));
  const words = [...(target.words ?? []), ...options.instrumented.words()].map((word) => Buffer.from(word));
  const own = words.slice(0, target.words?.length ?? 0);
  // The newest inputs are the least explored.
  const recent = () => corpus[corpus.length - 1 - Math.floor(random.next() ** 2 * corpus.length)] as Buffer;
  while (performance.now() < until && executions < options.executionsMax && failures.size < failuresMax) {
    await keep(
      mutate(random.below(2) === 0 ? recent() : random.pick(corpus), random, {
        words: own.length > 0 && random.below(2) === 0 ? own : words,
        other: () => random.pick(corpus),
        bytesMax,
      }),
    );
    // Let the target's timers and sockets run too.
    if ((executions & 0x3ff) === 0) await new Promise(setImmediate);
  }
  const used = branches();
  return {
    target: options.name,
    executions,
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: process.threadCpuUsage().user / 1e6,
    corpus: corpus.length,
    reached: best.subarray(0, used).reduce((sum, step) => sum + Number(step > 0), 0),
    branches: used,
    failures: [...failures.values()],
  };
}

/** Identifies a fault across inputs: its first sentence without values, and where it was thrown. */
function keyOf(error: Error): string {
  const where = /\n\s+at (.*)/.exec(error.stack ?? '')?.[1] ?? '';
  const frame = (error.stack ?? '').split('\n').find((line) => /\/(?:core|policy|config|certs|gateway)\//.test(line));
  return `${error.message.split(':', 1)[0]?.replaceAll(/\d+/g, '0')}|${(frame ?? where).replace(/:\d+:\d+\)?$/, '')}`;
}

/** Removes pieces as long as the input still reveals the fault; at most 400 tries. */
async function shortened(input: Buffer, shows: (input: Buffer) => Promise<boolean>): Promise<Buffer> {
  let bytes = input;
  let tries = 400;
  for (let size = Math.max(1, bytes.length >> 1); size >= 1 && tries > 0; size = size === 1 ? 0 : size >> 1) {
    for (let at = 0; at < bytes.length && tries > 0; ) {
      const shorter = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
      tries--;
      if (await shows(shorter)) bytes = shorter;
      else at += size;
    }
  }
  return bytes;
}
