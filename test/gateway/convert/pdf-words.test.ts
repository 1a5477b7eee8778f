/** Words of a PDF: values in pieces, and words that cannot be decoded. */
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { openDocument } from '../../../gateway/convert/index.ts';
import { type PdfParts as Parts, pdf, stream } from '../../support/pdf.ts';

describe('values in pieces', () => {
  const detector = new Detector();
  const card = '4111 1111 1111 1111';
  const draw = (...texts: readonly (readonly [x: number, y: number, text: string, size?: number])[]) =>
    texts.map(([x, y, text, size = 12]) => `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`).join('\n');
  const lines = (...texts: string[]) => draw(...texts.map((text, i) => [72, 700 - 14 * i, text] as const));
  const boxes = (text: string) => draw(...[...text].map((sign, i) => [72 + 14 * i, 700, sign] as const));
  const found = async (parts: Parts) => {
    const { texts, hasImages } = await openDocument(pdf(parts));
    expect(hasImages).toBe(false);
    return texts.flatMap((text) => detector.detect(text).map(({ type }) => type));
  };

  test.each([
    ['slanted', '1 0 0.25 1 72 700'],
    ['slanted, turned and mirrored', '0 1 1 0.25 72 100'],
  ])('in two fonts: %s', async (_name, matrix) => {
    const content = `BT /F1 12 Tf ${matrix} Tm (You can call the office in the afternoon: +81 90-1234) Tj /F2 12 Tf (-5678) Tj ET`;
    const bold = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>';
    const { texts } = await openDocument(
      pdf({ content, resources: '/Font << /F1 3 0 R /F2 6 0 R >>', objects: [bold] }),
    );
    expect(texts[0]).toBe('You can call the office in the afternoon: +81 90-1234-5678');
  });

  test.each<[name: string, content: string, type: string]>([
    ['drawn after the text to its right', draw([400, 700, '99'], [72, 700, card]), 'CREDIT_CARD'],
    ['drawn slightly lower', draw([400, 701, '99'], [72, 700, card]), 'CREDIT_CARD'],
    ['drawn twice', draw([72, 700, card], [72.3, 700, card]), 'CREDIT_CARD'],
    ['letter by letter', draw(...[...card].map((sign, i) => [72 + 6.7 * i, 700, sign] as const)), 'CREDIT_CARD'],
    ['in pieces that touch', 'BT /F1 12 Tf 72 700 Td [(hana@ex) -80 (ample) 10 (.com)] TJ ET', 'EMAIL'],
    [
      'turned',
      `BT /F1 12 Tf 0 1 -1 0 72 100 Tm (4111 1111) Tj ET BT /F1 12 Tf 0 1 -1 0 72 158 Tm (1111 1111) Tj ET`,
      'CREDIT_CARD',
    ],
    ['turned differently', `${draw([72, 700, '99'])} BT /F1 12 Tf 0 1 -1 0 85 650 Tm (${card}) Tj ET`, 'CREDIT_CARD'],
    ['below a note mark', draw([72, 700, card], [184, 706, '5', 7]), 'CREDIT_CARD'],
    ['with a mark in its line', 'BT /F1 12 Tf 72 700 Td (hana@example.com) Tj /F1 7 Tf 5 Ts (1) Tj ET', 'EMAIL'],
    ['a number that continues', lines('pay by card 4111 1111', '1111 1111 today'), 'CREDIT_CARD'],
    ['one without its label', lines('Please charge 4111-1111-', '1111-1111 today'), 'CREDIT_CARD'],
    ['an account number that continues', lines('IBAN DE89 3704 0044', '0532 0130 00 of the bank'), 'IBAN'],
    ['an address that continues', lines('write to hana.yamada@', 'example.com today'), 'EMAIL'],
    ['an incomplete one', lines('write to hana.yamada@exam', 'ple.com today'), 'EMAIL'],
    ['one letter per box', boxes('4111111111111111'), 'CREDIT_CARD'],
    ['a labelled number in boxes', `${draw([72, 720, 'My Number'])} ${boxes('123456789018')}`, 'MY_NUMBER'],
    ['letters apart', `BT /F1 12 Tf 3 Tc 72 700 Td (hana@example.com) Tj ET`, 'EMAIL'],
  ])('%s', async (_name, content, type) => {
    expect([...new Set(await found({ content }))].join(' ')).toBe(type);
  });

  test('vertical letters drawn one by one', async () => {
    const signs = [...'山田花子です'].map((sign) => sign.charCodeAt(0).toString(16));
    const at = (x: number, i: number) => `BT /F2 12 Tf ${x} ${700 - 12 * i} Td <${signs[i]}> Tj ET`;
    const { texts } = await openDocument(
      pdf({
        content: [at(400, 0), at(400, 1), at(400, 2), at(400, 3), at(300, 4), at(300, 5)].join('\n'),
        resources: '/Font << /F1 3 0 R /F2 6 0 R >>',
        objects: [
          '<< /Type /Font /Subtype /Type0 /BaseFont /MS-Mincho /Encoding /UniJIS-UCS2-V /DescendantFonts [7 0 R] >>',
          '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /MS-Mincho /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 8 0 R >>',
          '<< /Type /FontDescriptor /FontName /MS-Mincho /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>',
        ],
      }),
    );
    expect(texts).toEqual(['山田花子\nです']);
  });

  test('a form drawn after a text', async () => {
    const form = stream(
      '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>',
      draw([300, 500, card]),
    );
    const content = `${draw([72, 700, '99'])} /X Do`;
    expect(await found({ content, resources: '/XObject << /X 6 0 R >>', objects: [form] })).toEqual(['CREDIT_CARD']);
  });

  test('an address is reported once, whatever the next line begins with', async () => {
    expect(await found({ content: lines('write to hana@example.com', 'Today or never') })).toEqual(['EMAIL']);
  });

  test('adjacent numbers are not a value', async () => {
    const number = (i: number, j: number) => String(4000 + ((i * 7919 + j * 104_729) % 2000));
    const table = Array.from({ length: 50 }, (_, i) => Array.from({ length: 12 }, (_, j) => number(i, j)).join(' '));
    const report = table.map((row, i) => `${1970 + i} Revenue ${row.slice(0, 5 * (1 + (i % 9)) - 1)}`);
    const listing = table.map((row, i) => `port${i} = ${row.slice(0, 4)}; import a from @scope/part`);
    const column = table.map((row) => row.slice(0, 9));
    const scores = table.map((row) => [...row.replaceAll(' ', '')].slice(0, 10).join(' '));
    for (const text of [table, report, listing, column, scores]) {
      const shown = await openDocument(pdf({ content: lines(...text) }));
      expect(shown.texts).toEqual([text.join('\n')]);
    }
  });
});

