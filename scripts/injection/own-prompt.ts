import { expand } from './expand.ts';
import { attackPatterns, attackSlots, otherLanguageSlots } from './own-prompt-attacks.ts';
import { harmlessPatterns, harmlessSlots } from './own-prompt-harmless.ts';
import { kindAttacks, kindHarmless, kindSlots } from './own-prompt-kinds.ts';

/** Our own training texts for the prompt model, with their label; equal for equal seeds. */
export function ownPromptTexts(seed: number): { text: string; label: 0 | 1 }[] {
  const attacks = expand(attackPatterns, { ...attackSlots, ...otherLanguageSlots }, { count: 12, seed });
  const harmless = expand(harmlessPatterns, harmlessSlots, { count: 8, seed: seed + 1 });
  const slots = { ...attackSlots, ...otherLanguageSlots, ...harmlessSlots, ...kindSlots };
  attacks.push(...expand(kindAttacks, slots, { count: 12, seed: seed + 2 }));
  harmless.push(...expand(kindHarmless, slots, { count: 10, seed: seed + 3 }));
  return [
    ...attacks.map((text) => ({ text, label: 1 as const })),
    ...harmless.map((text) => ({ text, label: 0 as const })),
  ];
}
