/**
 * Creates a root with the commands of README.md and passes its files to a pod like the chart: `root.mjs MANIFESTS`. Each
 * pod must use the same root, before and after a rotation, and must not start with files under other names.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

const main = path.join(import.meta.dirname, '../../gateway/main.ts');
const readme = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');
const folder = mkdtempSync(path.join(tmpdir(), 'privet-root-'));
const pod = parseAllDocuments(readFileSync(process.argv[2] ?? '', 'utf8'))
  .map((document) => document.toJS())
  .find((one) => one?.kind === 'Deployment').spec.template.spec;
const [shell, flag, script] = pod.initContainers.find(({ name }) => name === 'ca').command;
try {
  const [serve, show, exported] = ['serve', 'ca show', 'ca export', 'ca rotate'].map(wordsOf);
  const server = spawn(process.execPath, [main, ...serve], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(server.stdout, 'data');
  server.kill('SIGINT');
  await once(server, 'close');
  const made = privet(show);
  privet(exported);
  assert.doesNotMatch(readFileSync(path.join(folder, 'root.pem'), 'utf8'), /PRIVATE KEY/);
  assert.equal(inPod('first'), made);
  privet(wordsOf('ca rotate'));
  const rotated = privet(show);
  assert.match(rotated, /next root/);
  assert.equal(inPod('second'), rotated);
  rmSync(path.join(folder, 'root/ca/rotation.json'));
  renameSync(path.join(folder, 'root/ca/root.pem'), path.join(folder, 'root/ca/tls.crt'));
  assert.throws(() => inPod('third'), /holds no root.pem with root-key.pem, but: root-.*tls.crt/s);
  process.stdout.write('pods use the root of the secret, before and after a rotation\n');
} finally {
  rmSync(folder, { force: true, recursive: true });
}

/** The words of a command of README.md. */
function wordsOf(command) {
  const line = readme
    .split('\n')
    .find((one) => one.replace('PROXY_DATA_DIR=root ', '').startsWith(`npx privet ${command}`));
  assert.ok(line, `README.md has no ${command}`);
  return line
    .replace(/ +#.*/, '')
    .replace(/^.*npx privet /, '')
    .split(' ');
}

function privet(words, dataDir = 'root') {
  const env = { PATH: process.env.PATH, PROXY_DATA_DIR: dataDir };
  const text = execFileSync(process.execPath, [main, ...words], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
  return text.replaceAll(`${dataDir}/ca`, 'ca');
}

/** The root that a pod reports: the secret's folder is mounted, the init container runs, the gateway reads. */
function inPod(name) {
  const [secret, data] = ['ca', 'data'].map((one) => path.join(folder, name, one));
  mkdirSync(data, { recursive: true });
  cpSync(path.join(folder, 'root/ca'), secret, { recursive: true });
  const own = script.replaceAll('/data/', `${data}/`).replaceAll(/(?<= )\/ca(?=[/)])/g, secret);
  const { status, stdout } = spawnSync(shell, [flag, own], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
  return privet(['ca', 'show'], path.join(name, 'data'));
}
