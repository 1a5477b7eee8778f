#!/usr/bin/env node
/** The entry point: every command, `privet serve` among them, is in cli/. */

import { url as inspectorUrl } from 'node:inspector';
import process, { argv, env, exit, stderr, stdin, stdout } from 'node:process';
import { setFlagsFromString } from 'node:v8';

// A reader that has seen enough (`privet config show | head`) is no error; 141 is what the shell shows for SIGPIPE.
if (argv[2] !== 'serve') stdout.on('error', (error: NodeJS.ErrnoException) => exit(error.code === 'EPIPE' ? 141 : 1));
// While its modules load a gateway has read nothing yet: a request to read again must not end it.
if (argv[2] === 'serve') process.on('SIGHUP', () => {});
// V8 learns where objects come from that live long, and puts later ones of the same place into the old generation at once.
// Under a load of short connections it learns that of them, too; each one that is dead there keeps what it points to alive
// until the next full collection, and the young generation is copied instead of forgotten (a tenth of a tunnel's time).
setFlagsFromString('--no-allocation-site-pretenuring');
// Libraries that read it write addresses with their query to stderr (http-proxy: `?key=…` of a WebSocket).
delete env.DEBUG;
// Node would verify no certificate of an origin any more.
if (env.NODE_TLS_REJECT_UNAUTHORIZED !== undefined)
  stderr.write('privet: NODE_TLS_REJECT_UNAUTHORIZED is passed over; upstream.ca_file names authorities of your own\n');
delete env.NODE_TLS_REJECT_UNAUTHORIZED;
if (argv[2] === 'serve') {
  // Node would open its inspector, with which every user of this machine runs code in here. Scripts that rotate logs send
  // this signal to servers.
  process.on('SIGUSR1', () => {});
  if (inspectorUrl() !== undefined) {
    const risk = 'the inspector is open: every user of this machine can read keys and values through it';
    stderr.write(`privet: ${risk}; start without --inspect, in NODE_OPTIONS too\n`);
    if (env.NODE_ENV === 'production') exit(2);
  }
}
// Diagnostic reports would hold the keys in the environment.
if (process.report !== undefined) process.report.excludeEnv = true;
const { runCli } = await import('./cli/index.ts');
exit(await runCli(argv.slice(2), { stdin, stdout, stderr, env }));
