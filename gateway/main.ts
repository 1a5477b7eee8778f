#!/usr/bin/env node
/**
 * The entry point: `privet serve` builds the whole gateway out of its parts and runs it; every other command is in cli/.
 */
import { argv, env, exit, stderr, stdin, stdout } from 'node:process';

const command = argv[2];

if (command === 'serve') {
  const { packageVersion, serve } = await import('./serve.ts');
  await serve({ env, version: packageVersion() });
} else {
  const { runCli } = await import('./cli/index.ts');
  // A reader that has seen enough (`privet config show | head`) is no error; 141 is what the shell shows for SIGPIPE.
  stdout.on('error', (error: NodeJS.ErrnoException) => exit(error.code === 'EPIPE' ? 141 : 1));
  exit(await runCli(argv.slice(2), { stdin, stdout, stderr, env }));
}
