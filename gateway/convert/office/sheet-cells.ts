/** A workbook's cells as displayed, with shared texts and formats resolved. */
import { type CellFormat, cellFormats, dateText, formattedDigits } from './cell-formats.ts';
import { unusualPrefixes } from './namespaces.ts';
import { cellType, wholeDigits } from './number-cells.ts';
import { decodeEscapes, decodeXml, withLineFeeds } from './xml-characters.ts';
import { elementsOf, type XmlElement } from './xml-elements.ts';
import { markupOf } from './xml-markup.ts';

/** A cell: the offset of its element in the part, its column from 0, and its displayed text. */
export type Cell = {
  readonly start: number;
  readonly column: number;
  readonly type: string;
  readonly text: string;
  /** Its index in the shared string table. */
  readonly shared: number | undefined;
};

/** The data that a workbook's cells refer to. */
export type Workbook = {
  readonly shared: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly from1904: boolean;
};

/** Sheet parts, and shared string tables. */
export const sheetName = /^xl\/worksheets\/[^/]*\.xml$/;
export const sharedName = /^xl\/sharedStrings\d*\.xml$/;

/** Returns a reader for an attribute of a tag. */
export function attribute(name: string): (tag: string) => string | undefined {
  const pattern = new RegExp(`(?<![^\\s"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  return (tag) => {
    const match = pattern.exec(tag);
    return match === null ? undefined : (match[1] ?? match[2]);
  };
}

const epochOf = attribute('date1904');
const placeOf = attribute('r');
const styleOf = attribute('s');

/** Reads the referenced data from the parts of a package. */
export function workbookOf(parts: (name: RegExp) => readonly string[]): Workbook {
  const plain = (name: RegExp) => parts(name).map(withoutPrefix);
  return {
    shared: plain(sharedName).flatMap((xml) => [...elementsOf(xml, 'si')].map(({ inside = '' }) => texts(inside))),
    formats: cellFormats(plain(/^xl\/styles\d*\.xml$/)[0] ?? ''),
    from1904: /^(?:1|true)$/.test(epochOf(plain(/^xl\/workbook\d*\.xml$/)[0] ?? '') ?? ''),
  };
}

/** The rows of a sheet; omitted cells keep their column. */
export function* rowsOf(xml: string, workbook: Workbook): Generator<Cell[]> {
  const prefix = prefixOf(xml) ?? '';
  for (const row of elementsOf(xml, `${prefix}row`)) {
    const from = row.start + `<${prefix}row>`.length + row.attributes.length;
    let column = 0;
    const cells: Cell[] = [];
    for (const cell of elementsOf(row.inside ?? '', `${prefix}c`)) {
      const place = Math.max(column, columnOf(/^([A-Z]+)\d*$/.exec(placeOf(cell.attributes) ?? '')?.[1]) ?? column);
      const plain = { ...cell, inside: prefix === '' ? cell.inside : without(prefix, cell.inside ?? '') };
      const type = cellType(cell.attributes);
      const shared = type === 's' ? Number(contentOf(plain)) : undefined;
      cells.push({ start: from + cell.start, column: place, type, text: cellText(plain, workbook), shared });
      column = place + 1;
    }
    yield cells;
  }
}

/** Maximum number of columns in a sheet (ECMA-376-1 §18.3.1.13). */
const columnsMax = 16_384;

/** Column number: `A` is 0, `AA` 26; undefined if invalid. */
function columnOf(letters: string | undefined): number | undefined {
  if (letters === undefined) return undefined;
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return number <= columnsMax ? number - 1 : undefined;
}

function cellText({ attributes, inside = '' }: XmlElement, { shared, formats, from1904 }: Workbook): string {
  const type = cellType(attributes);
  if (type === 'inlineStr') return texts(inside);
  const value = contentOf({ inside });
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value;
  const format = formats[Number(styleOf(attributes) ?? 0)];
  const digits = wholeDigits(value);
  if (format === 'date') return dateText(digits ?? value, from1904);
  return digits === undefined ? value.trim() : formattedDigits(digits, format);
}

function contentOf({ inside = '' }: Pick<XmlElement, 'inside'>): string {
  const [{ inside: content = '' } = {}] = elementsOf(inside, 'v');
  return contentText(content);
}

/** The characters of an element without children. */
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

/** The runs of a cell, without phonetic readings of kanji, which are not displayed (ECMA-376-1 §18.4.6). */
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

/** Removes the vocabulary's prefix from a part. */
export function withoutPrefix(xml: string): string {
  const prefix = prefixOf(xml);
  return prefix === undefined ? xml : without(prefix, xml);
}

function prefixOf(xml: string): string | undefined {
  return [...unusualPrefixes(xml)].find(([, usual]) => usual === '')?.[0];
}

function without(prefix: string, xml: string): string {
  return xml.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</');
}
