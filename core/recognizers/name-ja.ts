/** Names of persons in kanji and kana: by the lists of surnames and given names, honorifics, labels and titles. */
import { isAsciiLetter } from '../characters.ts';
import { CodeSet } from '../code-set.ts';
import {
  givenNameSources,
  isGivenNameShape,
  isSurnameReading,
  isSurnameShape,
  isSurnameStart,
  surnameLengthsAt,
  surnameRank,
} from '../data/names.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { behindKana, givenAfter, givenLengthMax, kanaGiven } from './japanese-given-name.ts';
import {
  isHiragana,
  isHonorificBehind,
  isKanji,
  isKatakana,
  isTitleBefore,
  isTitleBehind,
  isTitleOnly,
  mayEndTitle,
  mayLabelEnd,
  nameLabel,
  singleGivenNames,
  singleSurnames,
  toKatakana,
} from './japanese-name-words.ts';
import { dottedName, type FoundName } from './katakana-name.ts';

const surnameLengthMax = 4;
const runLengthMax = 24;
const labelLookBack = 24;

/** Looks at every blank between Japanese characters, every run of kanji and every run of katakana with a middle dot. */
export const nameJa: Recognizer = {
  name: 'name-ja',
  type: 'NAME',
  trigger: ({ nameRuns }) => nameRuns.length > 0,
  find(text: ScanText): Detection[] {
    const { shadow, nameRuns } = text;
    const found: Detection[] = [];
    let done = 0;
    let next = 0;
    for (let n = 0; n < nameRuns.length; n += 2) {
      const runEnd = nameRuns[n + 1] as number;
      // What a name leaves of its run may hold another one.
      for (let start = Math.max(nameRuns[n] as number, next); start < runEnd; start = next) {
        const c = shadow.charCodeAt(start);
        let hit: FoundName | undefined;
        next = runEnd;
        if (c === 0x20) {
          if (start > done) hit = spacedName(shadow, start, done);
        } else if (isKatakana(c)) {
          const dotted = dottedName(shadow, start, runEnd);
          next = dotted.next;
          hit = dotted.hit;
        } else hit = joinedName(shadow, start, runEnd);
        if (hit === undefined) continue;
        const { end, score, context } = hit;
        found.push(detectionAt(text, hit.start, end, { type: 'NAME', score, recognizer: 'name-ja', context }));
        done = end;
        next = Math.max(start + 1, end);
      }
    }
    return found;
  },
  samples: {
    match: [
      ['氏名：高橋 美咲', '高橋 美咲'],
      ['担当の 中村　健太 です', '中村　健太'],
      ['お客様の佐々木　結衣様から', '佐々木　結衣'],
      ['林 健太郎さんに連絡', '林 健太郎'],
      ['フリガナ：ヤマダ タロウ', 'ヤマダ タロウ'],
      ['山本 さくらです', '山本 さくら'],
      ['申込者 架空 太郎 様', '架空 太郎'],
      ['氏名：山田太郎', '山田太郎'],
      ['山田太郎様', '山田太郎'],
      ['昨日、高橋健一が出席した', '高橋健一'],
      ['監督はマイケル・アンダーソン。', 'マイケル・アンダーソン'],
    ],
    noMatch: [
      '清水寺',
      '鈴木自動車',
      '東京 大阪',
      '林 森',
      '山田 様',
      '長野 県',
      '石川県立図書館',
      'ユーザー・インターフェース',
      '松本城と高田馬場',
      '項目 名前 住所',
      '中央 南 東',
      '高橋 部長',
      '佐藤 商店',
    ],
  },
};

/** 姓, a blank, 名. */
function spacedName(shadow: string, blank: number, floor: number): FoundName | undefined {
  const before = shadow.charCodeAt(blank - 1);
  const after = shadow.charCodeAt(blank + 1);
  if (isKanji(before)) {
    if (isKanji(after) || isHiragana(after) || isKatakana(after)) return kanjiName(shadow, blank, floor);
  } else if (isKatakana(before) && isKatakana(after)) return kanaName(shadow, blank, floor, isKatakana);
  else if (isHiragana(before) && isHiragana(after)) return kanaName(shadow, blank, floor, isHiragana);
  return undefined;
}

