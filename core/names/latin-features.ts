import { combiningMark, foldUnit, hashEnd, hashSeed, hashStep, mix } from './hash.ts';
import type { LatinReader } from './latin.ts';
import { wordClass } from './lexicon.ts';
import type { Features } from './model.ts';
import { englishLevel, familyLevel, givenLevel, kindBits, otherLevel, tables } from './tables.ts';
import { shape } from './tokens.ts';
import { isPlacePair } from './word-kinds.ts';

const colon = 0x3a;
const dot = 0x2e;
/** The shortest part of a compound. */
const partMin = 4;
/** The letters of the word that is described, folded. */
const letters = new Uint16Array(32);

/** Adds the features that depend on the word alone. */
export function addWordFeatures(reader: LatinReader, i: number, out: Features): void {
  const { text, words } = reader;
  const hash = words.hash[i] as number;
  const form = words.shape[i] as number;
  let count = 0;
  const accents = words.accented[i] as number;
  for (let at = words.start[i] as number; at < (words.end[i] as number) && count < 30; at++) {
    const code = text.charCodeAt(at);
    const unit = foldUnit(code);
    if (unit !== combiningMark) letters[count++] = unit;
  }
  const entry = reader.names[i] as number;
  const common = reader.common[i] as number;
  const kinds = kindBits(common);
  const script = (letters[0] as number) >= 0x370 ? 1 : 0;
  out.add(1, hash, form === shape.lower ? 1 : 0);
  out.add(2, form, Math.min(count, 12));
  out.add(3, entry, form);
  out.add(4, entry, common & 0xff);
  out.add(5, common & 0xff, form);
  out.add(6, givenLevel(entry), form);
  out.add(7, familyLevel(entry), form);
  out.add(8, accents | (kinds << 1) | (script << 3), form);
  out.add(9, reader.classes[i] as number, form);
  out.add(10, reader.coarseOf(i));
  if (count < 2) return;
  let prefix = hashSeed;
  for (let k = 0; k < Math.min(count, 5); k++) {
    prefix = hashStep(prefix, letters[k] as number);
    if (k > 0) out.add(11 + k, prefix);
  }
  let suffix = hashSeed;
  for (let k = 0; k < Math.min(count, 5); k++) {
    suffix = hashStep(suffix, letters[count - 1 - k] as number);
    out.add(20 + k, suffix, entry === 0 ? 1 : 0);
  }
  // In German and Dutch most unlisted long words consist of common ones; few names do.
  if (entry === 0 && common === 0) {
    out.add(31, compound(count), form);
    // The lists lack forms such as `Luthers`.
    const stem = letters[count - 1] === 0x73 ? hashOf(0, count - 1) : 0;
    if (stem !== 0) {
      out.add(32, stem, form);
      out.add(33, tables().names.get(stem), form);
      out.add(34, tables().words.get(stem), form);
    }
  }
  for (let k = 0; k + 2 < count; k++) {
    const gram = hashStep(
      hashStep(hashStep(hashSeed, letters[k] as number), letters[k + 1] as number),
      letters[k + 2] as number,
    );
    out.add(30, gram);
  }
}

/**
 * How common the parts of a compound such as `Kranbauer` are: 3 bits for its longest common ending, 3 bits for the word
 * before. 0 for a word that is too short or has no such ending.
 */
function compound(count: number): number {
  const lists = tables().words;
  for (let start = partMin; start + partMin <= count; start++) {
    const rest = commonness(lists.get(hashOf(start, count)));
    if (rest > 0) return rest | (commonness(lists.get(hashOf(0, start))) << 3);
  }
  return 0;
}

const commonness = (entry: number): number => Math.max(englishLevel(entry), otherLevel(entry));

/** The hash of a part of the letters, as in the lists. */
function hashOf(start: number, end: number): number {
  let hash = hashSeed;
  for (let at = start; at < end; at++) hash = hashStep(hash, letters[at] as number);
  return hashEnd(hash);
}

