/**
 * Numbers that are no personal data although their digits look like some: order, tracking, part, product and ticket numbers.
 */

const englishWords =
  'order|purchase order|po|tracking|shipment|parcel|waybill|consignment|invoice|receipt|quote|quotation|serial|s/n|sku|upc|ean|jan|gtin|isbn|issn|imei|' +
  'bar ?code|part|p/n|model|item|article|catalog(?:ue)?|product|lot|batch|ticket|case|issue|incident|ref|reference|booking|reservation|confirmation|' +
  'transaction|asset(?: tag)?|job|build|meeting|webinar|rma|version|range|battery|stamps collected|stamp|sequence|offset|checksum|patent|snowflake|epoch(?:[ _]?ms)?|timestamp|bytes|pts|dts';
const japaneseWords =
  '注文|受注|発注|伝票|送り状|追跡|問い?合わ?せ|管理|商品|製品|品目|製造|部品|品|型|型式|物品|備品|受付|受注|予約|整理|申込|案件|請求書?|見積書?|領収書?|納品書?|' +
  'コース|系統|シリアル|ロット|(?<![A-Za-z])(?:JAN|EAN|ISBN)|バーコード|図書|荷物|図面|チケット|会議|ミーティング|特許|出願|文書|記事|証券|お客様(?=番|コード|No|ID)|カタログ|資産|機器|第';
const english = new RegExp(
  `(?<![A-Za-z])(?<!for (?:the|my|our|your|a) )(?:${englishWords})(?:[ _-]?(?:no|nr|num|number|id|code|#))?[ _.:#="'>(-]{0,4}$`,
  'i',
);
const japanese = new RegExp(
  `(?:${japaneseWords})(?:番号|番|コード|ナンバー|No|ID)?(?:は|が|：|:|\\.|#|「|（|\\(|\\||,| |\\t|=|"){0,4}$`,
  'i',
);
/** Words that name a number by themselves; beside others, as `issue` or `transaction`, it may be what was used. */
const englishNumbers =
  'order|purchase order|po|tracking|shipment|parcel|waybill|consignment|invoice|serial|s/n|sku|upc|ean|jan|gtin|isbn|issn|imei|bar ?code|p/n|asset(?: tag)?|snowflake';
const namedEnglish = new RegExp(
  `(?<![A-Za-z])(?:(?:${englishNumbers})(?:[ _-]?(?:no|nr|num|number|id|code|#))?|(?:${englishWords})[ _-]?(?:no|nr|num|number|id|code|#))[ _.:#="'>(-]{0,4}$`,
  'i',
);
const namedJapanese =
  /(?:(?:番号|番|コード|ナンバー|No|ID)|(?:注文|伝票|送り状|追跡|シリアル|ロット|JAN|EAN|ISBN|バーコード|特許|出願|請求書|見積書|領収書|納品書))(?:は|が|：|:|\.|#|「|（|\(|\||,| |\t|=|"){0,4}$/i;
const reach = 28;
/** A number without quotes under a key for ids: `"id":682845905426699033`, `message_id=18…`. */
const idMember = /(?:["'][a-z_]{0,20}ids?["']\s?:\s?|(?<![a-z])[a-z_]{0,20}ids?=|_ids?:\s?)\[?$/i;

/** Whether the number is the id of a record of some program. */
export function isIdMember(shadow: string, start: number): boolean {
  return idMember.test(shadow.slice(Math.max(0, start - reach), start));
}

/** True when the word directly before the place names another kind of number. */
export function isOtherNumber(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  return english.test(before) || japanese.test(before);
}

/**
 * As {@link isOtherNumber} for a number that looks like nothing else: `the issue: 4111 1111 1111 1111 was charged` names
 * what it is about, `issue number 4111 …` the number.
 */
export function isNamedNumber(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  return isOtherNumber(shadow, start) && (namedEnglish.test(before) || namedJapanese.test(before));
}