function kanjiName(shadow: string, blank: number, floor: number): FoundName | undefined {
  let runStart = blank;
  while (runStart > floor && blank - runStart < 12 && isSurnameCharacter(shadow.charCodeAt(runStart - 1))) runStart--;
  const given = givenAfter(shadow, blank + 1);
  if (given === undefined) return undefined;
  const hasHonorific = isHonorificBehind(shadow, given.end);

  for (let length = Math.min(surnameLengthMax + 1, blank - runStart); length > 0; length--) {
    const start = blank - length;
    if (!isSurnameStart(shadow.charCodeAt(start))) continue;
    if (surnameRank(shadow, start, blank) < 0) continue;
    // Behind other kanji (先週, 営業部) only names that leave no doubt.
    if (start > runStart && !isTitleBefore(shadow, runStart, start) && (length < 2 || !given.isListed)) continue;
    const label = labelBefore(shadow, start);
    const isCued = label !== undefined || hasHonorific;
    const short = length + (given.end - blank - 1) < 3;
    if (!isCued && (given.isUnsure || short || (given.isSingle && length === 1))) continue;
    if (!isCued && given.isSingle && !singleGivenNames.has(shadow.charCodeAt(blank + 1))) continue;
    return { start, end: given.end, score: isCued ? 0.95 : 0.85, ...(label === undefined ? {} : { context: label }) };
  }
  // A surname of no list: only where a form or an honorific says so.
  const length = blank - runStart;
  if (length > surnameLengthMax || length < 1 || given.end - blank - 1 < 1) return undefined;
  const label = labelBefore(shadow, runStart);
  if (label === undefined && !(hasHonorific && !given.isUnsure)) return undefined;
  if (isTitleOnly(shadow.slice(runStart, blank))) return undefined;
  return { start: runStart, end: given.end, score: 0.8, ...(label === undefined ? {} : { context: label }) };
}

function isSurnameCharacter(c: number): boolean {
  return isKanji(c) || c === 0x30ce || c === 0x30f6 || c === 0x30b1 || c === 0x4e4b;
}

/** Both names in kana: only when both are readings of the lists, or after a label. */
function kanaName(shadow: string, blank: number, floor: number, isKana: (c: number) => boolean): FoundName | undefined {
  let start = blank;
  while (start > floor && blank - start < 8 && isKana(shadow.charCodeAt(start - 1))) start--;
  if (blank - start < 2) return undefined;
  const label = labelBefore(shadow, start);
  const surname = toKatakana(shadow.slice(start, blank));
  const given = kanaGiven(shadow, blank + 1);
  if (given === undefined && label === undefined) return undefined;
  if (!isSurnameReading(surname) && label === undefined) return undefined;
  let end = given?.end ?? blank + 1;
  if (given === undefined) while (end < shadow.length && end - blank < 8 && isKana(shadow.charCodeAt(end))) end++;
  if (end - blank < 3) return undefined;
  const hasHonorific = isHonorificBehind(shadow, end);
  // Short words of kana meet by chance.
  if (label === undefined && !hasHonorific && (end - start < 6 || given?.isUnsure || surname.length < 3))
    return undefined;
  if (label === undefined && !hasHonorific && isKana === isHiragana && isHiragana(shadow.charCodeAt(end)))
    return undefined;
  return { start, end, score: 0.8, ...(label === undefined ? {} : { context: label }) };
}

/** What may stand between a label and a name. */
const labelEnds = new CodeSet(' :：=は,、|｜\t"\'「【の');

/** The label before a name, on the same line. */
function labelBefore(shadow: string, start: number): string | undefined {
  const c = shadow.charCodeAt(start - 1);
  if (!isKanji(c) && !labelEnds.has(c)) return undefined;
  if (isKanji(c) && !/(?:氏名|名前|者|人|名|義)$/.test(shadow.slice(Math.max(0, start - 2), start))) return undefined;
  if (!mayLabelEnd(shadow, start)) return undefined;
  const near = shadow.slice(Math.max(0, start - labelLookBack), start);
  return nameLabel.exec(near.slice(near.lastIndexOf('\n') + 1))?.[0].replace(/[^\u3005-\u9FFF]/g, '');
}

