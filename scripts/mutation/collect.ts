/**
 * Replaces `vitest` in test files during mutation runs: `describe` and `test` only collect tests, so that one process
 * can run any test at any time; `expect` and `vi` are the real ones.
 */
export { expect, vi } from 'vitest';

type Step = (...args: unknown[]) => unknown;

/** A collected test: `id` is unique, `run` throws or rejects if the test fails. */
export type NotedTest = { readonly id: string; readonly file: string; run(): Promise<void> };

type Suite = { readonly name: string; readonly before: Step[]; readonly after: Step[] };

let file = '';
let suites: Suite[] = [];
let noted: NotedTest[] = [];

/** Starts collecting the tests of imported files under the name `testFile`, until the next call. */
export function startFile(testFile: string): void {
  file = testFile;
  suites = [{ name: '', before: [], after: [] }];
  noted = [];
}

/** Returns the tests collected since `startFile`. */
export function notedTests(): readonly NotedTest[] {
  return noted;
}

function describeOne(name: string, body: Step, ...row: unknown[]): void {
  suites.push({ name, before: [], after: [] });
  body(...row);
  suites.pop();
}

function noteTest(name: string, body: Step, ...row: unknown[]): void {
  const within = [...suites];
  const title = [...within.map((suite) => suite.name), name].filter((part) => part !== '').join(' > ');
  noted.push({
    id: `${file}#${noted.length} ${title}`,
    file,
    run: async () => {
      for (const suite of within) for (const step of suite.before) await step();
      try {
        await body(...row);
      } finally {
        for (const suite of within.toReversed()) for (const step of suite.after) await step();
      }
    },
  });
}

type Noter = (name: string, body: Step, ...row: unknown[]) => void;

function withEach(one: Noter) {
  const each = (rows: readonly unknown[]) => (name: string, body: Step) => {
    for (const row of rows) one(name, body, ...(Array.isArray(row) ? row : [row]));
  };
  return Object.assign((name: string, body: Step) => one(name, body), { each });
}

export const describe = withEach(describeOne);
export const test = withEach(noteTest);
export const it = test;

/** Registers a hook that runs before each test of the suite. */
export function beforeEach(step: Step): void {
  suites.at(-1)?.before.push(step);
}

/** Registers a hook that runs after each test of the suite. */
export function afterEach(step: Step): void {
  suites.at(-1)?.after.push(step);
}
