/**
 * Pension numbers away from their word: four digits, a hyphen and six digits anywhere in a text that speaks of Japanese
 * pensions, unless the words before, the key or the heading say that it is another number.
 */
import { numberLeft, numberRight } from '../boundaries.ts';
import { CellHeadings } from '../cell-headings.ts';
import { isDigit } from '../characters.ts';
import { isNamedOther, isOtherNumber } from '../other-numbers.ts';
import type { ScanText } from '../shadow.ts';
import { type DigitForms, formsAtDigits } from './number-forms.ts';
import { isNamedThing, weightOfTelling } from './number-telling.ts';
import type { Stretch } from './stretch.ts';

/** Words that speak of pensions, as they are searched for. */
export const pensionSigns: readonly string[] = ['年金', 'ねんきん', 'nenkin', 'pension', '届いた通知書'];

/** What the evidence for a number must weigh; more where it looks like a year or a phone. */
const threshold = 2.5;
const doubtful = 3.5;
/** How far from a word for pensions a number is near, and how far at most unless one of its kind stands nearer. */
const near = 200;
const far = 1_200;
/** How much before and behind a number is looked at. */
const headMax = 48;
const tailMax = 24;

const digits: DigitForms = {
  forms: new RegExp(`${numberLeft}[0-9]{4}-[0-9]{6}${numberRight}`, 'y'),
  leadMax: 0,
  mayBe: (bytes, at) => bytes[at + 4] === 0x2d && isDigit(bytes[at + 5]),
};
/** Pensions of Japan; those of other countries have other numbers. */
const japanese = /年金|ねんきん|nenkin|届いた通知書|basic pension|pension (?:hand)?book|kiso|japan/i;
const ownWord = /^(?:pension|nenkin|kiso|basic|book|booklet|handbook|techo)$/i;

