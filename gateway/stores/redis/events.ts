/** Events in Redis: a stream in write order, searched on the server. */
import {
  type EventBackend,
  type EventPage,
  type EventQuery,
  type EventTail,
  hostOf,
  meets,
  pageLimit,
  type StoredEvent,
  typesOf,
} from '../events.ts';
import type { Level, Rollup } from '../rollups.ts';
import { type RedisClient, script } from './client.ts';
import { appendScript, dropRollupsScript, queryScript, rollupsScript } from './scripts.ts';

const appendEvents = script(appendScript);
const queryEvents = script(queryScript);
const readRollups = script(rollupsScript);
const dropRollups = script(dropRollupsScript);

/** Events that the server scans in one step (it blocks others meanwhile), and maximum steps per page. */
const lookedAtOnce = 1_000;
const stepsMax = 20;
/**
 * Maximum difference between the time of an event and the time it was written, which is its position in the stream: it
 * may have waited for the store, and clocks differ.
 */
const slackMs = 3_600_000;

export class RedisEvents implements EventBackend {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #key: string;

  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
    this.#key = `${prefix}events`;
  }

  async append(events: readonly StoredEvent[], rollups: readonly Rollup[]): Promise<void> {
    const texts = events.flatMap((event) => {
      const { subject, service, action } = event;
      return [subject, service, action, hostOf(event), typesOf(event), JSON.stringify(event)];
    });
    const counted = rollups.flatMap(({ level, at, part, counts, tops }) => {
      return [level, String(at), part, JSON.stringify(counts), JSON.stringify(tops)];
    });
    await this.#client.run(appendEvents, this.#prefix, [String(events.length), ...texts, ...counted]);
  }

  /** A page may be short and still have `next`, when few of many events match. */
  async query(asked: EventQuery): Promise<EventPage> {
    const limit = pageLimit(asked);
    const { from, to, after, subject, service, action, host, type } = asked;
    const start = from === undefined ? '-' : String(Math.max(0, from - slackMs));
    let end = after !== undefined ? `(${after}` : to === undefined ? '+' : String(to + slackMs);
    const wanted = [subject, service, action, host].map((value) => (value === undefined ? '' : `=${value}`));
    wanted.push(type === undefined ? '' : `=,${type},`);
    const isAll = wanted.every((value) => value === '');
    const step = isAll && from === undefined && to === undefined ? limit + 1 : lookedAtOnce;
    const events: { readonly id: string; readonly event: StoredEvent }[] = [];
    if (to !== undefined && (await this.#beginsAfter(to + slackMs))) return { events: [] };
    for (let steps = 0; steps < stepsMax; steps++) {
      const counts = [String(step), String(limit + 1)];
      const reply = await this.#client.run(queryEvents, this.#prefix, [end, start, ...counts, ...wanted]);
      const [last, found] = reply as [string, string[]];
      for (let i = 0; i < found.length; i += 2) {
        const event = JSON.parse(found[i + 1] as string) as StoredEvent;
        if (!meets(event, asked)) continue;
        // Fetching one more than requested shows whether there is a next page.
        const before = events.at(-1);
        if (events.length === limit && before !== undefined)
          return { events: events.map(({ event }) => event), next: before.id };
        events.push({ id: found[i] as string, event });
      }
      if (last === '') return { events: events.map(({ event }) => event) };
      end = `(${last}`;
    }
    return { events: events.map(({ event }) => event), next: end.slice(1) };
  }

  /** Whether the first event was written after a time: Redis would scan the whole stream for a range before it. */
  async #beginsAfter(at: number): Promise<boolean> {
    const first = (await this.#client.send('XRANGE', this.#key, '-', '+', 'COUNT', '1')) as [string, string[]][];
    return first[0] === undefined || Number(first[0][0].split('-')[0]) > at;
  }

  async tail(mark: string | undefined, limit: number): Promise<EventTail> {
    if (mark === undefined) {
      const newest = (await this.#client.send('XREVRANGE', this.#key, '+', '-', 'COUNT', '1')) as [string, string[]][];
      return { events: [], mark: newest[0]?.[0] ?? '0-0' };
    }
    const reply = await this.#client.send('XRANGE', this.#key, `(${mark}`, '+', 'COUNT', String(limit));
    const found = reply as [id: string, fields: string[]][];
    return { events: found.map(([, fields]) => JSON.parse(fields.at(-1) as string)), mark: found.at(-1)?.[0] ?? mark };
  }

  async rollups({ level, from, to }: { level: Level; from: number; to: number }, tops: boolean): Promise<Rollup[]> {
    const hashes = tops ? ['counts', 'tops'] : ['counts'];
    const reply = await this.#client.run(readRollups, this.#prefix, [level, String(from), String(to), ...hashes]);
    const texts = reply as string[];
    const found: Rollup[] = [];
    for (let i = 0; i < texts.length; i += hashes.length + 1) {
      const [at, part = ''] = (texts[i] as string).split(':');
      const [counts, kept] = [texts[i + 1] as string, tops ? (texts[i + 2] as string) : 'null'];
      found.push({ level, at: Number(at), part, counts: JSON.parse(counts), tops: JSON.parse(kept) } as Rollup);
    }
    return found;
  }

  async sweep(limits: { keep: number; before: number; rollups: Readonly<Record<Level, number>> }): Promise<void> {
    await this.#client.send('XTRIM', this.#key, 'MAXLEN', '~', String(limits.keep));
    await this.#client.send('XTRIM', this.#key, 'MINID', '~', String(Math.max(0, limits.before)));
    for (const [level, before] of Object.entries(limits.rollups)) {
      await this.#client.run(dropRollups, this.#prefix, [level, String(before)]);
    }
  }
}
