/** What a text as a whole says about its days: whether it speaks of births and persons, or of things with other days. */
import type { KeywordHit } from '../keywords.ts';
import type { ScanText } from '../shadow.ts';
import { japaneseSigns, otherDays, weakSign } from './birth-signs.ts';

/** More words for persons say no more. */
const signsMax = 12;
/** So much of the text tells what it is about. */
const headMax = 4_000;
/** At most so much say words for a birth and for persons; the words for persons alone. */
const ownMost = 2;
const personsMost = 1.5;

/** The words of one text. Looking for them takes longer than all else, so they are only looked for when they decide. */
export class DocumentOfDays {
  readonly #text: ScanText;
  readonly #owner: string;
  /** True with a word for a birth; one of a single character is none. */
  readonly #hasOwn: boolean;
  #persons: number | undefined;
  #others: number | undefined;

  constructor(text: ScanText, owner: string, labels: readonly KeywordHit[]) {
    this.#text = text;
    this.#owner = owner;
    this.#hasOwn = labels.some(({ start, end }) => end - start > 1);
  }

  /**
   * The weight with that of the text: up to 2 more for words of birth and of persons, less in texts about other days.
   * A sum below `enough` may be any such sum.
   */
  addTo(weight: number, enough: number): number {
    if (weight + (this.#hasOwn ? ownMost : personsMost) < enough) return weight;
    this.#persons ??= countOfPersons(this.#text, this.#owner, this.#hasOwn ? 1 : 2);
    const persons = this.#persons;
    if (this.#hasOwn) return weight + (persons > 0 ? ownMost : 1);
    const sum = weight + (persons === 0 ? -0.5 : persons > 1 ? personsMost : persons);
    if (sum < enough) return sum;
    this.#others ??= weightOfOthers(this.#text.shadow.slice(0, headMax));
    return sum - this.#others;
  }
}

/** How many of the first words for persons are more than a reason to look, at most `most`. */
function countOfPersons({ shadow, keywords, hasJapanese }: ScanText, owner: string, most: number): number {
  const anchors = keywords.anchors(owner);
  let count = 0;
  let seen = 0;
  for (; seen < anchors.length && seen < signsMax && count < most; seen++) {
    const { start, end } = anchors[seen] as KeywordHit;
    if (!weakSign.test(shadow.slice(start, end))) count++;
  }
  japaneseSigns.lastIndex = 0;
  for (; hasJapanese && seen < signsMax && count < most; seen++) {
    const sign = japaneseSigns.exec(shadow);
    if (sign === null) break;
    if (!weakSign.test(sign[0])) count++;
  }
  return count;
}

/** `Start date 1 December`, `契約日は2019年`: the day that the word is for stands behind it. */
const withOwnDay = /(?:date|日)[ :：は]{0,3}(?:[0-9MTSHR明大昭平令]|[A-Z][a-z]{2})/y;

/** What the first word for another day weighs that has none of its own. */
function weightOfOthers(shadow: string): number {
  otherDays.lastIndex = 0;
  for (let word = otherDays.exec(shadow); word !== null; word = otherDays.exec(shadow)) {
    const last = word[0].at(-1) === '日' ? 1 : 4;
    withOwnDay.lastIndex = word.index + word[0].length - last;
    if (!withOwnDay.test(shadow)) return word[0] === '予約' ? 1.5 : 2.5;
  }
  return 0;
}
