/**
 * Weekly time ranges in a time zone, as written in rules: `mon-fri 08:00-18:00 Asia/Tokyo`. Days and zone are optional
 * and default to every day and UTC. A range that ends before it starts continues into the next day.
 */
import { PrivetError } from '../core/errors.ts';

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const dayRange = '[a-z]{3}(?:-[a-z]{3})?';
const grammar = new RegExp(
  String.raw`^(?:(?<days>${dayRange}(?:,${dayRange})*|daily)\s+)?` +
    String.raw`(?<from>\d{1,2}:\d{2})-(?<to>\d{1,2}:\d{2})(?:\s+(?<zone>\S+))?$`,
  'i',
);

/** A weekly time range. `has` is cheap because it caches the answer for the current minute. */
export class Hours {
  readonly #days: ReadonlySet<number>;
  readonly #from: number;
  readonly #to: number;
  readonly #format: Intl.DateTimeFormat;
  #minute = Number.NaN;
  #result = false;

  /** @throws PrivetError `invalid_input` when the text is not a time range, or names an unknown day or time zone. */
  constructor(text: string) {
    const match = grammar.exec(text.trim());
    const wrong = (what: string) =>
      new PrivetError('invalid_input', `"${text}" ${what}; write it as "mon-fri 08:00-18:00 Asia/Tokyo".`);
    if (match?.groups === undefined) throw wrong('is not a weekly time range');
    this.#days = parseDays(match.groups.days?.toLowerCase() ?? 'daily', wrong);
    this.#from = parseMinutes(match.groups.from ?? '', wrong);
    this.#to = parseMinutes(match.groups.to ?? '', wrong);
    try {
      this.#format = new Intl.DateTimeFormat('en-US', {
        timeZone: match.groups.zone ?? 'UTC',
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      });
    } catch {
      throw wrong('names an unknown time zone');
    }
  }

  /** Whether a moment is in the range; the end is exclusive. */
  has(now: Date): boolean {
    // All current time zones are a whole number of minutes from UTC, so the answer changes only at full minutes.
    const minute = Math.floor(now.getTime() / 60_000);
    if (minute !== this.#minute) {
      this.#result = this.#covers(now);
      this.#minute = minute;
    }
    return this.#result;
  }

  #covers(now: Date): boolean {
    const parts = new Map(this.#format.formatToParts(now).map(({ type, value }) => [type, value]));
    const day = days.indexOf((parts.get('weekday') ?? '').toLowerCase() as (typeof days)[number]);
    const at = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
    if (this.#from < this.#to) return this.#days.has(day) && at >= this.#from && at < this.#to;
    return (this.#days.has(day) && at >= this.#from) || (this.#days.has((day + 6) % 7) && at < this.#to);
  }
}

type Wrong = (what: string) => PrivetError;

function parseDays(text: string, wrong: Wrong): Set<number> {
  if (text === 'daily') return new Set(days.keys());
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [first = '', last = first] = part.split('-');
    const from = days.indexOf(first as (typeof days)[number]);
    const to = days.indexOf(last as (typeof days)[number]);
    if (from === -1 || to === -1) throw wrong('names an unknown day');
    for (let day = from; ; day = (day + 1) % 7) {
      found.add(day);
      if (day === to) break;
    }
  }
  return found;
}

/** Minutes since midnight; `24:00` is allowed. */
function parseMinutes(text: string, wrong: Wrong): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  if (minute > 59 || hour * 60 + minute > 1440) throw wrong('has a time outside 00:00-24:00');
  return hour * 60 + minute;
}
