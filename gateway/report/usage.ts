/**
 * The use of AI services in a period, computed from audit events: services, users, PII that stayed inside, unregistered
 * hosts, refusals. It contains counts and names, never a value; memory use is limited.
 */

import { type Confidence, confidences } from '../../policy/discovery.ts';
import { dayMs } from '../durations.ts';
import { countedAs } from '../observe/counted.ts';

/** The whole report; times are RFC 3339 in UTC, `to` exclusive. `subjects` is exact up to {@link subjectsMax}. */
export type UsageReport = ReturnType<UsageCounter['report']>;

/** What counting needs to know from the rest of the gateway. */
export type UsageFacts = {
  readonly serviceOf: (id: string) => { readonly name: string; readonly category: string } | undefined;
  /** How confident discovery is that an unregistered host is an AI service; undefined without any signal. */
  readonly confidenceOf?: (host: string) => Confidence | undefined;
};

const subjectsMax = 10_000;
const rowsMax = 5_000;
/** Rows shown per list. */
const shownMax = 50;
const hourMs = 3_600_000;

type Row = {
  requests: number;
  blocked: number;
  masked: number;
  bytes: number;
  subjects: Set<string>;
  services: Set<string>;
};

/** Counts rows by key; keys beyond {@link rowsMax} share one row. */
class Rows {
  readonly map = new Map<string, Row>();

  of(key: string): Row {
    const id = this.map.has(key) || this.map.size < rowsMax ? key : '(others)';
    let row = this.map.get(id);
    if (row === undefined) {
      row = { requests: 0, blocked: 0, masked: 0, bytes: 0, subjects: new Set(), services: new Set() };
      this.map.set(id, row);
    }
    return row;
  }

  top(): [string, Row][] {
    return [...this.map].sort((a, b) => b[1].requests - a[1].requests || (a[0] < b[0] ? -1 : 1)).slice(0, shownMax);
  }
}

/** Adds up the events of a period into a report. */
export class UsageCounter {
  readonly #from: number;
  readonly #to: number;
  readonly #facts: UsageFacts;
  readonly #stepMs: number;
  readonly #series = new Map<number, { allow: number; warn: number; block: number }>();
  readonly #all: Row = new Rows().of('all');
  readonly #services = new Rows();
  readonly #subjects = new Rows();
  readonly #hosts = new Rows();
  readonly #refusals = new Rows();
  readonly #reportOnly = new Rows();
  readonly #types = new Map<string, { masked: number; seen: number }>();
  #warned = 0;
  #confirmations = 0;

  /** Counts events from `from` to before `to`, Unix ms. */
  constructor(options: { readonly from: number; readonly to: number; readonly facts: UsageFacts }) {
    this.#from = options.from;
    this.#to = options.to;
    this.#facts = options.facts;
    this.#stepMs = options.to - options.from <= 2 * dayMs ? hourMs : dayMs;
  }

