/** Numbers beside the word for a passport that have its form and are of something else: visas, applications, flights, cases. */

const englishThings =
  '(?:re-?entry |entry |exit |residence |work |residency )?permit|e-?visa|visas?(?: (?:grant|application|sticker|label|foil))?|e-?tickets?|flight|pnr|record locator|' +
  '(?<!(?:crew|family|team|staff|cabin) )member(?:ship)?|loyalty|frequent flye?r|known traveller|known traveler|applications?|' +
  '(?<!on )(?<!in )file|case|claim|policy|insurance|appointment|reports?|alien|uscis|a-number|i-94|green card|sevis|hkid|' +
  '(?:national )?id card|identity card|resident card|residence card|upload|job|student|employee|voucher|coupon|reference|ref|' +
  'request|order|invoice|payment|receipt|transaction|waybill|tracking|courier|shipment|parcel|locker|room|seat|container|petition|' +
  'bag(?:gage)?(?: tag)?|luggage(?: tag)?|stored as document|filed as document|enquiry|inquiry|ticket|booking|reservation|confirmation|quote|sku|serial|part|model|(?:pick-?up|collection|access|door|promo|error|security|discount|unlock|activation) code|(?:key )?deposit|stub|counterfoil|slip|licen[cs]e key|driving licen[cs]e|driver.s licen[cs]e';
const number = '(?:[ _-]{1,2}(?:no|nr|num|number|id|code|#|ref|reference))\\.?';
/** A thing by its number, or the thing alone: `visa no. `, `police report is `. */
const englishOther = new RegExp(
  `(?<![A-Za-z])(?:(?:${englishThings})${number}|(?<!(?<![A-Za-z])(?:for|on|in|per|from) (?:(?:the|my|our|your|a|an|his|her|their|this) )?(?:[a-z]{2,14} )?)(?:${englishThings}))["']?(?: (?:is|was|now))?[ ,:=#/(-]{0,4}["']?$`,
  'i',
);
/** `the visa in his passport, V1234567` */
const visaWithin =
  /(?<![A-Za-z])(?:visa|stamp|permit|sticker) (?:in|inside|on) (?:his|her|the|my|your|a|our|their) passport,? (?:(?:is|was|has|no\.?|number|the) ){0,3}["'(]?$/i;
const japaneseOther =
  /(?:(?:ビザ|査証|会員|申請|申込|受付|予約|領収書?|整理|お客様|お客さま|問い?合わ?せ|搭乗|航空券|チケット|許可証?|案件|保険|証券|注文|請求書?|伝票|追跡|荷物|手荷物|社員|学籍|受理票?|交付申請|引換|引き換え|照会|登録|ファイル|審査|便|座席|部屋)(?:番号|No\.?|ナンバー|ID|コード)|便名|フライト|ビザ|査証|マイレージ|クーポン)(?:は|が|：|:|、|,|「|=|　| ){0,3}$/;
const withinWord = /(?:visa|stamp|permit|sticker) (?:in|on)/i;
const ownWord = /^[\s\S]*(?:passports?|(?<![A-Za-z])ppt?|旅券|パスポート|travel doc(?:ument)?)/i;
const reach = 64;

/** True when the words directly before the place, behind the last word for a passport, name another thing with a number. */
export function isOfOther(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  const head = before.replace(ownWord, '');
  // Most often there is nothing but a mark.
  if (head.length > 3 && (englishOther.test(head) || japaneseOther.test(head))) return true;
  return withinWord.test(before) && visaWithin.test(before);
}
