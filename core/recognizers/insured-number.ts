/**
 * Numbers of Japanese health insurance that stand away from their label: the symbol (記号) and number (番号) of an insured
 * person and the number of an insurer (保険者番号), in sentences, lists, data and answers near a word for health insurance.
 */
import { isInsurerNumber } from '../checksums.ts';
import type { KeywordHit } from '../keywords.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import { columnUnder } from '../tables.ts';
import type { Stretch } from './stretch.ts';

/** Words near which numbers of Japanese health insurance are looked for, wherever they stand. */
export const insuredAnchors: readonly string[] = [
  '保険',
  '健保',
  '国保',
  '社保',
  'けんぽ',
  'healthinsurance',
  'health_insurance',
  'hoken',
];

/** How far before and behind such a word a number may stand; characters. */
const reachBefore = 60;
const reachBehind = 240;
/** What speaks of the insurance itself, not of a fee or of another kind of insurance. */
const insurance =
  /健康保険(?!料|税)|保険者|保険証(?!券)|(?:^|[^務定])健保|国保(?!料|税)|社保|けんぽ|共済|後期高齢|資格(?:情報|確認)|医療保険|介護保険(?!料|事業)|保険情報|保険(?=の(?:記号|番号)|[:：])|hoken(?!ryo)|["']?health_?insurance["']?\s?[:=]|insurer|insured|(?<![a-z])insurance["'>:, ]/i;
/** A symbol and number of the Japan Post Bank have the same words. */
const ofBank = /ゆうちょ|郵便局|貯金|口座|銀行|通帳|引き?落/;
const bankReach = 32;
const cardDirectly = /(?:保険証|資格確認書|健保|国保)の?[\s:：・]{0,2}$/;
/** `通帳の写しあり。保険証 記号` */
const cardBehindBank =
  /(?:保険証|健康保険|健保|国保|資格確認書)(?!券|料|税)(?!.*(?:ゆうちょ|郵便局|貯金|口座|銀行|通帳|落))/s;
/** Between a word and its value. */
const link =
  '(?:欄|等|の方|のほう|[（(](?:変更後|変更前|新|旧|本人|家族)[)）])?["\'`)）】」\\]]?\\s{0,6}(?:(?:は|が|を|も|に|の|と|：|:|=|＝|>|、|,|→|・|\\.){1,2}\\s{0,3}|)(?:」\\s?)?["\'「『（(【]?\\s{0,2}';
const joined = '[0-9]{1,8}(?:[-・][0-9]{1,8}){0,2}';
const rightOf =
  '(?![0-9A-Za-z_])(?![-/][0-9A-Za-z])(?!\\.[0-9])(?! ?(?:年|月|日|時|円|万|千|件|人|名|個|回|歳|割|%|種|つ|行|列|桁|文字|番目|番系))';
