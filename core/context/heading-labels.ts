/** Labels of a type in the heading of a column. */

import { expanded } from '../detect/keywords.ts';
import { keptIn } from '../kept.ts';
import type { ContextType } from './context-type.ts';

const labelsOf = new WeakMap<ContextType, readonly string[]>();

/** The label of the type in a heading. */
export function labelIn(type: ContextType, heading: string): string | undefined {
  const labels = keptIn(labelsOf, type, () =>
    type.words.labels
      .flatMap(expanded)
      .map(squeezed)
      .filter((label) => label.length > 1),
  );
  const bare = squeezed(heading);
  return labels.find((label) => bare === label || (label.length > 2 && bare.includes(label)));
}

const squeezed = (text: string) => text.toLowerCase().replace(/[\s_./'#-]/g, '');
