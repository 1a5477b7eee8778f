/** The text of an office document in its natural sections: body and notes, sheets, slides. */
import { type DocumentLimits, defaultLimits } from '../limits.ts';
import { tooLarge } from '../refusals.ts';
import type { OfficeDocument } from './office.ts';
import { attribute, type Cell, rowsOf, sheetName, withoutPrefix, workbookOf } from './sheet-cells.ts';
import { linesOfGroups } from './table-cells.ts';
import type { TextGroup } from './text-runs.ts';
import { decodeXml } from './xml-characters.ts';

/** A section of a document; the body of a text document has no title. */
export type Section = { readonly title?: string; readonly text: string };

/** The sections with text. @throws PrivetError `body_too_large` beyond `charsMax` */
export function officeSections(
  document: OfficeDocument,
  { charsMax }: Pick<DocumentLimits, 'charsMax'> = defaultLimits,
): Section[] {
  const sections = document.kind === 'xlsx' ? sheets(document, charsMax) : partSections(document);
  return sections.filter((section) => section.text.trim() !== '');
}

const partNames: Readonly<Record<string, readonly [name: RegExp, title: string | undefined][]>> = {
  docx: [
    [/^word\/document\d*\.xml$/, undefined],
    [/^word\/header\d*\.xml$/, 'Header'],
    [/^word\/footer\d*\.xml$/, 'Footer'],
    [/^word\/footnotes\.xml$/, 'Footnotes'],
    [/^word\/endnotes\.xml$/, 'Endnotes'],
    [/^word\/comments\.xml$/, 'Comments'],
    [/^word\/diagrams\/data\d*\.xml$/, 'Diagram'],
  ],
  pptx: [
    [/^ppt\/slides\/slide\d+\.xml$/, 'Slide'],
    [/^ppt\/notesSlides\/notesSlide\d+\.xml$/, 'Notes'],
    [/^ppt\/comments\/.*\.xml$/, 'Comments'],
    [/^ppt\/diagrams\/data\d*\.xml$/, 'Diagram'],
  ],
  odf: [[/^content\.xml$/, undefined]],
  epub: [[/\.x?html?$/, 'Chapter']],
};

function partSections(document: OfficeDocument): Section[] {
  return (partNames[document.kind] ?? []).flatMap(([name, title]) => {
    const parts = title === 'Slide' ? slides(document, name) : document.parts(name);
    return parts.map((part, i) => {
      const text = linesOfGroups(part.xml, part.groups, shownText);
      const isNumbered = parts.length > 1 || title === 'Slide';
      return { ...(title === undefined ? {} : { title: isNumbered ? `${title} ${i + 1}` : title }), text };
    });
  });
}

/** The text of a paragraph; for its former state, only the deleted text. */
function shownText({ runs, text, reading }: TextGroup): string[] {
  if (!runs.some((run) => run.form === 'text' || run.form === 'cdata')) return [];
  if (reading === undefined) return [text];
  if (reading === 'apart') return [];
  const deleted = runs.filter(({ change }) => change === 'deleted');
  return deleted.length === 0 ? [] : [deleted.map((run) => run.text).join('')];
}

const idOf = attribute('Id');
const targetOf = attribute('Target');
const relationOf = attribute('[\\w.-]+:id');
const nameOf = attribute('name');

/** Slides in display order, followed by those that the presentation does not list. */
function slides(document: OfficeDocument, name: RegExp): readonly Part[] {
  const presentation = document.parts(/^ppt\/presentation\d*\.xml$/)[0]?.xml ?? '';
  const targets = relationTargets(document, 'ppt');
  const ids = [...presentation.matchAll(/<(?:[\w.-]+:)?sldId\b([^<>]*)>/g)].map(
    ([, tag = '']) => relationOf(tag) ?? '',
  );
  return inOrder(
    document.parts(name),
    ids.map((id) => targets.get(id)),
  );
}

type Part = ReturnType<OfficeDocument['parts']>[number];

function inOrder(parts: readonly Part[], names: readonly (string | undefined)[]): readonly Part[] {
  const places = new Map(names.map((name, i) => [name, i]));
  const placeOf = ({ name }: Part) => places.get(name) ?? parts.length;
  return [...parts].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Relationships of a folder's main part: part names by id. */
function relationTargets(document: OfficeDocument, folder: 'ppt' | 'xl'): ReadonlyMap<string, string> {
  const [part] = document.parts(new RegExp(`^${folder}/_rels/(?:presentation|workbook)\\d*\\.xml\\.rels$`));
  const targets = new Map<string, string>();
  for (const [, inside = ''] of (part?.xml ?? '').matchAll(/<(?:[\w.-]+:)?Relationship\b([^<>]*)>/g)) {
    const target = targetOf(inside);
    if (target !== undefined)
      targets.set(idOf(inside) ?? '', target.replace(new RegExp(`^/?(?:${folder}/)?`), `${folder}/`));
  }
  return targets;
}

/** Sheets in order, as lines of tab-separated cells; omitted cells keep their column. */
function sheets(document: OfficeDocument, charsMax: number): Section[] {
  const book = withoutPrefix(document.parts(/^xl\/workbook\d*\.xml$/)[0]?.xml ?? '');
  const workbook = workbookOf((name) => document.parts(name).map(({ xml }) => xml));
  const targets = relationTargets(document, 'xl');
  const titles = new Map<string | undefined, string>();
  for (const [, inside = ''] of book.matchAll(/<sheet\b([^<>]*)>/g)) {
    titles.set(targets.get(relationOf(inside) ?? ''), decodeXml(nameOf(inside) ?? ''));
  }
  let chars = 0;
  return inOrder(document.parts(sheetName), [...titles.keys()]).map((part, i) => {
    const lines: string[] = [];
    for (const cells of rowsOf(part.xml, workbook)) {
      const line = lineOf(cells);
      chars += line.length + 1;
      if (chars > charsMax) throw tooLarge('The document contains too much text.');
      lines.push(line);
    }
    return { title: titles.get(part.name) ?? `Sheet ${i + 1}`, text: lines.join('\n') };
  });
}

/** The cells of a row, without trailing empty ones. */
function lineOf(cells: readonly Cell[]): string {
  let line = '';
  let filled = 0;
  let next = 0;
  for (const { column, text } of cells) {
    line += '\t'.repeat(column - next) + text;
    if (text !== '') filled = line.length;
    line += '\t';
    next = column + 1;
  }
  return line.slice(0, filled);
}
