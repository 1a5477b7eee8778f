/** Documents as less common programs write them, and content that is easily lost in conversion. */
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { convertDocument, openDocument, type Section } from '../../../gateway/convert/index.ts';
import { makeDocx, makePackage } from '../../support/documents.ts';
import { pdfFile } from '../../support/pdf.ts';

const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

type BookParts = { sheets: Record<string, string>; shared?: string; styles?: string; workbook?: string };

function book({ sheets, shared = '<sst/>', styles = '<styleSheet/>', workbook }: BookParts): Uint8Array {
  const names = Object.keys(sheets);
  return makePackage({
    'xl/workbook.xml':
      workbook ??
      `<workbook><sheets>${names.map((name, i) => `<sheet name="${name}" r:id="rId${i}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, i) => `<Relationship Id="rId${i}" Target="worksheets/sheet${names.length - i}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': shared,
    'xl/styles.xml': styles,
    ...Object.fromEntries(
      Object.values(sheets).map((xml, i) => [`xl/worksheets/sheet${names.length - i}.xml`, xml] as const),
    ),
  });
}

const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const sectionsOf = async (bytes: Uint8Array, options = {}): Promise<readonly Section[]> =>
  (await convertDocument(bytes, options)).sections;

describe('workbooks', () => {
  const prefixed = book({
    sheets: {
      People: `<x:worksheet xmlns:x="${spreadsheet}"><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1"><x:v>4111111111111111</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    },
    shared: `<x:sst xmlns:x="${spreadsheet}"><x:si><x:r><x:t>hana@</x:t></x:r><x:r><x:t>mail.example</x:t></x:r></x:si></x:sst>`,
  });

  test('with a prefix for all elements are read', async () => {
    expect(await sectionsOf(prefixed)).toEqual([{ title: 'People', text: 'hana@mail.example\t4111111111111111' }]);
  });

  test('with a prefix for all elements are masked, and remain valid', async () => {
    const { texts, rewrite } = await openDocument(prefixed);
    expect(texts).toEqual(expect.arrayContaining(['hana@mail.example', '4111111111111111']));
    const tokens: Record<string, string> = {
      'hana@mail.example': '[EMAIL-1]',
      '4111111111111111': '[CREDIT_CARD-1]',
    };
    const parts = unzipSync((await rewrite?.(texts.map((text) => tokens[text]))) ?? new Uint8Array());
    const part = (name: string) => Buffer.from(parts[name] ?? []).toString();
    expect(part('xl/sharedStrings.xml')).toContain('<x:t>[EMAIL-1]</x:t></x:r><x:r><x:t></x:t>');
    expect(part('xl/worksheets/sheet1.xml')).toContain(
      '<x:c r="B1" t="inlineStr"><x:is><x:t>[CREDIT_CARD-1]</x:t></x:is></x:c>',
    );
  });

  test('omitted cells keep their column; sheets keep their order', async () => {
    const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const sheets = {
      First: sheetOf(
        `<row r="1">${cell('A1', 'name')}${cell('B1', 'phone')}${cell('C1', 'mail')}</row>` +
          `<row r="2">${cell('A2', 'Hana')}<c r="B2"/>${cell('C2', 'a@b.example')}</row>` +
          `<row r="3">${cell('C3', 'c@d.example')}<c r="D3" s="1"/></row>` +
          `<row><c t="inlineStr"><is><t>no</t></is></c><c><v>1</v></c></row>`,
      ),
      Second: sheetOf(`<row>${cell('AA1', 'far')}</row>`),
    };
    expect(await sectionsOf(book({ sheets }))).toEqual([
      { title: 'First', text: 'name\tphone\tmail\nHana\t\ta@b.example\n\t\tc@d.example\nno\t1' },
      { title: 'Second', text: `${'\t'.repeat(26)}far` },
    ]);
  });

  test('that would be only tabs are over the limit', async () => {
    const rows = '<row><c r="XFD1"><v>1</v></c></row>'.repeat(200);
    const limits = { charsMax: 1_000_000 };
    await expect(convertDocument(book({ sheets: { S: sheetOf(rows) } }), { limits })).rejects.toMatchObject({
      code: 'body_too_large',
    });
  });

  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/>' +
    '<numFmt numFmtId="165" formatCode="[Red]0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs></styleSheet>';
  test.each<[name: string, cell: string, text: string]>([
    ['a date', '<c s="1"><v>29221</v></c>', '1980-01-01'],
    ['a date in a custom format', '<c s="2"><v>29221</v></c>', '1980-01-01'],
    ['a day with its time', '<c s="4"><v>29221.5625</v></c>', '1980-01-01 13:30'],
    ['the first days of 1900', '<c s="1"><v>1</v></c>', '1900-01-01'],
    ['a number', '<c s="0"><v>29221</v></c>', '29221'],
    ['a number with words', '<c s="3"><v>29221</v></c>', '29221'],
    ['a number that is not a date', '<c s="1"><v>-3</v></c>', '-3'],
    ['a text in a cell for dates', '<c s="1" t="str"><v xml:space="preserve"> soon</v></c>', ' soon'],
    ['yes', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['no', '<c t="b"><v>0</v></c>', 'FALSE'],
  ])('%s', async (_name, cell, text) => {
    const sheets = { S: sheetOf(`<row>${cell}</row>`) };
    expect(await sectionsOf(book({ sheets, styles }))).toEqual([{ title: 'S', text }]);
  });

  test('that count from 1904', async () => {
    const sheets = { S: sheetOf('<row><c s="1"><v>27759</v></c></row>') };
    const workbook = '<workbook><workbookPr date1904="1"/><sheets><sheet name="S" r:id="rId0"/></sheets></workbook>';
    expect(await sectionsOf(book({ sheets, styles, workbook }))).toEqual([{ title: 'S', text: '1980-01-01' }]);
  });
});

test('slides are in the order of the presentation', async () => {
  const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
  const bytes = makePackage({
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="slides/slide1.xml"/><Relationship Id="rId2" Target="slides/slide2.xml"/></Relationships>',
    'ppt/slides/slide1.xml': slide('shown second'),
    'ppt/slides/slide2.xml': slide('shown first'),
  });
  expect(await sectionsOf(bytes)).toEqual([
    { title: 'Slide 1', text: 'shown first' },
    { title: 'Slide 2', text: 'shown second' },
  ]);
});

describe('texts', () => {
  test('whose main part has a number, and another prefix', async () => {
    const xml = `<ns0:document xmlns:ns0="${word}"><ns0:p><ns0:r><ns0:t>hana@</ns0:t></ns0:r><ns0:r><ns0:t>mail.example</ns0:t></ns0:r></ns0:p></ns0:document>`;
    const bytes = makePackage({ 'word/document2.xml': xml });
    expect(await convertDocument(bytes, { name: 'a.docx' })).toEqual({
      kind: 'docx',
      sections: [{ text: 'hana@mail.example' }],
    });
  });

  test('with a part in UTF-16, which is masked as UTF-8', async () => {
    const custom = Buffer.from('\ufeff<?xml version="1.0" encoding="utf-16"?><a>hana@mail.example</a>', 'utf16le');
    const bytes = makeDocx([['x']], { 'customXml/item1.xml': custom });
    const { texts, rewrite } = await openDocument(bytes);
    expect(texts).toContain('hana@mail.example');
    const changed = await rewrite?.(texts.map((text) => (text.includes('@') ? '[EMAIL-1]' : undefined)));
    expect(Buffer.from(unzipSync(changed ?? new Uint8Array())['customXml/item1.xml'] ?? []).toString()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><a>[EMAIL-1]</a>',
    );
  });

  test('that mention the PDF header are texts', async () => {
    const text = '# Formats\nA file that begins with %PDF-1.7 is a PDF.\n';
    expect(await convertDocument(Buffer.from(text), { name: 'a.md' })).toEqual({ kind: 'md', sections: [{ text }] });
    await expect(convertDocument(Buffer.from(text), { name: 'a.pdf' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('PDF in the encodings of East Asia', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const name = '山田花子 03-1234-5678';
  test.each<[encoding: string, ordering: string, hex: string, text: string]>([
    ['UniJIS-UCS2-H', 'Japan1', utf16(name), name],
    ['UniJIS2004-UTF16-V', 'Japan1', utf16('山田花子'), '山田花子'],
    ['90ms-RKSJ-H', 'Japan1', '8e52936389d48e71414020b6c5', '山田花子A@ ｶﾅ'],
    ['EUC-H', 'Japan1', 'bbb3c5c4', '山田'],
    ['H', 'Japan1', '3b334544', '山田'],
    ['GBK-EUC-H', 'GB1', 'd5c5ceb041', '张伟A'],
    ['ETen-B5-H', 'CNS1', 'b3afa7d3', '陳志'],
    ['KSCms-UHC-H', 'Korea1', 'b1e8b9ce', '김민'],
    ['UniKS-UCS2-H', 'Korea1', utf16('김민수'), '김민수'],
    // Glyph positions of a font: Latin letters are known, and unknown ones do not become text that could be mistaken
    // for another.
    ['Identity-H', 'Japan1', '0029002a0422', 'HI '],
    // Half-width ones.
    ['Identity-H', 'Japan1', '00fb00f800f800f900ff0100014500e70107012b', '411289~ @d'],
  ])('%s of %s', async (encoding, ordering, hex, text) => {
    const [section] = await sectionsOf(eastAsianPdf(encoding, ordering, hex));
    expect(section?.text).toBe(text);
  });
});

function eastAsianPdf(encoding: string, ordering: string, hex: string): Uint8Array {
  const content = `BT /F1 12 Tf 20 200 Td <${hex}> Tj ET`;
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /Font /Subtype /Type0 /BaseFont /Some-Light /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Some-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Some-Light /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ]);
}
