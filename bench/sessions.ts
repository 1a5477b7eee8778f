/**
 * The cost of live sessions: memory of this process and time per call while a private redis-server fills with sessions of
 * five tokens, and bytes per session in the memory store. Limits: no growth with redis; 1 KiB per session in memory.
 *
 *   BENCH_SESSIONS=1000000 node --expose-gc bench/sessions.ts
 */
import { spawn } from 'node:child_process';
import { MemoryVault, sessionKey, type VaultEntry } from '../core/vault.ts';
import { createLog } from '../gateway/observe/log.ts';
import { openStores } from '../gateway/stores/open-stores.ts';
import { freePort } from '../test/support/free-port.ts';
import { cleanUp, folder } from './support.ts';

const sessions = Number(process.env.BENCH_SESSIONS ?? 100_000);
const parts = 10;
const lanes = 16;
const samples = 300;
const tenant = 'acme';

function entriesOf(i: number): VaultEntry[] {
  return [
    { type: 'EMAIL', value: `ana.lopez.${i}@example.com` },
    { type: 'PHONE', value: `+1 415 555 ${i}` },
    { type: 'NAME', value: `Ana Lopez ${i}` },
    { type: 'CREDIT_CARD', value: `4111 1111 1111 ${i}` },
    { type: 'ADDRESS', value: `${i} Main Street, Springfield` },
  ];
}

function heapMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Median and 99th percentile of some calls, one after another, in milliseconds. */
async function timesOf(call: (k: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let k = 0; k < samples; k++) {
    const start = performance.now();
    await call(k);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(samples * share)] ?? 0).toFixed(2);
  return `${at(0.5)} / ${at(0.99)}`.padStart(14);
}

async function measureRedis(): Promise<void> {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''], {
    stdio: 'ignore',
  });
  process.once('exit', () => server.kill('SIGKILL'));
  const stores = await openStores(
    {
      store: 'redis',
      storeUrl: `redis://127.0.0.1:${port}/0`,
      storeKey: 'a key of this measurement',
      dataDir: folder,
      tokenTtlMs: 86_400_000,
    },
    { log: createLog({ level: 'error' }).log },
  );
  await stores.opened;
  const open = async (i: number) =>
    stores.calls.run({ reserve: { session: sessionKey(tenant, `s${i}`), entries: entriesOf(i), options: {} } });
  let made = 0;
  console.log('redis, sessions    heap MiB   RSS MiB   new, ms p50/p99   read, ms p50/p99');
  for (let part = 1; part <= parts; part++) {
    const until = Math.round((sessions * part) / parts);
    const lane = async () => {
      while (made < until) await open(made++);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    const fresh = await timesOf((k) => open(sessions + part * samples + k));
    const read = await timesOf(async () => {
      const { map } = await stores.calls.run({ read: sessionKey(tenant, `s${Math.floor(Math.random() * made)}`) });
      if (map?.size !== 5) throw new Error('a session was lost');
    });
    const memory = [heapMiB(), process.memoryUsage().rss / 1024 / 1024].map((mib) => mib.toFixed(0).padStart(10));
    console.log(`${String(made).padStart(15)}${memory.join('')}   ${fresh}   ${read}`);
  }
  await stores.close();
  server.kill('SIGKILL');
}

function measureMemory(): void {
  const count = Math.min(sessions, 100_000);
  const vault = new MemoryVault({ sessionsMax: count, bytesMax: Number.POSITIVE_INFINITY });
  const before = heapMiB();
  for (let i = 0; i < count; i++) vault.reserve(sessionKey(tenant, `s${i}`), entriesOf(i));
  const perSession = ((heapMiB() - before) * 1024 * 1024) / vault.size;
  console.log(`memory store: ${perSession.toFixed(0)} bytes for a session of five tokens (at most 1024)`);
}

measureMemory();
await measureRedis();
cleanUp();
