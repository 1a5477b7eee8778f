#!/usr/bin/env node
/** The entry point: every command, `privet serve` among them, is in cli/. */
import process, { argv, env, exit, stderr, stdin, stdout } from 'node:process';

// A reader that has seen enough (`privet config show | head`) is no error; 141 is what the shell shows for SIGPIPE.
if (argv[2] !== 'serve') stdout.on('error', (error: NodeJS.ErrnoException) => exit(error.code === 'EPIPE' ? 141 : 1));
// While its modules load a gateway has read nothing yet: a request to read again must not end it.
if (argv[2] === 'serve') process.on('SIGHUP', () => {});
// Libraries that read it write addresses with their query to stderr (http-proxy: `?key=…` of a WebSocket).
delete env.DEBUG;
const { runCli } = await import('./cli/index.ts');
exit(await runCli(argv.slice(2), { stdin, stdout, stderr, env }));
