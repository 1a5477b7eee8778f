/**
 * Values in a PDF that its reader sees but a simple extraction of its pages does not: each is found, or the document is
 * refused.
 */
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { openDocument } from '../../gateway/convert/index.ts';
import { type PdfParts, pdf, stream, xmp } from '../support/pdf.ts';

const address = 'ana@example.com';
const show = (text: string, place = '72 700 Td') => `BT /F1 12 Tf ${place} (${text}) Tj ET`;
const both = (text: string) => `${show('Dear all', '72 720 Td')} ${text}`;

/** The file with another state of one object appended (incremental update). */
function appended(base: Uint8Array, number: number, object: string): Uint8Array {
  let file = Buffer.from(base).toString('latin1');
  const last = [...file.matchAll(/startxref\n(\d+)/g)].at(-1)?.[1];
  const at = file.length;
  file += `${number} 0 obj\n${object}\nendobj\n`;
  const table = file.length;
  file += `xref\n${number} 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 20 /Root 1 0 R /Prev ${last} >>\n`;
  return new Uint8Array(Buffer.from(`${file}startxref\n${table}\n%%EOF\n`, 'latin1'));
}

const textsOf = async (bytes: Uint8Array) => (await openDocument(bytes)).texts.join('\n');
const clean = stream('', show('clean'));

describe('is found', () => {
  const letters: [letter: string, x: number][] = [];
  const widths: Record<string, number> = { '@': 1.015, m: 0.833, '.': 0.278, l: 0.222, x: 0.5, c: 0.5 };
  let x = 72;
  for (const letter of address) {
    letters.push([letter, x]);
    x += 12 * (widths[letter] ?? 0.556);
  }
  const placed = (pieces: readonly [string, number][]) =>
    `BT /F1 12 Tf ${pieces.map(([text, at]) => `1 0 0 1 ${at.toFixed(2)} 700 Tm (${text}) Tj`).join(' ')} ET`;

  test.each<[name: string, parts: PdfParts]>([
    ['invisible letters', { content: both(`3 Tr ${show(address)}`) }],
    ['white letters', { content: both(`1 1 1 rg ${show(address)}`) }],
    ['letters of a hundredth of a point', { content: both(`BT /F1 0.01 Tf 72 700 Td (${address}) Tj ET`) }],
    [
      'a layer that is off',
      {
        catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] /Order [6 0 R] >> >>',
        resources: '/Properties << /L 6 0 R >>',
        content: both(`/OC /L BDC ${show(address)} EMC`),
        objects: ['<< /Type /OCG /Name (L) >>'],
      },
    ],
    [
      'a hidden note',
      { page: `/Annots [<< /Type /Annot /Subtype /Text /F 2 /Rect [0 0 1 1] /Contents (${address}) >>]` },
    ],
    ['the label of a page', { catalog: `/PageLabels << /Nums [0 << /P (${address}) >>] >>` }],
    ['beyond the edge of the page', { content: both(show(address, '-5000 7000 Td')) }],
    [
      'in pieces with unusual gaps',
      { content: both('BT /F1 12 Tf 72 700 Td [(a) 0 (na@ex) 10 (ample.c) 3 (om)] TJ ET') },
    ],
    ['letters from right to left', { content: both(placed(letters.toReversed())) }],
    [
      'its second half drawn first',
      {
        content: both(
          placed([
            ['mple.com', letters[7]?.[1] ?? 0],
            ['ana@exa', 72],
          ]),
        ),
      },
    ],
    [
      'a half, another line, the other half',
      {
        content: `${placed([['ana@exa', 72]])} ${show('Dear all', '72 720 Td')} ${placed([['mple.com', letters[7]?.[1] ?? 0]])}`,
      },
    ],
    ['an address that opens with the document', { catalog: `/OpenAction << /S /URI /URI (mailto:${address}) >>` }],
    ['the base URL', { catalog: `/URI << /Base (https://x.example/${address}/) >>` }],
  ])('%s', async (_name, parts) => {
    expect(await textsOf(pdf(parts))).toContain(address);
  });

  test('a text replaced by a later save, and one added by it', async () => {
    expect(await textsOf(appended(pdf({ content: show(address) }), 5, clean))).toContain(address);
    expect(await textsOf(appended(pdf({ content: show('clean') }), 5, stream('', show(address))))).toContain(address);
    const twice = appended(appended(pdf({ content: show(address) }), 5, clean), 5, stream('', show('cleaner')));
    expect(await textsOf(twice)).toContain(address);
  });
});

