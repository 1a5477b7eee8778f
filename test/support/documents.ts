/** Small documents of several kinds, built by hand, so that tests control their structure. */
import { strToU8, zipSync } from 'fflate';
import { pdfFile } from './pdf.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const sheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** A package of the parts, in order. */
export function makePackage(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
    ),
  );
}

/** A text document: each paragraph is a list of runs; other parts may be added or replaced. */
export function makeDocx(
  paragraphs: readonly (readonly string[])[],
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const runs = (texts: readonly string[]) =>
    texts.map((text) => `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`).join('');
  return makePackage({
    '[Content_Types].xml': `${head}<Types/>`,
    'word/document.xml': `${head}<w:document ${word}><w:body>${paragraphs
      .map((texts) => `<w:p>${runs(texts)}</w:p>`)
      .join('')}</w:body></w:document>`,
    ...parts,
  });
}

/** A workbook with one sheet of rows; numbers are numbers, texts are shared texts; parts may be added or replaced. */
export function makeXlsx(
  rows: readonly (readonly (string | number)[])[],
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const shared: string[] = [];
  const cell = (value: string | number, row: number, column: number) => {
    const where = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    if (typeof value === 'number') return `<c ${where}><v>${value}</v></c>`;
    return `<c ${where} t="s"><v>${shared.push(value) - 1}</v></c>`;
  };
  const data = rows
    .map((cells, row) => `<row r="${row + 1}">${cells.map((value, column) => cell(value, row, column)).join('')}</row>`)
    .join('');
  return makePackage({
    '[Content_Types].xml': `${head}<Types/>`,
    'xl/workbook.xml': `${head}<workbook ${sheet} xmlns:r="r"><sheets><sheet name="Customers" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet ${sheet}><sheetData>${data}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `${head}<sst ${sheet}>${shared.map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`,
    ...parts,
  });
}

/** Slides with one paragraph each. */
export function makePptx(slides: readonly string[]): Uint8Array {
  return makePackage({
    '[Content_Types].xml': `${head}<Types/>`,
    'ppt/presentation.xml': `${head}<p:presentation xmlns:p="p"/>`,
    ...Object.fromEntries(
      slides.map((text, i) => [
        `ppt/slides/slide${i + 1}.xml`,
        `${head}<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p></p:sld>`,
      ]),
    ),
  });
}

/** A PDF with one line of ASCII text per page. */
export function makePdf(pages: readonly string[], extra = ''): Uint8Array {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [i, text] of pages.entries()) {
    const content = `BT /F1 12 Tf 72 720 Td (${text.replaceAll(/[()\\]/g, '\\$&')}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * i} 0 R ` +
        `/Resources << /Font << /F1 3 0 R >> >> ${extra} >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  return pdfFile(objects);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
