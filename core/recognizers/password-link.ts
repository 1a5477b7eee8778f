/** The password behind its word, with a sign, a verb or a quote that links it. */
import type { KeywordHit } from '../keywords.ts';
import type { ScanText } from '../shadow.ts';
import { isBareSecret, isJoinedWords, isMadeUp, isQuotedSecret } from './password-shape.ts';
import type { Stretch } from './stretch.ts';

const lengthMin = 4;
const lengthMax = 128;
const windowLength = 64;
/** From the label to the value; the last group is the quote that the value stands in. */
const link = new RegExp(
  [
    // An assignment, a member, an element, a table cell.
    `^(?:s(?=[ \\t]{0,2}[:：=]))?(?:\\\\?["'\`*_\\])}]|（[^）\\n]{0,12}）| ?\\([^)\\n]{1,24}\\)){0,4}[ \\t]{0,8}(?::=|=>|->|→|={1,3}|[:：>=]|\\.{3,}|…+|(?<=[ \\t])\\|(?=[ \\t]))(?![ \\t\\r]*\\n)(?:[*_]{1,3}(?=[ \\t])|</[a-z]{1,8}>(?:\\s{0,8}<[a-z][^<>]{0,40}>)?)?[ \\t]{0,8}(?:(?:re)?set to |(?:changed|updated|rotated) to |now )?(\\\\?["'\`「『]|\\*\\*)?`,
    // A line of its own.
    // The value of an environment variable, as containers are given it.
    '^["\']?,?\\s{1,24}["\']?value["\']?\\s?[:=]\\s?(["\'])?',
    '^["\'],["\']value["\']:(["\'])?',
    '^[ \\t]*[:：][ \\t\\r]*\\n[ \\t]*(["\'`「『])?',
    // A sentence.
    '^(?:は|が|を|も)[ :：]{0,2}(["\'`「『])?',
    '^ (?:for|of|to) [^\\n:=.,]{1,30}[:=] ?(["\'`“‘「])?',
    '^ (?:has |had |was |is |have )?(?:been |now )?(?:changed|reset|set|updated|rotated)(?: back)? to:? (["\'`“‘「])?',
    '^(?: (?:for|of|to) [^\\n:.,]{1,30}?)? (?:is|was|to|as|will be)(?: now| still| set to| currently)?:? (["\'`“‘「])?',
    '^ (["\'`“])',
    '^ ?([「『【])',
    "^[^\\n.:]{0,24}, (?:(?:the |your )?(?:new|current|temporary|temp) one is|it is|it['’]s|which is|that is|that['’]s):? ([\"'`“])?",
    '^ - (["\'`“])?',
    "^['’]s(?: is)? ([\"'`“])?",
    // The next cell, the other attribute.
    '^</(?:t[dh]|dt|label|b|strong|span)>\\s{0,8}<[a-z][^<>]{0,40}>()',
    '^["\'] value=(["\'])',
    // A call, or the next argument of one.
    '^["\']?(?:\\(|, ?)(["\'`])',
  ].join('|'),
  'i',
);
/** The verb `pass` takes all kinds of objects. */
const assignment = /[:：=]|^>/;
const commandOption = /(?:^|[\s'"=])--?(?:[a-z]+-)*$/i;
const closers: Readonly<Record<string, string>> = {
  '「': '」',
  '『': '』',
  '【': '】',
  '“': '”',
  '‘': '’',
  '**': '**',
};

/** The password that a label is linked to. */
export function secretBehind({ original, shadow }: ScanText, hit: KeywordHit): Stretch | undefined {
  const window = shadow.slice(hit.end, hit.end + windowLength);
  let joint = link.exec(window);
  if (
    joint === null &&
    shadow.charCodeAt(hit.start - 1) === 0x2d &&
    /^[ \t]\S/.test(window) &&
    commandOption.test(shadow.slice(Math.max(0, hit.start - 24), hit.start))
  )
    joint = /^[ \t]+(["'`])?/.exec(window);
  if (joint === null && window.startsWith(' -p') && /^ssh/i.test(shadow.slice(hit.start, hit.end)))
    joint = /^ -p ?(["'`])?/.exec(window);
  // `初期パスワード Kx7mQ2p を`
  if (joint === null && window.charCodeAt(0) === 0x20 && /[ァ-ヶ一-龠]/.test(shadow[hit.start] as string))
    joint = /^ (?=[!-~]*[0-9])(?=[!-~]*[A-Za-z])(?=[!-~]{6})()/.exec(window);
  // `login admin / password Kx7m-Q28`: without a sign only what no word looks like.
  if (joint === null && isMadeUp(window)) joint = /^ /.exec(window);
  // `opens with the password tern_and_turnstone`
  if (joint === null && withJoined.test(window) && entered.test(shadow.slice(Math.max(0, hit.start - 16), hit.start)))
    joint = /^ /.exec(window);
  // A cell beside another one: full-width, so that it is no union of types.
  if (joint === null && original[hit.end] === '｜') joint = /^\|[ ]{0,2}/.exec(window);
  if (joint === null) return undefined;
  // `**Password:** value`: what closes behind the sign has to open before the label; `passwd=*** ip=` shows nothing.
  if (closedMarks.test(joint[0]) && !openedMarks.test(shadow.slice(Math.max(0, hit.start - markReach), hit.start)))
    return undefined;
  // A union of types: `'md5Password' | 'plainPassword'`.
  if (/["'] *\| *["']$/.test(joint[0])) return undefined;
  if (/^pass$/i.test(shadow.slice(hit.start, hit.end)) && !assignment.test(joint[0])) return undefined;
  // The next element of a list is no argument.
  if (/^["'], ?["'`]$/.test(joint[0]) && !/\(\s*["']$/.test(shadow.slice(Math.max(0, hit.start - 4), hit.start)))
    return undefined;
  const start = hit.end + joint[0].length;
  if (isNetwork.test(shadow.slice(hit.start, hit.end)) && secretFollows.test(shadow.slice(start, start + 64)))
    return undefined;
  const quote = joint.slice(1).find((group) => group !== undefined);
  const rest = shadow.slice(start, start + lengthMax);
  const isElement = /^[^\n]*>\s*$/.test(joint[0]) && !/=|<\/[a-z]+>\s*$/.test(joint[0]);
  if (quote !== undefined && quote !== '') {
    const end = closeOf(rest, closers[quote] ?? quote);
    const value = rest.slice(0, end);
    // Between quotes other words stand too; here a digit or a sign has to tell.
    if (/[(,]$|^ ?$/.test(joint[0].slice(0, -quote.length).trimEnd()) && !/[0-9!#$%&*+=?@^~]/.test(value))
      return undefined;
    if (end < lengthMin || /[\n]/.test(value) || !isQuotedSecret(value, shadow.slice(hit.start, hit.end)))
      return undefined;
    return { start, end: start + end };
  }
  let value = /^[!-~]*/.exec(rest)?.[0] ?? '';
  // Full-width brackets are those of the sentence.
  const close = original.slice(start, start + value.length).search(/[（）]/);
  if (close >= 0) value = value.slice(0, close);
  if (isElement) value = value.slice(0, Math.max(0, value.indexOf('</')));
  value = value
    .replace(/["'`<>].*$/, '')
    .replace(/&(?:(?:amp;)?[A-Za-z_]+=|(?:quot|[lg]t|[lr]dquo|#[0-9a-zA-Z]+)).*$/, '');
  // Brackets of the text around, and the punctuation of the sentence.
  if (!/[([{]/.test(value)) value = value.replace(/[)\]}]+[.,;:]*$/, '');
  value = value.replace(/[.,;:]+$/, '');
  if (isJoinedWords(value)) {
    const isTold =
      joint[0] === ' ' ||
      (/^[はがをも]/.test(joint[0]) && japaneseEnd.test(shadow.slice(start + value.length).slice(0, 8)));
    if (isTold) return { start, end: start + value.length };
  }
  const isSentence = /[a-zはがを.…-]\s*[:：]?\s*$/.test(joint[0]);
  if (value.length < lengthMin || value.length >= lengthMax || !isBareSecret(value, isSentence)) return undefined;
  if (joint[0].includes('\n') && !(/[0-9]/.test(value) && /[A-Za-z]/.test(value))) return undefined;
  const after = original.slice(start + value.length, start + value.length + 4);
  if (/^[0-9]+$/.test(value) && /^ ?(?:年|文字|桁|月|日|回|characters|chars|digits)/.test(after)) return undefined;
  return after.startsWith('(') && /^[\w$.]+$/.test(value) ? undefined : { start, end: start + value.length };
}

const closedMarks = /[:：=>][*_]{1,3}[ \t]/;
const openedMarks = /[*_]{1,3}[^*_\n]*$/;
const markReach = 40;
const withJoined = /^ [A-Za-z]{2,}[-_][A-Za-z_-]+(?=[.,;!)]|\s|$)/;
const entered = /(?<![a-z])(?:with|using|use|enter|type)(?: (?:the|this|a))? $/i;
/** What tells of a value, and not what it is about: `と同じです`. */
const japaneseEnd = /^ ?(?:です|でした|だ|に変|になり|にし|を使|を入|、|。|\n|$)/;

/** A label that comes with the name of the network as well as with its password. */
const isNetwork = /^wi[ _.-]?fi$/i;
/** `Cabin5G" and the password is …` */
const secretFollows =
  /^[!-~]{2,32}?["'”」]?[,;]? ?(?:\/|and|with|で|、|。|;)[ 、]?(?:the |its )?(?:pass(?:word|code|phrase)?|pw|key|パス|キー|暗号)/i;

/** What a link begins with. */
const linkFirsts = new Set([...'\\"\'`*_])}（( \t:：=-→>|はがをも「『【,<’'].map((sign) => sign.charCodeAt(0)));

/** Where the quote closes: not behind a backslash, as in JSON, unless there is no other one on the line. */
function closeOf(rest: string, close: string): number {
  const first = rest.indexOf(close);
  if (rest.charCodeAt(first - 1) !== 0x5c) return first;
  const line = rest.indexOf('\n');
  let escapes = 0;
  for (let i = 0; i < (line < 0 ? rest.length : line); i++) {
    if (rest.charCodeAt(i) === 0x5c) escapes++;
    else {
      if (escapes % 2 === 0 && rest.startsWith(close, i)) return i;
      escapes = 0;
    }
  }
  return first;
}

/** False when nothing can link what stands behind the label to a value: so it is with most labels in prose. */
export function mayLink(shadow: string, bytes: Uint8Array, { start, end }: KeywordHit): boolean {
  const first = shadow.charCodeAt(end);
  if (first !== 0x20 || shadow.charCodeAt(start - 1) === 0x2d || !goesOn(shadow, bytes, end + 1)) {
    if (linkFirsts.has(first)) return true;
    if (first === 0x73 && linkSigns.test(shadow.slice(end + 1, end + 4))) return true;
    // No white space stands above these.
    if ((first < 0x3001 || first === 0xfeff) && isSpace.test(shadow[end] as string)) return true;
  }
  const limit = Math.min(end + listReach, shadow.length);
  for (let i = end + 1; i < limit; i++) if (bytes[i] === 0x2c && bytes[i + 1] === 0x20) return true;
  return false;
}

/** True when a word of small letters stands there with which no {@link link} begins: `the password policy is`. */
function goesOn(shadow: string, bytes: Uint8Array, start: number): boolean {
  let end = start;
  while ((bytes[end] as number) >= 0x61 && (bytes[end] as number) <= 0x7a) end++;
  if (end - start < 2 || bytes[end] !== 0x20) return false;
  return end - start > linkWordMax || !linkWords.has(shadow.slice(start, end));
}

const linkWords: ReadonlySet<string> = new Set(
  'for of to has had was is have been now changed reset set updated rotated as will'.split(' '),
);
const linkWordMax = 7;

/** Behind a plural. */
const linkSigns = /^[ \t]{0,2}[:：=]/;
/** `the password for it all, the new one is: Kx7mQ2p` */
const listReach = 26;
const isSpace = /\s/;