  /** Takes the fields of an audit event. */
  add(at: number, fields: Readonly<Record<string, unknown>>): void {
    if (!(at >= this.#from && at < this.#to) || typeof fields.subject !== 'string') return;
    const text = (key: string) => (typeof fields[key] === 'string' ? (fields[key] as string) : '');
    const [subject, service, host] = [fields.subject, text('service'), text('host')];
    if (fields.kind === 'acknowledgement') {
      this.#confirmations++;
      return;
    }
    const counted = countedAs(fields);
    // Nothing was decided (a failed sign-in, a malformed request), so there is neither usage nor a known user.
    if (counted === undefined || counted === 'none') return;
    const isRefused = counted === 'block';
    const masked = typeof fields.masked === 'number' ? fields.masked : 0;
    const bytes = typeof fields.bytesIn === 'number' ? fields.bytesIn : 0;
    const rows = [this.#all, this.#subjects.of(subject)];
    if (service !== '') rows.push(this.#services.of(service));
    else if (host !== '') rows.push(this.#hosts.of(host));
    // A tunnel that the policy blocks has no error, a request has; both are the same refusal.
    if (isRefused) rows.push(this.#refusals.of(JSON.stringify([text('rule'), text('error') || 'blocked_by_policy'])));
    if (text('wouldRule') !== '')
      rows.push(this.#reportOnly.of(JSON.stringify([text('wouldRule'), text('wouldAction')])));
    for (const row of rows) {
      row.requests++;
      row.masked += masked;
      row.bytes += bytes;
      if (isRefused) row.blocked++;
      if (row.subjects.size < subjectsMax) row.subjects.add(subject);
      if (service !== '' && row.services.size < subjectsMax) row.services.add(service);
    }
    if (counted === 'warn') this.#warned++;
    this.#countTypes(fields.piiTypes, masked > 0);
    const step = Math.floor(at / this.#stepMs) * this.#stepMs;
    let point = this.#series.get(step);
    if (point === undefined) {
      point = { allow: 0, warn: 0, block: 0 };
      this.#series.set(step, point);
    }
    point[counted]++;
  }

  #countTypes(types: unknown, isMasked: boolean): void {
    if (types === null || typeof types !== 'object') return;
    for (const [type, count] of Object.entries(types as Record<string, unknown>)) {
      if (typeof count !== 'number') continue;
      const known = this.#types.get(type) ?? { masked: 0, seen: 0 };
      known[isMasked ? 'masked' : 'seen'] += count;
      this.#types.set(type, known);
    }
  }

  /** The report so far. `now` is its creation time. */
  report(now: Date) {
    const { serviceOf, confidenceOf = () => undefined } = this.#facts;
    const all = this.#all;
    return {
      from: new Date(this.#from).toISOString(),
      to: new Date(this.#to).toISOString(),
      generated_at: now.toISOString(),
      totals: {
        requests: all.requests,
        subjects: all.subjects.size,
        services: this.#services.map.size,
        warned: this.#warned,
        blocked: all.blocked,
        values_masked: all.masked,
        confirmations: this.#confirmations,
      },
      /** One entry per hour (up to two days) or day. */
      series: this.#points(),
      services: this.#services.top().map(([service, row]) => ({
        service,
        name: serviceOf(service)?.name ?? service,
        category: serviceOf(service)?.category ?? 'removed',
        ...counted(row),
        blocked: row.blocked,
        values_masked: row.masked,
        bytes_up: row.bytes,
      })),
      subjects: this.#subjects.top().map(([subject, row]) => ({
        subject,
        requests: row.requests,
        services: row.services.size,
        blocked: row.blocked,
        values_masked: row.masked,
      })),
      /** `masked`: in masked requests, `seen`: in requests that were only audited or refused. */
      types: [...this.#types]
        .map(([type, counts]) => ({ type, ...counts }))
        .sort((a, b) => b.masked + b.seen - a.masked - a.seen || (a.type < b.type ? -1 : 1)),
      unregistered: this.#unregistered(confidenceOf),
      refusals: this.#refusals.top().map(([key, row]) => {
        const [rule, error] = JSON.parse(key.startsWith('[') ? key : `["${key}",null]`) as [string, string | null];
        return { rule, error, ...counted(row) };
      }),
      report_only: this.#reportOnly.top().map(([key, row]) => {
        const [rule, action] = JSON.parse(key.startsWith('[') ? key : `["${key}",""]`) as [string, string];
        return { rule, action, ...counted(row) };
      }),
    };
  }

  /** Those that look like AI services first, then those with most users. */
  #unregistered(confidenceOf: (host: string) => Confidence | undefined) {
    return [...this.#hosts.map]
      .map(([host, row]) => ({ host, confidence: confidenceOf(host) ?? null, ...counted(row) }))
      .sort((a, b) => rankOf(b.confidence) - rankOf(a.confidence) || b.subjects - a.subjects || b.requests - a.requests)
      .slice(0, shownMax);
  }

  /** Every step of the period, including empty ones. */
  #points() {
    const points: { at: string; allow: number; warn: number; block: number }[] = [];
    for (let step = Math.floor(this.#from / this.#stepMs) * this.#stepMs; step < this.#to; step += this.#stepMs) {
      points.push({ at: new Date(step).toISOString(), ...(this.#series.get(step) ?? { allow: 0, warn: 0, block: 0 }) });
      if (points.length >= 1_000) break;
    }
    return points;
  }
}

function counted({ requests, subjects }: Row) {
  return { requests, subjects: subjects.size };
}

function rankOf(confidence: Confidence | null): number {
  return confidence === null ? -1 : confidences.indexOf(confidence);
}
