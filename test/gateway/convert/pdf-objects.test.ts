/** The content of PDF objects outside of pages and form fields. */
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { openDocument } from '../../../gateway/convert/index.ts';
import { type PdfParts, pdf, stream, xmp } from '../../support/pdf.ts';

const address = 'hana@kitamura.example';
const appearance = (content: string) =>
  stream('/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >>', content);
const saying = appearance(`BT /F1 12 Tf 7 7 Td (by Hana) Tj 0 -14 Td [(hana@kita) 20 (mura.example)] TJ ET`);
const note = (entries: string, ...objects: string[]): PdfParts => ({
  page: '/Annots [6 0 R]',
  objects: [`<< /Type /Annot /Rect [0 0 100 100] ${entries} >>`, ...objects],
});
const structure = (entries: string): PdfParts => ({
  catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R',
  objects: [
    '<< /Type /StructTreeRoot /K 7 0 R >>',
    `<< /Type /StructElem /S /Figure /P 6 0 R /Pg 4 0 R /K 0 ${entries} >>`,
  ],
});
const utf16 = (text: string) => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
const spoken = (text: string) => `/Span << /MCID 0 /ActualText ${text} >> BDC BT /F1 12 Tf 72 700 Td (plain) Tj ET EMC`;
const signature = `<< /Type /Sig /Filter /Adobe.PPKLite /Contents <00> /ByteRange [0 1 2 3] /Name (x) /ContactInfo (${address}) >>`;
const signed = (field: string, ...objects: string[]): PdfParts => ({
  catalog: '/AcroForm << /SigFlags 3 /Fields [6 0 R] >>',
  ...note(`/Subtype /Widget /FT /Sig /T (Signature1) /F 4 /P 4 0 R ${field}`, ...objects),
});

describe('is inspected', () => {
  test.each<[name: string, parts: PdfParts]>([
    ['text of a stamp', note('/Subtype /Stamp /AP << /N 7 0 R >>', saying)],
    ['text of a note on the page', note('/Subtype /FreeText /DA (/F1 1 Tf) /AP << /N 7 0 R >>', saying)],
    ['text of a highlight', note('/Subtype /Highlight /AP << /N 7 0 R >>', saying)],
    ['text of a watermark', note('/Subtype /Watermark /AP << /N 7 0 R >>', saying)],
    [
      'text of a stamp without a space behind its operator',
      note('/Subtype /Stamp /AP << /N 7 0 R >>', appearance(`BT /F1 12 Tf 7 7 Td (${address})TjET`)),
    ],
    ['text of a stamp with the entries of a check box', note('/Subtype /Stamp /FT /Btn /AP << /N 7 0 R >>', saying)],
    ['text of a button', note('/Subtype /Widget /FT /Btn /Ff 65536 /T (x) /AP << /N 7 0 R >>', saying)],
    ['text of a signature', signed('/AP << /N 7 0 R >>', saying)],
    ['the signer', signed('/V 7 0 R', signature)],
    ['a hidden note', note(`/Subtype /Text /F 32 /Contents (${address})`)],
    ['the subject of a note', note(`/Subtype /Text /Subj (${address})`)],
    ['alternative text of a picture', structure(`/Alt (Photo of ${address})`)],
    ['alternative text of a picture in UTF-16', structure(`/Alt ${utf16(address)}`)],
    ['replacement text', structure(`/ActualText (${address})`)],
    ['replacement text for drawn content', { content: spoken(`(${address})`) }],
    ['replacement text for drawn content, in UTF-16', { content: spoken(utf16(address)) }],
    [
      'replacement text for drawn content, escaped',
      {
        content: spoken(String.raw`(\(hana\100kitamura.exam\
ple\))`),
      },
    ],
    ['text with brackets in it', { content: spoken(`(photo (a (b)) of (${address}) and others)`) }],
    ['text after an unclosed bracket', { content: `/Span << /Alt (a (b /Alt (${address}) >> BDC EMC` }],
    [
      'replacement text for a drawn form',
      {
        content: '/X Do',
        resources: '/XObject << /X 6 0 R >>',
        objects: [appearance(spoken(`(${address})`))],
      },
    ],
    ['the title of a part', structure(`/T (${address})`)],
    [
      'a layer',
      { catalog: '/OCProperties << /OCGs [6 0 R] /D << >> >>', objects: [`<< /Type /OCG /Name (${address}) >>`] },
    ],
    ['a page label', { catalog: `/PageLabels << /Nums [0 << /P (${address}) >>] >>` }],
    ['the name of a destination', { catalog: `/Names << /Dests << /Names [(${address}) [4 0 R /Fit]] >> >>` }],
    ['an article', { catalog: `/Threads [<< /Type /Thread /I << /Title (${address}) >> >>]` }],
    [
      'data of an application',
      {
        page: '/PieceInfo << /App << /LastModified (D:2024) /Private 6 0 R >> >>',
        objects: [`[<< /By (${address}) >>]`],
      },
    ],
    ['metadata of a page', { page: '/Metadata 6 0 R', objects: [xmp(`<rdf:Description x:by="${address}"/>`)] }],
  ])('%s', async (_name, parts) => {
    const { texts, opaque } = await openDocument(pdf(parts));
    expect(texts.filter((text) => text.includes(address))).toHaveLength(1);
    expect(opaque).toEqual([]);
  });
});

