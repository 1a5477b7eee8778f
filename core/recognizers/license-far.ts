/** Licence numbers that stand further from their word: in the next turn of a chat, behind the rest of a sentence. */
import type { KeywordHit } from '../keywords.ts';
import { isOtherNumber } from '../other-numbers.ts';
import type { Detection } from '../recognizer.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import { otherLicence } from './license-context.ts';
import { stateBehind } from './us-states.ts';

/** How far from its word a number may stand; characters. */
const farReach = 96;
/** Forms of licences that numbers of other things seldom have, and those that are common only in the United States. */
const forms =
  /(?<![0-9A-Za-z_./-])(?:[A-Z](?:[0-9]{3,4}|(?=-))(?:-[0-9]{2,6}){2,4}(?:-[0-9])?|[A-Z][0-9]{4} [0-9]{5} [0-9]{5}|[A-Z][0-9]{7,9}|[A-Z][0-9]{11,14}|[A-Z]{2}[0-9]{6,7}|WDL[A-Z0-9]{9}|[A-Z]{2}[0-9]{2}[- ]?(?:19|20)[0-9]{2}[- ]?[0-9]{7}|[A-Z]{2}[A-Z9]{3} ?[0-9]{6} ?[A-Z9]{2}[0-9A-Z]{3}|(?=[A-Z0-9]*[A-Z][A-Z0-9]*[A-Z])[A-Z][0-9]{2}[0-9A-Z]{6}[0-9][0-9A-Z])(?![0-9A-Za-z_/-]|\.[0-9])/g;
/** Forms that nothing else has: in groups, as on the photocard, of Washington and of India. They may stand before their word, too. */
const ownForms =
  /(?<![0-9A-Za-z_./-])(?:[A-Z][0-9]{3,4}(?:-[0-9]{2,6}){2,4}(?:-[0-9])?|[A-Z][0-9]{4} [0-9]{5} [0-9]{5}|WDL[A-Z0-9]{9}|[A-Z]{2}[0-9]{2}[- ]?(?:19|20)[0-9]{2}[- ]?[0-9]{7}|[A-Z]{2}[A-Z9]{3} [0-9](?:0[1-9]|1[0-2]|5[1-9]|6[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9] [A-Z9]{2}[0-9A-Z]{3})(?![0-9A-Za-z_/-]|\.[0-9])/g;
/** A bare `license` is for other things too; `my license` is for driving. */
const ownerBefore =
  /(?<![a-z])(?:(?:my|his|her|their|your)(?: old| new| current)?|(?:check|verify|confirm) the|dl|driver'?s?|driving|state|uk) $/i;
/** The number is told here: `it's `, `Lou: `, `the right one is `, `should be `. */
const telling =
  /(?:(?<![A-Za-z])(?:it'?s|it is|its|is|was|be|have|has|had|used?|enter(?:ed)?|typed?|gives?|gave|got|put|shows?|showed|rejects?|that'?s|reads?|says|as|mine|to|number|num|no|with|under|actually|again|one|this|here|sure|ok|yes|yeah)[.:,#]{0,2} ?#?|\n(?:\[?[0-9:]{4,8}\]? ?)?[^\n:>]{1,24}[:>] ?|\n[<>]{1,3} ?|(?<=[a-z]): ?|[→–—] ?|(?:->|=>|--) ?|\n *)[('“]{0,2}$/i;
/** Something else with a number is spoken of in between. */
const otherNoun =
  /(?<![A-Za-z])(?:codes?|case|order|ticket|confirmation|policy|claim|account|passport|badge|member(?:ship)?|employee|staff|booking|reservation|invoice|ref(?:erence)?|serial|parts?|item|article|plates?|tag|reg(?:istration)?|vin|(?<!over the )phone|gate|room|flight|seat|model|insurance|permit|template|key|application|request|(?<!on )file|photo|image|visa|receipt|tracking|sku|version|build|device|software|bank|card|student|patient|customer (?:id|no|number)|user|profile|id (?:no|number)|report|incident|job|error|practi[cs]e|sell|teach|business|fonts?|to use|trial|docket|citation|summons|citizen|agreement|contract|office|exam|test|course|lesson|holder|wallet|class)(?![A-Za-z])/i;

/** A further number of the same kind. */
const nextOfList = /^,? ?(?:and|or|not|to|instead of|&|→|->) ?["'(]?$/i;
const listGapMax = 14;
/** `licence key: ` */
const ofKey = /(?:key|code|patent)[^A-Za-z]{1,3}$/i;
const isCode = /[{}";=]|<[a-z/]/i;
const stateReach = 48;
const turnsMax = 2;

type Place = readonly [start: number, end: number, context: string];

/**
 * Numbers with the form of a licence behind a word for one that no number was found for; in order.
 * @param found what stands directly beside the words
 * @param owner the recognizer whose words they are
 */
export function farLicences(text: ScanText, found: readonly Detection[], owner: string): Place[] {
  const { shadow } = text;
  const hits = text.keywords.labels(owner);
  if (hits.length === 0) return [];
  const places: Place[] = [];
  const taken = found.toSorted((a, b) => a.start - b.start);
  let passed = 0;
  let done = 0;
  for (const hit of hits) {
    const low = Math.max(0, hit.start - farReach);
    const high = hit.end + farReach;
    while ((taken[passed]?.end ?? high) <= low) passed++;
    const isFree = (from: number, to: number) => {
      for (let i = passed; (taken[i]?.start ?? to) < to; i++) if ((taken[i]?.end ?? 0) > from) return false;
      return (places.at(-1)?.[1] ?? 0) <= from;
    };
    const context = shadow.slice(hit.start, hit.end).toLowerCase();
    if (!/^[a-z]/.test(context) || /^(?:permis|patente)/.test(context)) continue;
    if (!/[0-9]{3}/.test(shadow.slice(low, high))) continue;
    const before = shadow.slice(Math.max(0, hit.start - 40), hit.start);
    const isPlain = context.startsWith('lic');
    if (isPlain && otherLicence.test(before)) continue;
    const range = { start: Math.max(low, done), end: high, before: 2, after: 24 };
    for (const { start, end } of range.start < high ? matchesIn(shadow, ownForms, range) : [])
      if (
        isFree(start, end) &&
        !isOtherNumber(shadow, start) &&
        !ofKey.test(shadow.slice(Math.max(0, start - 12), start))
      )
        places.push([start, end, context]);
    done = high;
    const isMeant = !isPlain || ownerBefore.test(before);
    if (!isFree(Math.max(0, hit.start - 24), high)) continue;
    for (const [start, end] of told(shadow, hit))
      if (isMeant || stateBehind.test(shadow.slice(end, end + stateReach))) places.push([start, end, context]);
  }
  return places;
}

/** The first number of a licence's form behind the word, when the words before it tell it; and those that follow as a list. */
function told(shadow: string, { end: from, nextStart }: KeywordHit): [number, number][] {
  const to = Math.min(from + farReach, nextStart);
  const found: [number, number][] = [];
  for (const { start, end } of matchesIn(shadow, forms, { start: from, end: to, before: 2, after: 24 })) {
    const last = found.at(-1);
    const gap = shadow.slice(last?.[1] ?? from, start);
    const isTold =
      last === undefined
        ? gap.split('\n').length - 1 <= turnsMax && !isCode.test(gap) && !otherNoun.test(gap) && telling.test(gap)
        : gap.length <= listGapMax && nextOfList.test(gap);
    if (!isTold) break;
    found.push([start, end]);
  }
  return found;
}
