/**
 * Checks new texts of a request for injections. Every request repeats the conversation so far, so checked texts are
 * recognised by hash; neither their text nor position is kept.
 */
import { createHash } from 'node:crypto';
import { pointerOf } from '../../core/agents/keys.ts';
import type { Keys, TextKind } from '../../core/formats/agents.ts';
import type { InjectionResult } from '../../core/injection/index.ts';
import type { InjectionAnswer, InjectionSettings } from '../../policy/agent-settings.ts';
import { boundedCache } from '../bounded-cache.ts';
import { checked, injectionChecks } from '../long-texts/long-texts.ts';
import { textKey } from '../long-texts/text-key.ts';
import type { JobClient } from '../threads/thread-pool.ts';

/** A text to check; history is checked only if unknown. */
export type CheckedText = {
  readonly kind: TextKind;
  readonly text: string;
  /** Its position: a path in the request's JSON, or another place. */
  readonly keys?: Keys;
  readonly place?: string;
  readonly isNew: boolean;
};

/** The worst finding, for the audit event; without text. */
export type InjectionFound = {
  readonly kind: TextKind;
  readonly risk: string;
  readonly categories: readonly string[];
  /** Path in the JSON of the request. */
  readonly place: string;
  readonly answer: InjectionAnswer;
};

export type Verdict = Pick<InjectionResult, 'risk' | 'categories'>;

type DigestedText = Omit<CheckedText, 'text'> & { readonly key: string | undefined; readonly verdict: Verdict };

/** The findings in the texts of a request, and the keys of its conversation. */
export type DigestedTexts = {
  readonly before: string | undefined;
  readonly whole: string | undefined;
  readonly found: readonly DigestedText[];
};

const risks = ['none', 'low', 'medium', 'high', 'critical'];
const answers: readonly InjectionAnswer[] = ['off', 'report', 'warn', 'block'];
/** Cached texts: 8 MB of hashes. */
const knownMax = 100_000;
const conversationsMax = 20_000;
/** With less history than this, each text is looked up separately. */
const historyMin = 3;
/** Checking shorter texts is faster than hashing them. */
const hashedMin = 32;
/** Maximum findings of each kind in a large body. They are evaluated one by one. */
const digestedMax = 1_000;
const clean: Verdict = { risk: 'none', categories: [] };

/** Caches the results of this process. */
export class InjectionCheck {
  readonly #known = boundedCache<string, Verdict>(knownMax);
  /** Conversations whose texts have all been checked: the next request begins with one of them. */
  readonly #conversations = boundedCache<string, true>(conversationsMax);
  readonly #onFound: (kind: TextKind, risk: string) => void;

  /** `onFound` counts each finding once. */
  constructor(onFound: (kind: TextKind, risk: string) => void = () => {}) {
    this.#onFound = onFound;
  }

  /** The worst finding, if any. Synchronous unless a text is long enough for a thread. */
  find(
    texts: readonly CheckedText[],
    settings: InjectionSettings,
    client?: JobClient,
  ): InjectionFound | undefined | Promise<InjectionFound | undefined> {
    let worst: InjectionFound | undefined;
    let waiting: Promise<void>[] | undefined;
    const { before, whole } = conversationOf(texts, settings);
    const skipped = before !== undefined && this.#conversations.get(before) === true;
    const finish = () => {
      if (whole !== undefined) this.#conversations.set(whole, true);
      return worst;
    };
    for (const text of texts) {
      if (skipped && !text.isNew) continue;
      const answer = settings[text.kind];
      if (answer === 'off') continue;
      const verdict = this.#verdictOf(text, client);
      if (verdict === undefined) continue;
      const take = (known: Verdict) => {
        worst = worse(worst, found(text, known, settings));
      };
      if (!(verdict instanceof Promise)) take(verdict);
      else {
        waiting ??= [];
        waiting.push(verdict.then(take));
      }
    }
    return waiting === undefined ? finish() : Promise.all(waiting).then(finish);
  }

  /** The worst finding in a body read by a thread. */
  findIn({ before, whole, found: all }: DigestedTexts, settings: InjectionSettings): InjectionFound | undefined {
    const skipped = before !== undefined && this.#conversations.get(before) === true;
    let worst: InjectionFound | undefined;
    for (const { key, verdict, ...text } of all) {
      const isKnown = key === undefined || this.#known.get(key) !== undefined;
      if (!text.isNew && (skipped || isKnown)) continue;
      if (key === undefined || !isKnown) this.#keep(key, text.kind, verdict);
      worst = worse(worst, found(text, verdict, settings));
    }
    if (whole !== undefined) this.#conversations.set(whole, true);
    return worst;
  }

