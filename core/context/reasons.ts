/** Explains features in plain words. */
import type { Detection, Reason } from '../recognizer.ts';
import wordings from './reasons.json' with { type: 'json' };
import { isShared, type Model } from './scorer.ts';

const weightMin = 0.2;
/** Wordings for features that contain no word of the text. */
const fixed = Object.entries(wordings.fixed).map(([form, words]) => ({ form: new RegExp(form), words }));

/** The features that weigh most in favour, strongest first. */
export function reasonsOf({ shared, own }: Model, name: string, features: readonly string[], most = 3): Reason[] {
  const mine = own.get(name);
  const weighed = features.map((feature) => {
    const weight = (mine?.get(feature) ?? 0) + (isShared(feature) ? (shared.get(feature) ?? 0) : 0);
    return { feature, weight };
  });
  const strongest = weighed.filter(({ weight }) => weight > weightMin).sort((a, b) => b.weight - a.weight);
  const reasons = new Map<string, Reason>();
  for (const { feature, weight } of strongest) {
    const text = inWords(feature);
    if (text !== undefined && !reasons.has(text))
      reasons.set(text, { feature, weight: Math.round(weight * 100) / 100, text });
    if (reasons.size === most) break;
  }
  return [...reasons.values()];
}

/** A detection with its reasons: those of the scorer, or those of its recognizer. */
export function explained(detection: Detection): Detection {
  const { why, score, context, checksum } = detection;
  if (why !== undefined) return detection;
  const reasons = [
    checksum
      ? { feature: 'checksum', weight: score, text: 'valid check digit' }
      : { feature: 'form', weight: score, text: 'format' },
    ...(context === undefined ? [] : [{ feature: 'label', weight: score, text: `label "${context}"` }]),
  ];
  return { ...detection, why: reasons };
}

function inWords(feature: string): string | undefined {
  const known = fixed.find(({ form }) => form.test(feature));
  if (known !== undefined) return known.words;
  const [prefix, words] = Object.entries(wordings.words).find(([start]) => feature.startsWith(start)) ?? [];
  if (prefix === undefined) return undefined;
  return `${words} "${feature.slice(prefix.length).replace(/\|.*$/s, '')}"`;
}