describe('counts as an image', () => {
  const rectangle = appearance('0 0 9 9 re f');
  const pattern = stream(
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /Font << /F1 3 0 R >> >>',
    `BT /F1 12 Tf (${address}) Tj ET`,
  );
  const mask = (form: string): PdfParts => ({
    resources: '/ExtGState << /G << /SMask << /S /Luminosity /G 6 0 R >> >> >>',
    objects: [form],
  });
  const letters = (entries: string): PdfParts => ({
    resources: '/Font << /F1 3 0 R /F2 6 0 R >>',
    objects: [
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 7 0 R >> ${entries} >>`,
      stream('', '9 0 d0 BT /F1 9 Tf (Hana) Tj ET'),
    ],
  });
  const scan = (content: string): PdfParts => ({
    content: `BT /F1 12 Tf 72 700 Td (Fax) Tj ET ${content}`,
    resources: '/XObject << /I 6 0 R /X 7 0 R /Y 8 0 R >>',
    objects: [
      stream('/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray', 'abcd'),
      stream(
        '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [306 0 0 396 0 0] /Resources << /XObject << /J 6 0 R >> >>',
        '/J Do',
      ),
      stream('/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /Y 8 0 R >> >>', '/Y Do /Y Do'),
    ],
  });
  test.each<[name: string, parts: PdfParts, hasImages: boolean]>([
    ['a stamp without text', note('/Subtype /Stamp /AP << /N 7 0 R >>', rectangle), true],
    ['a signature without text', signed('/AP << /N 7 0 R >>', rectangle), true],
    ['a certificate', signed('/V 7 0 R', signature), true],
    ['letters that fill a shape', { resources: '/Pattern << /P 6 0 R >>', objects: [pattern] }, true],
    [
      'data of an application in a stream',
      { page: '/PieceInfo << /App << /Private 6 0 R >> >>', objects: [stream('', address)] },
      true,
    ],
    [
      'metadata that cannot be decoded',
      { page: '/Metadata 6 0 R', objects: [stream('/Type /Metadata /Subtype /XML /Filter /JPXDecode', 'x')] },
      true,
    ],
    ['objects nested too deep', { objects: [`${'['.repeat(200_000)}${']'.repeat(200_000)}`] }, true],
    ['words cut out by a mask', mask(saying), true],
    ['a mask without words does not', mask(appearance('0 0 9 9 re f')), false],
    ['letters drawn with those of another font', letters('/Resources << /Font << /F1 3 0 R >> >>'), true],
    ['drawn letters do not', letters(''), false],
    ['a scanned page with a line of text', scan('q 612 0 0 792 0 0 cm /I Do Q'), true],
    ['half of a page', scan('q 1 0 0 1 20 20 cm q 560 0 0 -450 0 460 cm /I Do Q Q'), true],
    ['strips of a page', scan([0, 200, 400].map((y) => `q 612 0 0 200 0 ${y} cm /I Do Q`).join(' ')), true],
    ['a scan in a form', scan('2 0 0 2 0 0 cm /X Do'), true],
    ['a scan within the contents', scan('612 0 0 792 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI'), true],
    ['a small picture does not', scan('q 90 0 0 40 20 700 cm /I Do Q % q 612 0 0 792 0 0 cm /I Do Q'), false],
    ['a large picture outside the page does not', scan('612 0 0 792 700 0 cm /I Do'), false],
    ['a picture that is not drawn does not', scan('(q 612 0 0 792 0 0 cm /I Do Q) Tj'), false],
    ['a form that draws itself does not', scan('/Y Do'), false],
    ['a stamp with text does not', note('/Subtype /Stamp /AP << /N 7 0 R >>', saying), false],
    ['a drawn line does not', note('/Subtype /Square /AP << /N 7 0 R >>', rectangle), false],
    [
      'a tick does not',
      note('/Subtype /Widget /FT /Btn /T (x) /AS /On /AP << /N << /On 7 0 R >> >>', rectangle),
      false,
    ],
    ['an empty signature field does not', signed(''), false],
  ])('%s', async (_name, parts, hasImages) => {
    expect(await openDocument(pdf(parts))).toMatchObject({ hasImages, opaque: [] });
  });
});

test('a stamp that only one of the two libraries sees counts as an image', async () => {
  const stamp = '<< /Type /Annot /Subtype /Stamp /Rect [0 0 100 100] /AP << /N 6 0 R >> >>';
  const parts = { page: '/Annots [8 0 R]', objects: [saying, stream('', `8 0 obj\n${stamp}\nendobj`), 'null'] };
  const file = Buffer.from(pdf(parts)).toString('latin1');
  const place = (at: number) => String(at).padStart(10, '0');
  const outside = '8 0 obj\nnull\nendobj';
  // The table points into the stream.
  const hidden = file
    .replace(outside, ' '.repeat(outside.length))
    .replace(place(file.indexOf(outside)), place(file.indexOf('8 0 obj')));
  expect((await openDocument(Buffer.from(hidden, 'latin1'))).hasImages).toBe(true);
});

test('text shown by a thousand notes is read once', async () => {
  const content = `BT /F1 1 Tf 1 1 Td ${'(word) Tj 0 0 Td '.repeat(6_000)}(by Hana) Tj ET`;
  const stamp = '<< /Type /Annot /Subtype /Stamp /Rect [0 0 100 100] /AP << /N 6 0 R >> >>';
  const { texts, hasImages } = await openDocument(
    pdf({ page: `/Annots [${stamp.repeat(1_000)}]`, objects: [appearance(content)] }),
  );
  expect(hasImages).toBe(false);
  expect(texts[0]?.match(/by Hana/g)).toHaveLength(1_000);
});

test('destinations named by programs are not findings', async () => {
  const names = ['_Toc0312345678', 'section.192.168.2.4', 'subsection.10.1.2.2', 'page.4111111111111111', 'cite.1.2'];
  const places = names.map((name) => `(${name}) [4 0 R /Fit]`).join(' ');
  const { texts } = await openDocument(pdf({ catalog: `/Names << /Dests << /Names [${places}] >> >>` }));
  const detector = new Detector();
  expect(texts.flatMap((text) => detector.detect(text))).toEqual([]);
});

test('a damaged object hides no other', async () => {
  const file = pdf({ objects: ['<< /Type /OCG', `<< /Type /OCG /Name (${address}) >>`] });
  expect((await openDocument(file)).texts).toContain(address);
});

test('a reference to a damaged object hides nothing', async () => {
  const pattern = stream('/PatternType 1 /Resources 8 0 R', '');
  const objects = [pattern, '<< /Type 8 0 R /Contents 8 0 R >>', '<< >>', `<< /Type /OCG /Name (${address}) >>`];
  const file = Buffer.from(pdf({ objects }));
  file.write('5 0 obj', file.indexOf('8 0 obj'));
  expect((await openDocument(file)).texts).toContain(address);
});

test('private application data leads to no page', async () => {
  const id = 'xmp.did:F77F117407206811808390123456789A';
  const entries = `/DocumentID (${id}) /LastModified (D:20240131102030Z) /On 6 0 R`;
  const page = `/PieceInfo << /InDesign << ${entries} >> >>`;
  const other = ['<< /Type /Page /Contents 7 0 R >>', stream('', ''), '<< /Type /OCG /Name (x) >>'];
  const { texts, hasImages } = await openDocument(pdf({ page, objects: other }));
  expect(hasImages).toBe(false);
  expect(texts.slice(1)).toContain(id);
  const detector = new Detector();
  expect(texts.flatMap((text) => detector.detect(text))).toEqual([]);
});

test('private application data shared by many pages is read once', async () => {
  const shared = `<< /By (${address}) /All [${'7 0 R '.repeat(2_000)}] >>`;
  const pages = Array.from({ length: 2_000 }, () => '<< /PieceInfo << /App << /Private 6 0 R >> >> >>');
  const { texts } = await openDocument(pdf({ objects: [shared, `[${'6 0 R '.repeat(2_000)}]`, ...pages] }));
  expect(texts.filter((text) => text === address)).toHaveLength(1);
});

test('a catalog within the trailer is read', async () => {
  const file = Buffer.from(pdf({ objects: [`<< /Type /OCG /Name (${address}) >>`] })).toString('latin1');
  const direct = file.replace('/Root 1 0 R', `/Root << /Type /Catalog /Pages 2 0 R /X << /Alt (b.${address}) >> >>`);
  const { texts } = await openDocument(new Uint8Array(Buffer.from(direct, 'latin1')));
  expect(texts).toEqual(expect.arrayContaining([address, `b.${address}`]));
});

test('an object number in the billions is read without visiting lower ones', async () => {
  const [file = ''] = Buffer.from(pdf({})).toString('latin1').split('xref');
  const far = `2000000000 0 obj\n<< /Alt (${address}) >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n`;
  const { texts } = await openDocument(new Uint8Array(Buffer.from(file + far, 'latin1')));
  expect(texts).toContain(address);
});

describe('however deep or long it is', () => {
  const depth = 8_000;
  const nested = (open: string, close: string) => `${open.repeat(depth)}<< /Alt (${address}) >>${close.repeat(depth)}`;
  test.each<[name: string, parts: () => PdfParts]>([
    ['lists', () => ({ objects: [nested('[', ']')] })],
    [
      'data of a program',
      () => ({
        page: '/PieceInfo << /App 6 0 R >>',
        objects: Array.from({ length: depth }, (_, i) => `<< /Text (text ${i}) /On ${i + 7} 0 R >>`).concat(
          `<< /Text (${address}) >>`,
        ),
      }),
    ],
    ['words in place of others', () => ({ content: spoken(`(${'x'.repeat(16_000_000)} ${address})`) })],
  ])('%s', async (_name, parts) => {
    const { texts } = await openDocument(pdf(parts()));
    expect(texts.some((text) => text.endsWith(address))).toBe(true);
  });
});

test.each(['Square', 'Stamp'])('a large drawing below a note is not read: %s', async (kind) => {
  const content = `BT /F1 12 Tf (${address}) Tj ET\n${'0 0 m 9 9 l S\n'.repeat(1_000_000)}`;
  const above = note(`/Subtype /${kind} /AP << /N 7 0 R >>`, appearance('0 0 9 9 re S'));
  expect((await openDocument(pdf({ content, ...above }))).texts[0]).toContain(address);
});
