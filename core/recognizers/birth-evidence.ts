/**
 * Dates of birth that stand away from their word: behind a person, beside an age or a sex, in a check of identity, as the
 * answer in a later turn, as a correction. Only texts with a word for a birth or for persons are looked at.
 */
import { CellHeadings } from '../cell-headings.ts';
import type { KeywordHit } from '../keywords.ts';
import type { ScanText } from '../shadow.ts';
import { columnOfRows, isMemberOfBirth, isOfOtherElement, questionBefore } from './birth-answers.ts';
import { oldEra, yearNow } from './birth-dates.ts';
import { type Day, daysOf } from './birth-days.ts';
import { DocumentOfDays } from './birth-document.ts';
import { listedDays } from './birth-lists.ts';
import {
  isByStaff,
  isDoneBehind,
  isOfChild,
  isOfKin,
  isOfKinDirectly,
  isOfPapers,
  isOtherDay,
  isSexAlone,
  isTurn,
  weightOfFields,
  weightOfLinesAbove,
  weightOfPerson,
} from './birth-signs.ts';
import { weightOfTelling } from './number-telling.ts';
import type { Place, Stretch } from './stretch.ts';

/** What the evidence for a day must weigh, and what another day in the next line adds to it. */
const threshold = 5;
const ofRow = 1;
/** How much of a line before and behind a day is weighed. */
const lineMax = 100;
const tailMax = 40;
/** So many recent days are weighed before the whole text is searched for children: a log has thousands. */
const recentMax = 8;
/** How far behind a word for a birth a day may stand that is told. */
const reach = 160;
const none: readonly Place[] = [];

/**
 * Days of birth beside those that stand directly at their word, in order.
 * @param openings see {@link daysOf}
 */
export function birthDatesByEvidence(
  text: ScanText,
  owner: string,
  { openings, found }: { readonly openings: readonly Stretch[]; readonly found: readonly Stretch[] },
): readonly Place[] {
  const days = daysOf(text, openings);
  if (days.length === 0) return none;
  const { shadow } = text;
  const labels = text.keywords.labels(owner);
  const document = new DocumentOfDays(text, owner, labels);
  const headings = new CellHeadings(shadow);
  const rows = columnOfRows(shadow, labels);
  const listed = listedDays(shadow, days, labels);
  const taken = found.toSorted((a, b) => a.start - b.start);
  const values = new Set(taken.map(({ start, end }) => shadow.slice(start, end)));
  const places: Place[] = [];
  let next = 0;
  let passed = 0;
  let previous: Row | undefined;
  /** True when a recent day stands behind the previous one, which parts it from the next if there are children. */
  let isParted = false;
  let passedRecent = 0;
  // Most days of a text are of the last years, and only those of children are of births.
  const recent = yearNow() - 5;
  let hasChild: boolean | undefined;
  const isOfChildren = () => {
    hasChild ??= isOfChild(shadow);
    return hasChild;
  };
  let years: ReadonlyMap<number, string> | undefined;
  for (const day of days) {
    while ((labels[next]?.end ?? shadow.length + 1) <= day.start) next++;
    while ((taken[passed]?.end ?? shadow.length + 1) <= day.start) passed++;
    if ((taken[passed]?.start ?? shadow.length + 1) < day.end) continue;
    // Never asked for -1, which is no index and looked up as a name: slowly.
    const label = next > 0 ? labels[next - 1] : undefined;
    const behind = labels[next];
    const last = Math.max(passed > 0 ? (taken[passed - 1]?.end ?? 0) : 0, places.at(-1)?.[1] ?? 0);
    let context: string | undefined;
    if (rows.has(day.start) || listed.has(day.start) || values.has(day.written))
      context = label ? labelOf(shadow, label) : 'born';
    else if (isNextOfList(shadow, last, day)) context = 'born';
    else if (label !== undefined && isAtLabel(shadow, label, day, last)) context = labelOf(shadow, label);
    else if (
      last > 0 &&
      !isOfKinAt(shadow, day.start) &&
      isOfSamePerson.test(shadow.slice(last, Math.min(day.start, last + lineMax)))
    )
      continue;
    else if (day.year <= recent || (passedRecent < recentMax ? hasChild !== false : isOfChildren())) {
      const isAmongOthers = () => {
        years ??= yearsOf(days);
        return isNearOthers(years, day);
      };
      const row = weigh(shadow, day, { document, label, behind, isAmongOthers });
      if (day.year > recent) {
        if (row.person === 0 && row.weight < threshold) {
          isParted = true;
          passedRecent++;
          continue;
        }
        if (!isOfChildren()) continue;
      }
      const isRow = previous !== undefined && isNextLine(shadow, previous, row) && !(isParted && isOfChildren());
      if (row.weight + (isRow ? ofRow : 0) >= threshold && !isUnderOther(headings, day)) context = 'born';
      if (isRow && previous?.isOpen && previous.weight + ofRow >= threshold && row.weight + ofRow >= threshold)
        places.push([previous.start, previous.end, 'born']);
      previous = { ...row, isOpen: context === undefined };
      isParted = false;
    }
    if (context === undefined) continue;
    places.push([day.start, day.end, context]);
    if (day.written.length > 5) values.add(day.written);
  }
  return places;
}