/** The symbol: digits, or the name of a place and digits; a name alone stands between marks. */
const sign = new RegExp(
  `(?:(?:記号(?:[・と/]?番号)?(?:[・と/]?枝番)?|kigo|symbol)${link}((?:[\\u4e00-\\u9fff]{1,4}|[ァ-ヶー]{1,6}|[ぁ-ん]{1,4}|[A-Z]{1,2})?[ -]?${joined})${rightOf}|(?:記号|kigo)["']?\\s{0,3}(?:[:：=＝> \\t]|[がは]?[「『]|)\\s{0,3}["']?([\\u4e00-\\u9fff]{2,5}|[\\u4e00-\\u9fff]{1,5}[ァ-ヶー]{1,4})(?=["'<\\s、,」』]{1,6}[^\\u4e00-\\u9fff]{0,16}(?:番号|bango)))`,
  'gi',
);
/** The number behind the symbol it goes with; markup may part them. */
const behindSign = new RegExp(
  `^(?:[\\s"'\`)）」』「『（(【、,，。・／/|;&]|の|と|で|が|は|です|下|横|隣|及び|</[^<>\\n]{1,24}>|and |<|[a-z]{3,12}_){0,24}(?:被保険者証?|保険証)?(?:の)?(?:番号|bango|number(?: ?[(（]番号[)）])?)${link}(${joined})${rightOf}`,
  'i',
);
/** `番号の前の記号は5102、そのあとが84417です` */
const afterSign = new RegExp(
  `^(?:です|で|と|、|,|。|\\s){0,3}(?:その|あとの|続く|次の)?(?:あと|後|次|後ろ|うしろ|下|続き|番号)(?:の番号|のほう|の方)?(?:が|は|に|：|:)\\s?([0-9]{1,8})${rightOf}`,
);
/** `記号と番号を…` `4410の2983` */
const pairBehind = new RegExp(`^\\s?(?:の|と|、|,|-|・|－|／|/)\\s?([0-9]{1,8})${rightOf}`);
const asksForPair = /記号(?:・|と|や|および|及び|、|\/)?番号/;
/** A number told without its symbol: the words before it say whose it is. */
const alone = new RegExp(`(?:番号|bango)${link}([0-9]{4,10}|[0-9]{1,6}[-・][0-9]{1,8})${rightOf}`, 'gi');
const aloneHead =
  /(?:^|[\s、。，,・「（(【>"'\][|｜／/:：=]|(?:保険証?|健保|国保|けんぽ|本人|妻|夫|母|父|祖母|祖父|私|娘|息子|子|子供|家族|証|確認書|後期高齢|後期|新しい(?:ほう|方)|新|旧)の|被保険者証?の?|保険証の?|健保の?|国保の?|組合員証?の?|加入者証?の?|のが|のは|新しい|正しい|古い|前の|今の|記号(?:で|は同じ)?|hokensha_|hihokensha_|hoken_|kenpo_)$/;
/** `保険者番号`, whatever stands between it and the number. */
const insurer = new RegExp(
  `(?:保険者(?:番号|No\\.?|ナンバー)|hokensha_?(?:bango|no|number|id)|insurer_?(?:no|number|id|code))(?:${link}|は[\\u3040-\\u9fff]{1,10}[\\s:：「]{0,2})([0-9]{8}|[0-9]{6})${rightOf}`,
  'gi',
);
/** With a law code and a prefecture in front, and a check digit, eight digits need no label. */
const bareInsurer =
  /(?<![0-9A-Za-z_./-])(?:0[1-467]|3[1-4]|39|63|67|7[2-5])(?:0[1-9]|[1-3][0-9]|4[0-7])[0-9]{4}(?![0-9A-Za-z_/-]|\.[0-9])/g;
const bareInsurerReach = 60;
/** `受付番号`, `電話` */
const otherHead =
  /(?:[\u4e00-\u9fffァ-ヶー](?:番号|コード|No\.?|ID)|電話|TEL|Tel|携帯|FAX|日付?|記号|[A-Za-z]{2,}[ _]?(?:id|no|code)?)["']?(?:は|が|を|の|：|:|=|、|,|「|（|\(|>|\s|["'])*$/i;
const ownHead =
  /(?:保険者番号|保険証番号|保険番号|健保番号|国保番号|保険者No\.?|hoken\w*|insurer\w*)["']?(?:は|が|を|の|：|:|=|、|,|「|（|\(|>|\s|["'])*$/i;
/** Told in a clause of its own, where numbers of insured people are spoken of: `前の市では0001827364、` */
const clause =
  /(?<=(?:は|が|では|と|だと|→|：|:|「|、|旧|新|正|誤|たぶん|多分|おそらく|確か)\s?)(?:[0-9]{2,8}[-・][0-9]{1,8}|[0-9]{10}|[0-9]{8})(?=\s?(?:です|でし|でな|で|と|、|,|。|」|に|を|は|が|だ|→|（|\(|\n|$))/g;
/** The card has the symbol over the number: `上の段が37010042、下が56` */
const rowOfCard =
  /(?:上|左|最初|前半)の?(?:段|ほう|方|行|数字)?(?:が|は)\s?([0-9]{2,8})(?:(?:です|で|と|、|…|\s){0,3}(?:下|右|次|後半)の?(?:段|ほう|方|行|数字)?(?:が|は)\s?([0-9]{1,8}))?(?![0-9a-zA-Z-])/g;
const ofInsuredNumbers =
  /(?:被保険者|保険証|資格確認書?|健保|国保|介護保険|後期高齢者?医療|記号)[^。\n0-9:：]{0,12}番号|保険証(?:を見|に(?:は|書|記)|では)|記号[・と]?番号/;
/** Dates and postal codes have the form, too. */
const otherForm =
  /^(?:(?:19|20)[0-9]{2}(?:-[0-9]{1,2}|(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))|[0-9]{3}-[0-9]{4})$/;
const otherClause =
  /(?:電話|TEL|Tel|携帯|FAX|連絡先|郵便|〒|受付|予約|診察券|社員|会員|注文|整理|事業所|口座|暗証|公費|受給者|受診券|請求|証券|問い?合わ?せ|コード|ID)[^。、\n]{0,10}$/;
const clauseReach = 80;
/** A turn of a chat or call with no more than a number. */
const answer =
  /\n\s{0,4}(?:\[?[0-9]{1,2}:[0-9]{2}\]?\s?)?[^\n:：0-9]{1,16}(?:[:：>]|「)\s?(?:(?:はい|ええと?|えっと|えー|あ、?これかな|あっ?|では|番号は)[、。…\s]{0,2}){0,2}([0-9]{1,4}[-・][0-9]{2,8}|[0-9]{4,10})(?=\s?(?:の[0-9]|です|になります|だと|でした|と書|、|。|」|\n|$))/g;
const answerReach = 120;
/** So far behind the words their numbers may end. */
const digitReach = 240;
const asksForNumber =
  /(?:被保険者|保険証|保険|健保|国保|記号)[^\n。]{0,12}番号[^\n]{0,24}(?:ください|下さい|お願い|教え|伺|(?:ます|です)か|でしょうか|[?？])/g;
const asksForOther =
  /(?:電話|生年月日|誕生日|住所|郵便|暗証|予約|受付|診察券|社員|口座)[^\n]{0,24}(?:ください|下さい|お願い|教え|伺|ますか|でしょうか|[?？])/;

/** The symbols and numbers near the words of Japanese insurance; in no order, and some more than once. */
export function insuredNumbers(text: ScanText, anchors: readonly KeywordHit[]): Stretch[] {
  const found: Stretch[] = [];
  const { shadow, digitStarts } = text;
  let digit = 0;
  for (let i = 0; i < anchors.length; ) {
    const from = Math.max(0, (anchors[i] as KeywordHit).start - reachBefore);
    let to = from;
    for (; i < anchors.length && (anchors[i] as KeywordHit).start - reachBefore <= Math.max(to, from); i++)
      to = Math.max(to, (anchors[i] as KeywordHit).end + reachBehind);
    const zone = { start: from, end: Math.min(to, shadow.length), before: 24, after: 64 };
    addSigns(shadow, zone, found);
    while ((digitStarts[digit] ?? zone.end) < zone.start) digit++;
    if ((digitStarts[digit] ?? Infinity) < zone.end + digitReach) addNumbers(shadow, zone, found);
  }
  return found;
}

/** The words around a place, and what is in sight before and behind them. */
type Zone = Stretch & { readonly before: number; readonly after: number };

/** Adds the symbols around the words, and the numbers that go with them. */
function addSigns(shadow: string, range: Zone, found: Stretch[]): void {
  const add = (start: number, end: number) => found.push({ start, end });
  for (const { start, end, groups } of matchesIn(shadow, sign, range)) {
    const value = groups[1] ?? (groups[2] as string);
    // `整理記号`, `証券記号`; a word that goes on.
    if (/(?:整理|証券|事業所|地図|型番の)$/.test(shadow.slice(Math.max(0, start - 8), start))) continue;
    if (!isOfInsurance(shadow, start)) continue;
    const valueAt = groups[2] === undefined ? end - value.length : shadow.indexOf(value, start);
    const valueEnd = valueAt + value.length;
    const behind = shadow.slice(valueEnd, valueEnd + 80);
    const next = behindSign.exec(behind) ?? afterSign.exec(behind);
    // In English the word has other senses: with the number behind it, it is that of a card.
    if (next === null && /^symbol/i.test(shadow.slice(start, start + 6))) continue;
    add(valueAt, valueEnd);
    if (next !== null) add(valueEnd + next[0].length - (next[1] as string).length, valueEnd + next[0].length);
  }
}

/** Adds the numbers without a symbol. */
function addNumbers(shadow: string, range: Zone, found: Stretch[]): void {
  const add = (start: number, end: number) => {
    found.push({ start, end });
    return end;
  };
  for (const { start, end, groups } of matchesIn(shadow, alone, range)) {
    const head = shadow.slice(Math.max(0, start - 16), start);
    if (
      !aloneHead.test(head) ||
      /(?:証券|整理|事業所)記号$/.test(head) ||
      !isOfInsurance(shadow, start) ||
      shadow.slice(start, end).includes('\n')
    )
      continue;
    add(end - (groups[1] as string).length, end);
  }
  for (const { end, groups } of matchesIn(shadow, insurer, range)) {
    const value = groups[1] as string;
    if (isInsurerNumber(value)) add(end - value.length, end);
  }
  for (const { start, end } of matchesIn(shadow, bareInsurer, range)) {
    const head = shadow.slice(Math.max(0, start - 24), start).replace(/^.*\n/s, '');
    if (!isInsurerNumber(shadow.slice(start, end)) || (otherHead.test(head) && !ownHead.test(head))) continue;
    const near = shadow.slice(Math.max(0, start - bareInsurerReach), start);
    if (insurance.test(near) && !ofBank.test(near)) add(start, end);
  }
  // The rest is told near a word for the number or the card.
  const around = shadow.slice(Math.max(0, range.start - clauseReach), range.end + range.after);
  const hasNumber = around.includes('番号');
  if (!hasNumber && !around.includes('保険証') && !around.includes('記号')) return;
  for (const { start, end } of matchesIn(shadow, clause, range)) {
    const before = shadow.slice(Math.max(0, start - clauseReach), start);
    if (otherForm.test(shadow.slice(start, end)) || otherClause.test(before) || asksForOther.test(before)) continue;
    if (ofInsuredNumbers.test(before) && isOfInsurance(shadow, start)) add(start, end);
  }
  for (const { start, end, groups } of matchesIn(shadow, rowOfCard, range)) {
    const before = shadow.slice(Math.max(0, start - clauseReach), start);
    if (!/番号|記号/.test(before) || otherClause.test(before) || !isOfInsurance(shadow, start)) continue;
    const [, first = '', second] = groups;
    const at = shadow.indexOf(first, start);
    add(at, at + first.length);
    if (second !== undefined) add(end - second.length, end);
  }
  if (!hasNumber) return;
  for (const { end, groups } of matchesIn(shadow, asksForNumber, range)) {
    const behind = shadow.slice(end, end + answerReach);
    answer.lastIndex = 0;
    const turn = answer.exec(behind);
    if (
      turn === null ||
      asksForOther.test(behind.slice(0, turn.index)) ||
      ofBank.test(groups[0]) ||
      asksForOther.test(groups[0])
    )
      continue;
    const valueEnd = add(end + answer.lastIndex - (turn[1] as string).length, end + answer.lastIndex);
    const pair = asksForPair.test(groups[0]) ? pairBehind.exec(shadow.slice(valueEnd, valueEnd + 16)) : null;
    if (pair !== null) add(valueEnd + pair[0].length - (pair[1] as string).length, valueEnd + pair[0].length);
  }
}

/** True when the nearest word around the place is one of insurance, and none of a bank. */
export function isOfInsurance(shadow: string, at: number): boolean {
  const before = shadow.slice(Math.max(0, at - reachBehind), at);
  if (cardDirectly.test(before.slice(-8))) return true;
  const near = before.slice(-bankReach);
  if ((ofBank.test(near) && !cardBehindBank.test(near)) || /ゆうちょ|郵便局/.test(shadow.slice(at, at + bankReach)))
    return false;
  return insurance.test(before) || insurance.test(shadow.slice(at, at + reachBefore));
}

const headingOfSign = /記号|kigo/i;
const headingOfNumber = /(?:保険証?|健保|国保|被保険者証?|hoken|hihokensha)_?の?(?:番号|bango|no)$|^保険者no$/i;
/** `健康保険 番号` */
const insuranceWord = /(?:健康保険|保険証|健保|国保)$/;
const numberWord = /^ ?の?番号["'`]?\s{0,2}(?:[,;|\t\n]|$)/;
/** The heading before is one for the symbol. */
const behindHeading = /(?:記号|kigo)["'`]?\s{0,2}[,;|\t]\s{0,2}["'`]?(?:[a-z]{2,12}_)?$/i;
const cell = new RegExp(`^(?:[\\u4e00-\\u9fff]{1,4})?${joined}$`);
const headingReach = 120;
/** The heading of the number behind that of the symbol, and its cell. */
const isBesideNumber = /^["'`]?\s{0,3}[,;|\t]\s{0,3}["'`]?番号["'`]?\s{0,3}(?:[,;|\t\n]|$)/;
const cellBehind = /^["'`]?\s{0,3}[,;|\t]\s{0,3}["'`]?([0-9]{1,8}(?:-[0-9]{1,4})?)(?=["'`]?\s{0,3}(?:[,;|\t\n]|$))/;

/** The cells of a column under a label such as 保険証記号 or kigo, when the header speaks of insurance. */
export function insuredCells(text: ScanText, labels: readonly KeywordHit[]): Stretch[] {
  const { shadow } = text;
  const found: Stretch[] = [];
  let last = -1;
  for (const hit of labels) {
    const heading = shadow.slice(Math.max(0, hit.start - 8), hit.end).replace(/^.*[\s,;|]/s, '');
    const before = shadow.slice(Math.max(0, hit.start - 24), hit.start);
    const isNumber = insuranceWord.test(heading) && numberWord.test(shadow.slice(hit.end, hit.end + 6));
    if (!isNumber && !headingOfSign.test(heading) && !headingOfNumber.test(heading) && !behindHeading.test(before))
      continue;
    const column = columnUnder(text, hit);
    if (column === undefined || column.id === last) continue;
    last = column.id;
    if (!insurance.test(shadow.slice(Math.max(0, hit.start - headingReach), hit.end + headingReach))) continue;
    const isPair = isBesideNumber.test(shadow.slice(hit.end, hit.end + 24));
    for (const [start, end] of column.cells()) {
      if (end - start <= 16 && cell.test(shadow.slice(start, end))) found.push({ start, end });
      const number = isPair ? cellBehind.exec(shadow.slice(end, end + 24)) : null;
      if (number !== null)
        found.push({ start: end + number[0].length - (number[1] as string).length, end: end + number[0].length });
    }
  }
  return found;
}
