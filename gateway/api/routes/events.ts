/** GET /admin/events and /admin/stats: the audit trail that the store keeps. It holds counts by type, never a value. */
import { z } from 'zod';
import type { EventQuery, EventStore, StoredEvent } from '../../stores/events.ts';
import type { Endpoints } from '../endpoint.ts';
import { queryInt } from '../fields.ts';
import type { ApiParts } from '../server.ts';

const time = z.iso.datetime({ offset: true });
const period = {
  from: time.optional().describe('Not before.'),
  to: time.optional().describe('Before.'),
};
const conditions = {
  ...period,
  subject: z.string().max(256).optional(),
  service: z.string().max(128).optional().describe('Id of the service; empty for requests to none.'),
  action: z.enum(['allow', 'warn', 'block', 'none']).optional(),
};
const eventsQuery = z.strictObject({
  ...conditions,
  cursor: z
    .string()
    .max(200)
    .regex(/^[\w.:-]+$/, 'is no cursor')
    .optional()
    .describe('`next` of the page before.'),
  limit: queryInt(1, 1000).optional().describe('Default 100.'),
  format: z.enum(['json', 'csv']).optional().describe('Default json.'),
});
const event = z.looseObject({
  ts: z.iso.datetime(),
  subject: z.string(),
  service: z.string().nullable(),
  action: z.string(),
});
const statsAnswer = z.object({
  events: z.int(),
  complete: z.boolean().describe('False: there are more events, only the newest are counted.'),
  actions: z.record(z.string(), z.int()),
  services: z.array(z.object({ service: z.string(), events: z.int() })),
  subjects: z.array(z.object({ subject: z.string(), events: z.int() })),
  piiTypes: z.record(z.string(), z.int()),
  masked: z.int(),
  restored: z.int(),
});

const pageMax = 1_000;
const countedMax = 20_000;
const topMax = 20;
/** Columns of the CSV form, in their order. */
const columns = [
  'ts',
  'requestId',
  'subject',
  'clientAddress',
  'kind',
  'host',
  'port',
  'service',
  'category',
  'action',
  'inspect',
  'rule',
  'reason',
  'method',
  'status',
  'bytesIn',
  'bytesOut',
  'durationMs',
  'intercepted',
  'piiTypes',
  'masked',
  'restored',
  'unresolved',
  'error',
];

export function eventRoutes(endpoints: Endpoints, { stores }: ApiParts): void {
  const shared = { method: 'GET', group: 'admin', access: 'admin' } as const;

  endpoints.add({
    ...shared,
    path: '/admin/events',
    summary: 'Audit events, the newest first.',
    query: eventsQuery,
    answer: z.object({ events: z.array(event), next: z.string().optional() }),
    async handle({ query: { cursor, limit, format, ...wanted }, reply }) {
      const { events, next } = await stores.events.query({
        ...queryOf(wanted),
        ...(cursor === undefined ? {} : { after: cursor }),
        ...(limit === undefined ? {} : { limit }),
      });
      const rows = events.map(rowOf);
      if (format !== 'csv') return { events: rows, ...(next === undefined ? {} : { next }) };
      if (next !== undefined) reply.header('x-next-cursor', next);
      reply.header('content-disposition', 'attachment; filename="events.csv"').type('text/csv; charset=utf-8');
      return [columns.join(','), ...rows.map(csvLine), ''].join('\r\n');
    },
  });

  endpoints.add({
    ...shared,
    path: '/admin/stats',
    summary: 'The events of a time, counted.',
    query: z.strictObject(period),
    answer: statsAnswer,
    handle: ({ query }) => statsOf(stores.events, queryOf(query)),
  });
}

type Conditions = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly subject?: string | undefined;
  readonly service?: string | undefined;
  readonly action?: string | undefined;
};

function queryOf({ from, to, subject, service, action }: Conditions): EventQuery {
  return {
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { to: Date.parse(to) }),
    ...(subject === undefined ? {} : { subject }),
    ...(service === undefined ? {} : { service }),
    ...(action === undefined ? {} : { action }),
  };
}

type Row = Readonly<Record<string, unknown>>;

function rowOf({ at, subject, service, action, fields }: StoredEvent): Row {
  return { ts: new Date(at).toISOString(), ...fields, subject, service: service || null, action };
}

/** RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function csvLine(row: Row): string {
  return columns
    .map((column) => {
      const value = row[column];
      if (value === undefined || value === null) return '';
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(',');
}

async function statsOf(events: EventStore, query: EventQuery): Promise<z.infer<typeof statsAnswer>> {
  const actions: Record<string, number> = {};
  const services = new Map<string, number>();
  const subjects = new Map<string, number>();
  const piiTypes: Record<string, number> = {};
  const sums = { events: 0, masked: 0, restored: 0 };
  let after: string | undefined;
  do {
    const page = await events.query({ ...query, limit: pageMax, ...(after === undefined ? {} : { after }) });
    for (const { subject, service, action, fields } of page.events) {
      sums.events++;
      actions[action] = (actions[action] ?? 0) + 1;
      if (service !== '') services.set(service, (services.get(service) ?? 0) + 1);
      subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
      sums.masked += Number(fields.masked ?? 0);
      sums.restored += Number(fields.restored ?? 0);
      for (const [type, found] of Object.entries((fields.piiTypes ?? {}) as Record<string, number>)) {
        piiTypes[type] = (piiTypes[type] ?? 0) + found;
      }
    }
    after = page.next;
  } while (after !== undefined && sums.events < countedMax);
  const top = (counts: Map<string, number>) => [...counts].sort((a, b) => b[1] - a[1]).slice(0, topMax);
  return {
    ...sums,
    complete: after === undefined,
    actions,
    services: top(services).map(([service, count]) => ({ service, events: count })),
    subjects: top(subjects).map(([subject, count]) => ({ subject, events: count })),
    piiTypes,
  };
}