describe('words that cannot be decoded', () => {
  const code = '<0102020203020202020302020202>';
  const draw = (hex: string) => `BT /F1 12 Tf 72 700 Td (Your card) Tj ET BT /F2 12 Tf 72 600 Td ${hex} Tj ET`;
  const simple = (entries: string, ...objects: string[]): Parts => ({
    content: draw(code),
    resources: '/Font << /F1 3 0 R /F2 6 0 R >>',
    objects: [
      `<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Foo /FirstChar 1 /LastChar 3 /Widths [600 600 300] /FontDescriptor 7 0 R ${entries} >>`,
      '<< /Type /FontDescriptor /FontName /ABCDEF+Foo /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>',
      ...objects,
    ],
  });
  const names = (all: string) => simple(`/Encoding << /Type /Encoding /Differences [1 ${all}] >>`);
  const characters = (...codes: string[]) =>
    simple(
      '/ToUnicode 8 0 R',
      stream(
        '',
        `1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfchar ${codes.map((to, i) => `<0${i + 1}> <${to}>`).join(' ')} endbfchar`,
      ),
    );
  const composite: Parts = {
    ...simple(''),
    content: draw('<0017001400140014>'),
    objects: [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Foo /Encoding /Identity-H /DescendantFonts [8 0 R] >>',
      ...(simple('').objects ?? []).slice(1),
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Foo /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /DW 600 >>',
    ],
  };
  test.each<[name: string, parts: Parts]>([
    ['a font without glyph names', simple('')],
    ['meaningless glyph names', names('/g52 /g49 /g32')],
    ['a font of East Asia without characters', composite],
    ['characters declared as none', characters('FFFD', 'FFFD', '0020')],
    ['characters for private use', characters('E001', 'E002', '0020')],
  ])('%s: counts as an image', async (_name, parts) => {
    expect(await openDocument(pdf(parts))).toMatchObject({ hasImages: true, opaque: [] });
  });

  test.each<[name: string, hex: string, codes: readonly string[]]>([
    ['a bullet', '<0103>', ['F0B7', '0041', '0020']],
    ['a bullet that touches the text', '<0102>', ['F0A7', '0041', '0020']],
    ['stars', '<0101010101>', ['F005', '0041', '0020']],
    ['stars of a rating', '<010101020303>', ['F005', 'F123', 'F006']],
    ['a ligature of two letters', '<02010201020102>', ['FFFD', '0041', '0020']],
    ['a special blank', '<02010201020102>', ['0003', '0041', '0020']],
    ['hyphens and joiners', '<010201020302>', ['00AD', '200B', '200D']],
    ['pieces of brackets', '<010203>', ['F8EB', 'F8EC', 'F8ED']],
    ['digits of another style', code, ['F734', 'F731', '0020']],
  ])('%s: does not', async (_name, hex, codes) => {
    const { hasImages } = await openDocument(pdf({ ...characters(...codes), content: draw(hex) }));
    expect(hasImages).toBe(false);
  });

  test('control characters within words: counts as an image', async () => {
    const { hasImages } = await openDocument(
      pdf({ ...characters('0011', '0041', '0003'), content: draw('<0202010202030202>') }),
    );
    expect(hasImages).toBe(true);
  });

  test('digits of another style are read', async () => {
    const { texts } = await openDocument(pdf(names('/fouroldstyle /oneoldstyle /space')));
    expect(texts[0]).toBe('Your card\n4111 1111 1111');
  });
});