const labelOf = (shadow: string, { start, end }: Stretch) => shadow.slice(start, end).toLowerCase();

/** Between the day of somebody's birth and another day of the same row: no other name. */
const isOfSamePerson = /^(?![^\n]*(?:[A-Z][a-z]|[A-Z]{2,} ?[/,A-Z]|[\u3400-\u9FFF\u30A1-\u30FA]{2}))[^\n]{1,60}$/;

const isOfKinAt = (shadow: string, start: number) => isOfKinDirectly(shadow.slice(Math.max(0, start - 24), start));

type Row = Stretch & { readonly weight: number; readonly person: number; readonly isOpen?: boolean };

type Around = {
  readonly document: DocumentOfDays;
  /** The words for a birth before and behind. */
  readonly label: KeywordHit | undefined;
  readonly behind: KeywordHit | undefined;
  readonly isAmongOthers: () => boolean;
};

/** The years of the text's days, with the first day of each, or an empty word for years with several. */
function yearsOf(days: readonly Day[]): ReadonlyMap<number, string> {
  const years = new Map<number, string>();
  for (const { year, written } of days) {
    const other = years.get(year);
    years.set(year, other === undefined || other === written ? written : '');
  }
  return years;
}

/** True for a day near others: what is done, signed and booked comes in rows of days of a year, births do not. */
function isNearOthers(years: ReadonlyMap<number, string>, { year }: Day): boolean {
  return years.get(year) === '' || years.has(year - 1) || years.has(year + 1);
}

/** `07-04-36, 55310294` */
const sortCode = /^[0-9]{2}-[0-9]{2}-[0-9]{2}$/;
const accountBehind = /^[ ,;/|)-]{1,3}(?:acc?(?:oun)?t?[.: ]{1,2}|a\/c )?[0-9]{6,8}(?![0-9])/i;

/** The evidence for a day without a label. */
function weigh(
  shadow: string,
  { start, end, written, year }: Day,
  { document, label, behind, isAmongOthers }: Around,
): Row {
  const above = shadow.slice(Math.max(0, start - 3 * lineMax), start);
  const line = above.slice(above.lastIndexOf('\n') + 1).slice(-lineMax);
  const tail = lineBehind(shadow, end);
  const nothing = { start, end, weight: 0, person: 0 };
  if (isOtherDay(line, tail) || (sortCode.test(written) && accountBehind.test(tail))) return nothing;
  const fields = weightOfFields(line, tail, year);
  if (/^[0-9]{8}$/.test(written) && fields < 2) return nothing;
  let person = isSexAlone(line) ? weightOfLinesAbove(above) : weightOfPerson(line);
  if (label !== undefined && isToldBehind(shadow, label, start, line)) person = Math.max(person, 2);
  // `It's June 14, 1985. They use the birth date …`
  if (behind !== undefined && behind.start - end <= 2 * reach && correctedBefore.test(line))
    person = Math.max(person, 2);
  if (person === 0 && fields < 2) return nothing;
  const ofYear = weightOfYear(written, year, isTurn(line) ? '' : above);
  const isAlone = label === undefined && fields < 2;
  if (isAlone && (isByStaff(line) || (ofYear < 2.5 && !isOfKin(line) && isDoneBehind(tail)))) return nothing;
  const papers = isOfPapers(line, tail) ? 1 : 0;
  const isOfMany = isAlone && ofYear < 2.5 && papers === 0 && isAmongOthers() && !isOfKin(above);
  const own = person + fields + ofYear + papers - (isOfMany ? 2 : 0);
  return { start, end, person, weight: document.addTo(own, threshold - ofRow) };
}

