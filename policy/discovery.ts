/**
 * How much a host looks like an AI service: signals with weights, a score, a proposal. Pure; the gateway collects what
 * it is asked about (gateway/discovery/). A proposal never changes what the policy decides: a person does.
 */

/** How much a signal says: alone enough, with another one, only beside others. */
export type Weight = 'A' | 'B' | 'C';

/** Every signal with its weight. Signals are names; nothing of a request is kept beside them. */
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

/** Which product's interface the shapes resemble. */
const families = ['openai-like', 'anthropic-like', 'gemini-like', 'ollama-like', 'web-chat', 'image'] as const;
export type Family = (typeof families)[number];

/** What is known of one domain. */
export type Evidence = {
  readonly signals: ReadonlySet<Signal> | ReadonlyMap<Signal, number>;
  /** Distinct subjects and days, bytes sent there. */
  readonly subjects: number;
  readonly days: number;
  readonly bytesUp: number;
};

/** `weak`: seen, not enough to propose. */
export const confidences = ['weak', 'low', 'medium', 'high'] as const;
export type Confidence = (typeof confidences)[number];

/** What a proposal is about: an AI service, a relay that gets the keys of one, a name that imitates a registered one. */
export type FindingKind = 'ai' | 'relay' | 'lookalike';

export type Assessment = {
  readonly score: number;
  readonly confidence: Confidence;
  readonly kind: FindingKind;
  /** Never `approved`: that is for people. */
  readonly category: 'monitoring' | 'blocked';
  /** A sentence for people, made of the names of signals. */
  readonly reason: string;
};

const points: Readonly<Record<Weight, number>> = { A: 5, B: 3, C: 1 };
const weakPointsMax = 3;
const bulkBytes = 1024 * 1024;

/** The score of what is known, and what follows from it. Below 5 points nothing is proposed. */
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
  // Use alone is no sign of AI; it only makes a sign weigh more.
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

/** Whether a set of signals is worth keeping: weak ones alone are not. */
export function isWorthKeeping(signals: Iterable<Signal>): boolean {
  for (const name of signals) if (signalWeights[name] !== 'C') return true;
  return false;
}

const words: Readonly<Partial<Record<Signal, string>>> = {
  'host-tld-ai': 'the name ends in .ai',
  'host-model-word': 'the name holds the word of a model or product',
  'host-risk-word': 'the name holds a word of harmful image services',
  'path-model-api': 'requests go to the paths of model interfaces',
  'header-provider-key': 'a key of an AI provider is sent to it',
  'header-provider': 'requests carry the fields of an AI provider',
  'header-sdk': 'requests carry the fields of an AI SDK',
  'agent-sdk': 'an AI SDK sends the requests',
  'body-chat': 'request bodies are those of a chat with a model',
  'body-prompt': 'request bodies hold a prompt',
  'answer-provider': 'answers carry the fields of an AI provider',
  'answer-gateway': 'answers carry the fields of an AI gateway',
  'answer-token-limit': 'answers limit tokens',
  'answer-stream': 'answers to JSON requests are event streams',
  'answer-events': 'answers stream as those of a model',
  'answer-usage': 'answers count tokens',
  'answer-error': 'errors are those of a model interface',
};

function reasonOf(kind: FindingKind, names: readonly Signal[]): string {
  const facts = names.flatMap((name) => words[name] ?? []).slice(0, 4);
  const first = kind === 'lookalike' ? ['the name imitates a registered service'] : [];
  const text = [...first, ...facts].join('; ');
  return text === '' ? 'the name resembles that of an AI service' : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
