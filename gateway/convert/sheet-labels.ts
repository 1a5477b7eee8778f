/**
 * What the sheets of a workbook say of its numbers and shared texts: the cell before one, or the head of its column, is
 * its label. Texts that are neighbours in the list of shared ones are no neighbours in a sheet.
 */
import { isLabel } from '../../core/payload/labelled.ts';
import { unusualPrefixes } from './namespaces.ts';
import { rowsOf, sharedName, sheetName, workbookOf } from './sheet-cells.ts';
import type { TextGroup } from './text-runs.ts';
import { elementsOf } from './xml-elements.ts';

type Part = { readonly name: string; readonly source: string; readonly groups: readonly TextGroup[] };

/** What is known of a cell by its place. */
type Known = { readonly label: string; readonly text: string };

/** The parts of a workbook with a label for every number and shared text, and numbers as their format shows them. */
export function withLabels<P extends Part>(parts: readonly P[]): P[] {
  const workbook = workbookOf((name) => parts.filter((part) => name.test(part.name)).map(({ source }) => source));
  const shared: string[] = [];
  const inSheets = parts.map((part) => {
    if (!sheetName.test(part.name)) return part;
    const numbers = new Map<number, Known>();
    const heads: string[] = [];
    for (const cells of rowsOf(part.source, workbook)) {
      let before = '';
      for (const { start, column, type, text, shared: at } of cells) {
        const label = [before, heads[column] ?? ''].find((name) => isLabel(name, text, true)) ?? '';
        if (type === 'n' && text.length >= 9) numbers.set(start, { label, text });
        // A text that stands in several places has the first label that it has anywhere.
        if (at !== undefined) shared[at] ||= label;
        before = type === 'n' ? '' : text.trim().replace(/[:：]$/, '');
        if (isLabel(before, '00', true)) heads[column] = before;
      }
    }
    return { ...part, groups: part.groups.map((group) => asInSheet(group, numbers)) };
  });
  return inSheets.map((part) => (sharedName.test(part.name) ? { ...part, groups: sharedGroups(part, shared) } : part));
}

function asInSheet(group: TextGroup, numbers: ReadonlyMap<number, Known>): TextGroup {
  const [run] = group.runs;
  const known = run?.form === 'number' ? numbers.get(run.start) : undefined;
  return known === undefined ? group : { ...group, ...known };
}

/** The shared texts, each with its own label. */
function sharedGroups({ source, groups }: Part, labels: readonly string[]): TextGroup[] {
  const prefix = [...unusualPrefixes(source)].find(([, usual]) => usual === '')?.[0] ?? '';
  const ends = Array.from(elementsOf(source, `${prefix}si`), ({ end }) => end);
  return groups.map((group) => {
    const at = group.runs[0]?.start ?? 0;
    return { ...group, label: labels[firstAbove(ends, at)] ?? '' };
  });
}

/** The position of the first of some ascending numbers that is greater than another. */
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
