#!/usr/bin/env node
/** The entry point. Every command, including `privet serve`, is in cli/. */

import { url as inspectorUrl } from 'node:inspector';
import process, { argv, env, exit, stderr, stdin, stdout } from 'node:process';
import { setFlagsFromString } from 'node:v8';

// A pipe closed by its reader (`privet config show | head`) is not an error; 141 is what shells report for SIGPIPE.
if (argv[2] !== 'serve') stdout.on('error', (error: NodeJS.ErrnoException) => exit(error.code === 'EPIPE' ? 141 : 1));
// A reload request must not end the process while its modules load: nothing has been read yet.
if (argv[2] === 'serve') process.on('SIGHUP', () => {});
// V8 learns which allocation sites produce long-lived objects and allocates later ones directly in the old generation.
// Under a load of short connections it learns the wrong sites: dead objects there keep others alive until the next full
// collection, and the young generation is copied instead of discarded (a tenth of a tunnel's time).
setFlagsFromString('--no-allocation-site-pretenuring');
// The path of a request is many small functions in a row. With a larger budget for inlining them, a chat request takes
// less CPU time (docs/performance.md).
setFlagsFromString('--max-inlined-bytecode-size=920');
setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000');
// Libraries that read DEBUG log URLs including the query to stderr (http-proxy: `?key=…` of a WebSocket).
delete env.DEBUG;
// It would disable the verification of origin certificates.
if (env.NODE_TLS_REJECT_UNAUTHORIZED !== undefined)
  stderr.write('privet: NODE_TLS_REJECT_UNAUTHORIZED is ignored; use upstream.ca_file for your own CAs\n');
delete env.NODE_TLS_REJECT_UNAUTHORIZED;
if (argv[2] === 'serve') {
  // Node would open its inspector, through which every user of this machine could run code in this process. Log
  // rotation scripts send this signal to servers.
  process.on('SIGUSR1', () => {});
  if (inspectorUrl() !== undefined) {
    const risk = 'the inspector is open: every user of this machine can read keys and values through it';
    stderr.write(`privet: ${risk}; start without --inspect, in NODE_OPTIONS too\n`);
    if (env.NODE_ENV === 'production') exit(2);
  }
}
// Diagnostic reports would contain the keys in the environment.
if (process.report !== undefined) process.report.excludeEnv = true;
const { runCli } = await import('./cli/index.ts');
exit(await runCli(argv.slice(2), { stdin, stdout, stderr, env }));
