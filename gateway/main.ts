#!/usr/bin/env node
/**
 * The entry point: `privet serve` builds the whole gateway out of its parts and runs it; every other command is in cli/.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { argv, env, exit, stderr, stdin, stdout } from 'node:process';

const command = argv[2];

if (command === 'serve' && argv.length === 3) {
  // Compiled sources of the last start halve the CPU time of this one (1.1 to 0.6 s). They are code, so they are kept
  // where only this user can write, and not before the first start has made that folder.
  const dataDir = env.PROXY_DATA_DIR || './data';
  if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'compile-cache'));
  const { packageVersion, serve } = await import('./serve.ts');
  await serve({ env, version: packageVersion() });
  flushCompileCache();
} else {
  const { runCli } = await import('./cli/index.ts');
  // A reader that has seen enough (`privet config show | head`) is no error; 141 is what the shell shows for SIGPIPE.
  stdout.on('error', (error: NodeJS.ErrnoException) => exit(error.code === 'EPIPE' ? 141 : 1));
  exit(await runCli(argv.slice(2), { stdin, stdout, stderr, env }));
}
