/**
 * Passwords that no sign links to their word: `pw Quill88finch`, an answer on the next line, the second of `user / password`,
 * or before the word: `… is the password`. What is found so must look like one by itself.
 */
import type { KeywordHit } from '../keywords.ts';
import { answerLength } from '../labels.ts';
import type { ScanText } from '../shadow.ts';
import { isBareSecret, isStrong } from './password-shape.ts';
import { isOtherHead, weightOfForm } from './password-told.ts';

type Span = { readonly start: number; readonly end: number };

const windowLength = 96;
const before = 72;
const token = '([!-~]{4,64})';
/** Without a sign: `password heron-plank-77`, `my password is wrong, I type …`, `… from … to …`. */
const spaced = new RegExp(
  [
    `^ (?:was |is )?(?:changed |reset |set )from ["'\`]?${token}`,
    `^ from ["'\`]?${token}(?=["'\`]? (?:to|into) )`,
    `^(?:s|\\(s\\))? (?:to )?["'\`]?${token}`,
    `^ [^\\n.:!?]{0,32}(?<![a-z])(?:i|we|he|she|they) (?:just |only |always )?(?:type|use|enter|tried|used|typed|entered|put|set)d? ["'\`]?${token}`,
  ].join('|'),
  'i',
);
/** The sentence announces it: behind a colon or an arrow, or alone on the next line. */
const announced = new RegExp(
  [
    `^(?:は|を|が)[^\\n:：→]{0,28}[:：→] ?[「『]?${token}`,
    `^[^\\n:：0-9]{0,24}(?:下記|以下|次の|通り|とおり|送り|送付|知らせ|こちら|as follows|below|here|attached)[^\\n0-9]{0,20}\\r?\\n\\s{0,8}${token}[ \\t]*(?=\\r?\\n|$)`,
  ].join('|'),
  'i',
);
/** Behind a few other words and a colon or an arrow. */
const furtherOn = new RegExp(`^ [^\\n:.!?]{1,40}: ?["'\`]?${token}|^[^\\nA-Za-z0-9:→]{1,16}[:→] ?${token}`);
const inBrackets = new RegExp(`^ ?[(（]${token}(?=[)）])`);
/** Further on in a Japanese sentence that sets, types or tells it. */
const inJapanese = new RegExp(
  `^[^\\nA-Za-z0-9]{1,36}${token}(?=[」』]? ?(?:です|でした|でお願い|になり|と(?:入力|打)|に(?:戻|変|設定|して)|でログイン|を(?:入力|使|入れ)))`,
);
/** `パスワードは別で ginnan-8 です` */
const apart = new RegExp(
  `^(?:は|、)(?:別で|今は|いまは|まだ|共通で|全員|全部|変わらず|前と同じ)[、 ]?${token}(?= ?(?:です|でした|だ|。|[でに]統一))`,
);
const below = new RegExp(`^[】」*_:： \\t]{0,4}\\r?\\n\\s{0,8}${token}[ \\t]*(?=\\r?\\n|$)`);
const lineStart = /(?:^|[\n。])[^\n.!?。:：,、]{0,24}$/;
/** `login/pw: jo / …`, `creds: jo:…` */
const pair = new RegExp(
  `^["'*_)\\]]{0,2}\\s{0,2}(?:[:：=]|are|is|は|\\n)\\s{0,4}["'\`]?(?!https?:|e?ssid|network)([^\\s/:,、|"'\`]{1,40})["'\`]?(?: ?[/|,、] ?| ?: ?)["'\`]?(?!/)${token}`,
  'i',
);
const pairBefore = /(?:user(?:name)?|login|log-in|id|e-?mail|account|ユーザー名?|アカウント) ?[/&+・] ?$/i;
/** Behind these stands a user first. */
export const pairLabel =
  /^(?:creds|credentials|log[ _.-]?in[ _.-]?(?:details|info)|wi[ _.-]?fi|ログイン情報|アカウント情報)$/i;
