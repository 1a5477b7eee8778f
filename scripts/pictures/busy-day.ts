/** Fills a gateway's store with one day of a company's traffic: fictional people, always the same numbers. */
import { loadServices } from '../../config/services.ts';
import type { StoredEvent } from '../../gateway/stores/events.ts';
import { openStores } from '../../gateway/stores/open-stores.ts';
import { silentLog } from '../../test/gateway/stores/silent-log.ts';

const people = ['ann', 'ben', 'chloe', 'daichi', 'emi', 'farid', 'grace', 'hiro'];
const used = [
  ['chatgpt', 30],
  ['openai-api', 26],
  ['claude', 22],
  ['anthropic-api', 14],
  ['google-gemini', 10],
  ['github-copilot', 12],
  ['mistral-ai', 6],
  ['deepseek', 4],
] as const;
const types = ['NAME', 'EMAIL', 'PHONE', 'ADDRESS', 'CREDIT_CARD', 'API_KEY'];

/** Writes the last 24 hours into the sqlite store of a data folder. */
export async function writeBusyDay(dataDir: string): Promise<void> {
  const services = new Map(loadServices().map((service) => [service.key, service]));
  const stores = await openStores({ store: 'sqlite', dataDir, tokenTtlMs: 3_600_000 }, { log: silentLog });
  await stores.opened;
  await stores.events.append(eventsOf(services));
  await stores.close();
}

type Known = ReadonlyMap<
  string,
  { readonly key: string; readonly service_name: string; readonly domain: string; readonly category: string }
>;

function eventsOf(services: Known): StoredEvent[] {
  const next = dice(7);
  const now = Date.now();
  const events: StoredEvent[] = [];
  for (let minute = 24 * 60; minute > 1; minute -= 4) {
    const at = now - minute * 60_000;
    const hour = (24 - minute / 60 + 9) % 24;
    const busy = 0.4 + Math.max(0, Math.sin(((hour - 6) / 14) * Math.PI));
    for (let i = 0; i < busy * 4 * next(); i++) {
      const [name] = used[weighted(next())] ?? used[0];
      const service = services.get(name);
      if (service !== undefined) events.push(eventOf(service, at + i * 900, next));
    }
  }
  return events;
}

function eventOf(
  service: { key: string; service_name: string; domain: string; category: string },
  at: number,
  next: () => number,
): StoredEvent {
  const { key, service_name: name, domain, category } = service;
  const subject = people[Math.floor(next() * people.length)] ?? 'ann';
  const action = category === 'blocked' ? 'block' : 'allow';
  const inspect = category === 'approved' ? 'mask' : 'audit';
  const found = action === 'allow' && next() < 0.6 ? 1 + Math.floor(next() * 3) : 0;
  const piiTypes: Record<string, number> = {};
  for (let i = 0; i < found; i++) {
    const type = types[Math.floor(next() ** 2 * types.length)] ?? 'NAME';
    piiTypes[type] = (piiTypes[type] ?? 0) + 1;
  }
  const masked = inspect === 'mask' ? found : 0;
  const fields = {
    requestId: `p-${at.toString(36)}`,
    subject,
    clientAddress: `10.0.4.${10 + people.indexOf(subject)}`,
    kind: 'request',
    host: domain,
    port: 443,
    service: key,
    category,
    action,
    inspect,
    rule: `category ${category}`,
    reason: `${name} is in category ${category}`,
    method: 'POST',
    status: action === 'block' ? 403 : 200,
    bytesIn: 900 + Math.floor(next() * 4_000),
    bytesOut: 2_000 + Math.floor(next() * 20_000),
    durationMs: 400 + Math.floor(next() * 2_400),
    intercepted: true,
    piiTypes,
    masked,
    restored: masked,
    unresolved: 0,
  };
  return { at, subject, service: key, action, fields };
}

/** The index of a service, weighted by use. */
function weighted(roll: number): number {
  const total = used.reduce((sum, [, weight]) => sum + weight, 0);
  let left = roll * total;
  return used.findIndex(([, weight]) => {
    left -= weight;
    return left < 0;
  });
}

/** Deterministic numbers from 0 to 1 (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
