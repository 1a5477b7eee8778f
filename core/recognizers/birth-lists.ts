/** Days of birth in lists, behind the name of whose each is: `Birthdays: Ana - 2 May 2017, Theo - 19 October 2016`. */
import type { KeywordHit } from '../keywords.ts';
import { yearNow } from './birth-dates.ts';
import type { Day } from './birth-days.ts';
import { isOtherDay } from './birth-signs.ts';

/** How far behind its word a list begins, and how far apart its days are. */
const reach = 160;
const gapMax = 80;
/** How much behind a day tells that it is another one. */
const tailMax = 40;
/** Days of a party are of these years. */
const yearsMin = 2;

const kin =
  'me|myself|mine|self|wife|husband|spouse|partner|son|daughter|child|mum|mom|mother|dad|father|brother|sister|baby|roommate|flatmate|tenant|applicant|his|hers';
const name = `(?:[A-ZÀ-Þ][A-Za-zÀ-ÿ'’-]{1,18}(?: [A-ZÀ-Þ][A-Za-zÀ-ÿ.'’-]{0,18}){0,3}|(?:my |her |his )?(?:${kin})(?: [0-9])?|[\\u3400-\\u9FFF々\\u3041-\\u3096\\u30A1-\\u30FAー]{1,8}(?:[ \\u3000][\\u3400-\\u9FFF々\\u3041-\\u3096\\u30A1-\\u30FAー]{1,6})?)`;
/** Whose day follows, and the sign between: `Ana - `. */
const entry = new RegExp(`(?<![A-Za-z0-9\\u3041-\\u9FFF])${name}( ?[-–—:：=,、(（] ?|[ \\t\\u3000]{1,3}|は)$`);
/** Between a day and the name before the next. */
const joint =
  /^[)）]?(?:[ \t]{0,2}[,;、/・|]?[ \t]{0,2}(?:and |& |と)?|[^\n0-9]{0,40}\r?\n[ \t]{0,4})(?:[-*•・] ?|\(?[0-9]{1,3}[.)．:：]? ?)?$/;
/** Cells of one row: `1999-04-03,FWD,2018-08-12`. */
const sameRow = /^[)）]?[ \t]{0,2}(?![;/|])[^\n]*$/;
/** `birthday party`, `誕生日会` */
const otherWord =
  /^s? (?:part(?:y|ies)|cards?|gifts?|presents?|sales?|bookings?|cakes?|discount)|^(?:会|パーティ|プレゼント|割|特典)/i;

/** Where the days of lists start that a word for a birth announces; at least two days behind names with the same sign. */
export function listedDays(shadow: string, days: readonly Day[], labels: readonly KeywordHit[]): ReadonlySet<number> {
  const starts = new Set<number>();
  if (labels.length === 0 || days.length < 2) return starts;
  let next = 0;
  for (let i = 0; i + 1 < days.length; ) {
    const first = days[i] as Day;
    while ((labels[next]?.end ?? shadow.length + 1) <= first.start) next++;
    const label = labels[next - 1];
    const count = label === undefined || first.start - label.end > reach ? 1 : lengthOfList(shadow, days, i, label);
    if (count > 1 && label !== undefined && !otherWord.test(shadow.slice(label.end, label.end + 12)))
      for (const { start } of days.slice(i, i + count)) starts.add(start);
    i += count;
  }
  return starts;
}

function lengthOfList(shadow: string, days: readonly Day[], from: number, label: KeywordHit): number {
  let sign: string | undefined;
  let count = 0;
  for (; from + count < days.length; count++) {
    const { start, end, year } = days[from + count] as Day;
    const floor = count === 0 ? label.end : ((days[from + count - 1] as Day).end as number);
    const gap = shadow.slice(floor, start);
    const own = gap.length > (count === 0 ? reach : gapMax) ? null : entry.exec(gap);
    if (own === null || year > yearNow() - yearsMin) break;
    const line = gap.slice(gap.lastIndexOf('\n') + 1);
    if (isOtherDay(line, /^[^\n]*/.exec(shadow.slice(end, end + tailMax))?.[0] ?? '')) break;
    if (count > 0 && !joint.test(gap.slice(0, own.index))) break;
    const ownSign = own[1]?.trim();
    if (count > 0 && (ownSign !== sign || (sign === ',' && sameRow.test(gap)))) break;
    sign = ownSign;
  }
  return Math.max(1, count);
}
