/** Passphrases: secrets of several words, behind the words for them. */
import type { KeywordHit } from '../keywords.ts';
import { answerLength } from '../labels.ts';
import type { ScanText } from '../shadow.ts';
import type { Stretch } from './stretch.ts';

const windowLength = 128;
const phraseLabel = /phrase$|フレーズ$/i;
/** `verbal password`: words are told, not typed. */
const spokenBefore = /(?<![a-z])(?:verbal|spoken|security|phone|telephone|voice) $/i;
/** The ends of those words. */
const spokenEnds: ReadonlySet<string> = new Set(['al ', 'en ', 'ty ', 'ne ', 'ce ']);
const words = "([a-z][a-z'’]{1,14}(?:[ -][a-z0-9][a-z0-9'’]{0,14}){1,7}?)";
const quoted = /^([^"“「『\n?。]{0,48}?)(?:["“]([A-Za-z][^"”\n]{5,80})["”]|[「『]([^」』\n]{4,60})[」』])/;
const inApostrophes = /^[: ]{1,2}'((?:[A-Za-z0-9’-]{1,14} ){2,7}[A-Za-z0-9’-]{2,14})'(?![a-z])/;
/** `password is "nine green bottles"`: at least three small words. */
const said = /^ (?:is|was|will be|=) ["“]([a-z][a-z'’]{1,14}(?: [a-z][a-z'’]{1,14}){2,6})["”]/;
/** What it begins with behind the blank. */
const saidFirsts: ReadonlySet<number> = new Set([...'iw='].map((sign) => sign.charCodeAt(0)));
/** Up to the end of the sentence, of the line or of the quotation, or the word that goes on. */
const signed = new RegExp(
  `^(?:[^\\n.:=]{0,40}[:=]| is| was| like| such as|[^\\n.:]{0,24} is|は) ?${words}(?=["”.,;!?)]|\\s*\\n|\\s*$| (?:and|but|for|on my|as|in my|which|this|today|until|instead) | ?(?:です|でした|」|に(?:し|変|設定)))`,
  'i',
);
const bare = new RegExp(
  `^ (?!(?:to|for|of|on|in|at|as|an?|the|and|or|but|my|our|his|her|their|its) )${words}(?=["”.,;!?)]|\\s*\\n|\\s*$| (?:and|but) )`,
);
const answered = new RegExp(`^${words}(?=[.,!?]?\\s*(?:\\n|$))`, 'i');
/** Words of a sentence about passphrases. */
const prose =
  /(?<![a-z])(?:required|must|used|needed|not|you|your|should|be|will|has|have|was|stored|incorrect|wrong|invalid|sent|with|by|same|set|too|only|please|from|is|are|it|this|that|if|when|any|generators?|based|protected|protection|policy|policies|prompts?|length|entropy|each|every|contains?|changed?|changes|can|cannot|could|or|than|instead|does|do|doesn['’]t|don['’]t|never|always|may|might|longer|long|short|shorter|stronger|minimum|words?|characters?|file|key|keys|empty|optional|authentication|cracking|security|secure|recovery|manager|managers|rotation|via|into|what|how|why|who|where|then|limited|bytes?|bits?|i|we|they|he|she|expires?|expired|after|before|cached?|timeout|timed?|seconds|minutes|hours|days)(?![a-z])/i;

/** The passphrase that a label tells, if it is one for them. */
export function phraseBehind(text: ScanText, hit: KeywordHit): Stretch | undefined {
  const { shadow } = text;
  const words = phraseSaid(shadow, hit);
  if (words !== undefined || !mayTell(shadow, hit)) return words;
  const label = shadow.slice(hit.start, hit.end);
  const isPhrase = phraseLabel.test(label);
  const isSpoken =
    !isPhrase && /word$/i.test(label) && spokenBefore.test(shadow.slice(Math.max(0, hit.start - 12), hit.start));
  if (!isPhrase && !isSpoken) return undefined;
  const window = shadow.slice(hit.end, hit.end + windowLength);
  const apostrophes = inApostrophes.exec(window);
  const phrase = apostrophes?.[1];
  if (apostrophes !== null && phrase !== undefined && !prose.test(phrase)) return placed(apostrophes, phrase, hit.end);
  const inQuotes = quoted.exec(window);
  if (inQuotes !== null) {
    const gap = inQuotes[1] as string;
    const value = (inQuotes[2] ?? inQuotes[3]) as string;
    // Further off only what is said to be one.
    const isNear = gap.length < 24 && !/[.,;]/.test(gap);
    const isTold = isNear || (/(?:said|is|was|say|told (?:her|him|them)|:) ?$/i.test(gap) && !prose.test(value));
    if (isTold && /[ -]/.test(value) && !/[.:=<>{}]/.test(value)) return placed(inQuotes, value, hit.end);
  }
  const told = signed.exec(window) ?? (isPhrase ? bare.exec(window) : null);
  const value = told?.[1];
  if (told !== null && value !== undefined && isPhraseOf(value, window.slice(told[0].length)))
    return placed(told, value, hit.end);
  const answer = answerLength(text, hit);
  if (answer === 0) return undefined;
  const at = hit.end + answer;
  const reply = answered.exec(shadow.slice(at, at + windowLength));
  return reply === null || prose.test(reply[1] as string) ? undefined : placed(reply, reply[1] as string, at);
}

/** Words between quotes that are said to be the secret. */
function phraseSaid(shadow: string, { end }: KeywordHit): Stretch | undefined {
  if (shadow.charCodeAt(end) !== 0x20 || !saidFirsts.has(shadow.charCodeAt(end + 1))) return undefined;
  const found = said.exec(shadow.slice(end, end + windowLength));
  const phrase = found?.[1];
  return found === null || phrase === undefined || prose.test(phrase) ? undefined : placed(found, phrase, end);
}

/** True for a label that ends as {@link phraseLabel}, or has a word before it. Most are neither. */
function mayTell(shadow: string, { start, end }: KeywordHit): boolean {
  const last = shadow.charCodeAt(end - 1);
  if (last === 0x30ba || (last | 0x20) === 0x65) return true;
  return (last | 0x20) === 0x64 && spokenEnds.has(shadow.slice(Math.max(0, start - 3), start).toLowerCase());
}

/** Two words are a passphrase only where a quotation or a line ends. */
function isPhraseOf(value: string, tail: string): boolean {
  if (prose.test(value)) return false;
  return value.split(/[ -]/).length > 2 || /^["”]|^[.]?\s*(?:\n|$)/.test(tail);
}

function placed(match: RegExpExecArray, value: string, from: number): Stretch {
  const start = from + match.index + match[0].lastIndexOf(value);
  return { start, end: start + value.length };
}
