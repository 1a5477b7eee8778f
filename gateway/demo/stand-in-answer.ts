/**
 * The stand-in model's response: a short reply that uses the received tokens. It is not a language model. It shows that a
 * model can work with tokens, and that each of them is restored.
 */

/** Tokens of both formats, including dictionary labels: `[EMAIL-1]`, `[PROJECT_2]`, `[SECURED:type=EMAIL,id=…]`. */
const token = /\[(?:([A-Z][A-Z0-9_]*?)[-_]\d+|SECURED:type=([A-Z0-9_]+)[^\]\n]{0,200})\]/g;

/** A sentence for the first token of a type; `noted` for all types without one. */
type Sentences = {
  readonly greeting: (name: string | undefined) => string;
  readonly thanks: string;
  readonly byType: Readonly<Record<string, (token: string) => string>>;
  readonly noted: (tokens: string) => string;
  readonly between: string;
  readonly nothing: string;
  readonly end: string;
  readonly gap: string;
};

const english: Sentences = {
  greeting: (name) => (name === undefined ? 'Hello,' : `Dear ${name},`),
  thanks: 'Thank you for your message.',
  byType: {
    EMAIL: (email) => `I will write to ${email} today.`,
    PHONE: (phone) => `If you prefer a call, I will use ${phone}.`,
    ADDRESS: (address) => `The parcel goes to ${address}.`,
    CREDIT_CARD: (card) => `Nothing more will be charged to ${card}.`,
  },
  noted: (tokens) => `I have noted ${tokens}.`,
  between: ', ',
  nothing: 'Your text has no personal data in it, so I got it exactly as you typed it.',
  end: 'Kind regards',
  gap: ' ',
};

const japanese: Sentences = {
  greeting: (name) => (name === undefined ? 'お問い合わせありがとうございます。' : `${name} 様`),
  thanks: 'ご連絡いただき、ありがとうございます。',
  byType: {
    EMAIL: (email) => `本日中に ${email} 宛てにメールをお送りします。`,
    PHONE: (phone) => `お急ぎの場合は ${phone} にお電話いたします。`,
    ADDRESS: (address) => `お届け先は ${address} で承りました。`,
    CREDIT_CARD: (card) => `${card} への追加のご請求はありません。`,
  },
  noted: (tokens) => `${tokens} も確認いたしました。`,
  between: '、',
  nothing: '個人情報が含まれていないため、入力されたとおりの文章が届いています。',
  end: 'どうぞよろしくお願いいたします。',
  gap: '',
};

/** The answer to a message; in Japanese when the message has kana. */
export function standInAnswer(message: string): string {
  const words = /[\u3040-\u30ff]/.test(message) ? japanese : english;
  const byType = new Map<string, string>();
  const others = new Set<string>();
  for (const [found, counted, secured] of message.matchAll(token)) {
    const type = counted ?? secured ?? '';
    const hasSentence = type === 'NAME' || Object.hasOwn(words.byType, type);
    if (hasSentence && !byType.has(type)) byType.set(type, found);
    else if (byType.get(type) !== found) others.add(found);
  }
  const sentences = [...byType].flatMap(([type, found]) => words.byType[type]?.(found) ?? []);
  if (others.size > 0) sentences.push(words.noted([...others].join(words.between)));
  if (byType.size + others.size === 0) sentences.push(words.nothing);
  return [words.greeting(byType.get('NAME')), [words.thanks, ...sentences].join(words.gap), words.end].join('\n\n');
}

/** The answer in pieces of one to six characters, as models send them; always the same ones for a text. */
export function piecesOf(answer: string): string[] {
  const characters = [...answer];
  const pieces: string[] = [];
  for (let at = 0, turn = 3; at < characters.length; turn = (turn * 5 + 3) % 16) {
    const length = 1 + (turn % 6);
    pieces.push(characters.slice(at, at + length).join(''));
    at += length;
  }
  return pieces;
}
