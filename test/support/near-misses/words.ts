/** Near misses of words around numbers, which noise does not change. */
import { addNoise } from '../../../core/noise.ts';
import { alternatives } from './edits.ts';
import { addTo, groupLines } from './golden.ts';
import type { Made } from './recognizers.ts';

/** `{a|b}` stands for either one; the number 500 may or may not be a quantity there. */
const numberTexts: readonly string[] = [
  '{the |}{v|ver|version|versions|no|nos|number|nr|id|ids|page|pp|p|chapter|ch|section|sec|step|steps|figure|fig|table|line|port|room|floor|build|release|rfc|iso|iec|issue|ticket|order|invoice|case|ref|reference|code|model|sku|type|class|level|grade|phase|part|volume|vol|question|q|item|article|rule|bug|pr|http|error|status|python|node|windows|ios|android|java|route|highway|flight|gate|track|channel|apartment|apt|suite|unit|zip|sprint|stage|words|cover}{ |. |: |=|# |" |\t|  |-|, }{500| 500}',
  '{Ann|"Ann"|5|Ann Lee|山田}{,| ,|, |;}{34|x34|-34}{,|;| ,}{52000|5,200}{\nBob,45|}',
];
/** Each number as `=` if it stays and `~` if noise changes it. */
function signsOf(text: string): string {
  const numbersOf = (one: string) => one.match(/[0-9０-９]+(?:[.,][0-9]+)*/g) ?? [];
  const { text: noisy } = addNoise(text, { epsilon: 0.01, seed: 3, detections: [] });
  const after = numbersOf(noisy);
  return numbersOf(text)
    .map((number, i) => (number === after[i] ? '=' : '~'))
    .join('');
}

/** A block for each row. */
export function wordBlocks(): Made[] {
  return numberTexts.map((row, i) => ({
    name: `numbers ${i + 1}`,
    make: () => {
      const groups = new Map<string, string[]>();
      for (const { text, name } of alternatives(row)) addTo(groups, signsOf(text), name);
      return [`numbers ${i + 1} ${row.slice(0, 40).replaceAll('\n', '⏎')}`, ...groupLines(groups)].join('\n');
    },
  }));
}
