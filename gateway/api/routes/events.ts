/**
 * GET /admin/events: the stored audit trail, in pages, as a whole file, and live. It contains counts by type, never a
 * value.
 */

import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { csvCell } from '../../csv.ts';
import { type EventConditions, type EventStore, meets, type StoredEvent } from '../../stores/events.ts';
import { Cursors, cursorText } from '../cursors.ts';
import type { Endpoints } from '../endpoint.ts';
import { queryInt } from '../fields.ts';
import type { ApiParts } from '../parts.ts';
import { abortOnClose } from '../streams.ts';

const time = z.iso.datetime({ offset: true });
const conditions = {
  from: time.optional().describe('Start (inclusive).'),
  to: time.optional().describe('End (exclusive).'),
  subject: z.string().max(256).optional(),
  host: z.string().max(255).optional(),
  service: z.string().max(128).optional().describe('Key of the service; empty for requests to none.'),
  action: z
    .enum(['allow', 'warn', 'block', 'none'])
    .optional()
    .describe('How the request ended: `block` includes allowed requests that were not sent.'),
  type: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be a PII type like EMAIL')
    .optional()
    .describe('A PII type that was found.'),
};
const eventsQuery = z.strictObject({
  ...conditions,
  cursor: cursorText.optional().describe('`next` of the previous page.'),
  limit: queryInt(1, 1000).optional().describe('Default 100.'),
  format: z.enum(['json', 'csv']).optional().describe('Default json.'),
});
const exportQuery = z.strictObject({
  ...conditions,
  format: z.enum(['json', 'ndjson', 'csv']).optional().describe('Default json, one array.'),
});
const { from: _from, to: _to, ...timeless } = conditions;
const tailQuery = z.strictObject(timeless);
const event = z
  .looseObject({
    ts: z.iso.datetime(),
    subject: z.string(),
    service: z.string().nullable(),
    action: z.string(),
  })
  .meta({ id: 'AuditEvent' });

/** Events read from the store per step of an export or tail. */
const stepMax = 1_000;
const tailPollMs = 500;
const tailSilenceMs = 15_000;
const tailsMax = 20;
/** How often a long response checks whether its reader is still authorized. */
const allowedMs = 1_000;
/** Columns of the CSV form, in order. */
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
  'groups',
  'wouldAction',
  'wouldRule',
  'justification',
];

export function eventRoutes(endpoints: Endpoints, { stores, callers, closing }: ApiParts): void {
  const isAllowed = (request: FastifyRequest) => nowAndThen(() => callers.isStillAdmin(request));
  const cursors = new Cursors(stores.secret);
  const shared = { method: 'GET', group: 'admin', access: 'admin' } as const;

  endpoints.add({
    ...shared,
    path: '/admin/events',
    summary: 'Audit events, newest first. A page may be short although there is a `next`.',
    query: eventsQuery,
    answer: z.object({ events: z.array(event), next: z.string().optional() }),
    async handle({ query: { cursor, limit, format, ...wanted }, reply }) {
      const page = await stores.events.query({
        ...conditionsOf(wanted),
        after: cursor === undefined ? undefined : cursors.take('events', cursor),
        limit,
      });
      const { events } = page;
      const next = page.next === undefined ? undefined : cursors.give('events', page.next);
      const rows = events.map(rowOf);
      if (format !== 'csv') return { events: rows, next };
      if (next !== undefined) reply.header('x-next-cursor', next);
      reply.header('content-disposition', 'attachment; filename="events.csv"').type('text/csv; charset=utf-8');
      return [columns.join(','), ...rows.map(csvLine), ''].join('\r\n');
    },
  });

  endpoints.add({
    ...shared,
    path: '/admin/events/export',
    summary: 'All matching audit events as a file, newest first.',
    query: exportQuery,
    async handle({ query: { format = 'json', ...wanted }, reply, request }) {
      const types = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' };
      const reader = { signal: abortOnClose(reply), isAllowed: isAllowed(request) };
      const pages = pagesOf(stores.events, conditionsOf(wanted), reader);
      // An error before the first page becomes an error status.
      const first = await pages.next();
      return reply
        .header('content-disposition', `attachment; filename="events.${format}"`)
        .type(`${types[format]}; charset=utf-8`)
        .send(Readable.from(fileOf(format, withFirst(first, pages)), { objectMode: false }));
    },
  });

  let tails = 0;
  endpoints.add({
    ...shared,
    path: '/admin/events/tail',
    summary:
      'Audit events of all replicas as they are stored: server-sent events with ids, to be resumed by Last-Event-ID.',
    refusals: [429],
    query: tailQuery,
    answer: event.describe('The data of each event.'),
    answerType: 'text/event-stream',
    async handle({ query, reply, request }) {
      const signal = abortOnClose(reply);
      const { socket } = request.raw;
      // The reader left during the key look-up, so no close event would remove it from the count.
      if (signal.aborted || socket.readableEnded) return reply.send('');
      // A client that has half-closed does not watch a live view.
      socket.once('end', () => socket.destroy());
      if (tails >= tailsMax) {
        throw new PrivetError(
          'too_many_requests',
          `The limit of ${tailsMax} live views is reached; close one of them.`,
        );
      }
      tails++;
      reply.raw.once('close', () => tails--);
      const last = request.headers['last-event-id'];
      const given = typeof last === 'string' ? cursors.positionOf('tail', last) : undefined;
      const mark = given ?? (await stores.events.tail(undefined, 0)).mark;
      return reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }).send(
        Readable.from(
          tailOf(stores.events, conditionsOf(query), {
            mark,
            idOf: (mark) => cursors.give('tail', mark),
            signal: AbortSignal.any([signal, closing]),
            isAllowed: isAllowed(request),
          }),
          { objectMode: false },
        ),
      );
    },
  });
}

