/**
 * A test runner for Stryker that runs the unit tests in its own process: modules are loaded once and mutants are
 * switches in them, so a mutant costs only its tests. Stryker's Vitest runner starts a worker and reloads all modules
 * for each test file of each mutant: 2.4 s for a mutant of policy/path.ts instead of 5 ms.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type NotedTest, notedTests, startFile } from './collect.ts';
import { dependantsOf, load, renew, watchModules } from './modules.ts';

type Coverage = { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
type Switches = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: Coverage;
};
type MutantRun = {
  readonly activeMutant: { readonly id: string; readonly fileName: string };
  readonly sandboxFileName: string;
  readonly testFilter?: readonly string[];
  readonly mutantActivation: 'static' | 'runtime';
  readonly hitLimit?: number;
};
type MutantResult =
  | { status: 'killed'; killedBy: string[]; failureMessage: string; nrOfTests: number }
  | { status: 'survived'; nrOfTests: number }
  | { status: 'timeout'; reason: string }
  | { status: 'error'; errorMessage: string };
/** Results of the first run for later processes: test durations, and the tests that reach each mutant. */
type FirstRun = { readonly ms: Record<string, number>; readonly reached: Record<string, string[]> };

const firstRunFile = path.resolve('.first-run.json');
const switches: Switches = {};
Object.assign(globalThis, { __stryker__: switches });

/** The share of mutants to run; others are reported as errors, which no score counts. */
const share = Number(process.env.MUTATION_SHARE ?? 1);
const seed = process.env.MUTATION_SEED ?? '';
/** Tests with very long texts: they take minutes when instrumented and find no additional mutants. */
const enduranceTitles =
  'million,megabyte,MiB,linear,many times,many rows,more hits,text alive,stays fast,any number,again and again'.split(
    ',',
  );
/** CPU time limit per mutant, after which no further test starts. */
const mutantMsMax = Number(process.env.MUTATION_MS ?? 10_000);

async function collect(files: readonly string[]): Promise<NotedTest[]> {
  const tests: NotedTest[] = [];
  for (const file of files) {
    startFile(path.relative(process.cwd(), file));
    await load(file);
    tests.push(...notedTests());
  }
  return tests;
}

function isOver(begun: NodeJS.CpuUsage): boolean {
  return process.cpuUsage(begun).user / 1000 > mutantMsMax;
}

/** Selects the same mutants of a file for equal seeds. */
function isChosen(mutant: string): boolean {
  let hash = 2166136261;
  for (const char of seed + mutant) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  return ((hash ^ (hash >>> 15)) >>> 0) % 1000 < share * 1000;
}

