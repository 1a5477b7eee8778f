/** Replaces `fast-check` in test files during mutation runs: fewer runs, with a fixed seed. */
import fc from 'fast-check';

const runsMax = Number(process.env.MUTATION_RUNS ?? 60);

fc.configureGlobal({ endOnFailure: true, seed: 1 });

export default {
  ...fc,
  assert: <T>(law: fc.IRawProperty<T>, options: fc.Parameters<T> = {}) =>
    fc.assert(law, { ...options, numRuns: Math.min(options.numRuns ?? 100, runsMax) }),
};
