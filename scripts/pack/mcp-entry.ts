/** Entry of the `.mcpb` bundle: the MCP server without the gateway's command line. */
import process from 'node:process';
import { PrivetError } from '../../core/errors.ts';
import { run } from '../../mcp/main.ts';
import own from '../../package.json' with { type: 'json' };

const end = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => end.abort());
const { env, stdin, stdout, stderr } = process;
try {
  await run({ version: own.version, env, stdin, stdout, stderr, signal: end.signal });
} catch (error) {
  if (!(error instanceof PrivetError)) throw error;
  stderr.write(`privet mcp: ${error.message} ${error.hint}\n`);
  process.exitCode = 2;
}