class Runner {
  #tests = new Map<string, NotedTest>();
  #firstRun: FirstRun = { ms: {}, reached: {} };
  #testsOf = new Map<string, ReadonlySet<string>>();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    watchModules();
    const files = (process.env.MUTATION_TESTS ?? 'test/{core,policy}/**/*.test.ts')
      .split(' ')
      .flatMap((pattern) => globSync(pattern))
      .sort();
    const tests = await collect(files.map((file) => path.resolve(file)));
    for (const test of tests)
      if (!enduranceTitles.some((words) => test.id.includes(words))) this.#tests.set(test.id, test);
    try {
      this.#firstRun = JSON.parse(readFileSync(firstRunFile, 'utf8'));
    } catch {
      // The first process creates it.
    }
  }

  async dryRun() {
    switches.activeMutant = undefined;
    const results: object[] = [];
    const ms: Record<string, number> = {};
    for (const { id, file, run } of this.#tests.values()) {
      const begun = performance.now();
      switches.currentTestId = id;
      let failureMessage: string | undefined;
      try {
        await run();
      } catch (error) {
        failureMessage = String(error);
      }
      switches.currentTestId = undefined;
      ms[id] = Math.round(performance.now() - begun);
      const outcome = failureMessage === undefined ? { status: 0 } : { status: 1, failureMessage };
      results.push({
        id,
        name: id.replace(/^[^#]*#/, ''),
        fileName: path.resolve(file),
        timeSpentMs: ms[id],
        ...outcome,
      });
    }
    const mutantCoverage = switches.mutantCoverage ?? { static: {}, perTest: {} };
    this.#firstRun = { ms, reached: this.#reached(mutantCoverage) };
    writeFileSync(firstRunFile, JSON.stringify(this.#firstRun));
    return { status: 'complete', tests: results, mutantCoverage };
  }

  /** The tests that reach each mutant. */
  #reached({ perTest }: Coverage): Record<string, string[]> {
    const reached: Record<string, string[]> = {};
    for (const [test, mutants] of Object.entries(perTest))
      for (const mutant of Object.keys(mutants)) {
        reached[mutant] ??= [];
        reached[mutant].push(test);
      }
    return reached;
  }

  async mutantRun(options: MutantRun): Promise<MutantResult> {
    const { activeMutant, mutantActivation, testFilter } = options;
    if (!isChosen(`${activeMutant.fileName}#${activeMutant.id}`))
      return { status: 'error', errorMessage: 'not chosen' };
    switches.hitLimit = options.hitLimit;
    switches.hitCount = 0;
    switches.activeMutant = activeMutant.id;
    try {
      const reached = testFilter ?? this.#firstRun.reached[activeMutant.id] ?? [];
      const result = await this.#run(reached.flatMap((id) => this.#tests.get(id) ?? []));
      if (result.status !== 'survived') return result;
      // Cached results were computed before this mutant was enabled.
      const isReached = mutantActivation === 'runtime' && switches.hitCount > 0;
      if (isReached) return result;
      return await this.#runAnew(options.sandboxFileName);
    } finally {
      switches.activeMutant = undefined;
    }
  }

  /** Reloads the mutant's file and its dependants for each test file, and runs the tests that reach it. */
  async #runAnew(mutatedFile: string): Promise<MutantResult> {
    const dependants = dependantsOf(mutatedFile);
    const reaching = this.#reaching(mutatedFile);
    const isReaching = (test: NotedTest) => reaching.size === 0 || reaching.has(test.id);
    const costs = new Map<string, number>();
    for (const test of this.#tests.values())
      if (dependants.has(path.resolve(test.file)) && isReaching(test))
        costs.set(test.file, (costs.get(test.file) ?? 0) + (this.#firstRun.ms[test.id] ?? 0));
    const ownTest = `${path.join('test', path.relative(process.cwd(), mutatedFile)).replace(/\.ts$/, '')}.test.ts`;
    if (costs.has(ownTest)) costs.set(ownTest, 0);

    renew(dependants);
    const begun = process.cpuUsage();
    let nrOfTests = 0;
    try {
      for (const [file] of [...costs].sort((a, b) => a[1] - b[1])) {
        if (isOver(begun)) break;
        const tests = await collect([path.resolve(file)]);
        const result = await this.#run(
          tests.filter((test) => this.#tests.has(test.id) && isReaching(test)),
          begun,
        );
        if (result.status !== 'survived') return result;
        nrOfTests += result.nrOfTests;
      }
    } catch (error) {
      return { status: 'killed', killedBy: [], failureMessage: String(error), nrOfTests };
    } finally {
      renew([]);
    }
    return { status: 'survived', nrOfTests };
  }

  /** The tests that reach any mutant of a file. */
  #reaching(mutatedFile: string): ReadonlySet<string> {
    let found = this.#testsOf.get(mutatedFile);
    if (found === undefined) {
      const switchesInFile = readFileSync(mutatedFile, 'utf8').matchAll(/stryMutAct_\w+\("(\d+)"\)/g);
      found = new Set([...switchesInFile].flatMap(([, id]) => this.#firstRun.reached[id ?? ''] ?? []));
      this.#testsOf.set(mutatedFile, found);
    }
    return found;
  }

  /** Runs tests, fastest first, until one fails. */
  async #run(tests: readonly NotedTest[], begun = process.cpuUsage()): Promise<MutantResult> {
    const { ms } = this.#firstRun;
    let nrOfTests = 0;
    for (const test of [...tests].sort((a, b) => (ms[a.id] ?? 0) - (ms[b.id] ?? 0))) {
      if (isOver(begun)) break;
      nrOfTests++;
      let failureMessage: string | undefined;
      try {
        await test.run();
      } catch (error) {
        failureMessage = String(error);
      }
      const { hitCount = 0, hitLimit } = switches;
      if (hitLimit !== undefined && hitCount > hitLimit) return { status: 'timeout', reason: 'a loop without end' };
      if (failureMessage !== undefined) return { status: 'killed', killedBy: [test.id], failureMessage, nrOfTests };
    }
    return { status: 'survived', nrOfTests };
  }
}

function makeRunner(): Runner {
  return new Runner();
}
makeRunner.inject = [] as const;

type Node = { readonly type: string; readonly key?: { readonly name?: string }; readonly elements?: readonly Node[] };

/** Excludes nodes from mutation: samples are tests, and words of a long list are data. */
class DataIgnorer {
  shouldIgnore({ node }: { readonly node: Node }): string | undefined {
    if (node.type === 'ObjectProperty' && node.key?.name === 'samples') return 'samples are tests';
    const strings = node.type === 'ArrayExpression' ? (node.elements ?? []) : [];
    if (strings.filter((element) => element?.type === 'StringLiteral').length >= 12) return 'a list of words is data';
    return undefined;
  }
}

function makeIgnorer(): DataIgnorer {
  return new DataIgnorer();
}
makeIgnorer.inject = [] as const;

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', factory: makeRunner },
  { kind: 'Ignore', name: 'data', factory: makeIgnorer },
];
