/** Tables of office files: the cell before a value is its label. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { builtinTypes } from '../../../../core/detect/detector.ts';
import { MemoryVault } from '../../../../core/vault.ts';
import { BodyMasker, type MaskingOptions } from '../../../../gateway/proxy/body/masking.ts';

const masker = new BodyMasker({
  vault: new MemoryVault(),
  types: {},
  dictionary: [],
  bodyBytesMax: 1_000_000,
  uninspectable: { image: 'allow', audio: 'allow', document: 'extract', binary: 'block', signed: 'block' },
  tokenTtlMs: 0,
  batchTtlMs: 0,
  hints: [],
  builtinTypes,
} as unknown as MaskingOptions);

const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
const docx = (...cells: string[]) =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      ),
      'word/document.xml': strToU8(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:tbl><w:tr>${cells.map(cell).join('')}</w:tr></w:tbl></w:body></w:document>`,
      ),
    }),
  );

test('a label in the previous cell', async () => {
  const body = docx('SSN', '536221234', 'Date of birth:', '1985-04-01', 'Quantity', '12345678');
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const form = Buffer.concat([
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    body,
    Buffer.from('\r\n--b--\r\n'),
  ]);
  const result = await masker.mask({
    body: form,
    contentType: 'multipart/form-data; boundary=b',
    contentEncoding: undefined,
    host: 'a.test',
    path: '/',
    session: 's',
    mode: 'mask',
  });
  expect(result.counts).toEqual({ SSN: 1, DATE_OF_BIRTH: 1 });
  const start = result.body.indexOf('\r\n\r\n') + 4;
  const out = unzipSync(new Uint8Array(result.body.subarray(start, result.body.lastIndexOf('\r\n--b--'))));
  const text = strFromU8(out['word/document.xml'] as Uint8Array);
  expect(text).toContain(cell('[SSN-1]'));
  expect(text).toContain(cell('[DATE_OF_BIRTH-1]'));
  expect(text).toContain(cell('12345678'));
});

const spreadsheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
type Book = { readonly rows: string; readonly shared?: readonly string[]; readonly code?: string };
async function maskedBook({ rows, shared = [], code = '0' }: Book) {
  const file = zipSync({
    'xl/workbook.xml': strToU8(`<workbook ${spreadsheet}/>`),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet ${spreadsheet}><sheetData>${rows}</sheetData></worksheet>`),
    'xl/sharedStrings.xml': strToU8(
      `<sst ${spreadsheet}>${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ),
    'xl/styles.xml': strToU8(
      `<styleSheet ${spreadsheet}><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    ),
  });
  const result = await masker.mask({
    body: Buffer.from(file),
    contentType: undefined,
    contentEncoding: undefined,
    host: 'a.test',
    path: '/',
    session: 'books',
    mode: 'mask',
  });
  const parts = unzipSync(new Uint8Array(result.body));
  const part = (name: string) => strFromU8(parts[name] as Uint8Array);
  return { counts: result.counts, sheet: part('xl/worksheets/sheet1.xml'), shared: part('xl/sharedStrings.xml') };
}
const text = (at: number) => `<c t="s"><v>${at}</v></c>`;
const number = (digits: string, style = 0) => `<c s="${style}"><v>${digits}</v></c>`;
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;

test.each<[name: string, rows: string, shared: string[], counts: Record<string, number> | undefined]>([
  [
    'before it',
    row(text(0), number('536221234')) + row(text(1), number('2125550123')),
    ['SSN', 'Phone:'],
    { SSN: 1, PHONE: 1 },
  ],
  ['above it', row(text(0), text(1)) + row(text(2), number('2125550123')), ['Name', 'Phone', 'x'], { PHONE: 1 }],
  [
    'before it, across merged cells',
    row(text(0), '<c s="1"/>', number('536221234')) + row(text(1), '<c/>', text(2)),
    ['SSN', 'Date of birth', '1985-04-01'],
    { SSN: 1, DATE_OF_BIRTH: 1 },
  ],
  [
    'above it, above an empty cell',
    row(text(0), text(1), text(2)) + row(text(3), '<c s="1"/>', text(4)),
    ['住所', '備考', '氏名', '東京都港区芝公園', '木村花'],
    { ADDRESS: 1, NAME: 1 },
  ],
  [
    'above it, next to a possible label',
    row(text(0), text(1), text(2)) + row(text(3), number('123456789018'), text(4)),
    ['部署', 'マイナンバー', 'SSN', '営業部', '536221234'],
    { MY_NUMBER: 1, SSN: 1 },
  ],
  ['of another column', row(text(0), text(1)) + row(number('2125550123')), ['x', 'Phone'], undefined],
  ['after it', row(number('2125550123'), text(0)), ['Phone'], undefined],
])('a number in a cell has the label %s', async (_name, rows, shared, counts) => {
  expect((await maskedBook({ rows, shared })).counts).toEqual(counts);
});

test('shared texts have the labels of their cells, not of their neighbours', async () => {
  const shared = ['SSN', '123456789', 'Phone', '536221234', '2125550123'];
  const rows = row(text(0), text(3)) + row(text(2), text(4)) + row('<c/>', '<c/>', text(1));
  const masked = await maskedBook({ rows, shared });
  expect(masked.counts).toEqual({ SSN: 1, PHONE: 1 });
  expect(masked.shared).toContain('<si><t>123456789</t></si>');
  expect(masked.shared).not.toMatch(/536221234|2125550123/);
});

test('a text is inspected with each of its labels', async () => {
  const rows = row(text(0), text(1)) + row(text(2), text(3));
  const masked = await maskedBook({ rows, shared: ['x', 'SSN', 'Address', '536221234 max.muster@example.com'] });
  expect(masked.counts).toEqual({ SSN: 1, EMAIL: 1 });
  expect(masked.shared).toMatch(/<t>\[SSN-\d\] \[EMAIL-\d\]<\/t>/);
});

test.each([
  ['2125550123', '[&lt;=9999999]###\\-####;\\(###\\)\\ ###\\-####'],
  ['9012345678', '000\\-0000\\-0000'],
])('a number is read as its format shows it: %s', async (digits, code) => {
  const masked = await maskedBook({ rows: row(number(digits, 1)), code });
  expect(masked.counts).toEqual({ PHONE: 1 });
  expect(masked.sheet).toMatch(/<c s="1" t="inlineStr"><is><t>\[PHONE-\d\]<\/t><\/is><\/c>/);
});

test.each([
  '#\\ ##0',
  '# ### ### ### ### ##0',
  '000-0000',
  '0000 0000',
  '0000-000000',
  'yyyy',
  '00 00 00 00 00 00 00 00',
])('a number is read unformatted too: %s', async (code) => {
  for (const value of ['4111111111111111', '4.111111111111111E15']) {
    const masked = await maskedBook({ rows: row(number(value, 1)), code });
    expect(masked.counts).toHaveProperty('CREDIT_CARD');
    expect(masked.sheet).toMatch(/<is><t>\[CREDIT_CARD-\d\]<\/t><\/is>/);
  }
});

test('a number found both ways is one value', async () => {
  const rows = row(text(0), text(1)) + row(text(2), number('123456789018', 1));
  const masked = await maskedBook({ rows, shared: ['個人番号', 'マイナンバー', '個人番号'], code: '0000 0000 0000' });
  expect(masked.counts).toEqual({ MY_NUMBER: 1 });
  expect(masked.sheet).toMatch(/<is><t>\[MY_NUMBER-\d\]<\/t><\/is>/);
});