/** The words before a number are for another one. */
const otherHead =
  /(?:年金(?:事務所|機構(?!(?:から|より))|センター|相談所)|電話|携帯|TEL|FAX|ファックス|内線|注文|受注|発注|納付書|文書|通知(?!書)|(?:税|決定|納入|納付|支給|振込|変更|改定)通知書|様式|伝票|受付|受理|予約|照会|整理|管理|事業所|事業者|雇用保険|健康保険|健保|介護保険|労働保険|社員|職員|従業員|会員|顧客|お客様|契約|証券|保険証券|請求書?|見積書?|領収書?|口座|店番|部品|商品|製品|品番|型番|案件|問い?合わ?せ|問合せ?|追跡|送り状|荷物|書類|申請|申込|チケット|コード|ロット|シリアル|法人|免許|旅券|住民票|診察券|送付|マイナンバー|〒|郵便)[^\n0-9、。,;：:はがを]{0,8}(?:は|が|を|も|で|:|：|=|#|「|（|\(|\||\t|[ \u3000]|No\.?){0,4}$/i;
const otherEnglish =
  /(?<![a-z])(?:ref|reference|letter|case|order|invoice|ticket|booking|tracking|policy|claim|phone|tel|fax|call|mobile|receipt|file|application|employee|account|acct|contract|document|slip|parcel|shipment|waybill|package|serial)(?![a-z])[^\n.;0-9]{0,28}[:#=]? ?$/i;
/** `送付番号`, whatever it is. */
const otherNumbered =
  /(?<![\u3400-\u9FFF])(?![\u3400-\u9FFF]{0,6}(?:年金|手帳|記号|本人|基礎|自分|該当|証書|前の|正し))[\u3400-\u9FFF]{2,6}番号(?:は|が|を|も|で|:|=|「|\(|[ \u3000]){0,4}$/;
/** Another number is asked for. */
const otherAsked =
  /(?:(?<![a-z])(?:ref|reference|order|ticket|booking|claim|phone|telephone|employee|member|account|policy|case)(?![a-z])[^\n]{0,16}|(?:社員|電話|会員|受付|予約|契約|職員|顧客|整理)番号[^\n]{0,12})[?？][^\n0-9]{0,4}\n[^\n0-9]{0,24}$/i;
const otherTail =
  /^[ \u3000]?(?:円|件|個|枚|名|人|を[ \u3000]?[0-9]|まで(?:お|ご)?(?:電話|連絡)|(?:に|へ)(?:お)?(?:電話|連絡))|^ ?(?:yen|pcs|items|units)/i;
const ownBeside = /(?:pension|nenkin|kiso|book)[^\n0-9]{0,16}$/i;
/** `residenceTax: `, `<orderNo>` */
const key = /([A-Za-z][A-Za-z_-]*)["']?[ \t]?(?:[:=]|>)[ \t]?["']?$/;
const ownKey = /pension|nenkin|kiso|basic|^(?:no|num|nr|number|value|text|id|techo|book)$/i;
const otherKey = /[a-z][A-Z]|[_-]|tel|phone|fax|order|invoice|account|tax|employ|insur|ticket|ref|claim|policy/;
const ownHeading = /年金|pension|nenkin|kiso|手帳|^["'`\s]*(?:番号|number|no\.?|id)["'`\s]*$/i;
/** What announces the number. */
const told = /(?:番号|手帳|冊子?|記号|記載|ナンバー|証書|通知書)[^\n0-9。]{0,12}$|[:：「『（(]["' \u3000]?$/;
/** A person's day of birth stands before it: `昭和11年1月30日　` */
const behindDay = /[0-9](?:日生?|[-/.][0-9]{1,2})[,、 \u3000|]{1,3}$/;
/** A field of a row, `…さん `. */
const ofRow = /(?:[\s\u3000,、。|/／・)）]|さん|様|氏|が|は|を)["']?$/;

/** True when the words around a number, its key or its heading say that it is no pension number. */
export function isOtherThanPension({ shadow }: ScanText, { start, end }: Stretch): boolean {
  const head = shadow.slice(Math.max(0, start - headMax), start);
  if (isOtherNumber(shadow, start) || isNamedOther(shadow, end)) return true;
  if (otherEnglish.test(head.replace(/^[\s\S]*[.;\n]/, '')) && !ownBeside.test(head)) return true;
  if (
    otherNumbered.test(head) ||
    otherAsked.test(head) ||
    otherHead.test(head) ||
    otherTail.test(shadow.slice(end, end + tailMax))
  )
    return true;
  if (isNamedThing(head, ownWord)) return true;
  const name = key.exec(head)?.[1];
  return name !== undefined && !ownKey.test(name) && otherKey.test(name);
}

/** True for a cell under a heading of something else; to be asked in order. */
export function isUnderOther(headings: CellHeadings, { start, end }: Stretch): boolean {
  const heading = headings.over(start, end);
  return heading !== undefined && !/[0-9]{2}/.test(heading) && !ownHeading.test(heading);
}

const none: readonly Stretch[] = [];

/** Numbers of a text that speaks of pensions, beside those found, in order. */
export function pensionsByEvidence(text: ScanText, owner: string, found: readonly Stretch[]): readonly Stretch[] {
  const { shadow } = text;
  const numbers = formsAtDigits(text, digits, 0, shadow.length);
  if (numbers.length === 0) return none;
  // Most often, all are found by their words.
  const starts = new Set(found.map(({ start }) => start));
  if (numbers.every(({ start }) => starts.has(start))) return none;
  const signs = signsOf(text, owner);
  if (signs.length === 0 || !japanese.test(shadow)) return none;
  const isStrong = found.length > 0 || text.keywords.labels(owner).length > 0;
  const taken = found.toSorted((a, b) => a.start - b.start);
  const values = new Set(taken.map(({ start, end }) => shadow.slice(start, end)));
  const headings = new CellHeadings(shadow);
  const places: Stretch[] = [];
  let next = 0;
  let passed = 0;
  for (const number of numbers) {
    const { start, end } = number;
    while ((signs[next] ?? shadow.length + 1) < start) next++;
    while ((taken[passed]?.end ?? shadow.length + 1) <= start) passed++;
    if ((taken[passed]?.start ?? shadow.length + 1) < end) continue;
    const written = shadow.slice(start, end);
    if (isOtherThanPension(text, number)) continue;
    const distance = Math.min(start - (signs[next - 1] ?? -far), (signs[next] ?? shadow.length + far) - end);
    const last = Math.max(taken[passed - 1]?.end ?? -far, places.at(-1)?.end ?? -far);
    const weight = weightOf(shadow, start, { distance, last }) + (isStrong ? 1 : 0);
    if (!values.has(written) && weight < (/^(?:0|19|20)/.test(written) ? doubtful : threshold)) continue;
    if (isUnderOther(headings, number)) continue;
    places.push({ start, end });
    values.add(written);
  }
  return places;
}

/** Where the words for pensions start. */
function signsOf({ shadow, keywords }: ScanText, owner: string): readonly number[] {
  const signs: number[] = [];
  // No suspension.
  for (const { start } of keywords.anchors(owner))
    if (start === 0 || !/[A-Za-z]/.test(shadow[start - 1] as string) || /[A-Z]/.test(shadow[start] as string))
      signs.push(start);
  return signs;
}

type Distances = {
  /** To the nearest word for pensions. */
  readonly distance: number;
  /** Where the number of the kind before ends. */
  readonly last: number;
};

function weightOf(shadow: string, start: number, { distance, last }: Distances): number {
  const head = shadow.slice(Math.max(0, start - headMax), start);
  let weight = distance <= near ? 2 : distance <= far ? 1 : 0;
  if (start - last <= near) weight += 2;
  if (behindDay.test(head)) weight += 1;
  if (told.test(head)) weight += 1.5;
  else if (!/[\u3000-\u9FFF]/.test(head.slice(-4)) && weightOfTelling(head, ownWord) >= 1) weight += 1.5;
  else if (ofRow.test(head)) weight += 0.5;
  return weight;
}