/** What stands behind a place in its line, up to {@link tailMax}. */
function lineBehind(shadow: string, end: number): string {
  const tail = shadow.slice(end, end + tailMax);
  const newline = tail.indexOf('\n');
  return newline < 0 ? tail : tail.slice(0, newline);
}

function weightOfYear(written: string, year: number, above: string): number {
  // Most days of a text are of the last years.
  const years = yearNow() - year;
  if (oldEra.test(written) || years >= 40) return 2.5;
  if (years >= 26 || isOfChild(above.slice(-lineMax))) return 2;
  if (years >= 12) return 1.25;
  return years >= 5 ? 0 : -1.5;
}

/** `1962-05-14 differs from the card (1962-05-15` */
const compared =
  /^[^.\n。0-9]{0,40}(?:differs? from|(?:does not|doesn['’]t|did not) match|versus|vs\.?|whereas|instead of|と異な|と違|に対し)[^.\n。0-9]{0,24}[ (（「]$|^["')]?,?[^.\n。0-9]{0,48}(?<![a-z])(?:but|whereas|while|where|though|and)[^.\n。0-9]{0,32}(?:says?|said|shows?|reads?|has|have|had|gives?|gave|states?|lists?|read|put|wrote|typed) ["'“(]?$|^[^\n。0-9]{0,16}(?:だが|ですが|ますが|けど|のに)[^\n。0-9]{0,20}(?:では|には|だと)[ 「]?$/i;

/** `で仮登録→本人申告` */
const arrow = /^[^\n。0-9]{0,12}(?:→|->|⇒)[^\n。0-9]{0,8}$/;

/** `mine is 2009-03-27, mom's is 1977-10-18` */
const ofOther =
  /^[,;.] (?:and )?(?:my )?(?:mine|his|hers|theirs|(?:mom|mum|mother|dad|father|wife|husband|son|daughter|brother|sister|partner)['’]s|[A-Z][a-z]{1,14}['’]s)(?: (?:is|was)|:)? $|^[,;.?!]? (?:and|what about|how about) (?:yours|his|hers|theirs)\? $/;

/** `June 14, 1985, not June 15, 1985` */
function isNextOfList(shadow: string, last: number, { start }: Day): boolean {
  if (last === 0 || start - last > 64) return false;
  const link =
    /^["'」』)]?[ \t]?(?:[,、/]|ではなく|じゃなく)?[ \t]?(?:not|or|and|but|then|から|→|->|正[:：]?)?[ \t]?["'「『(]?$/i;
  const gap = shadow.slice(last, start);
  if (ofOther.test(gap)) return true;
  return (
    (gap !== '' && /[a-zでか→>正]/.test(gap) && link.test(gap)) ||
    ((compared.test(gap) || arrow.test(gap)) &&
      !otherSubject.test(gap) &&
      !isOtherDay(gap.replace(/^.*(?:→|->|⇒)/, ''), ''))
  );
}

/** `… date of birth doesn't match. I tried 07/08/1964` */
function isToldBehind(shadow: string, label: KeywordHit, start: number, line: string): boolean {
  // `</dateOfBirth>`
  if (start - label.end > reach || shadow.startsWith('</', label.start - 2)) return false;
  const gap = shadow.slice(label.end, start);
  if (/\n\s*\n|[0-9]{4}/.test(gap) || isOfOtherElement(gap)) return false;
  return weightOfTelling(line.slice(-48), /^(?:dob|birth|birthday|born)$/i) >= 1 || /^[^.。\n]{0,60}[,、] $/.test(gap);
}

/** True for an answer, a member of an object, a correction of what the label names. */
function isAtLabel(shadow: string, label: KeywordHit, day: Day, last: number): boolean {
  if (day.start - label.end > 3 * reach) return false;
  const gap = shadow.slice(label.end, day.start);
  const tail = shadow.slice(day.end, day.end + tailMax);
  return (
    isMemberOfBirth(gap, last > label.end) ||
    isCorrection(gap, tail) ||
    (last <= label.end ? questionBefore(shadow, label, gap, tail) : isNextNumbered(shadow, last, day.start))
  );
}

/** `row 27: DOB … 2019/04/12`, `row 28: OK 1991/04/12` */
function isNextNumbered(shadow: string, last: number, start: number): boolean {
  const gap = shadow.slice(last, start);
  const own = /^[^\n]{0,4}\n([^\n0-9]{1,8})[0-9]{1,5}[:.)：][ \u3000](?:[A-Za-z]{1,6} )?$/.exec(gap)?.[1];
  if (own === undefined) return false;
  const lineStart = shadow.lastIndexOf('\n', last - 1) + 1;
  return last - lineStart < 2 * lineMax && shadow.startsWith(own, lineStart);
}

const correctedBefore =
  /(?:(?:it |his |hers? |mine |theirs |that |which |and )?should (?:read|be|say|have been)|(?:the )?(?:correct|right|actual|real) (?:one|date|day)(?: is)?|(?:it'?s|it is|is|was) actually|(?<![a-z])it['’]?s|make (?:it|that)|(?:it|file|record|system|you|card|page)(?: currently)? (?:says|shows|has|have|reads)|(?:changed?|corrected?|amend(?:ed)?|updated?) (?:it )?(?:from|to)|ではなく|じゃなく|正しくは|(?<![訂修校改公補])正[:：]?|(?:→|->) ?|本当は|実際は|誤[:：]|(?:変更|訂正|修正)[前後][:：]?|新[:：]|(?:登録|システム|台帳|名簿|画面|書類|証|カード)(?:上|の方)?(?:は|では|だと))[ 、:：]{0,2}$/i;
const correctedBehind =
  /^[」』"]?(?:に|へと?)(?:訂正|修正|変更|直|改め)|^[」』"]?(?:が|の方が)正し|^[」』"]?(?:の(?:誤り|間違い)|ではなく|じゃなく|でなく)/;
/** A day of something else is corrected. */
const otherSubject =
  /(?<![a-z])(?:start|hire|issue|expiry|departure|order|visit|due)[a-z]* (?:date|day)(?![a-z])|(?:入社|契約|申請|発行|有効|登録|受診|資格取得)[年月]*日/i;

/** No words of a correction before a day are longer. */
const cueMax = 48;
/** `the birthday is wrong, it should read …`, `生年月日は…に訂正` */
function isCorrection(gap: string, tail: string): boolean {
  if (gap.length > reach || !(correctedBehind.test(tail) || correctedBefore.test(gap.slice(-cueMax)))) return false;
  return !otherSubject.test(gap) && (gap.match(/[.!?。！？]\s?(?=\S)|\n/g)?.length ?? 0) <= 2;
}

/** True for a cell under a heading without a word for a birth. */
function isUnderOther(headings: CellHeadings, { start, end }: Stretch): boolean {
  const heading = headings.over(start, end);
  return heading !== undefined && !/[0-9]{2}/.test(heading) && /date|day|日|since|at$|期限/.test(heading);
}

/** How far behind another a day stands in one line. */
const sameLineMax = 60;

/** True for days of which one stands in the line below the other, or soon behind it in the sentence; both behind persons. */
function isNextLine(shadow: string, above: Row, below: Row): boolean {
  if (above.person === 0 || below.person === 0 || below.start - above.end > 3 * lineMax) return false;
  const gap = shadow.slice(above.end, below.start);
  const newline = gap.indexOf('\n');
  if (newline < 0)
    return gap.length <= sameLineMax && (above.isOpen === false || /^[)）][^.。!?！？]*[(（]$/.test(gap));
  return gap.indexOf('\n', newline + 1) < 0;
}
