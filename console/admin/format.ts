/** Numbers and times in the page's language, as the browser's region writes them. */
import { useMemo } from '../shared/html.ts';
import { type Language, labelled, regionOf, usePreferences } from '../shared/preferences.ts';

export type Format = ReturnType<typeof formatOf>;

/** The formats of the page's language. */
export function useFormat(): Format {
  const { language } = usePreferences();
  return useMemo(() => formatOf(language), [language]);
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

function formatOf(language: Language) {
  const region = regionOf(language);
  const number = new Intl.NumberFormat(region);
  const percent = new Intl.NumberFormat(region, { style: 'percent', maximumSignificantDigits: 2 });
  const date = new Intl.DateTimeFormat(region, { dateStyle: 'medium' });
  const time = new Intl.DateTimeFormat(region, { dateStyle: 'short', timeStyle: 'medium' });
  const moment = new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const parsed = (text: string | null | undefined): number | undefined => {
    const at = Date.parse(text ?? '');
    return Number.isNaN(at) ? undefined : at;
  };
  const list = (items: readonly string[]) => items.join(language === 'ja' ? '、' : ', ');
  const written = (style: Intl.DateTimeFormat) => (text: string | null | undefined) => {
    const at = parsed(text);
    return at === undefined ? '–' : style.format(at);
  };
  return {
    number: (value: number | null | undefined) => (value === null || value === undefined ? '–' : number.format(value)),
    percent: (value: number) => percent.format(value),
    list,
    /** The first five, and how many more there are. */
    few: (items: readonly string[]) =>
      `${list(items.slice(0, 5))}${items.length > 5 ? ` +${items.length - 5}` : ''}` || '–',
    labelled: (label: string, value: string) => labelled(language, label, value),
    date: written(date),
    time: written(time),
    /** Like `time`, without seconds. */
    moment: written(moment),
    /** `3 days ago`, `in 2 hours`. */
    relative(text: string | null | undefined, now: number = Date.now()): string {
      const at = parsed(text);
      if (at === undefined) return '–';
      const seconds = Math.round((at - now) / 1000);
      const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      return relative.format(Math.trunc(seconds / size), unit);
    },
    /** Whole days from now; negative in the past. */
    daysUntil: (text: string | null | undefined): number =>
      Math.floor(((parsed(text) ?? Date.now()) - Date.now()) / 86_400_000),
    /** `2 d 4 h`. */
    duration(seconds: number): string {
      const [days, hours, minutes] = [seconds / 86_400, (seconds % 86_400) / 3_600, (seconds % 3_600) / 60].map(
        Math.floor,
      );
      const words = language === 'ja' ? ['日', '時間', '分'] : ['d', 'h', 'min'];
      const parts = [days, hours, minutes].map((value, i) => (value ? `${value} ${words[i]}` : '')).filter(Boolean);
      return parts.slice(0, 2).join(' ') || (language === 'ja' ? '1 分未満' : '< 1 min');
    },
  };
}

/** `1 request`, `12 requests`; the count is already formatted. */
export function plural(count: string, one: string, many: string = `${one}s`): string {
  return `${count} ${count === '1' ? one : many}`;
}

/** A moment in local time, in the format of `datetime-local` inputs. */
export function localTime(moment: string | undefined): string {
  if (moment === undefined) return '';
  const at = new Date(moment);
  const two = (value: number) => String(value).padStart(2, '0');
  // Built from its parts: a half-typed year is in the first century, whose UTC offset has seconds.
  const year = String(at.getFullYear()).padStart(4, '0');
  return `${year}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
