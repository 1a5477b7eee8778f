/**
 * Passwords and PINs that stand away from their word: in a later sentence, in the next turn of a chat, in a list of logins, old
 * and new ones. Only what stands near a word for secrets is looked at, and the form of the value and the words directly
 * around it must speak for it together.
 */
import { countBefore } from '../keywords.ts';
import type { ScanText } from '../shadow.ts';
import { ownersOfNumbers } from './number-evidence.ts';
import { isInstead } from './number-telling.ts';
import { type Candidate, CandidateReader } from './password-candidates.ts';
import { placeholder } from './password-shape.ts';
import { isOfChip, isPostal, type Sign } from './password-signs.ts';
import {
  isMeasured,
  isOfLog,
  isOtherHead,
  isToldBehind,
  toldMax,
  weightOfForm,
  weightOfTold,
} from './password-told.ts';
import type { Stretch } from './stretch.ts';

/** How far behind and before a sign a secret may stand; characters. */
const reachBehind = 240;
const reachBefore = 70;
const reachBehindWeak = 120;
/** The same for what can hardly be anything else. */
const reachBeforeCertain = 160;
const headMax = 56;
/** How long a secret with letters is. */
const wordMin = 6;
const wordMax = 80;
const pinMax = 9;
/** What the evidence must weigh. */
const secretMin = 5;
const pinMin = 3.6;
const pairMin = 3.2;
/** How far from another secret one stands that takes its place. */
const besideMax = 72;
/** So many signs before a place are weighed. */
const signsBeside = 4;
const boundary = /[.!?;。！？]["'」)]?\s|[。！？]|\n/g;

/** What was found, and the sign that speaks for it. */
export type FoundSecret = Stretch & { readonly sign: Stretch };

/** The places in which evidence is looked for. */
export type Places = {
  /** In order of start. */
  readonly signs: readonly Sign[];
  /** What other rules found, in order of start. */
  readonly known: readonly Stretch[];
};

/** The secrets around the signs. */
export function secretsAway(text: ScanText, { signs, known }: Places): FoundSecret[] {
  const found: FoundSecret[] = [];
  const candidates = new CandidateReader(text);
  let to = 0;
  let nextKnown = 0;
  let previous: Stretch | undefined;
  for (let n = 0; n < signs.length; ) {
    const first = n;
    const from = Math.max(to, fromOf(signs[n] as Sign));
    to = toOf(signs[n] as Sign);
    for (n++; n < signs.length && fromOf(signs[n] as Sign) <= to; n++) to = toOf(signs[n] as Sign);
    let nearest = first;
    for (let candidate = candidates.first(from, to); candidate !== undefined; candidate = candidates.next(from, to)) {
      while (nextKnown < known.length && (known[nextKnown] as Stretch).end <= candidate.start)
        previous = known[nextKnown++];
      if (candidate.from < from || !isOfLength(candidate)) continue;
      if (((known[nextKnown] as Stretch | undefined)?.start ?? candidate.end) < candidate.end) continue;
      while (nearest < n && (signs[nearest] as Sign).end <= candidate.start) nearest++;
      const near = signs.slice(Math.max(first, nearest - signsBeside), Math.min(n, nearest + 1));
      const secret = secretIn(text, candidate, near, previous);
      if (secret === undefined) continue;
      found.push(secret);
      previous = secret;
    }
  }
  return found;
}

/** `account` says little; it speaks for what is near. */
const isWeak = ({ secret, pin }: Sign) => secret < 1 && pin === 0;
const fromOf = (sign: Sign) => sign.start - (isWeak(sign) ? reachBefore : reachBeforeCertain);
const toOf = (sign: Sign) => sign.end + (isWeak(sign) ? reachBehindWeak : reachBehind);

/** PINs have so many digits, and perhaps a sign. */
const isOfLength = ({ start, end, isNumber }: Candidate) =>
  isNumber ? end - start <= pinMax : end - start >= wordMin && end - start <= wordMax;

/** What stands around a token. */
type Surroundings = {
  readonly near: readonly Sign[];
  /** The secret before. */
  readonly previous: Stretch | undefined;
  readonly head: string;
  readonly tail: string;
};

function secretIn(
  text: ScanText,
  token: Candidate,
  near: readonly Sign[],
  previous: Stretch | undefined,
): FoundSecret | undefined {
  const { shadow } = text;
  const { start, end } = token;
  const value = shadow.slice(start, end);
  const isPin = token.isNumber;
  if (isPin && !(near.some((sign) => sign.pin > 0) && /^[0-9]{4,8}[*#]?$/.test(value))) return undefined;
  const form = isPin ? 0 : weightOfForm(value);
  if (!isPin && ((form === 0 && !value.includes('/')) || placeholder.test(value))) return undefined;
  const head = shadow.slice(Math.max(0, start - headMax), start);
  const around = { near, previous, head, tail: shadow.slice(end, end + 24) };
  const pair = isPin ? undefined : pairIn(shadow, token, around, form);
  if (pair !== undefined) return pair;
  const sign = isPin ? signOfPin(shadow, token, around) : signOfSecret(shadow, token, around, form);
  if (sign === undefined) return undefined;
  const isDirect = isPin && sign.end <= start && directly.test(shadow.slice(sign.end, start));
  if (!isDirect && (isOfOther(text, start, near) || (isPin && isAccount(text, token, sign)))) return undefined;
  if (isOtherHead(shadow, start, form > 2) && !(isPin && ofUser.test(head))) return undefined;
  return { start, end, sign };
}

function signOfSecret(shadow: string, token: Candidate, around: Surroundings, form: number): Sign | undefined {
  const { near, previous, head, tail } = around;
  if (form === 0 || (form < 2 && isUser.test(tail)) || (form < 1.5 && isUserWith.test(tail))) return undefined;
  const weight = form + (isToldBehind(tail) ? 1 : 0);
  if (previous === undefined) {
    // Looking for the words that tell it takes longest.
    const most = near.reduce((sum, sign) => Math.max(sum, sign.secret), 0) + supportOf(near);
    if (most < secretMin - weight - toldMax) return undefined;
  }
  // The last of a line needs no words that tell it.
  const told = weightOfTold(head) || (form > 2 && /^\s*?(?:\n|$)/.test(tail) && head.endsWith(' ') ? 1 : 0);
  const sign = told > 0 ? strongest(shadow, token, near, 'secret', secretMin - weight - told, form > 2) : undefined;
  if (sign !== undefined) return sign;
  if (previous !== undefined && form >= 1 && isVariant(shadow, previous, token)) return near[0];
  return previous !== undefined && form >= 1 && isBeside(shadow, previous, token, told) ? near[0] : undefined;
}

function signOfPin(shadow: string, token: Candidate, around: Surroundings): Sign | undefined {
  const { start, end } = token;
  const { head, tail } = around;
  // Parts of amounts, phone numbers and dates.
  if (/[0-9A-Za-z$€£¥₹#+_/.-]$/.test(head)) return undefined;
  if (/^[A-Za-z_%-]|^ [0-9]{3}|^[/.:][0-9]/.test(tail) || isMeasured(tail)) return undefined;
  const sign = signAroundPin(shadow, token, around);
  if (sign === undefined || (end - start === 6 && isPostal(shadow, start, end))) return undefined;
  return isOfChip(shadow, start, end) ? undefined : sign;
}

function signAroundPin(shadow: string, { start, end }: Candidate, around: Surroundings): Sign | undefined {
  const { near, previous, head, tail } = around;
  const next = near.find((sign) => sign.start >= end);
  if (next !== undefined && next.pin > 2 && isTheWord.test(shadow.slice(end, next.start))) return next;
  const last = near.findLast((sign) => sign.end <= start);
  if (last !== undefined && last.pin > 2 && directly.test(shadow.slice(last.end, start))) return last;
  const told = isAlone.test(`${head.slice(-2)}|${tail.slice(0, 2)}`) ? 1.5 : weightOfTold(head);
  if (previous !== undefined && /^[0-9]+$/.test(shadow.slice(previous.start, previous.end)))
    if (end - start === previous.end - previous.start && isBeside(shadow, previous, { start, end }, told))
      return near[0];
  if (told === 0 || (/^(?:19|20)[0-9]{2}$/.test(shadow.slice(start, end)) && told < 2 && !isToldBehind(tail)))
    return undefined;
  const weight = told + (isToldBehind(tail) ? 1 : 0);
  return strongest(shadow, { start, end }, near, 'pin', pinMin - weight);
}

/** `Cabin5G / elk-meadow-31` */
const isUser = /^["'」]? ?[/|] ?["'「]?[!-~]{4}|^(?:\t| {2,12})[!-~]{6}/;
/** `trainee14 and Chalk&Board14` */
const isUserWith = /^ (?:and|plus|with) [!-~]{0,32}[!#$%&*0-9]/;
/** A sentence of nothing else. */
const isAlone = /[.!?。]\s\|(?:[.。]|\s*\n|$)/;
/** `4482 is the PIN` */
const isTheWord =
  /^["'”)]? ?(?:(?:is|was|as|for)(?: (?:the|my|our|her|his|your|new|old|door|current)){1,3} |が(?:新しい|今の)?)$/i;
/** What the user of a chat says. */
const ofUser = /(?:^|\n)user: $/i;
/** Between the word and its number stands nothing else. */
const directly =
  /^(?:['’]?s)?["'>]{0,2}(?: ?(?:code|number|no\.?|番号))?(?: for (?:[a-z]+ ){0,2}[a-z]+)?(?: ?[（(][^）)\n]{1,12}[）)])?[ \t\u3000]{0,3}(?:[:：=–—-]|is|was|は|が|を|→)?[ \t\u3000]{0,3}["'“「『（(]?$/i;

/** True for a secret that follows another one in a list, or takes its place. */
function isBeside(shadow: string, first: Stretch, second: Stretch, told: number): boolean {
  if (second.start - first.end >= besideMax || second.start < first.end) return false;
  const gap = shadow.slice(first.end, second.start);
  return /^[」"'”]? ?か ?[「"'“]?$/.test(gap) || isInstead(gap, told);
}

/** True for a secret that begins as the one before: `toastIsLife22`, `toastIsLife23!`. */
function isVariant(shadow: string, first: Stretch, second: Stretch): boolean {
  let same = 0;
  while (same < first.end - first.start && shadow[first.start + same] === shadow[second.start + same]) same++;
  return same > 4 && same * 2 > first.end - first.start && same + 6 > second.end - second.start;
}

const userPart = /^[A-Za-z0-9][\w.@\\+-]{1,48}$|^\.?\\?[\w.-]{1,32}\\?[\w.-]{2,32}$/;
const knownUser = /^(?:admin|administrator|root|guest|user|sa|sysadmin|kanri|.*@.*\..*)$/i;
/** `login is picker / ` */
const announcesUser =
  /(?:log-?in|log in|sign-?in|account|credentials|creds|ログイン|アカウント)(?: is:?| was| are:?|:|=|は|が) ?["'“「]?[\w.@\\+-]{2,48}["'”」]? ?[/|、] ?["'“「]?$/i;
/** The user before `/ Kx7mQ2p` and `plus Kx7mQ2p`. */
const userBefore =
  /(?:^|[\s:：(（「は、,])["'“]?([.\\A-Za-z0-9][\w.@\\+-]{2,48})["'”]?(?: (?:plus|and|with|using|uses|pass|pw|パス|·|-) | ?[/|] ?|、|\t| {2,12}|(?<=@[\w.-]+),? )["'“「]?$/i;

/** The last characters of most of those links; an address with an `@` needs none. */
const mayLinkUser = /(?:[sdhgwス·/|, \t-] |[/|、\t,])["'“「]?$/i;

/** The secret of a user and a secret: `soumu02/Kyoyu2023$` in one word, or the second of two. */
function pairIn(shadow: string, token: Candidate, around: Surroundings, form: number): FoundSecret | undefined {
  const { near, previous, head } = around;
  // One of a list of logins.
  const least = previous !== undefined && token.start - previous.end < besideMax ? pairMin - 1.5 : pairMin;
  const value = shadow.slice(token.start, token.end);
  const slash = value.indexOf('/');
  if (slash > 1 && slash === value.lastIndexOf('/')) {
    const secret = value.slice(slash + 1);
    const start = token.start + slash + 1;
    const sign =
      weightOfForm(secret) < 1.5 || !userPart.test(value.slice(0, slash))
        ? undefined
        : strongest(shadow, token, near, 'login', least - weightOfForm(secret));
    return sign === undefined ? undefined : { start, end: token.end, sign };
  }
  if (form === 0 || !(mayLinkUser.test(head.slice(-3)) || head.includes('@')) || isOfLog(head)) return undefined;
  const user = userBefore.exec(head)?.[1];
  if (user === undefined) return undefined;
  // `the portal with trainee14`
  if (
    / (?:with|and|using) ["'“]?$/.test(head) &&
    !knownUser.test(user) &&
    !/[0-9_@\\]|["'”] /.test(head.slice(-user.length - 8))
  )
    return undefined;
  // `router – ArcherC7v2`
  if (form < 2.5 && !knownUser.test(user) && / - ["'“「]?$/.test(head) && !/[0-9_@\\]/.test(user)) return undefined;
  const isNamed = knownUser.test(user) || (form >= 1 && announcesUser.test(head));
  const weight = form + (isNamed ? 1.5 : /[0-9_@\\]/.test(user) ? 0.5 : 0);
  const sign = strongest(shadow, token, near, 'login', least - weight);
  return sign === undefined ? undefined : { start: token.start, end: token.end, sign };
}

/** Where several words speak of secrets, each of them says more. */
const supportOf = (near: readonly Sign[]) => (near.length - 1) * 0.2;

/** The sign that speaks for a place most, if it weighs enough. */
function strongest(
  shadow: string,
  { start, end }: Stretch,
  near: readonly Sign[],
  kind: 'secret' | 'pin' | 'login',
  least: number,
  isCertain = false,
): Sign | undefined {
  let best: Sign | undefined;
  let most = Math.max(least, 0.1);
  const support = kind === 'secret' ? supportOf(near) : 0;
  for (const sign of near) {
    const isBehind = sign.end <= start;
    const distance = isBehind ? start - sign.end : sign.start - end;
    if (
      sign[kind] === 0 ||
      distance < 0 ||
      distance > (isBehind ? reachBehind : isCertain ? reachBeforeCertain : reachBefore)
    )
      continue;
    let weight = sign[kind] - distance / 150 + support;
    if (weight < most) continue;
    const gap = isBehind ? shadow.slice(sign.end, start) : shadow.slice(end, sign.start);
    weight -= Math.min(4, gap.match(boundary)?.length ?? 0) * 0.25;
    if (!isBehind) weight -= 0.3;
    if (weight < most) continue;
    most = weight;
    best = sign;
  }
  return best;
}

/** Labels of other values. */
const otherOwners: ReadonlySet<string> = new Set([...ownersOfNumbers, 'credit-card', 'email', 'address']);

/** How far behind the word for a bank its account may stand; characters. */
const accountReach = 64;
const accountMin = 6;
const bankOwners: ReadonlySet<string> = new Set(['bank-account', 'iban', 'credit-card']);

/** True for so many digits as an account has, when a word for one stands nearer than the sign, or the sign in the next sentence. */
function isAccount({ shadow, keywords }: ScanText, { start, end }: Stretch, sign: Stretch): boolean {
  if (end - start < accountMin) return false;
  const isNext = sign.start >= end && /[.。\n]/.test(shadow.slice(end, sign.start));
  if (isNext && end - start > accountMin) return true;
  const last = keywords.ordered[countBefore(keywords.ordered, start) - 1];
  if (last === undefined || !bankOwners.has(last.owner) || start - last.end > accountReach) return false;
  if (sign.start >= end) return isNext || start - last.end <= sign.start - end;
  // `the passcode on the account`
  return last.start >= sign.end && !/^accounts?$/i.test(shadow.slice(last.start, last.end));
}

/** True when a label of another type stands directly before the place and has no value yet. */
function isOfOther({ shadow, keywords }: ScanText, start: number, near: readonly Sign[]): boolean {
  const last = keywords.ordered[countBefore(keywords.ordered, start) - 1];
  if (last === undefined || !otherOwners.has(last.owner) || start - last.end > 20) return false;
  // No card and no account has so few digits.
  if (/^[0-9]{4}(?![0-9A-Za-z-])/.test(shadow.slice(start, start + 5)) && last.owner !== 'phone') return false;
  if (near.some((sign) => sign.start >= last.end && sign.end <= start)) return false;
  return !/[0-9]{2}|\n|[.。]|ではなく|じゃなく|(?<![a-z])not /i.test(shadow.slice(last.end, start));
}
