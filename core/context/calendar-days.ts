/** Finds dates that may be dates of birth. */

import { matchesIn, type ScanText } from '../detect/scan.ts';
import calendar from '../lexicon/calendar.json' with { type: 'json' };
import days from '../lexicon/days.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import type { FormSpan, Span } from './context-type.ts';

const { months, kanjiDigits, ordinals } = days;
type ByWord<Value> = Readonly<Record<string, Value | undefined>>;
/** The first and last year of an era by its letter, the letters of kanji, and German months with different first letters. */
const eras: ByWord<readonly number[]> = days.eras;
const eraLetters: ByWord<string> = days.eraLetters;
const germanMonths: ByWord<string> = days.monthsOfGerman;
/** Months of other languages, by name: the first twelve words of each list. */
const worldMonths: ReadonlyMap<string, number> = new Map(
  [calendar.fr, calendar.es, calendar.pt, calendar.it, calendar.nl].flatMap((names) =>
    names.slice(0, 12).map((name, i): [string, number] => [name, i + 1]),
  ),
);
const { date, wholeWorldDay, eraStart, kanjiNumber } = patternsOf('calendar-days', {
  months,
  world: [...worldMonths.keys()],
  units: ordinals.slice(0, 9),
  teens: ordinals.slice(9),
});

/** Dates in the stretches that may be dates of birth. */
export function daysIn({ shadow }: ScanText, stretches: readonly Span[]): FormSpan[] {
  const found: FormSpan[] = [];
  for (const stretch of stretches)
    for (const { start, end } of matchesIn(shadow, date, { ...stretch, before: 3, after: 40 })) {
      const written = shadow.slice(start, end);
      if (birthYear(written) !== undefined) found.push({ start, end, form: formOf(written) });
    }
  return found;
}

/** The form of a date: era, month name, digits only, year first, four-digit year last, two-digit year. */
function formOf(written: string): number {
  if (/^(?:[MTSHR](?![a-z])|明|大|昭|平|令)/.test(written)) return 0;
  if (/[A-Za-z]{3}/.test(written)) return 1;
  if (/^[0-9]{8}$/.test(written)) return 2;
  if (/^[0-9]{4}[^0-9]/.test(written)) return 3;
  return /[0-9]{4}$/.test(written) ? 4 : 5;
}

const yearNow = () => new Date().getFullYear();

/** Two digits mean a year of the last hundred years. */
function fullYear(written: number): number {
  return written > 99 ? written : written + (written > yearNow() % 100 ? 1900 : 2000);
}

/** The year of a date between 1868 and now, with day and month in either order; undefined for others. */
function birthYear(written: string): number | undefined {
  const [, day, month = '', year] = wholeWorldDay.exec(written) ?? [];
  if (month !== '') return yearOfDay(Number(year), worldMonths.get(month.toLowerCase()) ?? 0, Number(day));
  return /^[0-9]{8}$/.test(written) ? yearOfEight(written) : yearOfForm(written);
}

type Parts = {
  /** The letter of an era, or an empty word. */
  readonly era: string;
  /** 1 to 12 when it is written as a word, else 0. */
  readonly named: number;
  readonly numbers: readonly number[];
};

function yearOfParts({ era, named, numbers }: Parts): number | undefined {
  const [first = 0, second = 0, third = 0] = numbers;
  if (named > 0) return yearOfDay(first > 31 ? first : fullYear(second), named, first > 31 ? second : first);
  if (era !== '') {
    const [from = 0, to = 0] = eras[era] ?? [];
    const year = from + first - 1;
    return first > 0 && year <= to ? yearOfDay(year, second, third) : undefined;
  }
  if (first > 999) return yearOfDay(first, second, third);
  const year = fullYear(third);
  return yearOfDay(year, second, first) ?? yearOfDay(year, first, second);
}

/** The year of three numbers, also in kanji, with a month or day in words and remarks in brackets. */
function yearOfForm(written: string): number | undefined {
  const text = written
    .replace(/[(（][^)）]*[)）]/, '')
    .toUpperCase()
    .replace(/MÄR|MAI|OKT|DEZ/, (name) => germanMonths[name] ?? name);
  const era = eraStart.exec(text)?.[0][0] ?? '';
  const digits = text
    .replace(/元/, '1')
    .replace(kanjiNumber, arabic)
    .match(/[0-9]+/g)
    ?.map(Number);
  if (digits === undefined) return undefined;
  const named = months.findIndex((word) => text.includes(word.toUpperCase())) + 1;
  if (digits.length === 1 && named > 0) return yearOfDay(digits[0] ?? 0, named, dayInWords(text.toLowerCase()));
  if (digits.length === 1) return yearOfEight(text);
  return yearOfParts({
    era: /^[A-Z明大昭平令]/.test(text) && era !== '' ? (eraLetters[era] ?? era) : '',
    named,
    numbers: digits,
  });
}

/** Eight digits, the year first or last. */
function yearOfEight(text: string): number | undefined {
  const [first, second, last] = [Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4))];
  return (
    yearOfDay(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6))) ??
    yearOfDay(last, first, second) ??
    yearOfDay(last, second, first)
  );
}

/** `twenty-first of May` */
function dayInWords(text: string): number {
  const [word = ''] =
    /^[a-z]+(?:[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)(?![a-z]))?/.exec(text) ?? [];
  if (word.startsWith('thirti')) return 30;
  if (word.startsWith('thirty')) return 31;
  const tens = /^twenty[- ]/.test(word) ? 20 : 0;
  return tens + ordinals.indexOf(word.slice(tens > 0 ? 7 : 0)) + 1;
}

/** Kanji digits, positional (一九八五) or with ten (二十三), as Arabic ones. */
function arabic(text: string): string {
  const [tens, units] = text.replaceAll('零', '〇').split('十');
  const plain = (part = '') => [...part].map((digit) => kanjiDigits.indexOf(digit)).join('');
  if (units === undefined) return plain(tens);
  return `${tens === '' ? 1 : plain(tens)}${units === '' ? 0 : plain(units)}`;
}

const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The year, if the day exists and is not in the future. */
function yearOfDay(year: number, monthNumber: number, day: number): number | undefined {
  if (year < 1868 || day < 1 || day > (daysOfMonth[monthNumber - 1] ?? 0)) return undefined;
  if (monthNumber === 2 && day === 29 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))) return undefined;
  return year >= yearNow() && Date.UTC(year, monthNumber - 1, day) > Date.now() ? undefined : year;
}
