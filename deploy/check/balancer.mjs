/**
 * Uses the API listener of haproxy.cfg in front of a gateway: `node balancer.mjs`. It does not serve the metrics, however the
 * path is spelled, and clients that guess keys lock out only their own address, whatever address they claim.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const deploy = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'privet-balancer-'));
const adminKey = ['pvt', 'admin', 'balancer', '0123456789abcdefghij'].join('_');
const [api, proxy, front] = [await freePort(), await freePort(), await freePort()];
const children = [];
try {
  const config = path.join(folder, 'privet.yaml');
  writeFileSync(config, 'api: { metrics_allow: [127.0.0.1], trusted_proxies: [127.0.0.1] }\n');
  start(process.execPath, [path.join(deploy, '../gateway/main.ts'), 'serve'], {
    PROXY_CONFIG: config,
    PROXY_DATA_DIR: path.join(folder, 'data'),
    PROXY_ADMIN_KEY: adminKey,
    PROXY_STORE: 'memory',
    PORT: String(api),
    GATEWAY_PORT: String(proxy),
  });
  const shipped = readFileSync(path.join(deploy, 'haproxy.cfg'), 'utf8');
  const cut = /^(frontend proxy|backend (proxies|living)|resolvers docker)\n( .*\n)+/gm;
  writeFileSync(
    path.join(folder, 'haproxy.cfg'),
    shipped
      .replace(cut, '')
      .replace('maxconn 60000', 'maxconn 100')
      .replace('bind :3001', `bind 127.0.0.1:${front}`)
      .replace(/server-template privet 8 privet:3001 (.*) resolvers .*/, `server privet 127.0.0.1:${api} $1`),
  );
  start('haproxy', ['-db', '-f', path.join(folder, 'haproxy.cfg')], {});
  await untilReady();

  assert.equal((await ask(api, '/metrics')).status, 200, 'the replica itself serves its metrics');
  for (const target of [
    '/metrics',
    '/metrics?a=b',
    '/metrics/',
    '/%6detrics',
    '/METRICS',
    'http://a.example/metrics',
  ]) {
    assert.notEqual((await ask(front, target)).status, 200, `${target} is not served through the balancer`);
  }
  for (const target of ['//metrics', '/./metrics', '/%2fmetrics', '/%256detrics', '/metrics;a']) {
    assert.doesNotMatch((await ask(front, target)).text, /privet_requests_total/, `${target} does not reach /metrics`);
  }
  assert.equal((await ask(front, '/health')).status, 200);

  const signIn = (from, key, invented) =>
    ask(front, '/admin/login', { from, method: 'POST', body: JSON.stringify({ key }), invented });
  for (const from of ['127.0.0.2', '127.0.0.3']) {
    const wrong = [];
    for (let i = 0; i < 7; i++) wrong.push((await signIn(from, 'wrong', `192.0.2.${i}`)).status);
    assert.deepEqual(wrong, [401, 401, 401, 401, 429, 429, 429], 'a forged address is not trusted');
  }
  assert.equal((await signIn('127.0.0.4', adminKey)).status, 200, 'others sign in');
  process.stdout.write(
    'the API behind the balancer: metrics are not exposed, and wrong keys lock out only their own address\n',
  );
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { force: true, recursive: true });
}

function start(program, words, env) {
  const child = spawn(program, words, { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } });
  children.push(child);
}

async function untilReady() {
  for (let i = 0; i < 200; i++) {
    const status = await ask(front, '/ready').then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(100);
  }
  throw new Error('the gateway behind the balancer is not ready after 20 s');
}

/** A request whose target is sent unchanged. */
function ask(port, target, { from, method = 'GET', body, invented } = {}) {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(invented !== undefined && { 'x-forwarded-for': invented }),
    };
    const options = { host: '127.0.0.1', port, path: target, method, headers, localAddress: from, agent: false };
    const request = http.request(options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, text });
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
