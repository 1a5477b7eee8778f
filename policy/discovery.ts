/**
 * Scores how much a host looks like an AI service: weighted signals, a score, a proposal. Pure; the gateway collects
 * the evidence (gateway/discovery/). A proposal never changes what the policy decides: a person does.
 */

/** Strength of a signal: A is enough alone, B needs another one, C only supports others. */
export type Weight = 'A' | 'B' | 'C';

/** Every signal with its weight. Only the names of signals are stored, nothing of the request. */
export const signalWeights = {
  'host-tld-ai': 'B',
  'host-model-word': 'B',
  'host-risk-word': 'B',
  'host-token-ai': 'C',
  'host-chat-word': 'C',
  'host-api-label': 'C',
  'host-lookalike': 'A',
  'port-model-server': 'C',
  'path-model-api': 'B',
  'path-model-list': 'C',
  'header-provider-key': 'A',
  'header-provider': 'A',
  'header-sdk': 'B',
  'agent-sdk': 'B',
  'body-chat': 'A',
  'body-prompt': 'B',
  'answer-provider': 'A',
  'answer-gateway': 'B',
  'answer-token-limit': 'A',
  'answer-stream': 'B',
  'answer-events': 'A',
  'answer-usage': 'A',
  'answer-error': 'A',
} as const satisfies Record<string, Weight>;

/** A name of {@link signalWeights}. */
export type Signal = keyof typeof signalWeights;

/** The product whose API the shapes resemble. */
const families = ['openai-like', 'anthropic-like', 'gemini-like', 'ollama-like', 'web-chat', 'image'] as const;
export type Family = (typeof families)[number];

/** What is known about one domain. */
export type Evidence = {
  readonly signals: ReadonlySet<Signal> | ReadonlyMap<Signal, number>;
  /** Distinct subjects and days, and bytes sent. */
  readonly subjects: number;
  readonly days: number;
  readonly bytesUp: number;
};

/** `weak`: seen, but not enough to propose. */
export const confidences = ['weak', 'low', 'medium', 'high'] as const;
export type Confidence = (typeof confidences)[number];

/**
 * The kind of proposal: an AI service, a relay that receives provider keys, or a name that imitates a registered
 * service.
 */
export type FindingKind = 'ai' | 'relay' | 'lookalike';

export type Assessment = {
  readonly score: number;
  readonly confidence: Confidence;
  readonly kind: FindingKind;
  /** Never `approved`: only a person approves. */
  readonly category: 'monitoring' | 'blocked';
  /** A sentence for people, built from signal names. */
  readonly reason: string;
};

const points: Readonly<Record<Weight, number>> = { A: 5, B: 3, C: 1 };
const weakPointsMax = 3;
const bulkBytes = 1024 * 1024;

/** Scores the evidence and derives the proposal. Nothing is proposed below 5 points. */
export function assess({ signals, subjects, days, bytesUp }: Evidence): Assessment {
  let strong = 0;
  let weak = 0;
  const names: Signal[] = [];
  for (const name of signals.keys()) {
    const weight = signalWeights[name];
    names.push(name);
    if (weight === 'C') weak += points.C;
    else strong += points[weight];
  }
  // Usage alone is not a sign of AI; it only strengthens one.
  const use = strong === 0 ? 0 : Number(subjects >= 3) + Number(days >= 3) + Number(bytesUp >= bulkBytes);
  const score = strong + Math.min(weak, weakPointsMax) + use;
  const has = (name: Signal) => names.includes(name);
  const kind = has('host-lookalike') ? 'lookalike' : has('header-provider-key') ? 'relay' : 'ai';
  const isBad = kind !== 'ai' || has('host-risk-word');
  return {
    score,
    confidence: score >= 11 ? 'high' : score >= 8 ? 'medium' : score >= 5 ? 'low' : 'weak',
    kind,
    category: isBad ? 'blocked' : 'monitoring',
    reason: reasonOf(kind, names),
  };
}

/** Whether a set of signals is worth storing; weak ones alone are not. */
export function isWorthKeeping(signals: Iterable<Signal>): boolean {
  for (const name of signals) if (signalWeights[name] !== 'C') return true;
  return false;
}

const words: Readonly<Partial<Record<Signal, string>>> = {
  'host-tld-ai': 'the name ends in .ai',
  'host-model-word': 'the name contains a model or product name',
  'host-risk-word': 'the name contains a word typical of harmful image services',
  'path-model-api': 'requests use paths of model APIs',
  'header-provider-key': 'requests send it a key of an AI provider',
  'header-provider': 'requests have header fields of an AI provider',
  'header-sdk': 'requests have header fields of an AI SDK',
  'agent-sdk': 'an AI SDK sends the requests',
  'body-chat': 'request bodies look like a chat with a model',
  'body-prompt': 'request bodies contain a prompt',
  'answer-provider': 'responses have header fields of an AI provider',
  'answer-gateway': 'responses have header fields of an AI gateway',
  'answer-token-limit': 'responses limit tokens',
  'answer-stream': 'responses to JSON requests are event streams',
  'answer-events': 'responses stream like those of a model',
  'answer-usage': 'responses count tokens',
  'answer-error': 'errors look like those of a model API',
};

function reasonOf(kind: FindingKind, names: readonly Signal[]): string {
  const facts = names.flatMap((name) => words[name] ?? []).slice(0, 4);
  const first = kind === 'lookalike' ? ['the name imitates a registered service'] : [];
  const text = [...first, ...facts].join('; ');
  return text === '' ? 'the name resembles that of an AI service' : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
