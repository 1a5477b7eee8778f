/** Sections of office documents: no text is lost because of a program's markup, and none is shown twice. */
import { expect, test } from 'vitest';
import { convertDocument, openDocument } from '../../../gateway/convert/index.ts';
import { makeDocx, makePackage, makePptx, makeXlsx } from '../../support/documents.ts';

const sectionsOf = async (bytes: Uint8Array) => (await convertDocument(bytes)).sections;
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const strings = '<sst><si><t>Hana</t></si><si><r><t>Mo</t></r><r><t>ri</t></r></si></sst>';

test.each<[name: string, shared: string, row: string, text: string]>([
  ['CDATA', '<sst><si><t><![CDATA[a & b]]> &amp; c</t></si></sst>', '<c t="s"><v>0</v></c>', 'a & b & c'],
  ['blanks in tags', '<sst><si ><t >a</t ></si ><si><t>b</t></si\n></sst>', '<c t="s"><v>1</v></c>', 'b'],
  ['apostrophes', strings, "<c r='B1' t='s'><v>1</v></c>", '\tMori'],
  ['lines between elements', strings, '<c t="s">\n<v>\n1\n</v>\n</c>', 'Mori'],
  ['escapes', '<sst><si><t>a_x0040_b</t></si></sst>', '<c t="s"><v>0</v></c>', 'a@b'],
  ['line ends', '<sst><si><t>a&#13;&#10;b\r\nc</t></si></sst>', '<c t="s"><v>0</v></c>', 'a\r\nb\nc'],
  ['numbers', strings, '<c><v>4.111111111111111E15</v></c><c><v> 12.5</v></c>', '4111111111111111\t12.5'],
  ['comments', strings, '<c><v>12<!-- x -->34</v></c>', '1234'],
])('workbooks: %s', async (_name, shared, row, text) => {
  const parts = { 'xl/sharedStrings.xml': shared, 'xl/worksheets/sheet1.xml': sheet(`<row>${row}</row>`) };
  expect(await sectionsOf(makeXlsx([['x']], parts))).toEqual([{ title: 'Customers', text }]);
});

test('sheet names in apostrophes', async () => {
  const bytes = makeXlsx([['x']], {
    'xl/workbook.xml': "<workbook><sheets><sheet name='People' r:id='rId1'/></sheets></workbook>",
    'xl/_rels/workbook.xml.rels':
      "<Relationships><Relationship Id='rId1' Target='worksheets/sheet1.xml'/></Relationships>",
  });
  expect(await sectionsOf(bytes)).toEqual([{ title: 'People', text: 'x' }]);
});

const diagram = '<dgm:dataModel><dgm:t><a:p><a:r><a:t>Hana</a:t></a:r></a:p></dgm:t></dgm:dataModel>';
test.each<[name: string, bytes: Uint8Array, before: object]>([
  [
    'slides',
    makePackage({
      'ppt/presentation.xml': '<p:presentation/>',
      'ppt/slides/slide1.xml': '<a:p><a:t>x</a:t></a:p>',
      'ppt/diagrams/data1.xml': diagram,
    }),
    { title: 'Slide 1', text: 'x' },
  ],
  ['a text', makeDocx([['x']], { 'word/diagrams/data1.xml': diagram }), { text: 'x' }],
])('diagrams of %s', async (_name, bytes, before) => {
  expect(await sectionsOf(bytes)).toEqual([before, { title: 'Diagram', text: 'Hana' }]);
});

test('deleted text comes after the current text', async () => {
  const xml =
    '<w:p><w:r><w:t>Tel </w:t></w:r><w:del><w:r><w:delText>090</w:delText></w:r></w:del><w:ins><w:r><w:t>03</w:t></w:r></w:ins></w:p><w:p><w:t>x</w:t></w:p>';
  expect(await sectionsOf(makeDocx([], { 'word/document.xml': xml }))).toEqual([{ text: 'Tel 03\nx\n090' }]);
});

test('lines of a page appear once', async () => {
  const page = '<html><body><p>E=mc<sup>2</sup></p>\n<p>x</p></body></html>';
  const bytes = makePackage({ mimetype: 'application/epub+zip', 'a.xhtml': page });
  expect(await sectionsOf(bytes)).toEqual([{ title: 'Chapter', text: 'E=mc2\nx' }]);
});

test('line ends of slides', async () => {
  expect(await sectionsOf(makePptx(['a_x000B_b']))).toEqual([{ title: 'Slide 1', text: 'a\u000bb' }]);
});

const rows = [
  ['First name', 'Notes', 'SSN'],
  ['May', '', '536-22-1234'],
  ['Bo', 'late', '536-22-1235'],
];
const each = (open: string, close: string, cell: (text: string) => string) =>
  rows.map((cells) => `${open}${cells.map(cell).join('')}${close}`).join('');
const wordTable = makeDocx([], {
  'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Staff</w:t></w:r></w:p><w:tbl>${each(
    '<w:tr>',
    '</w:tr>',
    (text) => `<w:tc><w:tcPr/><w:p>${text === '' ? '' : `<w:r><w:t>${text}</w:t></w:r>`}</w:p></w:tc>`,
  )}</w:tbl></w:body></w:document>`,
});
test.each<[name: string, bytes: Uint8Array]>([
  ['Word', wordTable],
  [
    'OpenDocument',
    makePackage({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': `<office:document-content><office:body><office:text><text:p>Staff</text:p><table:table>${each(
        '<table:table-row>',
        '</table:table-row>',
        (text) =>
          text === '' ? '<table:table-cell/>' : `<table:table-cell><text:p>${text}</text:p></table:table-cell>`,
      )}</table:table></office:text></office:body></office:document-content>`,
    }),
  ],
])('rows of a table in %s are lines of cells between tabs', async (_name, bytes) => {
  const [section] = await sectionsOf(bytes);
  expect(section?.text).toBe('Staff\nFirst name\tNotes\tSSN\nMay\t\t536-22-1234\nBo\tlate\t536-22-1235');
});

test('a cell is labelled with its column heading', async () => {
  const { texts, labels = [] } = await openDocument(wordTable);
  expect(texts.map((text, i) => [text, labels[i]])).toEqual([
    ['Staff', undefined],
    ['First name', undefined],
    ['Notes', undefined],
    ['SSN', undefined],
    ['May', 'First name'],
    ['536-22-1234', 'SSN'],
    ['Bo', 'First name'],
    ['late', undefined],
    ['536-22-1235', 'SSN'],
  ]);
});
