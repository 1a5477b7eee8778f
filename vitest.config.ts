import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Some hundred processes of the gateway are started: each takes 0.6 s of CPU less with the compiled sources of the one before.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// These measure the memory of their process, or change what holds for all of it.
const alone = [
  'test/core/{vault,one-file-type,own-copy,stream/bad-streams}.test.ts',
  'test/gateway/{agents/new-format,http1/server,proxy/listen/first-bytes}.test.ts',
];

// Files with browsers and many processes wait much and take longest. They start first, so that none runs alone at the end.
const slow = ['/test/console/', '/test/clients/', '/test/packages/', '/test/e2e/', '/test/pitfalls/', '/test/sdk/'];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slow.findIndex((folder) => moduleId.includes(folder));
      return at === -1 ? slow.length : at;
    };
    return sorted.toSorted((a, b) => a.project.name.localeCompare(b.project.name) || rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    projects: [
      // Files share a process and its modules, which saves a fifth of the time of all. Node loads the modules itself, as it
      // does in production: without Vite's transformation the tests take a tenth less CPU. Mocks of modules need it (`alone`).
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: alone,
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    sequence: { sequencer: SlowFirst },
    setupFiles: ['test/support/clean-up.ts'],
    // Nothing is proved by these: what hangs fails later. Several processes and browsers share two busy cores.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Half of the time of the end-to-end tests is waiting: for processes, browsers and time limits. With three on two cores
    // a quarter of the CPU time is unused.
    maxWorkers: Math.max(4, availableParallelism() * 2),
  },
});