/** A name without a blank in a run of kanji `runStart..runEnd`, with given names in kana behind it. */
function joinedName(shadow: string, runStart: number, runEnd: number): FoundName | undefined {
  const runLength = runEnd - runStart;
  if (runLength < 2 || runLength > runLengthMax) return undefined;
  let best: FoundName | undefined;
  for (let start = runStart; start < runEnd - 1 && start < runStart + 10; start++) {
    if (start > runStart && !mayEndTitle(shadow.charCodeAt(start - 1))) continue;
    const lengths = surnameLengthsAt(shadow, start, runEnd);
    if (lengths === 0) continue;
    let isOpen: boolean | undefined;
    for (let length = 3; length > 0; length--) {
      if ((lengths & (1 << (length - 1))) === 0) continue;
      isOpen ??= start === runStart ? !isGlued(shadow, start) : isTitleBefore(shadow, runStart, start);
      if (!isOpen) break;
      const end = start + length;
      const rank = surnameRank(shadow, start, end);
      // Two kanji that begin a run may be a rare one.
      if (rank < 0 && !(length === 2 && start === runStart) && !isSurnameShape(shadow, start, end)) continue;
      const hit = givenBehind(shadow, start, end, runEnd, rank);
      if (hit !== undefined && (best === undefined || hit.score > best.score)) best = hit;
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

/** True when the run that starts here goes on a number, a Latin word or a word in katakana that is no title. */
function isGlued(shadow: string, runStart: number): boolean {
  const before = shadow.charCodeAt(runStart - 1);
  if (isKatakana(before)) return !katakanaTitle.test(shadow.slice(Math.max(0, runStart - 8), runStart));
  return (before >= 0x30 && before <= 0x39) || isAsciiLetter(before);
}

/** What people are called by in katakana, directly before a name. */
const katakanaTitle =
  /(?:マネージャー|マネジャー|マネ|リーダー|ヘルパー|ドクター|オーナー|キャプテン|コーチ|スタッフ|メンバー|チーフ|サブ|ディレクター|プロデューサー|エンジニア|デザイナー|アシスタント|トレーナー|カメラマン|ドライバー|パイロット|ゲスト|ホスト|モデル|ライター|コンサルタント|アドバイザー|インストラクター|キーパーソン|キーマン|ママ|パパ)$/;

function givenBehind(
  shadow: string,
  start: number,
  split: number,
  runEnd: number,
  rank: number,
): FoundName | undefined {
  const surnameLength = split - start;
  if (split === runEnd) return kanaGivenBehind(shadow, start, split);
  let label: string | undefined;
  let isLabelKnown = false;
  for (let length = Math.min(givenLengthMax, runEnd - split); length > 0; length--) {
    const end = split + length;
    if (end < runEnd && !isTitleBehind(shadow, end) && !(length > 1 && isOffice(shadow, end, runEnd))) continue;
    const isSingle = length === 1 && singleGivenNames.has(shadow.charCodeAt(split));
    const sources = isSingle ? 3 : givenNameSources(shadow, split, end);
    // What no cue makes a name; looking for one costs most.
    if (sources < 0) {
      if (rank < 0 && !isSurnameShape(shadow, start, split)) continue;
      if (surnameLength < 2 && !(length > 1 && isGivenNameShape(shadow, split, end))) continue;
    }
    const given = shadow.slice(split, end);
    if (!isLabelKnown) label = labelBefore(shadow, start);
    isLabelKnown = true;
    const hasHonorific = isHonorificBehind(shadow, end);
    const isCued = label !== undefined || hasHonorific;
    if (isCued) {
      if (surnameLength + length < 3 && !isShortName(shadow, start, end)) continue;
      if (sources < 0 && !(length > 1 && isGivenNameShape(shadow, split, end))) {
        if (label === undefined || end < runEnd || surnameLength < 2 || isTitleOnly(given)) continue;
      }
      return { start, end, score: 0.85, ...(label === undefined ? {} : { context: label }) };
    }
    if (surnameLength + length < 3) continue;
    if (nouns.has(given)) continue;
    if (rank < 0) {
      if (length !== 2 || sources < 1 || (sources < 3 && !isGivenNameShape(shadow, split, end))) continue;
      if (bigPlaces.has(shadow.slice(start, split))) continue;
      // A surname of no list and no usual shape: the given name has to be one that is nothing else.
      if (!isSurnameShape(shadow, start, split) && (sources < 3 || !plainGiven.test(given))) continue;
      return { start, end, score: 0.5 };
    }
    if (sources < 0) {
      if (surnameLength < 2 || !isLongShape(given) || bigPlaces.has(shadow.slice(start, split))) continue;
      return { start, end, score: 0.55 };
    }
    if (length === 1) {
      if (surnameLength < 2 || rank > 1200 || !isSingle) continue;
      if (isHiragana(shadow.charCodeAt(end)) && !behindKana.test(shadow.slice(end, end + 4))) continue;
      return { start, end, score: 0.6 };
    }
    if (surnameLength === 1 && (!singleSurnames.has(shadow.charCodeAt(start)) || sources < 2)) continue;
    return { start, end, score: surnameLength === 1 ? 0.6 : 0.7 };
  }
  return undefined;
}

/** One kanji and one kanji that are a surname and a given name: 関豊. Only with a cue. */
function isShortName(shadow: string, start: number, end: number): boolean {
  return singleSurnames.has(shadow.charCodeAt(start)) && singleGivenNames.has(shadow.charCodeAt(end - 1));
}

/** How given names end that are seldom another word. */
const plainGiven = /[子郎夫男雄彦也介輔恵江代香奈樹哉]$/;

/** Places that stand before nouns so often that with a given name of the list they are still no name. */
const bigPlaces = new Set(
  '日本東京大阪京都神戸横浜札幌仙台広島福岡長崎沖縄関西関東中部東北九州四国北陸東海埼玉愛知'.match(/../g),
);

/** An office behind a name, as the end of the same run of kanji: 河野太郎外務大臣. */
const officeBehind =
  /^.{0,12}(?:大臣|議員|委員|議長|委員長|知事|市長|会長|社長|研究員|教授|監督|選手|幹事長|書記長|長官|事務官|秘書官|総裁|総長|代表|部長|少年|少女|外相|蔵相|首相|法相|党首|党員|初段|[二三四五六七八九]段|作品|名義|死後|役|戦)$/;

const officeEnds = new CodeSet('臣員長事授督手官裁表年女相首段品義後役戦');

/** True when the rest of a run of kanji ends in an office. */
function isOffice(shadow: string, start: number, runEnd: number): boolean {
  return officeEnds.has(shadow.charCodeAt(runEnd - 1)) && officeBehind.test(shadow.slice(start, runEnd));
}

const longEnding =
  /^[\u4E00-\u9FFF](?:[太次二三四五六七八九十]郎|[一二三四五六七八九]郎|[衛右左]門|兵衛|之[助介丞輔]|[美代佐由]子)$/;

/** Nouns of two kanji that are shaped like given names. */
const nouns = new Set(
  '温泉 鉄道 水道 国道 県道 航空 学会 青果 音楽 親子 定理 方法 法則 剣道 華道 書道 茶道 柔道 寿司 道路 街道 美術 美容 和裁 光学 公社 公民 文化 文学 文明 理学 理化 正月 正門 直売 直営 直線 信用 信託 広告 広場 明治 昭和 平成 令和 大正 安全 安定 健康 幸福 平和 元年 元気 一行 一部 三郎丸 弘前 道場 道中 敏感 純粋 純米 清酒 清流 清水 秀吉 家康 信長'.split(
    ' ',
  ),
);

/** Two kanji that often begin and end given names, or three with one of the endings of long ones. */
function isLongShape(given: string): boolean {
  return given.length === 2 ? isGivenNameShape(given, 0, 2) : longEnding.test(given);
}

/** 姓 in kanji, 名 in kana: 宮内あすか. */
function kanaGivenBehind(shadow: string, start: number, split: number): FoundName | undefined {
  if (split - start < 2) return undefined;
  if (surnameRank(shadow, start, split) < 0 && !isSurnameShape(shadow, start, split)) return undefined;
  const c = shadow.charCodeAt(split);
  if (!isHiragana(c) && !isKatakana(c)) return undefined;
  const given = kanaGiven(shadow, split);
  if (given === undefined) return undefined;
  const label = labelBefore(shadow, start);
  const isCued = label !== undefined || isHonorificBehind(shadow, given.end);
  const length = given.end - split;
  if (!isCued && (given.isUnsure || (length < 3 && !shortKanaNames.has(shadow.slice(split, given.end)))))
    return undefined;
  if (!isCued && length < 3 && (surnameRank(shadow, start, split) < 0 || bigPlaces.has(shadow.slice(start, split))))
    return undefined;
  return { start, end: given.end, score: isCued ? 0.8 : 0.6, ...(label === undefined ? {} : { context: label }) };
}

/** Given names of two kana that are seldom anything else behind a surname. */
const shortKanaNames = new Set(
  'ゆい あい まい めい みお りん えみ ゆみ くみ まき みき さき ゆか りか みか ちか まゆ あや さや まや みほ しほ かほ りほ りさ みさ りお みゆ ゆり えり りこ りな れな ゆな ひな るみ なみ りえ みえ えな まほ りの ゆの ねね のあ るな'.split(
    ' ',
  ),
);
