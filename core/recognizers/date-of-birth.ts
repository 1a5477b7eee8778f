/** Dates of birth: valid dates in Western, Japanese-era and kanji forms. */
import { date, isBirthDate } from '../context/calendar-days.ts';
import type { ContextType, FormSpan, Span } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';

export const dateOfBirth: ContextType = {
  name: 'date-of-birth',
  type: 'DATE_OF_BIRTH',
  forms: [],
  spans: daysIn,
  words: wordsOfType('DATE_OF_BIRTH'),
};

function daysIn({ shadow }: ScanText, stretches: readonly Span[]): FormSpan[] {
  const found: FormSpan[] = [];
  for (const { start: from, end: to } of stretches)
    for (const { start, end } of matchesIn(shadow, date, { start: from, end: to, before: 3, after: 40 })) {
      const written = shadow.slice(start, end);
      if (isBirthDate(written)) found.push({ start, end, form: formOf(written) });
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
