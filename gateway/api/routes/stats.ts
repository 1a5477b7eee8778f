/** GET /admin/stats: the requests of a period, counted by time, action, service, subject and PII type. */

import { z } from 'zod';
import { minutesKeptMs } from '../../stores/events.ts';
import {
  type Counts,
  countNames,
  type EventStats,
  type Level,
  levelMs,
  pointsMax,
  type StatsQuery,
} from '../../stores/rollups.ts';
import type { Endpoints } from '../endpoint.ts';
import { queryInt } from '../fields.ts';
import type { ApiParts } from '../parts.ts';
import { invalidField } from '../validate.ts';

const dayMs = levelMs.day;
const time = z.iso.datetime({ offset: true });
const query = z.strictObject({
  from: time.optional().describe('Start (inclusive); default 24 hours ago.'),
  to: time.optional().describe('End (exclusive); default now.'),
  bucket: z
    .enum(['minute', 'hour', 'day'])
    .optional()
    .describe('Default minute for at most 6 hours, hour for at most 14 days, else day (of UTC).'),
  top: queryInt(1, 200).optional().describe('Number of names per list; default 20.'),
});
const numbers = { allow: z.int(), warn: z.int(), block: z.int(), none: z.int().describe('Refused before a decision.') };
const typeCount = z.object({ type: z.string(), count: z.int() });
const answer = z.object({
  from: z.iso.datetime().describe('Widened to whole buckets, like `to`.'),
  to: z.iso.datetime(),
  bucket: z.enum(['minute', 'hour', 'day']),
  series: z.array(z.object({ at: z.iso.datetime(), ...numbers })).describe('One per bucket, including empty ones.'),
  requests: z.int().describe('Those that the policy decided: all actions but none.'),
  actions: z.object(numbers),
  unregistered: z.int().describe('Requests to unregistered hosts.'),
  masked: z.int().describe('Values replaced by tokens.'),
  restored: z.int(),
  services: z.array(z.object({ service: z.string(), requests: z.int() })),
  subjects: z.array(z.object({ subject: z.string(), requests: z.int() })),
  types: z.array(typeCount).describe('Values that were masked.'),
  types_seen: z.array(typeCount).describe('Values that were found and sent, because the service is only audited.'),
  others: z
    .object({ services: z.int(), subjects: z.int(), types: z.int(), types_seen: z.int() })
    .describe('Sum of the names that are not in the lists.'),
});
export type Stats = z.infer<typeof answer>;

export function statsRoutes(endpoints: Endpoints, { stores }: ApiParts): void {
  endpoints.add({
    method: 'GET',
    path: '/admin/stats',
    group: 'admin',
    access: 'admin',
    summary: 'Request counts for a period.',
    query,
    answer,
    async handle({ query: { from, to, bucket, top } }) {
      const end = to === undefined ? Date.now() : Date.parse(to);
      const start = from === undefined ? end - dayMs : Date.parse(from);
      return answerOf(await stores.events.stats({ ...span(start, end, bucket), top }));
    },
  });
}

/** The period in the requested bucket, or the finest suitable one. */
function span(from: number, to: number, bucket: Level | undefined): StatsQuery {
  if (from >= to) throw invalidField('from', 'must be before `to`');
  const length = to - from;
  const hasMinutes = from >= Date.now() - minutesKeptMs;
  const suited = length <= dayMs / 4 && hasMinutes ? 'minute' : length <= 14 * dayMs ? 'hour' : 'day';
  const level = bucket ?? suited;
  if (length / levelMs[level] > pointsMax) {
    throw invalidField('bucket', `would give more than ${pointsMax} points; use a longer bucket or a shorter period`);
  }
  if (level === 'minute' && !hasMinutes) {
    throw invalidField('bucket', 'per-minute counts are kept for two days; use the hour bucket');
  }
  return { from, to, bucket: level };
}

function answerOf(stats: EventStats): z.infer<typeof answer> {
  const { counts, tops } = stats;
  const iso = (at: number) => new Date(at).toISOString();
  return {
    from: iso(stats.from),
    to: iso(stats.to),
    bucket: stats.bucket,
    series: stats.series.map((point) => ({ at: iso(point.at), ...actionsOf(point.counts) })),
    requests: count(counts, 'allow') + count(counts, 'warn') + count(counts, 'block'),
    actions: actionsOf(counts),
    unregistered: count(counts, 'unregistered'),
    masked: count(counts, 'masked'),
    restored: count(counts, 'restored'),
    services: tops.services.top.map(([service, requests]) => ({ service, requests })),
    subjects: tops.subjects.top.map(([subject, requests]) => ({ subject, requests })),
    types: tops.types.top.map(([type, found]) => ({ type, count: found })),
    types_seen: tops.seen.top.map(([type, found]) => ({ type, count: found })),
    others: {
      services: tops.services.other,
      subjects: tops.subjects.other,
      types: tops.types.other,
      types_seen: tops.seen.other,
    },
  };
}

function actionsOf(counts: Counts) {
  return {
    allow: count(counts, 'allow'),
    warn: count(counts, 'warn'),
    block: count(counts, 'block'),
    none: count(counts, 'none'),
  };
}

function count(counts: Counts, name: (typeof countNames)[number]): number {
  return counts[countNames.indexOf(name)] ?? 0;
}