/** Adds the features of the word's surroundings. */
export function addPlaceFeatures(reader: LatinReader, i: number, first: number, last: number, out: Features): void {
  const { words, classes } = reader;
  const own = reader.coarseOf(i);
  const hash = words.hash[i] as number;
  const line = words.line[i] as number;
  const lineFirst = reader.lineFirst[line] as number;
  const lineEnd = line + 1 < reader.lineCount ? (reader.lineFirst[line + 1] as number) : words.count;
  const sameBefore = i > lineFirst;
  const sameBehind = i + 1 < lineEnd;
  const gapBefore = words.gapHash[i] as number;
  const gapBehind = words.gapHash[i + 1] as number;
  const kindBefore = words.gap[i] as number;
  const kindBehind = words.gap[i + 1] as number;
  const before = sameBefore ? (words.hash[i - 1] as number) : 2;
  const behind = sameBehind ? (words.hash[i + 1] as number) : 3;
  const before2 = i - 2 >= lineFirst ? (words.hash[i - 2] as number) : 4;
  const behind2 = i + 2 < lineEnd ? (words.hash[i + 2] as number) : 5;
  const coarseBefore = sameBefore ? reader.coarseOf(i - 1) : 0;
  const coarseBehind = sameBehind ? reader.coarseOf(i + 1) : 0;
  const classBefore = sameBefore ? (classes[i - 1] as number) : 0;
  const classBehind = sameBehind ? (classes[i + 1] as number) : 0;
  const language = reader.language;
  const lineSize = lineEnd - lineFirst;
  const sizeClass = lineSize > 12 ? 5 : lineSize > 6 ? 4 : lineSize;
  const casing = Math.min(4, Math.floor(((reader.lineCapitals[line] as number) * 4) / lineSize));

  out.add(40, before, kindBefore);
  out.add(41, behind, kindBehind);
  out.add(42, before, before2);
  out.add(43, behind, behind2);
  out.add(44, before, own);
  out.add(45, behind, own);
  out.add(46, coarseBefore | (kindBefore << 8), own);
  out.add(47, coarseBehind | (kindBehind << 8), own);
  out.add(48, coarseBefore | (coarseBehind << 8), own | (kindBefore << 8) | (kindBehind << 12));
  out.add(49, gapBefore, own);
  out.add(50, gapBehind, own);
  out.add(51, gapBefore, gapBehind);
  out.add(52, classBefore | (kindBefore << 12), own);
  out.add(53, classBehind | (kindBehind << 12), own);
  if (i - 2 >= lineFirst) out.add(54, classes[i - 2] as number, own);
  if (i + 2 < lineEnd) out.add(55, classes[i + 2] as number, own);
  const place = sentencePlace(reader, i, lineFirst);
  out.add(56, place | (language << 4), own);
  out.add(57, sizeClass | (casing << 4) | ((sameBefore ? 1 : 0) << 8) | ((sameBehind ? 1 : 0) << 9), own);
  out.add(58, casing | (reader.capitalShare << 4), own);
  out.add(59, language, own);
  out.add(60, language, hash);
  out.add(61, Math.min(last - first, 6) | (Math.min(i - first, 4) << 4), own);
  out.add(62, reader.seenOf(i), own);
  out.add(63, lineAbove(reader, line), sizeClass | (own << 4));
  if (sameBefore) addLabelFeatures(reader, i, lineFirst, own, out);
  if (first > lineFirst) out.add(64, words.hash[first - 1] as number, i === first ? 0 : 1);
  if (last + 1 < lineEnd) out.add(65, words.hash[last + 1] as number, i === last ? 0 : 1);
  if (first > lineFirst) out.add(66, classes[first - 1] as number, Math.min(i - first, 3));
  if (last + 1 < lineEnd) out.add(67, classes[last + 1] as number, Math.min(last - i, 3));
  out.add(68, reader.before(i), reader.behind(i));
  // The same without the word itself, which carries over to unlisted names.
  const form = words.shape[i] as number;
  out.add(73, classBefore | (kindBefore << 12), form);
  out.add(74, classBehind | (kindBehind << 12), form);
  out.add(75, gapBefore, form);
  out.add(76, gapBehind, form);
  out.add(77, gapBefore, mix(0, gapBehind, form));
  out.add(78, reader.seenOf(i), form | (place << 4));
  out.add(79, lineAbove(reader, line), sizeClass | (form << 4) | ((sameBefore ? 1 : 0) << 8));
  const marks = words.lineMarks[line] as number;
  const markClass = marks > 5 ? 4 : marks > 2 ? 3 : marks;
  out.add(83, markClass, form);
  out.add(84, markClass, own);
  // The kinds of two words on each side, and how common the word is in the language of the block.
  out.addHash(mix(85, coarseBehind, i + 2 < lineEnd ? reader.coarseOf(i + 2) : 0) ^ mix(85, own, kindBehind));
  out.addHash(mix(86, coarseBefore, i - 2 >= lineFirst ? reader.coarseOf(i - 2) : 0) ^ mix(86, own, kindBefore));
  const spoken = reader.isSpoken(i) ? 1 : 0;
  const common = (reader.common[i] as number) & 0xff;
  out.add(87, language | (common << 5), form | (place << 4));
  out.add(88, spoken | (place << 1) | (form << 3), own);
  out.add(89, spoken | (language << 1), (common & 0x3f) | (place << 6) | (form << 8));
  // The endings of adjacent words suggest what kind of word they are, in any language.
  if (sameBefore) out.add(90, reader.endingOf(i - 1), own);
  if (sameBehind) out.add(91, reader.endingOf(i + 1), own);
  if (sameBehind && i + 2 < lineEnd) out.add(92, reader.endingOf(i + 2), form);
  if (sameBefore && sameBehind) {
    out.add(101, mix(0, reader.endingOf(i - 1), reader.endingOf(i + 1)), form);
    out.add(102, mix(0, before, reader.endingOf(i + 1)), form);
    out.add(103, mix(0, reader.endingOf(i - 1), behind), form);
  }
  out.add(93, reader.endingOf(i), language);
  out.add(94, reader.endingOf(i), form | (place << 4));
  out.add(95, Number(isPlacePair(words, i - 1)) | (Number(isPlacePair(words, i)) << 1), own);
  out.add(96, reader.textKind & 15, own);
  out.add(97, reader.textKind & 15, form | (place << 4) | (reader.seenOf(i) << 6));
  // The other words of the list: `Rota, Fumagalli, Chen`.
  const company = reader.company.of(reader, i, first, last);
  out.add(98, company, own);
  out.add(99, company, form | (place << 4));
  out.add(80, before, form | (kindBefore << 4));
  out.add(81, behind, form | (kindBehind << 4));
  out.add(69, reader.behind(last) | (reader.before(first) << 16), own);
}