const numeric = /^(?: {0,2}|が)[:：]? ?([0-9]{4,8})(?![0-9A-Za-z桁文字年月回-])/;
const numericLabel = /code$|暗証|コード/i;
/** A number alone, at the end of its clause; no year. */
const numericEnd = /^ ((?!19|20)[0-9]{4,8})(?=[.,;)。、]?(?:\s*$|\s*\n)|[,;)])/;
const phrase =
  /^(?:[:：=]| is:?) ?["'“]?((?:(?:[a-z]{2,12}|[0-9]{1,4})[ -]){3,7}(?:[a-z]{2,12}|[0-9]{1,4})|(?:[a-z]{3,12}[ -]){2}[0-9]{1,4})["'”]?(?=[.!]?(?:\s*\n|\s*$))/;
const prose =
  /(?<![a-z])(?:required|must|used|needed|not|you|your|should|be|will|has|have|was|stored|incorrect|wrong|invalid|sent|with|by|same|set|too|only|please|from|the|is|limited|are|it|this|that|if|when|any)(?![a-z])/;
/** The word behind the value. */
const leading = new RegExp(
  `(?:^|[\\s"'\`「『(（:：])${token}["'\`」』]? ?(?:(?:is|was|as|for)(?: (?:still|now|actually|currently|the|my|your|our|his|her|their|new|old|temp|temporary|current|admin|root|wifi|wi-fi|default|initial|first|a)){0,4} |(?:が|は|を)(?:新しい|仮の?|初期|新)?|[(（]$)$`,
  'i',
);
/** A second one. */
const second = new RegExp(`^["'\`」』]? ?(?:から|→|->|=>|to|に変更→) ?["'\`「『]?${token}`, 'i');

/** True for a label that ends as `passphrase`. */
export const mayBePhrase = (shadow: string, { end }: KeywordHit) => (shadow.charCodeAt(end - 1) | 0x20) === 0x65;

/** The passwords around a label that are not linked by a sign; `known` is the one that is. */
export function looseSecrets(text: ScanText, hit: KeywordHit, known: Span | undefined): readonly Span[] {
  const { shadow } = text;
  if (known !== undefined) {
    const window = shadow.slice(known.end, known.end + windowLength);
    const next = second.test(window) ? spanOf(second.exec(window), known.end, (value) => isStrong(value)) : undefined;
    return next === undefined ? [] : [next];
  }
  const from = Math.max(0, hit.start - before);
  const isBehind = holdsCandidate(text, hit.end);
  const isAhead = holdsCandidate(text, from, hit.start);
  // A passphrase may be told in words.
  const endsInE = mayBePhrase(shadow, hit);
  if (!isBehind && !isAhead && !endsInE) return [];
  const label = shadow.slice(hit.start, hit.end);
  const isVerb = /^pass$/i.test(label);
  const window = shadow.slice(hit.end, hit.end + windowLength);
  const lead = shadow.slice(from, hit.start);
  if (endsInE && /phrase$/i.test(label)) {
    const match = phrase.exec(window);
    if (match !== null && !prose.test(match[1] as string)) return [placed(match, hit.end)];
  }
  if (isBehind) {
    if (pairLabel.test(label) || pairBefore.test(lead)) {
      const found = spanOf(pair.exec(window), hit.end, (value) => isSecret(value));
      if (found !== undefined) return [found];
      if (pairLabel.test(label)) return [];
    }
    if (numericLabel.test(label) || !isVerb) {
      const match = (numericLabel.test(label) ? numeric : numericEnd).exec(window);
      if (match !== null) return [placed(match, hit.end)];
    }
    const isSure = isVerb ? (value: string) => isStrong(value) && /[!@#$%^&*]/.test(value) : isStrong;
    const near = /[は:：]$/.test(label) ? new RegExp(`^ ?${token}`).exec(window) : spaced.exec(window);
    const found =
      spanOf(near, hit.end, isSure) ??
      (isVerb
        ? undefined
        : (answerTo(text, hit) ??
          spanOf(announced.exec(window), hit.end, (value) => /[A-Za-z]/.test(value) && isSecret(value)) ??
          spanOf(apart.exec(window), hit.end, isStrong) ??
          unlessOther(text, spanOf(inJapanese.exec(window), hit.end, isLikely)) ??
          spanOf(inBrackets.exec(window), hit.end, isStrong) ??
          spanOf(furtherOn.exec(window), hit.end, isVaried) ??
          (lineStart.test(lead) ? spanOf(below.exec(window), hit.end, isStrong) : undefined)));
    if (found !== undefined) {
      const next = spanOf(second.exec(shadow.slice(found.end, found.end + windowLength)), found.end, isStrong);
      return next === undefined ? [found] : [found, next];
    }
  }
  if (isVerb || !isAhead) return [];
  const leader = leading.exec(lead);
  const value = leader?.[1];
  if (leader === null || value === undefined || !isStrong(value)) return [];
  // A call: `crypto.pbkdf2Sync(password`
  if (text.original[hit.start - 1] === '(' && !leader[0].endsWith(' (')) return [];
  const start = from + leader.index + leader[0].indexOf(value);
  return start < hit.previousEnd ? [] : [{ start, end: start + value.length }];
}

/** Nothing where the words before name something else: `パスワードは同じですか。型番は WSR-3200 です`. */
function unlessOther({ shadow }: ScanText, span: Span | undefined): Span | undefined {
  return span === undefined || isOtherHead(shadow, span.start) ? undefined : span;
}

/** The answer to a question about the password. */
function answerTo(text: ScanText, hit: KeywordHit): Span | undefined {
  const answer = answerLength(text, hit);
  if (answer === 0) return undefined;
  const at = hit.end + answer;
  const window = text.shadow.slice(at, at + windowLength);
  const match = new RegExp(`^[ "'\`「]{0,2}${token}`).exec(window);
  const rest = match === null ? '' : window.slice(match[0].length);
  // The user in a list of users with their passwords.
  if (/^(?:\t| {2,12})[!-~]/.test(rest)) return undefined;
  const found = spanOf(match, at, (value) =>
    /^\s*(?:\n|$|です|」)/.test(rest) ? isSecret(value) && /[A-Za-z]/.test(value) : isStrong(value),
  );
  // `image: mysql:8.0`
  return unlessOther(text, found);
}

/**
 * True when the window holds four characters of ASCII in a row with a digit and a letter or another sign than those of numbers,
 * or four digits. Most labels in prose have none.
 */
function holdsCandidate({ bytes, shadow }: ScanText, from: number, to = from + windowLength): boolean {
  const end = Math.min(to, shadow.length);
  // One character in four of such a run is seen.
  for (let at = from + 3; at < end; at += 4) {
    if (!isSign(bytes[at] as number)) continue;
    let i = at;
    while (i > from && isSign(bytes[i - 1] as number)) i--;
    let [length, digits, others] = [0, 0, 0];
    for (; i < end && isSign(bytes[i] as number); i++, length++) {
      const c = bytes[i] as number;
      if (c >= 0x30 && c <= 0x39) digits++;
      // No `,`, `-`, `.`, `/`, `:`, which stand in numbers, dates and times.
      else if ((c < 0x2c || c > 0x2f) && c !== 0x3a) others++;
    }
    if (length >= 4 && digits > 0 && (others > 0 || digits >= 4)) return true;
    at = i;
  }
  return false;
}

/** Printable, and no blank. */
function isSign(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}

/** No name with a version. */
const isLikely = (value: string) => isStrong(value) && weightOfForm(value) > 0;

/** Not the number of a ticket, nor a name with a year. */
function isVaried(value: string): boolean {
  return isStrong(value) && /[a-z]/.test(value) && (/[!@#$%^&*+=?~]/.test(value) || /[A-Z]/.test(value));
}

function isSecret(value: string): boolean {
  return isBareSecret(value, true);
}

/** The last group of a match without the punctuation behind it, if it looks like a password. */
function spanOf(match: RegExpExecArray | null, from: number, looksRight: (value: string) => boolean): Span | undefined {
  if (match === null) return undefined;
  const written = match.slice(1).findLast((group) => group !== undefined) ?? '';
  let value = written.replace(/["'`<>].*$/, '').replace(/[.,;:]+$/, '');
  if (!/[([{]/.test(value)) value = value.replace(/[)\]}]+[.,;:]*$/, '');
  if (value.length < 4 || !looksRight(value)) return undefined;
  const start = from + match.index + match[0].length - written.length;
  return { start, end: start + value.length };
}

function placed(match: RegExpExecArray, from: number): Span {
  const value = match[1] as string;
  const start = from + match.index + match[0].indexOf(value);
  return { start, end: start + value.length };
}
