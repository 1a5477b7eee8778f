/**
 * Labels for a workbook's numbers and shared texts: the previous cell, or the column heading. Neighbours in the shared
 * string table are not neighbours in a sheet.
 */
import { isLabel } from '../../../core/payload/labelled.ts';
import { unusualPrefixes } from './namespaces.ts';
import { rowsOf, sharedName, sheetName, workbookOf } from './sheet-cells.ts';
import type { TextGroup } from './text-runs.ts';
import { elementsOf } from './xml-elements.ts';

/** Maximum number of labels per number; names need at most one. */
const labelsMax = 2;

type Part = { readonly name: string; readonly source: string; readonly groups: readonly TextGroup[] };

/** The labels and the displayed form of a number. */
type Known = { readonly labels: readonly string[]; readonly text: string };

/**
 * Adds labels to every number and shared text, and repeats numbers in their displayed form. A cell with two labels is
 * read with each, because the previous cell may be a value itself.
 */
export function withLabels<P extends Part>(parts: readonly P[]): P[] {
  const workbook = workbookOf((name) => parts.filter((part) => name.test(part.name)).map(({ source }) => source));
  const shared: (Set<string> | undefined)[] = [];
  const inSheets = parts.map((part) => {
    if (!sheetName.test(part.name)) return part;
    const numbers = new Map<number, Known>();
    const heads: string[] = [];
    for (const cells of rowsOf(part.source, workbook)) {
      let before = '';
      let isGap = false;
      for (const { start, column, type, text, shared: at } of cells) {
        // In merged cells, all but the first are empty.
        if (text.trim() === '') {
          isGap = true;
          continue;
        }
        const labels = [before, heads[column] ?? ''].filter((name) => isLabel(name, text, true));
        if (type === 'n' && text.length >= 9) numbers.set(start, { labels, text });
        if (at !== undefined) shared[at] = withMore(shared[at], labels, isGap || /\d/.test(text) ? labelsMax : 1);
        isGap = false;
        before = type === 'n' ? '' : text.trim().replace(/[:：]$/, '');
        if (isLabel(before, '00', true)) heads[column] = before;
      }
    }
    return { ...part, groups: part.groups.flatMap((group) => asInSheet(group, numbers)) };
  });
  return inSheets.map((part) => (sharedName.test(part.name) ? { ...part, groups: sharedGroups(part, shared) } : part));
}

/** Adds labels; a text used several times gets the first ones found. */
function withMore(known: Set<string> | undefined, labels: readonly string[], max: number): Set<string> {
  const all = known ?? new Set<string>();
  for (const label of labels) if (all.size < max) all.add(label);
  return all;
}

function asInSheet(group: TextGroup, numbers: ReadonlyMap<number, Known>): TextGroup | TextGroup[] {
  const [run] = group.runs;
  const known = run?.form === 'number' ? numbers.get(run.start) : undefined;
  if (known === undefined) return group;
  const texts = new Set([known.text, group.text]);
  const readings = withEach(known.labels).flatMap((label) => Array.from(texts, (text) => ({ label, text })));
  return readings.map((reading, i) => ({ ...group, ...reading, again: i > 0 }));
}

/** The shared texts with their labels. */
function sharedGroups({ source, groups }: Part, labels: readonly (ReadonlySet<string> | undefined)[]): TextGroup[] {
  const prefix = [...unusualPrefixes(source)].find(([, usual]) => usual === '')?.[0] ?? '';
  const ends = Array.from(elementsOf(source, `${prefix}si`), ({ end }) => end);
  return groups.flatMap((group) => {
    const at = group.runs[0]?.start ?? 0;
    const own = withEach([...(labels[firstAbove(ends, at)] ?? [])]);
    return own.map((label, i) => ({ ...group, label, again: i > 0 }));
  });
}

function withEach(labels: readonly string[]): readonly string[] {
  return labels.length === 0 ? [''] : labels;
}

/** The index of the first number, in ascending order, that is greater. */
function firstAbove(numbers: readonly number[], than: number): number {
  let from = 0;
  let to = numbers.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] as number) > than) to = middle;
    else from = middle + 1;
  }
  return from;
}
