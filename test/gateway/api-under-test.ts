/** The API in this process, on in-memory stores, and a client for it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ApiDeps } from '../../gateway/api/parts.ts';
import { createApi } from '../../gateway/api/server.ts';
import type { LicenseState } from '../../gateway/license-state.ts';
import { createLog } from '../../gateway/observe/log.ts';
import { Metrics } from '../../gateway/observe/metrics.ts';
import { Reports } from '../../gateway/report/reports.ts';
import { Accounts } from '../../gateway/stores/accounts.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { RegistryFile } from '../../gateway/stores/registry-file.ts';
import { RegistryStore } from '../../gateway/stores/registry-store.ts';
import { CidrSet } from '../../policy/address.ts';
import { monthOf } from '../../policy/credits.ts';
import { Policy } from '../../policy/decide.ts';
import type { PlanName } from '../../policy/plans.ts';
import { ServiceRegistry } from '../../policy/registry.ts';

export const adminKey = 'pvt_admin_0123456789abcdefghijklmnopqrstuv';
const shipped = [
  {
    service_name: 'ChatGPT',
    domain: 'chatgpt.com',
    alternate_domains: ['chat.openai.com'],
    category: 'approved',
    kind: 'chat',
  },
  { service_name: 'OpenAI API', domain: 'openai.com', category: 'monitoring', kind: 'model-api', vendor: 'OpenAI' },
  { service_name: 'DeepSeek', domain: 'deepseek.com', category: 'blocked', kind: 'chat' },
  {
    service_name: 'Notion AI',
    domain: 'notion.so',
    scope: 'path',
    url_prefixes: ['notion.so/ai'],
    category: 'blocked',
  },
];

/** A service other than those. */
export const newService = { service_name: 'Intranet Bot', domain: 'Intranet.Test', category: 'blocked' };

const license: ReturnType<LicenseState['view']> = {
  status: 'valid',
  mode: 'evaluation',
  plan: 'enterprise',
  evaluation: true,
  customer: 'evaluation',
  expires_at: '2027-01-01T00:00:00.000Z',
};

// biome-ignore lint/suspicious/noExplicitAny: every test knows the shape of its own answer.
export type Answer = { status: number; headers: Headers; body: any; text: string };

/** Starts the API; `now` sets the clock of months and limits. */
export async function startApi(changes: Partial<ApiDeps> & { readonly now?: () => Date } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'privet-api-'));
  const registry = new ServiceRegistry([]);
  for (const service of shipped) registry.add(service);
  const inspect = { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' } as const;
  const policy = new Policy({ registry, config: { unknown: 'allow', inspect, bypass: ['bank.example'], rules: [] } });
  const lines: string[] = [];
  let registryChanges = 0;
  const { now, ...deps } = changes;
  const stores = deps.stores ?? openMemoryStores({ ttlMs: 60_000, ...(now && { now: () => now().getTime() }) });
  const accounts = new Accounts({ ...stores, verifyAdminKey: (key) => key === adminKey, ...(now && { now }) });
  const metrics = new Metrics({ defaults: false });
  const { log } = createLog({ level: 'debug', sink: { write: (line) => lines.push(line) } });
  const services = registry.list();
  const noReports = { every: 'week', dir: null, formats: [], lang: 'en', keep: 1 } as const;
  const registryWriter = new RegistryStore({
    stores,
    registry,
    shipped: () => services,
    file: RegistryFile.open(dataDir),
    log,
    onChanged: () => void registryChanges++,
  });
  const api = createApi({
    listen: { host: '127.0.0.1', port: 0 },
    registry,
    registryWriter,
    reports: new Reports({ events: stores.events, registry, log, settings: () => noReports }),
    policy: () => policy,
    metrics,
    log,
    stores,
    accounts,
    providers: new Map(),
    license: {
      view: () => license,
      refresh: async () => ({ ...license, reported: false }),
      callsThisMonth: () => stores.meter.usedByAll(monthOf(changes.now?.() ?? new Date())),
    },
    demo: () => ({ isOn: true }),
    reload: () => [],
    checks: () => ({ accepting: true }),
    version: '1.2.3',
    overview: {
      ca: () => ({ notAfter: new Date('2036-01-01T00:00:00Z'), fingerprint256: 'AB:CD' }),
      config: () => ({ loadedAt: new Date('2026-11-20T00:00:00Z'), warnings: ['doubtful'], problems: [] }),
    },
    metricsAllow: () => new CidrSet(['loopback']),
    trustedProxies: () => new CidrSet([]),
    uiOrigins: ['http://localhost:5173'],
    ...deps,
  });
  const { host, port } = await api.listen();
  registryChanges = 0;
  onTestFinished(async () => {
    await api.close(5_000);
    rmSync(dataDir, { recursive: true, force: true });
  });
  const call = async (
    path: string,
    init: RequestInit & { json?: unknown; key?: string | null } = {},
  ): Promise<Answer> => {
    const { json, key = adminKey, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (key !== null) headers.set('authorization', `Bearer ${key}`);
    if (json !== undefined) headers.set('content-type', 'application/json');
    const body = json === undefined ? rest.body : JSON.stringify(json);
    const answer = await fetch(`http://${host}:${port}${path}`, { ...rest, headers, body });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  /** A POST of JSON with a key. */
  const post = (path: string, json: unknown, key: string | null = adminKey) =>
    call(path, { method: 'POST', json, key });
  /** A key of a new account. */
  const keyOn = async (plan: PlanName) => (await accounts.createKey({ name: 'Ann', plan })).key;
  return {
    api,
    call,
    post,
    keyOn,
    registry,
    accounts,
    stores,
    metrics,
    dataDir,
    host,
    port,
    lines,
    changes: () => registryChanges,
  };
}