  /** The verdict on one short new text: for responses, which cannot wait. */
  verdictNow(kind: TextKind, text: string): Verdict {
    const key = text.length < hashedMin ? undefined : textKey(text);
    const known = key === undefined ? undefined : this.#known.get(key);
    return known ?? this.#keep(key, kind, injectionChecks.prompt(text, {}));
  }

  /** Undefined for history that was already checked. */
  #verdictOf({ kind, text, isNew }: CheckedText, client?: JobClient): Verdict | undefined | Promise<Verdict> {
    if (text.length < hashedMin)
      return isNew ? this.#keep(undefined, kind, injectionChecks.prompt(text, {})) : undefined;
    const key = textKey(text);
    const known = this.#known.get(key);
    if (known !== undefined) return isNew ? known : undefined;
    const result = checked('prompt', text, {}, client);
    return result instanceof Promise
      ? result.then((late) => this.#keep(key, kind, late))
      : this.#keep(key, kind, result);
  }

  #keep(key: string | undefined, kind: TextKind, { risk, categories }: Verdict): Verdict {
    const verdict = categories.length === 0 ? clean : { risk, categories };
    if (categories.length > 0) this.#onFound(kind, risk);
    if (key !== undefined) this.#known.set(key, verdict);
    return verdict;
  }
}

/**
 * Two keys of a conversation: one of its history, which may already have been checked as a whole, and one including the new
 * texts, which will be the history of the next request.
 */
function conversationOf(texts: readonly CheckedText[], settings: InjectionSettings) {
  if (texts.length < historyMin) return { before: undefined, whole: undefined };
  const { prompts, tool_results: results, documents } = settings;
  let history = [prompts, results, documents].map((answer) => (answer === 'off' ? '0' : '1')).join('');
  let news = '';
  for (const { kind, text, isNew } of texts) {
    const part = `\0${kind.charAt(0)}${text}`;
    if (isNew) news += part;
    else history += part;
  }
  const hashing = createHash('sha256').update(history);
  return { before: hashing.copy().digest('base64'), whole: hashing.update(news).digest('base64') };
}

/** Findings in a large body, without its texts. `known` caches verdicts for the next body. */
export function digestTexts(
  texts: readonly CheckedText[],
  settings: InjectionSettings,
  known: { get(key: string): Verdict | undefined; set(key: string, verdict: Verdict): unknown },
): DigestedTexts {
  const all: DigestedText[] = [];
  for (const { text, ...rest } of texts) {
    if (settings[rest.kind] === 'off') continue;
    const key = text.length < hashedMin ? undefined : textKey(text);
    const { risk, categories } = (key && known.get(key)) || injectionChecks.prompt(text, {});
    const verdict = { risk, categories };
    if (key !== undefined) known.set(key, verdict);
    if (categories.length > 0) all.push({ ...rest, key, verdict });
  }
  all.sort((a, b) => risks.indexOf(b.verdict.risk) - risks.indexOf(a.verdict.risk));
  const counts: Record<string, number> = {};
  const found = all.filter(({ kind, isNew }) => {
    const group = `${kind} ${isNew}`;
    counts[group] = (counts[group] ?? 0) + 1;
    return counts[group] <= digestedMax;
  });
  return { ...conversationOf(texts, settings), found };
}

/** Whether a verdict reaches the policy's threshold. */
export function isOver({ risk, categories }: Verdict, { threshold }: Pick<InjectionSettings, 'threshold'>): boolean {
  return categories.length > 0 && risks.indexOf(risk) >= risks.indexOf(threshold);
}

function found(
  text: Omit<CheckedText, 'text'>,
  verdict: Verdict,
  settings: InjectionSettings,
): InjectionFound | undefined {
  if (!isOver(verdict, settings)) return undefined;
  const place = text.place ?? pointerOf(text.keys ?? []);
  return { kind: text.kind, ...verdict, place, answer: settings[text.kind] };
}

/** The worse of two findings. */
export function worse(a: InjectionFound | undefined, b: InjectionFound | undefined): InjectionFound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const rank = (one: InjectionFound) => answers.indexOf(one.answer) * 10 + risks.indexOf(one.risk);
  return rank(b) > rank(a) ? b : a;
}
