#!/usr/bin/env node
/** The entry point: every command, `privet serve` among them, is in cli/. */
import { argv, env, exit, stderr, stdin, stdout } from 'node:process';
import { runCli } from './cli/index.ts';

// A reader that has seen enough (`privet config show | head`) is no error; 141 is what the shell shows for SIGPIPE.
if (argv[2] !== 'serve') stdout.on('error', (error: NodeJS.ErrnoException) => exit(error.code === 'EPIPE' ? 141 : 1));
exit(await runCli(argv.slice(2), { stdin, stdout, stderr, env }));
