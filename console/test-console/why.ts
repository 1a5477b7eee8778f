/** Explains in a sentence why a recognizer reported personal data. */
import { inJapanese } from '../../core/wording/japanese.ts';
import type { Detection } from '../../gateway/api/fields.ts';
import type { Language } from '../shared/preferences.ts';

export function whyFound(detection: Detection, language: Language): string {
  const { recognizer, context, checksum, why } = detection;
  if (why?.some(({ feature }) => !['form', 'checksum', 'label'].includes(feature)))
    return language === 'ja'
      ? `決め手：${why.map(({ text }) => inJapanese(text)).join('、')}`
      : `Recognized by: ${why.map(({ text }) => text).join(', ')}.`;
  if (language === 'ja') {
    if (recognizer === 'dictionary') return '辞書の項目に一致';
    if (recognizer === 'person-name') return '文脈から氏名と判定';
    const reasons = [
      checksum ? 'チェックディジットが正しい' : '形式が一致',
      ...(context === undefined ? [] : [`文脈語「${context}」`]),
    ];
    return reasons.join('、');
  }
  if (recognizer === 'dictionary') return 'Matches an entry of your dictionary.';
  if (recognizer === 'person-name') return "Reads as a person's name here.";
  const reasons = [
    checksum ? 'Check digits are valid.' : 'Format matches.',
    ...(context === undefined ? [] : [`Context word: “${context}”.`]),
  ];
  return reasons.join(' ');
}

/** A score in words. */
export function certaintyOf(score: number, language: Language): string {
  const level = score >= 0.9 ? 2 : score >= 0.7 ? 1 : 0;
  const words = language === 'ja' ? ['可能性あり', '確度が高い', '確実'] : ['possible', 'likely', 'certain'];
  return words[level] ?? '';
}