test.each<[name: string, parts: PdfParts]>([
  ['beyond the edge', { content: both(show(address, '-5000 7000 Td')) }],
  ['beside the pages', { page: '/Metadata 6 0 R', objects: [xmp(`<rdf:Description x:by="${address}"/>`)] }],
  [
    'drawn by a note',
    {
      page: '/Annots [<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 6 0 R >> >>]',
      objects: [
        stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 3 0 R >> >>', show(address)),
      ],
    },
  ],
])('a document that needs no password to be opened: %s', async (_name, parts) => {
  const document = await PDFDocument.load(pdf(parts));
  document.encrypt({ userPassword: '', ownerPassword: 'x', permissions: {} });
  const { texts, hasImages } = await openDocument(await document.save({ useObjectStreams: false }));
  expect(texts.join('\n')).toContain(address);
  expect(hasImages).toBe(false);
});

describe('a second version of the contents that some readers show', () => {
  const withSecond = (object: string) => {
    const file = Buffer.from(pdf({ content: show('clean') })).toString('latin1');
    const more = file
      .replace('\nxref', `\n${object}\nxref`)
      .replace(/(?<=startxref\n)\d+/, (at) => String(Number(at) + object.length + 1));
    return openDocument(new Uint8Array(Buffer.from(more, 'latin1')));
  };
  const body = stream('', show('clean'));
  const inside = (object: string) => `6 0 obj\n${stream('', object)}\nendobj`;
  test.each<[name: string, object: string, hasImages: boolean]>([
    ['after the first', `5 0 obj\n${body}\nendobj`, true],
    ['with a comment', `5 0%\nobj\n${body}\nendobj`, true],
    ['in another stream', inside('5 0 obj\n<< >>\nendobj'), true],
    ['in an object stream', `6 0 obj\n${stream('/Type /ObjStm /N 2 /First 9', '7 0 5 5  << >> << >>')}\nendobj`, true],
    ['is not another object', inside(show(address)), false],
  ])('%s', async (_name, object, hasImages) => {
    expect((await withSecond(object)).hasImages).toBe(hasImages);
  });

  test('a later save is none', async () => {
    expect((await openDocument(appended(pdf({}), 5, clean))).hasImages).toBe(false);
  });
});

test('a document with too many revisions is refused', async () => {
  let bytes = pdf({});
  for (let i = 0; i < 22; i++) bytes = appended(bytes, 5, clean);
  await expect(openDocument(bytes)).rejects.toThrow(/changed more than 20 times/);
});

test('the first part of a linearized file is not an earlier revision', async () => {
  const file = Buffer.from(pdf({})).toString('latin1');
  const bytes = Buffer.from(file.replace('1 0 obj', 'startxref\n0\n%%EOF\n1 0 obj'), 'latin1');
  expect((await openDocument(new Uint8Array(bytes))).texts.join('\n')).toContain('plain');
});

describe('an embedded file', () => {
  test.each<[name: string, catalog: string]>([
    ['that belongs to the document', '/AF [6 0 R]'],
    ['that nothing refers to', ''],
  ])('%s', async (_name, catalog) => {
    const file = '<< /Type /Filespec /F (a.txt) /EF << /F 7 0 R >> >>';
    const parts = { catalog, objects: [file, stream('/Type /EmbeddedFile', address)] };
    expect((await openDocument(pdf(parts))).opaque).toEqual(['a.txt']);
  });
});

describe('letters that are copied as different ones', () => {
  const font = (map: string, encoding = '/Encoding /WinAnsiEncoding') => ({
    resources: '/Font << /F2 6 0 R >>',
    content: both(show(address)),
    objects: [
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${encoding} /ToUnicode 7 0 R >>`,
      stream('', `begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${map} endcmap`),
    ],
  });
  test.each<[name: string, map: string, encoding: string | undefined, hasImages: boolean]>([
    ['one by one', '1 beginbfchar <61> <0078> endbfchar', undefined, true],
    ['as a range', '1 beginbfrange <61> <7A> <0041> endbfrange', undefined, true],
    ['a standard font', '1 beginbfchar <40> <0020> endbfchar', '', true],
    ['their own', '1 beginbfrange <20> <7E> <0020> endbfrange', undefined, false],
    ['a ligature', '1 beginbfchar <66> <00660069> endbfchar', undefined, false],
    ['a custom encoding', '1 beginbfchar <61> <0078> endbfchar', '/Encoding << /Differences [97 /x] >>', false],
  ])('%s', async (_name, map, encoding, hasImages) => {
    expect((await openDocument(pdf(font(map, encoding)))).hasImages).toBe(hasImages);
  });
});
