/** Why a recognizer took something for personal data, in a sentence. */
import type { Language } from '../shared/preferences.ts';
import type { Detection } from './answers.ts';

/** Japanese for the wordings of the reasons (core/context/reasons.ts); the quoted word of the text follows some of them. */
const japanese: Readonly<Record<string, string>> = {
  label: '項目名',
  heading: '見出し',
  'words before:': '直前の語',
  'word before:': '前にある語',
  'word above:': '上にある語',
  'word after:': '後にある語',
  'word below:': '下にある語',
  topic: '話題',
  'valid check digit': 'チェックディジットが正しい',
  'own label directly before it': '直前の項目名',
  'own label nearby': '近くの項目名',
  'own label after it': '後にある項目名',
  'heading of its column': '列の見出し',
  'listed with another value': 'ほかの値と並んでいる',
  'topic of the text': '文章の話題',
  'characters before it': '直前の文字',
  'characters after it': '直後の文字',
  format: '形式',
};

/** `word before: "card"` → `前にある語「card」` */
function inJapanese(text: string): string {
  const [, wording = text, word] = /^(.*?) "(.*)"$/s.exec(text) ?? [];
  return `${japanese[wording] ?? wording}${word === undefined ? '' : `「${word}」`}`;
}

/** The sentence. */
export function whyFound(detection: Detection, language: Language): string {
  const { recognizer, context, checksum, why } = detection;
  if (why?.some(({ feature }) => !['form', 'checksum', 'label'].includes(feature)))
    return language === 'ja'
      ? `決め手：${why.map(({ text }) => inJapanese(text)).join('、')}`
      : `Decided by: ${why.map(({ text }) => text).join(', ')}.`;
  if (language === 'ja') {
    if (recognizer === 'dictionary') return '辞書の項目に一致';
    const reasons = [
      checksum ? 'チェックディジットが正しい' : '形式が一致',
      ...(context === undefined ? [] : [`文脈語「${context}」`]),
    ];
    return reasons.join('、');
  }
  if (recognizer === 'dictionary') return 'Matches an entry of your dictionary.';
  const reasons = [
    checksum ? 'Check digits are valid.' : 'Format matches.',
    ...(context === undefined ? [] : [`Context word: “${context}”.`]),
  ];
  return reasons.join(' ');
}

/** How sure a score is, in words. */
export function certaintyOf(score: number, language: Language): string {
  const level = score >= 0.9 ? 2 : score >= 0.7 ? 1 : 0;
  const words = language === 'ja' ? ['可能性あり', '確度が高い', '確実'] : ['possible', 'likely', 'certain'];
  return words[level] ?? '';
}