/** 0 inside a sentence, 1 at its start, 2 at the start of a line. */
function sentencePlace(reader: LatinReader, i: number, lineFirst: number): number {
  if (i === lineFirst) return 2;
  const end = reader.text.charCodeAt(reader.words.end[i - 1] as number);
  return end === dot || end === 0x21 || end === 0x3f || end === 0x2026 ? 1 : end === colon ? 3 : 0;
}

/** The line above, as bits: how it ends, whether it is short, how far up it is, and the class of its last word. */
function lineAbove(reader: LatinReader, line: number): number {
  for (let above = line - 1; above >= 0 && above >= line - 3; above--) {
    const first = reader.lineFirst[above] as number;
    const last = (reader.lineFirst[above + 1] as number) - 1;
    if (last < first) continue;
    const size = last - first + 1;
    const mark = reader.behind(last);
    const ends = mark === 0x2c ? 1 : mark === 0x2e ? 2 : mark === 10 ? 3 : 0;
    return (
      ((reader.classes[last] as number) & (wordClass.signOff | wordClass.label)) |
      ends |
      (size < 5 ? 16 : 0) |
      ((line - above) << 6)
    );
  }
  return 0;
}

/** The label that opens the line or the field: `Attendees: Anna, Ben`. */
function addLabelFeatures(reader: LatinReader, i: number, lineFirst: number, own: number, out: Features): void {
  for (let k = i - 1; k >= lineFirst && k > i - 12; k--) {
    const mark = reader.behind(k);
    if (mark !== colon && mark !== 0x3d) continue;
    const distance = Math.min(i - k, 4);
    out.add(70, reader.words.hash[k] as number, distance);
    out.add(71, (reader.classes[k] as number) | (distance << 12), own);
    out.add(82, (reader.classes[k] as number) | (distance << 12), reader.words.shape[i] as number);
    return;
  }
  out.add(72, reader.classes[lineFirst] as number, Math.min(i - lineFirst, 4));
}
