/** The text of an office document in sections as people count them: body and notes, sheets, slides. */
import { dateStyles, dateText } from './cell-formats.ts';
import { type DocumentLimits, defaultLimits } from './limits.ts';
import { unusualPrefixes } from './namespaces.ts';
import type { OfficeDocument } from './office.ts';
import { tooLarge } from './refusals.ts';
import { elementsOf, type XmlElement } from './xml-elements.ts';
import { decodeXml } from './xml-texts.ts';

/** A part of a document; without a title for the body of a text. */
export type Section = { readonly title?: string; readonly text: string };

/** The sections that hold text. @throws PrivetError `body_too_large` for more text than the limit. */
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
  ],
  pptx: [
    [/^ppt\/slides\/slide\d+\.xml$/, 'Slide'],
    [/^ppt\/notesSlides\/notesSlide\d+\.xml$/, 'Notes'],
    [/^ppt\/comments\/.*\.xml$/, 'Comments'],
  ],
  odf: [[/^content\.xml$/, undefined]],
  epub: [[/\.x?html?$/, 'Chapter']],
};

function partSections(document: OfficeDocument): Section[] {
  return (partNames[document.kind] ?? []).flatMap(([name, title]) => {
    const parts = title === 'Slide' ? slides(document, name) : document.parts(name);
    return parts.map((part, i) => {
      const text = part.groups
        .filter((group) => group.runs.some((run) => run.form === 'text' || run.form === 'cdata'))
        .map((group) => group.text)
        .join('\n');
      const isNumbered = parts.length > 1 || title === 'Slide';
      return { ...(title === undefined ? {} : { title: isNumbered ? `${title} ${i + 1}` : title }), text };
    });
  });
}

/** Slides in the order in which they are shown; those that the presentation does not name come last. */
function slides(document: OfficeDocument, name: RegExp): readonly Part[] {
  const presentation = document.parts(/^ppt\/presentation\d*\.xml$/)[0]?.xml ?? '';
  const targets = relationTargets(document, 'ppt');
  const ids = [...presentation.matchAll(/<(?:[\w.-]+:)?sldId\b[^<>]*?\s[\w.-]+:id="([^"]*)"/g)].map(
    ([, id = '']) => id,
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

/** What the main part of a folder refers to: names of parts by their ids. */
function relationTargets(document: OfficeDocument, folder: 'ppt' | 'xl'): ReadonlyMap<string, string> {
  const [part] = document.parts(new RegExp(`^${folder}/_rels/(?:presentation|workbook)\\d*\\.xml\\.rels$`));
  const targets = new Map<string, string>();
  for (const [, inside = ''] of (part?.xml ?? '').matchAll(/<(?:[\w.-]+:)?Relationship\b([^<>]*)>/g)) {
    const [, id = ''] = /\bId="([^"]*)"/.exec(inside) ?? [];
    const [, target] = /\bTarget="([^"]*)"/.exec(inside) ?? [];
    if (target !== undefined) targets.set(id, target.replace(new RegExp(`^/?(?:${folder}/)?`), `${folder}/`));
  }
  return targets;
}

/** Columns of a sheet at most (ECMA-376-1 §18.3.1.13). */
const columnsMax = 16_384;

/** What the cells of a workbook refer to. */
type Workbook = { readonly shared: readonly string[]; readonly isDate: readonly boolean[]; readonly from1904: boolean };

/** Sheets as lines of cells with tabs between them, in their order; cells that are left out keep their column. */
function sheets(document: OfficeDocument, charsMax: number): Section[] {
  const plain = (name: RegExp) => document.parts(name).map((part) => ({ ...part, xml: withoutPrefix(part.xml) }));
  const book = plain(/^xl\/workbook\d*\.xml$/)[0]?.xml ?? '';
  const workbook: Workbook = {
    shared: plain(/^xl\/sharedStrings\d*\.xml$/).flatMap(({ xml }) =>
      [...elementsOf(xml, 'si')].map(({ inside = '' }) => texts(inside)),
    ),
    isDate: dateStyles(plain(/^xl\/styles\d*\.xml$/)[0]?.xml ?? ''),
    from1904: /\bdate1904="(?:1|true)"/.test(book),
  };
  const targets = relationTargets(document, 'xl');
  const titles = new Map<string | undefined, string>();
  for (const [, inside = ''] of book.matchAll(/<sheet\b([^<>]*)>/g)) {
    const id = /\b[\w.-]+:id="([^"]*)"/.exec(inside)?.[1] ?? '';
    titles.set(targets.get(id), decodeXml(/\bname="([^"]*)"/.exec(inside)?.[1] ?? ''));
  }
  let chars = 0;
  return inOrder(plain(/^xl\/worksheets\/[^/]*\.xml$/), [...titles.keys()]).map((part, i) => {
    const lines: string[] = [];
    for (const { inside = '' } of elementsOf(part.xml, 'row')) {
      const line = lineOf(inside, workbook);
      chars += line.length + 1;
      if (chars > charsMax) throw tooLarge('The document holds too much text.');
      lines.push(line);
    }
    return { title: titles.get(part.name) ?? `Sheet ${i + 1}`, text: lines.join('\n') };
  });
}

/** The cells of a row, without empty ones at its end. */
function lineOf(inside: string, workbook: Workbook): string {
  let line = '';
  let filled = 0;
  let column = 0;
  for (const cell of elementsOf(inside, 'c')) {
    const place = Math.max(column, columnOf(/\br="([A-Z]+)\d*"/.exec(cell.attributes)?.[1]) ?? column);
    const text = cellText(cell, workbook);
    line += '\t'.repeat(place - column) + text;
    if (text !== '') filled = line.length;
    line += '\t';
    column = place + 1;
  }
  return line.slice(0, filled);
}

/** `A` is 0, `AA` 26; undefined for what is no column. */
function columnOf(letters: string | undefined): number | undefined {
  if (letters === undefined) return undefined;
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return number <= columnsMax ? number - 1 : undefined;
}

function cellText({ attributes, inside = '' }: XmlElement, { shared, isDate, from1904 }: Workbook): string {
  const type = /\bt="(\w+)"/.exec(attributes)?.[1];
  if (type === 'inlineStr') return texts(inside);
  const value = decodeXml(/<v\b[^<>]*>([^<]*)<\/v>/.exec(inside)?.[1] ?? '');
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const style = Number(/\bs="(\d+)"/.exec(attributes)?.[1] ?? 0);
  return (type === undefined || type === 'n') && isDate[style] ? dateText(value, from1904) : value;
}

/** The part as if its vocabulary had no prefix. */
function withoutPrefix(xml: string): string {
  const prefix = [...unusualPrefixes(xml)].find(([, usual]) => usual === '')?.[0];
  return prefix === undefined ? xml : xml.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</');
}

/** The runs of a cell, without readings of its kanji (ECMA-376-1 §18.4.6), which nobody sees. */
function texts(xml: string): string {
  let seen = '';
  let from = 0;
  for (const { start, end } of elementsOf(xml, 'rPh')) {
    seen += xml.slice(from, start);
    from = end;
  }
  seen += xml.slice(from);
  return [...seen.matchAll(/<t\b[^<>]*>([^<]*)<\/t>/g)].map((match) => decodeXml(match[1] ?? '')).join('');
}
