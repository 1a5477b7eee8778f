/**
 * Checks what is new in a request for injections. A conversation is sent again with every question: what has been checked is
 * known by its hash, and neither text nor place of it is kept.
 */
import { createHash } from 'node:crypto';
import type { Keys } from '../../core/agents/keys.ts';
import { pointerOf } from '../../core/agents/keys.ts';
import type { TextKind } from '../../core/agents/turns.ts';
import type { InjectionResult } from '../../core/injection/index.ts';
import type { InjectionAnswer, InjectionSettings } from '../../policy/agent-settings.ts';
import { boundedCache } from '../bounded-cache.ts';
import { checked, injectionChecks } from '../detect/long-texts.ts';
import { textKey } from '../detect/text-key.ts';
import type { JobClient } from '../threads/thread-pool.ts';

/** A text to check; one that is not new is checked only if it was not checked before. */
export type CheckedText = {
  readonly kind: TextKind;
  readonly text: string;
  /** Where it stands: in the JSON of a request, or another place. */
  readonly keys?: Keys;
  readonly place?: string;
  readonly isNew: boolean;
};

/** The worst that was found, for the event: no text. */
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
/** Texts remembered: 8 MB of hashes. */
const knownMax = 100_000;
const conversationsMax = 20_000;
/** With fewer texts before what is new, each is looked up by itself. */
const historyMin = 3;
/** Shorter texts are checked faster than they are hashed. */
const hashedMin = 32;
/** The worst findings of each kind in a large body, old and new ones, which are looked at one by one. */
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

  /** The worst finding; undefined without any. At once, where no text is so long that it is looked at in a thread. */
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

  /** The worst finding in the texts of a body that a thread has read. */
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

  /** The verdict on one text that is new and not too long: for answers, which cannot wait. */
  verdictNow(kind: TextKind, text: string): Verdict {
    const key = text.length < hashedMin ? undefined : textKey(text);
    const known = key === undefined ? undefined : this.#known.get(key);
    return known ?? this.#keep(key, kind, injectionChecks.prompt(text, {}));
  }

  /** Undefined for history that was checked before. */
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
 * The keys of a conversation: of all that is not new, which may have been checked as a whole before, and of this one for the
 * next request: what people and tools have said by then is what comes before its news.
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

/** What is found in the texts of a large body, without the texts. `known` keeps verdicts for the next body. */
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

/** Whether a verdict is at or over the threshold of the policy. */
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