type Conditions = { readonly [Key in keyof typeof conditions]?: string | undefined };

function conditionsOf({ from, to, ...equal }: Conditions): EventConditions {
  return {
    ...equal,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
  };
}

/** The reader of a long response: whether it has left, and whether it is still authorized. */
type Reader = { readonly signal: AbortSignal; readonly isAllowed: () => Promise<boolean> };

/** Checks at most once per {@link allowedMs}; returns the last result in between. */
function nowAndThen(ask: () => Promise<boolean>): () => Promise<boolean> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < allowedMs) return true;
    last = performance.now();
    return ask();
  };
}

/** Pages on demand; ends when the reader has left, and fails when it is no longer authorized. */
async function* pagesOf(
  events: EventStore,
  wanted: EventConditions,
  { signal, isAllowed }: Reader,
): AsyncGenerator<Row[], void> {
  let after: string | undefined;
  do {
    if (!(await isAllowed())) throw new PrivetError('unauthorized', 'The key or session is no longer valid.');
    const page = await events.query({ ...wanted, limit: stepMax, after });
    if (page.events.length > 0) yield page.events.map(rowOf);
    after = page.next;
  } while (after !== undefined && !signal.aborted);
}

async function* withFirst<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function* fileOf(
  format: 'json' | 'ndjson' | 'csv',
  pages: AsyncGenerator<Row[], void>,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield `${columns.join(',')}\r\n`;
  if (format === 'json') yield '[';
  let isFirst = true;
  for await (const rows of pages) {
    if (format === 'csv') yield rows.map((row) => `${csvLine(row)}\r\n`).join('');
    else if (format === 'ndjson') yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    else yield `${isFirst ? '' : ','}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`;
    isFirst = false;
  }
  if (format === 'json') yield '\n]\n';
}

/** Reads the store on demand; a slow reader falls behind, and nothing is buffered for it. */
async function* tailOf(
  events: EventStore,
  wanted: EventConditions,
  { signal, isAllowed, idOf, ...from }: Reader & { readonly mark: string; readonly idOf: (mark: string) => string },
): AsyncGenerator<string, void> {
  let { mark } = from;
  let told = performance.now();
  yield `retry: 2000\nid: ${idOf(mark)}\n\n`;
  while (!signal.aborted && (await isAllowed())) {
    const next = await events.tail(mark, stepMax).catch(() => undefined);
    const found = next?.events.filter((one) => meets(one, wanted)) ?? [];
    const isMore = next !== undefined && next.mark !== mark;
    mark = next?.mark ?? mark;
    if (found.length > 0) {
      // All events of one step share its end mark: resuming within the step would repeat the rest.
      yield found
        .map(
          (one, i) => `${i === found.length - 1 ? `id: ${idOf(mark)}\n` : ''}data: ${JSON.stringify(rowOf(one))}\n\n`,
        )
        .join('');
      told = performance.now();
    } else if (performance.now() - told > tailSilenceMs) {
      yield `: ${next === undefined ? 'the store is unavailable' : 'nothing new'}\nid: ${idOf(mark)}\n\n`;
      told = performance.now();
    }
    if (!isMore || (next?.events.length ?? 0) < stepMax) await sleep(tailPollMs, undefined, { signal }).catch(() => {});
  }
}

type Row = Readonly<Record<string, unknown>>;

function rowOf({ at, subject, service, action, fields }: StoredEvent): Row {
  // The decision of the policy; the stored action says how the request ended.
  return { ts: new Date(at).toISOString(), action, ...fields, subject, service: service || null };
}

const csvLine = (row: Row): string => columns.map((column) => csvCell(row[column])).join(',');
