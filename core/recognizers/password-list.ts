/** Lists of locks, devices and accounts with the code or password of each, and the numbers of dials. */
import type { ScanText } from '../shadow.ts';
import { CandidateReader } from './password-candidates.ts';
import type { FoundSecret, Places } from './password-evidence.ts';
import { placeholder } from './password-shape.ts';
import type { Sign } from './password-signs.ts';
import { weightOfForm } from './password-told.ts';
import type { Stretch } from './stretch.ts';

/** How far from a word for secrets a list may stand; characters. */
const reach = 400;
const entryMin = 7;
const entryMax = 160;
/** Between two entries of a list stands at most so much else. */
const gapMax = 90;
const longEnough = 48;

/** `alarm – 8842`, `・玄関：5829*` */
const entry =
  /^[ \t\u3000]{0,8}(?:(?:[-*•・>■●]{1,2}|[0-9]{1,2}[.)]) ?)?([^\n:=|\t\u3000–—→0-9]{2,30}?)(?:[ \t\u3000]{0,3}(?:[:=|\t\u3000–—→]|-{1,2}(?= )|\.{3,})|(?<=[\u3040-\u9fffー]) {1,3})[ \t\u3000]{0,3}["'“「『(]?([!-'*-~]{4,40})/;
const lock =
  /(?:(?<![a-z])(?:safe|alarm|door|gate|garage|shed|lock(?:er)?|lock ?box|unlock|keypad|key ?box|key safe|voicemail|sim|entrance|(?:debit|bank|cash|atm) card|screen)s?(?: (?:code|pin|number|lock))?|(?:金庫|玄関|ドア|門|扉|勝手口|裏口|通用口|車庫|倉庫|物置|鍵|ロック|ロッカー|警報|警備|防犯|アラーム|郵便受け|宅配ボックス|キーボックス|(?:キャッシュ|デビット|銀行)カード|暗証|スマホ|タブレット|留守電)の?(?:鍵|番号|コード|解除|暗証)*)["'”)）]?$/i;
const dialed = /(?:(?<![a-z])(?:safe|combination|combo|dial|padlock|locker)|金庫|ダイヤル)$/i;
const account =
  /(?:(?<![a-z])(?:e-?mail|gmail|outlook|yahoo|hotmail|netflix|spotify|hulu|disney\+?|prime|amazon|ebay|facebook|fb|instagram|insta|twitter|tiktok|icloud|apple(?: id)?|google|microsoft|xbox|psn|nintendo|steam|wi-?fi|(?:online )?bank(?:ing)?|paypal|zoom|slack|github|dropbox|adobe|canva|linkedin|vpn|portal|wordpress|ftp|payroll)|メール|銀行|バンキング|楽天|アマゾン|インスタ|フェイスブック|ツイッター|ヤフー|グーグル|管理画面|勤怠|会計)$/i;
const device =
  /(?:(?<![a-z])(?:computer|laptop|desktop|pc|mac|macbook|imac|tablet|ipad|iphone|phone|router|modem|nas|printer|tv|till|pos)|パソコン|ルーター|レジ|複合機|サーバー?|PC|ノート)$/i;
const numberOnly = /^#?[0-9]{4,8}[*#]?$/;
const dialNumber = /^[0-9]{1,2}(?:-[0-9]{1,2}){2,4}$/;
/** Not the last digits of a card, a unit, the rest of a longer number, or a time. */
const unlike = /^ ?(?:[（(]?(?:下|末尾|last|ending)|円|年|月|件|個|台|号|[-/.:][0-9]|[0-9]{2}| [0-9]{3})/i;

type Entry = Stretch & { readonly isSure: boolean };

/** The secrets of lists near words for them; two entries at least look like secrets, one of them surely. */
export function secretsOfList(text: ScanText, { signs, known }: Places): FoundSecret[] {
  const { shadow } = text;
  const found: FoundSecret[] = [];
  const candidates = new CandidateReader(text);
  let done = 0;
  let nextKnown = 0;
  for (let n = 0; n < signs.length; n++) {
    const sign = signs[n] as Sign;
    if (sign.secret < 2.3 && sign.pin < 3) continue;
    const to = Math.min(shadow.length, sign.end + reach);
    if (to <= done || (done > 0 && to - done < longEnough)) continue;
    let at = Math.max(done, sign.start - reach);
    if (at > 0 && shadow.charCodeAt(at - 1) !== 0x0a) at = lineAfter(shadow, at, to);
    if ((candidates.first(at, to + entryMax)?.start ?? shadow.length) >= to + entryMax) continue;
    let block: Entry[] = [];
    let sure = 0;
    let last = at;
    const flush = () => {
      if (sure > 0 && block.length + (sure > block.length ? 1 : 0) > 1)
        for (const { start, end } of block) found.push({ start, end, sign });
      block = [];
      sure = 0;
    };
    while (at < to) {
      const end = lineAfter(shadow, at, shadow.length);
      if (end - at >= entryMin) {
        while (nextKnown < known.length && (known[nextKnown] as Stretch).end <= at) nextKnown++;
        const own = known[nextKnown];
        if (at - last > gapMax) flush();
        if (own !== undefined && own.start < end) {
          sure += 1 + block.length;
          last = end;
        } else {
          const secret = secretOfEntry(shadow, at, end);
          if (secret !== undefined) {
            block.push(secret);
            if (secret.isSure) sure++;
            last = end;
          }
        }
      }
      at = end;
    }
    flush();
    done = at;
  }
  return found;
}

/** Where the next line starts, or `to`. */
function lineAfter(shadow: string, at: number, to: number): number {
  const end = shadow.indexOf('\n', at);
  return end < 0 || end >= to ? to : end + 1;
}

function secretOfEntry(shadow: string, at: number, end: number): Entry | undefined {
  const line = shadow.slice(at, Math.min(end, at + entryMax));
  const match = entry.exec(line);
  if (match === null) return undefined;
  const name = (match[1] as string).trimEnd();
  const written = match[2] as string;
  const value = written.replace(/["'`<>].*$|[.,;:)]+$/, '');
  const start = at + match[0].length - written.length;
  const tail = line.slice(match[0].length - written.length + value.length);
  const secret = (isSure: boolean): Entry => ({ start, end: start + value.length, isSure });
  if (numberOnly.test(value)) return lock.test(name) && !unlike.test(tail) ? secret(true) : undefined;
  if (dialNumber.test(value)) return dialed.test(name) ? secret(true) : undefined;
  const isAccount = account.test(name);
  if (placeholder.test(value) || (!isAccount && !device.test(name))) return undefined;
  const form = weightOfForm(value);
  if (form < 1 || !/^[”」』)]?\s*(?:$|[(（,;。、])/.test(tail)) return undefined;
  return secret(isAccount || form > 2);
}

const dial =
  /^(?: (?:lock|code))?(?: (?:to|for|of|on) [^\n.:;0-9]{1,30})?["'”]?(?:は|が|の番号は)?(?: ?(?:is|was|[:=(（–—-]))?[ :]{0,2}["'“「]?((?:[RL]?[0-9]{1,2}[-–]){2,4}[RL]?[0-9]{1,2}|(?:(?:right|left|[RL])[ -]?[0-9]{1,2}(?: ?[-–,→] ?| )){1,4}(?:right|left|[RL])[ -]?[0-9]{1,2}|(?:[右左](?:に|へ)?[0-9]{1,3}(?:回)? ?[-–,、→・ ]? ?){1,4}[右左](?:に|へ)?[0-9]{1,3})(?![0-9A-Za-z-])/i;

/** The number of a dial behind the word for one. */
export function numberOfDial(shadow: string, end: number): Stretch | undefined {
  const match = dial.exec(shadow.slice(end, end + 96));
  const value = match?.[1];
  // No pack of things, no ratio.
  if (match === null || value === undefined || value.length < 7) return undefined;
  const start = end + match[0].length - value.length;
  return { start, end: start + value.length };
}

const watchword =
  /^言葉[^\n。「『]{0,12}[「『]([^」』\n]{2,40})[」』]|^言葉(?:は|:|が) ?([^\s、。「」:]{3,30}?)(?=です|でした|だった|。|、|\s*\n|\s*$)/;
const noWatchword = /^(?:.*(?:ください|必要|設定|忘れ|同じ|別途|ありません|何|名前|不要|です$|ます$))/;

/** The watchword behind its first character. */
export function watchwordAt(shadow: string, end: number): Stretch | undefined {
  if (shadow.charCodeAt(end) !== 0x8a00) return undefined;
  const match = watchword.exec(shadow.slice(end, end + 72));
  const value = match?.[1] ?? match?.[2];
  if (match === null || value === undefined || noWatchword.test(value)) return undefined;
  const start = end + match[0].lastIndexOf(value);
  return { start, end: start + value.length };
}
