/**
 * Checks that `audit.mjs` distinguishes a clean result, an advisory and no result, with a local registry for each; and that
 * the request lists the production packages, including those that are also development dependencies.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const script = path.join(import.meta.dirname, '..', 'audit.mjs');
const advisory = {
  id: 1,
  url: 'https://advisory.example/1',
  title: 'made up',
  severity: 'high',
  vulnerable_versions: '*',
};
const cases = [
  { registry: 'without advisories', status: 200, advisories: {}, exit: 0 },
  { registry: 'with an advisory on undici', status: 200, advisories: { undici: [advisory] }, exit: 1 },
  { registry: 'that rejects audits', status: 405, advisories: {}, exit: 2 },
];
let wrong = 0;
for (const { registry, status, advisories, exit } of cases) {
  let asked = {};
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const isAudit = request.url.endsWith('/security/advisories/bulk');
    if (isAudit) asked = JSON.parse(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    response.writeHead(isAudit ? status : 404, { 'content-type': 'application/json' }).end(JSON.stringify(advisories));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cache = mkdtempSync(path.join(tmpdir(), 'privet-audit-'));
  const child = spawn(process.execPath, [script], {
    stdio: 'ignore',
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${server.address().port}/`,
      npm_config_cache: cache,
      npm_config_fetch_retries: '0',
    },
  });
  const [code] = await once(child, 'exit');
  server.close();
  rmSync(cache, { recursive: true, force: true });
  const unnamed = ['undici', 'zod', 'fastify', 'http-proxy-3'].filter((name) => asked[name] === undefined);
  if (code === exit && unnamed.length === 0 && asked.vitest === undefined) continue;
  wrong += 1;
  console.error(
    `a registry ${registry}: exit code ${code}, not ${exit}; not asked about: ${unnamed.join(', ') || 'none'}`,
  );
}
process.exit(wrong === 0 ? 0 : 1);
