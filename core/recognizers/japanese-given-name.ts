/** Given names in kanji and kana behind a surname, by the lists. */
import { CodeSet } from '../code-set.ts';
import { givenNameSources, isGivenNameReading, isGivenNameShape, mayBeginGivenReading } from '../data/names.ts';
import { isHiragana, isKanji, isKatakana, isTitleBehind, isTitleOnly, toKatakana } from './japanese-name-words.ts';

/** The longest given name in kanji. */
export const givenLengthMax = 3;

/** A given name that begins at a known place. */
export type Given = {
  readonly end: number;
  /** Not in the list, or one that only a cue makes a name. */
  readonly isUnsure: boolean;
  readonly isSingle: boolean;
  /** Two or three kanji of the list. */
  readonly isListed: boolean;
};

const mixedName = /^[\u4E00-\u9FFF][\u3041-\u3096\u30A1-\u30F6]{1,2}[子美代江恵枝香里]/;

function isKana(c: number): boolean {
  return isHiragana(c) || isKatakana(c);
}

/** The given name that begins at `start`. */
export function givenAfter(shadow: string, start: number): Given | undefined {
  let end = start;
  while (end < shadow.length && end - start < 10 && isKanji(shadow.charCodeAt(end))) end++;
  if (end === start) return kanaGiven(shadow, start);
  for (let length = Math.min(givenLengthMax, end - start); length > 0; length--) {
    const sources = givenNameSources(shadow, start, start + length);
    if (sources < 0) continue;
    if (start + length < end && !isTitleBehind(shadow, start + length)) continue;
    return { end: start + length, isUnsure: false, isSingle: length === 1, isListed: length > 1 };
  }
  // Kana and kanji mixed: 美よ子, かお里.
  const mixed =
    end === start + 1 && isKana(shadow.charCodeAt(end)) ? mixedName.exec(shadow.slice(start, start + 4)) : null;
  if (mixed !== null) return { end: start + mixed[0].length, isUnsure: true, isSingle: false, isListed: false };
  const run = shadow.slice(start, end);
  const tail = run.search(/[様氏殿君]|先生|選手|監督|教授|社長|部長|課長/);
  const length = tail > 0 ? tail : run.length;
  if (length > 3 || isTitleOnly(run.slice(0, length))) return undefined;
  const isShaped = length > 1 && isGivenNameShape(run, 0, length);
  return { end: start + length, isUnsure: !isShaped || length === 3, isSingle: length === 1, isListed: false };
}

/** What may follow a name in kana. */
export const behindKana =
  /^(?:$|[^\u3041-\u3096\u30A1-\u30FC\u4E00-\u9FFF]|様|氏|さん|くん|ちゃん|さま|先生|殿|君|選手|監督|です|でし|だ|は|が|の|を|に|と|も|へ|や|で|から|より|まで|って|あて|宛|名義|本人)/;

/** The given name in kana, or kana and a last kanji, that begins at `start`. */
export function kanaGiven(shadow: string, start: number): Given | undefined {
  const isOfKind = isKatakana(shadow.charCodeAt(start)) ? isKatakana : isHiragana;
  let end = start;
  while (end < shadow.length && end - start < 8 && isOfKind(shadow.charCodeAt(end))) end++;
  if (end - start > 1 && mayBeginGivenReading(shadow, start)) {
    const reading = toKatakana(shadow.slice(start, Math.min(start + 6, end)));
    for (let { length } = reading; length > 1; length--) {
      if (!isGivenNameReading(reading.slice(0, length))) continue;
      const at = start + length;
      if (!behindKana.test(shadow.slice(at, at + 4)) && !isTitleBehind(shadow, at)) continue;
      const isUnsure = notNamesInKana.test(shadow.slice(start, at));
      return { end: at, isUnsure, isSingle: false, isListed: false };
    }
  }
  const mixedEnd = mixedGivenEnd(shadow, start);
  return mixedEnd < 0 ? undefined : { end: mixedEnd, isUnsure: false, isSingle: false, isListed: false };
}

/** Kanji that end given names in kana: かお里. */
const kanjiBehindKana = new CodeSet('子美代江恵枝香里乃');

/** Kana but the long vowel mark and those that are never written. */
function isKanaLetter(c: number): boolean {
  return isHiragana(c) || (c >= 0x30a1 && c <= 0x30f6);
}

/** The end of one to three kana and a last kanji; -1 for all else. */
function mixedGivenEnd(shadow: string, start: number): number {
  let at = start;
  while (at < start + 3 && isKanaLetter(shadow.charCodeAt(at))) at++;
  if (at === start || !kanjiBehindKana.has(shadow.charCodeAt(at))) return -1;
  const next = shadow.charCodeAt(at + 1);
  return next >= 0x4e00 && next <= 0x9fff ? -1 : at + 1;
}

/** Readings of given names that are common words, too. */
const notNamesInKana =
  /^(?:さえ|なお|まさか|いま|まこと|まま|ただし|しょう|こう|よう|かな|とも|のり|みち|まち|みな|いち|かい|とし|ゆう|りつ|せい|けい|もと|もり|まり|はな|そら|うみ|なつ|はる|あき|ふゆ|コウ|ケイ|カナ|ルイ|レイ|カイ|マイ|リオ|エマ|ジョー|ケン|アン|メイ|モモ|ユウ|ヨウ|ショウ|マナ|マリ|レオ|ジュン|ナナ|ロイ)$/;
