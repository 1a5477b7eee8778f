import { randomFrom } from '../../eval/random.ts';

/** Fillers by slot name; a filler may contain slots. */
export type Slots = Readonly<Record<string, readonly string[]>>;

const slot = /\{(\w+)\}/g;

/** `count` distinct texts of each pattern with its slots filled; deterministic for a seed. */
export function expand(
  patterns: readonly string[],
  slots: Slots,
  { count, seed }: { count: number; seed: number },
): string[] {
  const random = randomFrom(seed);
  const texts = new Set<string>();
  for (const pattern of patterns) {
    const times = pattern.includes('{') ? count : 1;
    for (let i = 0; i < times; i++) texts.add(fill(pattern, slots, random, 0));
  }
  return [...texts];
}

function fill(pattern: string, slots: Slots, random: () => number, depth: number): string {
  if (depth > 5) return pattern;
  return pattern.replace(slot, (_, name: string) => {
    const choices = slots[name];
    if (choices === undefined) throw new Error(`No fillers for {${name}}.`);
    return fill(choices[Math.floor(random() * choices.length)] ?? '', slots, random, depth + 1);
  });
}
