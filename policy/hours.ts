/**
 * Times of the week in a time zone, as rules write them: `mon-fri 08:00-18:00 Asia/Tokyo`.
 * Days and zone may be left out: every day, UTC. A range that ends before it starts goes on into the next day.
 */
import { PrivetError } from '../core/errors.ts';

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const grammar =
  /^(?:(?<days>[a-z]{3}(?:-[a-z]{3})?(?:,[a-z]{3}(?:-[a-z]{3})?)*|daily)\s+)?(?<from>\d{1,2}:\d{2})-(?<to>\d{1,2}:\d{2})(?:\s+(?<zone>\S+))?$/i;

/** A span of the week; `has` is cheap because the local time of the running minute is kept. */
export class Hours {
  readonly #days: ReadonlySet<number>;
  readonly #from: number;
  readonly #to: number;
  readonly #format: Intl.DateTimeFormat;
  #minute = Number.NaN;
  #result = false;

  /** @throws PrivetError `invalid_input` when the text is no span, or names an unknown day or time zone. */
  constructor(text: string) {
    const match = grammar.exec(text.trim());
    const wrong = (what: string) =>
      new PrivetError('invalid_input', `"${text}" ${what}; write it as "mon-fri 08:00-18:00 Asia/Tokyo".`);
    if (match?.groups === undefined) throw wrong('is not a span of the week');
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

  /** Whether the moment lies in the span; the end is exclusive. */
  has(now: Date): boolean {
    // Every zone in use is a whole number of minutes from UTC, so the answer changes at full minutes only.
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

/** Minutes since midnight, `24:00` included. */
function parseMinutes(text: string, wrong: Wrong): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  if (minute > 59 || hour * 60 + minute > 1440) throw wrong('has a time outside 00:00-24:00');
  return hour * 60 + minute;
}
