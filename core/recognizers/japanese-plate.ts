/** Japanese registration plates: by their office and kana, those of motorcycles and mopeds where a vehicle is spoken of. */
import { CodeSet } from '../code-set.ts';
import { matchesIn, type ScanText } from '../shadow.ts';

/** Names of the transport offices and the regional ones, as on plates (自動車登録番号標, 国土交通省). */
const offices = (
  '札幌 函館 室蘭 帯広 釧路 北見 旭川 知床 苫小牧 十勝 青森 八戸 弘前 岩手 盛岡 平泉 奥州 宮城 仙台 秋田 山形 庄内 福島 会津 郡山 白河 いわき ' +
  '水戸 土浦 つくば 宇都宮 那須 とちぎ 日光 群馬 前橋 高崎 大宮 川口 所沢 川越 熊谷 春日部 越谷 草加 千葉 成田 習志野 市川 船橋 袖ヶ浦 市原 野田 柏 松戸 ' +
  '品川 世田谷 練馬 杉並 板橋 足立 江東 葛飾 江戸川 八王子 多摩 横浜 川崎 湘南 相模 山梨 富士山 新潟 長岡 上越 富山 石川 金沢 福井 長野 松本 諏訪 南信州 安曇野 ' +
  '岐阜 飛騨 静岡 浜松 沼津 伊豆 富士 名古屋 豊橋 三河 岡崎 豊田 尾張小牧 一宮 春日井 三重 鈴鹿 四日市 伊勢志摩 滋賀 京都 大阪 なにわ 和泉 堺 神戸 姫路 奈良 飛鳥 和歌山 ' +
  '鳥取 島根 出雲 岡山 倉敷 広島 福山 山口 下関 徳島 香川 高松 愛媛 高知 福岡 北九州 久留米 筑豊 佐賀 長崎 佐世保 厳原 熊本 大分 宮崎 都城 鹿児島 奄美 沖縄 八重山'
).split(' ');
// Hiragana without お し へ ん; the letters E H K M T Y (forces stationed in Japan) are left to the words. ・ fills the
// places of a number of fewer than four digits.
const plateKana = 'あいうえかきくけこさすせそたちつてとなにぬねのはひふほまみむめもやゆよらりるれろわを';
const joints = new CodeSet(plateKana);
/** What may stand between the kana and the number, and what the number begins with. */
const numberFirsts = new CodeSet(' -・･.0123456789');
const head = /([\u3040-\u30FF\u3400-\u9FFF]{0,4})[ -]?[1-9][0-9A-HJ-NPR-Z]{1,2}[ -]?$/;
const tail = /^[ -]?(?:[0-9]{1,2}[- ][0-9]{2}|[・･.]{1,3}[- ]?[0-9]{1,2}|[・･.][0-9]{2,3}|[1-9][0-9]{0,3})(?![0-9])/;
/** Behind these words the place need not be known: towns stand where offices should, and old offices have other names. */
const labelBefore =
  /(?:ナンバー|ナンバープレート|プレート|車両番号|車輌番号|車番|登録番号|標識)(?:番号)?(?:は|が|の|[\s:：「『(（【|=,、"'）)】]){0,4}$/;
/** A vehicle is spoken of directly before. */
const ofCar = /車|バイク|トラック|タクシー|バス(?![^\s])/;
const carReach = 8;
/** A town's name and a class of three digits. */
const withPlace = /[\u4E00-\u9FFF]{2,4}[ -]?[1-9][0-9]{2}[ -]?$/;
/** `500-す-12-34`: the office is left out. */
const withHyphens = /^[1-9][0-9]{2}-[\u3040-\u309F]-[0-9]{2}-[0-9]{2}$/;
/** All of a plate but its office. */
const withoutOffice = /^[1-9][0-9]{2} ?[\u3040-\u309F] ?[0-9]{2}-[0-9]{2}$/;
const particles = /[のとはもにやをか]/;
/** Behind an amount. */
const counter = /^ ?(?:円|人|名|件|個|回|歳|万|年|月|日|時(?!速)|分|秒|番|位|台|本|枚|冊|杯|階|度|点|%)/;

/** Plates of motorcycles and mopeds, and of foreign forces: only where a vehicle is spoken of. */
const smallTail = new RegExp(
  `(?:[${plateKana}EHKMTY] ?[0-9]{1,2}-[0-9]{2}|[${plateKana}] ?[・･]{1,3}[0-9]{1,2}|(?![にをはのともや])[${plateKana}] ?[1-9][0-9]{2,3})(?![0-9-])`,
  'g',
);
const smallHead = new RegExp(
  `(?:(?<![0-9A-Za-z])[1-9A-Z] ?)?(?:OFFICE ?(?:[1-9][0-9]{1,2}|[A-Z])?|(?:[\\u4E00-\\u9FFF]{1,4}|さいたま|つくば|いわき|ひたちなか|うるま|みどり|さくら|むつ|つがる|にかほ|かほく|あわら|いなべ|いすみ|かすみがうら)市(?:[\\u4E00-\\u9FFF]{1,3}区)?|[\\u4E00-\\u9FFF]{1,4}[区町村]) ?$`.replaceAll(
    'OFFICE',
    `(?:${offices.join('|')})`,
  ),
);
const smallHeadMax = 14;
/** How far from a plate the vehicle may be spoken of. */
const smallReach = 48;
const smallVehicle = /バイク|オートバイ|原付|二輪|ナンバー|プレート|スクーター|車両|車番|米軍|標識/;

/** Plates with an office, a class, a kana and a number; starts and ends. */
export function japanesePlates({ shadow, kanaJoints }: ScanText): [number, number][] {
  const found: [number, number][] = [];
  for (const kana of kanaJoints) {
    if (!joints.has(shadow.charCodeAt(kana)) || !numberFirsts.has(shadow.charCodeAt(kana + 1))) continue;
    const behind = tail.exec(shadow.slice(kana + 1, kana + 9));
    const before = behind && head.exec(shadow.slice(Math.max(0, kana - 9), kana));
    if (!behind || !before) continue;
    const words = before[1] ?? '';
    if (counter.test(shadow.slice(kana + 1 + behind[0].length, kana + 4 + behind[0].length))) continue;
    if (isOfSentence(shadow, kana, behind[0])) continue;
    const office =
      offices.find((candidate) => words.endsWith(candidate)) ?? labelledOffice(shadow, kana - before[0].length, words);
    if (office === undefined) {
      const start = kana - before[0].slice(words.length).replace(/^[ -]/, '').length;
      const end = kana + 1 + behind[0].length;
      const place = withPlace.exec(before[0]);
      // A town that has no office, with all that a plate has.
      if (
        place !== null &&
        behind[0].includes('-') &&
        ofCar.test(shadow.slice(Math.max(0, kana - place[0].length - carReach), kana - place[0].length))
      ) {
        found.push([kana - place[0].length, end]);
        continue;
      }
      // `北500-あ-12-34`: a shelf.
      const isMeant = withHyphens.test(shadow.slice(start, end)) && !isKanji(shadow.charCodeAt(start - 1));
      const isOfCar =
        withoutOffice.test(shadow.slice(start, end)) &&
        !isKanji(shadow.charCodeAt(start - 1)) &&
        (smallVehicle.test(shadow.slice(Math.max(0, start - smallReach), start)) ||
          ofCar.test(shadow.slice(Math.max(0, start - smallReach), start)));
      if (isMeant || isOfCar || labelBefore.test(shadow.slice(Math.max(0, start - 16), start)))
        found.push([start, end]);
      continue;
    }
    found.push([kana - before[0].length + words.length - office.length, kana + 1 + behind[0].length]);
  }
  return found;
}

/** A particle between two amounts: `福岡 500 の 12 のうち`. */
function isOfSentence(shadow: string, kana: number, behind: string): boolean {
  if (!particles.test(shadow[kana] ?? '') || !/^ [0-9]+$/.test(behind) || shadow[kana - 1] !== ' ') return false;
  return /^ [のとをがに]/.test(shadow.slice(kana + 1 + behind.length, kana + 4 + behind.length));
}

function isKanji(c: number): boolean {
  return c >= 0x3400 && c <= 0x9fff;
}

/** The place at the end of the words that start at `at`, when a label stands before it. */
function labelledOffice(shadow: string, at: number, words: string): string | undefined {
  const place = /[\u3400-\u9FFF]{2,4}$/.exec(words)?.[0];
  if (place === undefined) return undefined;
  const end = at + words.length - place.length;
  return labelBefore.test(shadow.slice(Math.max(0, end - 16), end)) ? place : undefined;
}

/** Adds the plates of motorcycles and mopeds between two places. Looks for the kana with its digits first: towns are many. */
export function addSmallPlates(shadow: string, from: number, to: number, found: [number, number][]): void {
  for (const { start: kana, end } of matchesIn(shadow, smallTail, { start: from, end: to, before: 0, after: 12 })) {
    const floor = Math.max(found.at(-1)?.[1] ?? 0, kana - smallHeadMax);
    const before = smallHead.exec(shadow.slice(floor, kana));
    if (before === null || counter.test(shadow.slice(end, end + 4))) continue;
    // The letters of forces need their class.
    if (shadow.charCodeAt(kana) < 0x80 && !/[0-9] ?$/.test(before[0])) continue;
    const start = floor + before.index;
    if (smallVehicle.test(shadow.slice(Math.max(0, start - smallReach), end + smallReach))) found.push([start, end]);
  }
}
