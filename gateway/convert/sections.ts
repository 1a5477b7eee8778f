/** The text of an office document in sections as people count them: body and notes, sheets, slides. */
import { dateStyles, dateText } from './cell-formats.ts';
import { type DocumentLimits, defaultLimits } from './limits.ts';
import { unusualPrefixes } from './namespaces.ts';
import { cellType, wholeDigits } from './number-cells.ts';
import type { OfficeDocument } from './office.ts';
import { tooLarge } from './refusals.ts';
import type { TextGroup } from './text-runs.ts';
import { decodeEscapes, decodeXml, withLineFeeds } from './xml-characters.ts';
import { elementsOf, type XmlElement } from './xml-elements.ts';
import { markupOf } from './xml-markup.ts';

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
      const text = part.groups.flatMap(shownText).join('\n');
      const isNumbered = parts.length > 1 || title === 'Slide';
      return { ...(title === undefined ? {} : { title: isNumbered ? `${title} ${i + 1}` : title }), text };
    });
  });
}

/** The text of a paragraph; of one as it was only what has been deleted, which it does not say any more. */
function shownText({ runs, text, reading }: TextGroup): string[] {
  if (!runs.some((run) => run.form === 'text' || run.form === 'cdata')) return [];
  if (reading === undefined) return [text];
  if (reading === 'apart') return [];
  return [runs.flatMap((run) => (run.change === 'deleted' ? run.text : [])).join('')];
}

/** Reads an attribute of a tag. */
function attribute(name: string): (tag: string) => string | undefined {
  const pattern = new RegExp(`(?<![^\\s"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  return (tag) => {
    const match = pattern.exec(tag);
    return match === null ? undefined : (match[1] ?? match[2]);
  };
}

const idOf = attribute('Id');
const targetOf = attribute('Target');
const relationOf = attribute('[\\w.-]+:id');
const nameOf = attribute('name');
const epochOf = attribute('date1904');
const placeOf = attribute('r');
const styleOf = attribute('s');

/** Slides in the order in which they are shown; those that the presentation does not name come last. */
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

/** What the main part of a folder refers to: names of parts by their ids. */
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
    from1904: /^(?:1|true)$/.test(epochOf(book) ?? ''),
  };
  const targets = relationTargets(document, 'xl');
  const titles = new Map<string | undefined, string>();
  for (const [, inside = ''] of book.matchAll(/<sheet\b([^<>]*)>/g)) {
    titles.set(targets.get(relationOf(inside) ?? ''), decodeXml(nameOf(inside) ?? ''));
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
    const place = Math.max(column, columnOf(/^([A-Z]+)\d*$/.exec(placeOf(cell.attributes) ?? '')?.[1]) ?? column);
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
  const type = cellType(attributes);
  if (type === 'inlineStr') return texts(inside);
  const [{ inside: content = '' } = {}] = elementsOf(inside, 'v');
  const value = contentText(content);
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value;
  return isDate[Number(styleOf(attributes) ?? 0)] ? dateText(value, from1904) : (wholeDigits(value) ?? value.trim());
}

/** The characters of an element that holds no other. */
function contentText(raw: string): string {
  const xml = withLineFeeds(raw);
  let text = '';
  let from = 0;
  for (const { start, end, kind } of xml.includes('<') ? markupOf(xml) : []) {
    text += decodeXml(xml.slice(from, start)) + (kind === 'cdata' ? xml.slice(start + 9, end - 3) : '');
    from = end;
  }
  return decodeEscapes(text + decodeXml(xml.slice(from)));
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
  return [...elementsOf(seen, 't')].map(({ inside = '' }) => contentText(inside)).join('');
}
