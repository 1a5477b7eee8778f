/** Numbers beside the word for a passport that have its form and are of something else: visas, applications, flights, cases. */

const englishThings =
  '(?:re-?entry |entry |exit |residence |work |residency )?permit|e-?visa|visas?(?: (?:grant|application|sticker|label|foil))?|e-?tickets?|flight|pnr|record locator|' +
  '(?<!(?:crew|family|team|staff|cabin) )member(?:ship)?|loyalty|frequent flye?r|known traveller|known traveler|applications?|' +
  '(?<!on )(?<!in )file|case|claim|policy|insurance|appointment|reports?|alien|uscis|a-number|i-94|green card|sevis|hkid|' +
  '(?:national )?id card|identity card|resident card|residence card|upload|job|student|employee|voucher|coupon|reference|ref|' +
  'request|order|invoice|payment|receipt|transaction|waybill|tracking|courier|shipment|parcel|locker|room|seat|container|petition|' +
  'bag(?:gage)?(?: tag)?|luggage(?: tag)?|stored as document|filed as document|enquiry|inquiry|ticket|booking|reservation|confirmation|quote|sku|serial|part|model|(?<!passport )[a-z-]+ code|print number|queue ticket|(?:key )?deposit|stub|counterfoil|slip|licen[cs]e key|driving licen[cs]e|driver.s licen[cs]e';
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
/** `確認番号は`: a word of its own before 番号 that is none of a passport; `夫の番号` may be. */
const japaneseNumbered =
  /([\u3400-\u9FFF\u30A1-\u30FC]{2,10})(?:番号|ナンバー|コード)(?:は|が|も|：|:|、|「|=|[ 　]){0,3}$/;
const japanesePapers = /旅券|パスポート|記号|文書|証明書|身分|冊子|本人|[新旧元本正妻夫父母]$/;
/** `整理券はA4820193` */
const japaneseSlip = /(?:(?<!旅)券|票|札|伝票|便|品番|型番)(?:は|が|：|:|、|「|=|[ 　]){1,3}$/;
/** The number is the example of a rule. */
const isExample =
  /(?:(?:記入|入力)?例|サンプル)[)）]?(?:は|：|:|、|[ 　]){0,3}[「"]?$|(?<![a-z])(?:e\.g\.,?|for example,?|example|format|like)[: ]{1,2}["'“]?$/i;
/** A noun, or one with `ID`, `no`. */
const nounBefore =
  /(?<![A-Za-z])([A-Za-z][a-z]{2,14})(?: (?:id|no|number|code|ref)\.?)?["']?(?: is| was|:|=|#|\?| -){0,2} ?$/i;
const ownNoun =
  /^(?:pass|pp|travel|doc|hers|mine|his|theirs|ours|yours|old|new|number|numbers|the|with|has|have|was|reads|shows|says|and|are|for|it|its)/i;

/** `Requisition RQ482019`, `session S4820193`: the letters are those of the noun before. */
function isInitials(head: string, letters: string): boolean {
  const noun = nounBefore.exec(head)?.[1];
  if (noun === undefined || ownNoun.test(noun)) return false;
  // Names of people and countries have capitals, too.
  if (/^[A-Z]/.test(noun) && letters.length < 2 && !/(?:id|no|number|code|ref)\.?[^a-z]*$/i.test(head)) return false;
  let at = -1;
  const word = noun.toUpperCase();
  if (word[0] !== letters[0]) return false;
  for (const letter of letters) {
    at = word.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

const withinWord = /(?:visa|stamp|permit|sticker) (?:in|on)/i;
const ownWord = /^[\s\S]*(?:passports?|(?<![A-Za-z])ppt?|旅券|パスポート|travel doc(?:ument)?)/i;
const reach = 64;

/** True when the words directly before the place, behind the last word for a passport, name another thing with a number. */
export function isOfOther(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  const head = before.replace(ownWord, '');
  if (isExample.test(before)) return true;
  // Most often there is nothing but a mark.
  if (head.length > 3) {
    const letters = /^[A-Z]{1,3}(?=[0-9])/.exec(shadow.slice(start, start + 4))?.[0];
    if (letters !== undefined && isInitials(head, letters)) return true;
    if (englishOther.test(head)) return true;
  }
  if (head.length > 1 && /[\u3040-\u9FFF]/.test(head)) {
    const noun = japaneseNumbered.exec(head)?.[1];
    if ((noun !== undefined && !japanesePapers.test(noun)) || japaneseSlip.test(head)) return true;
    if (head.length > 3 && japaneseOther.test(head)) return true;
  }
  return head !== before && withinWord.test(before) && visaWithin.test(before);
}
