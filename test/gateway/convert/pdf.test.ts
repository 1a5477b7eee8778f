/** What a PDF contains outside of its pages. */
import { execFileSync } from 'node:child_process';
import { brotliCompressSync, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { openDocument } from '../../../gateway/convert/index.ts';
import { type PdfParts as Parts, pdf, stream, xmp } from '../../support/pdf.ts';

const address = 'hana@kitamura.example';

describe('is inspected', () => {
  const field = `/FT /Tx /T (mail) /V (${address})`;
  test.each<[name: string, parts: Parts]>([
    ['the author', { trailer: '/Info 6 0 R', objects: [`<< /Author (${address}) >>`] }],
    ['the program', { trailer: '/Info 6 0 R', objects: [`<< /Creator (${address}) >>`] }],
    ['a custom entry', { trailer: '/Info 6 0 R', objects: [`<< /Customer (${address}) >>`] }],
    [
      'a bookmark',
      {
        catalog: '/Outlines 6 0 R',
        objects: [
          '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
          '<< /Title (x) /Parent 6 0 R /First 8 0 R /Last 8 0 R /Count 1 /Dest [4 0 R /Fit] >>',
          `<< /Title (ask ${address}) /Parent 7 0 R /Dest [4 0 R /Fit] >>`,
        ],
      },
    ],
    [
      'metadata',
      {
        catalog: '/Metadata 6 0 R',
        objects: [
          xmp(
            `<rdf:Description><dc:creator><rdf:Seq><rdf:li>${address}</rdf:li></rdf:Seq></dc:creator></rdf:Description>`,
          ),
        ],
      },
    ],
    ['metadata in attributes', { catalog: '/Metadata 6 0 R', objects: [xmp(`<rdf:Description x:by="${address}"/>`)] }],
    [
      'a field on no page',
      { catalog: '/AcroForm << /Fields [6 0 R] >>', objects: [`<< /Subtype /Widget /Rect [0 0 9 9] ${field} >>`] },
    ],
    [
      'a field on the page',
      {
        catalog: '/AcroForm << /Fields [6 0 R] >>',
        page: '/Annots [6 0 R]',
        objects: [`<< /Type /Annot /Subtype /Widget /Rect [0 0 100 20] /P 4 0 R ${field} >>`],
      },
    ],
    [
      'a note in rich text',
      {
        page: '/Annots [6 0 R]',
        objects: [`<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /RC (<body><p>${address}</p></body>) >>`],
      },
    ],
    ['a script', { catalog: '/OpenAction 6 0 R', objects: [`<< /S /JavaScript /JS (app.alert\\("${address}"\\)) >>`] }],
    ['a script of the page', { page: `/AA << /O << /S /JavaScript /JS (app.alert\\("${address}"\\)) >> >>` }],
  ])('%s', async (_name, parts) => {
    const { texts } = await openDocument(pdf(parts));
    expect(texts.filter((text) => text.includes(address))).toHaveLength(1);
  });
});

describe('cannot be read', () => {
  const file = '<< /Type /Filespec /F (a.txt) /EF << /F 5 0 R >> >>';
  test.each<[name: string, parts: Parts, opaque: string]>([
    ['an XFA form', { catalog: '/AcroForm << /Fields [] /XFA 6 0 R >>', objects: [stream('', '<xdp/>')] }, 'form'],
    [
      'a field that may be on no page',
      { catalog: '/AcroForm << /Fields [6 0 R] >>', objects: [`<< /FT /Tx /T (mail) /V (${address}) >>`] },
      'form',
    ],
    ['an attached file', { catalog: '/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>', objects: [file] }, 'a'],
    [
      'a file in a note',
      {
        page: '/Annots [6 0 R]',
        objects: [`<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS ${file} >>`],
      },
      'a.txt',
    ],
  ])('%s', async (_name, parts, opaque) => {
    expect((await openDocument(pdf(parts))).opaque).toEqual([opaque]);
  });
});

describe('program names are not findings', () => {
  const detector = new Detector();
  test.each([
    'Microsoft\u00ae Word 2016',
    'macOS Version 13.4 (Build 22F66) Quartz PDFContext',
    'iText\u00ae 5.5.13.1 \u00a92000-2019 iText Group NV (AGPL-version)',
    'Acrobat Distiller 10.1.16 (Windows)',
    'Foxit PhantomPDF Printer Version 10.1.1.3694',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/115.0.5790.98 Safari/537.36',
    'LibreOffice 7.4',
    'Skia/PDF m128 Google Docs Renderer',
    'PDFsharp 1.50.4740.0 (www.pdfsharp.com)',
    'This is pdfTeX, Version 3.141592653-2.6-1.40.24 (TeX Live 2022/Debian) kpathsea version 6.3.4',
  ])('%s', async (program) => {
    const escaped = Buffer.from(program, 'latin1').toString('latin1').replaceAll(/[()]/g, '\\$&');
    const description =
      `<rdf:Description pdf:Producer="${program}"><xmp:CreatorTool>${program}</xmp:CreatorTool>` +
      '<xmp:CreateDate>2024-01-31T10:20:30+09:00</xmp:CreateDate><xmpMM:DocumentID>uuid:8A5D1F2E-1234-4123-8123-123456789012</xmpMM:DocumentID>' +
      '<xmpGImg:image>/9j/4AAQSkZJRgABAgEASABIAAD&#xA;4111111111111111</xmpGImg:image></rdf:Description>';
    const document = pdf({
      trailer: '/Info 6 0 R',
      catalog: '/Metadata 7 0 R',
      objects: [
        `<< /Producer (${escaped}) /Creator (${escaped}) /PTEX.Fullbanner (${escaped}) /CreationDate (D:20240131102030+09'00') /ModDate (D:20240131102030Z) >>`,
        xmp(description),
      ],
    });
    const { texts, opaque } = await openDocument(document);
    expect(texts.some((text) => text.startsWith('Producer: '))).toBe(true);
    expect(texts.flatMap((text) => detector.detect(text))).toEqual([]);
    expect(opaque).toEqual([]);
  });

  test('names of destinations are not inspected', async () => {
    const { texts } = await openDocument(
      pdf({
        catalog: '/Outlines 6 0 R',
        objects: [
          '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
          '<< /Title (1.1 Words) /Parent 6 0 R /Dest (10.1.2.2) >>',
        ],
      }),
    );
    expect(texts).toContain('1.1 Words');
    expect(texts.join()).not.toContain('10.1.2.2');
  });
});

test('the prototype of all objects gets no property', () => {
  const module = (path: string) => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);
  const script = `
    const { readPdf } = await import(${module('gateway/convert/pdf/index.ts')});
    const { defaultLimits } = await import(${module('gateway/convert/limits.ts')});
    const { pdf } = await import(${module('test/support/pdf.ts')});
    Object.preventExtensions(Object.prototype);
    const { sections } = await readPdf(pdf({}), defaultLimits);
    console.log(sections[0].text);`;
  const shown = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(shown).toBe('plain\n');
});

describe('a file of kilobytes with a stream of 64 MB', () => {
  const size = 64 * 2 ** 20;
  const packed = (filter: string, bytes: Uint8Array, entries = '') =>
    `<< ${entries} /Filter [${filter}] /Length ${bytes.length} >>\nstream\n${Buffer.from(bytes).toString('latin1')}\nendstream`;
  const deflated = deflateSync(deflateSync(Buffer.alloc(size, ' ')));
  const spaces = (entries = '') => packed('/FlateDecode /FlateDecode', deflated, entries);
  const contents = (object: string): Parts => ({ page: '/Contents 6 0 R', objects: [object] });
  const font = (entries: string, ...objects: string[]): Parts => ({
    page: '/Resources << /Font << /F1 6 0 R >> >>',
    objects: [`<< /Type /Font /Subtype /TrueType /BaseFont /A ${entries} >>`, ...objects],
  });
  const image = '/Type /XObject /Subtype /Image /Width 8192 /Height 8192 /ColorSpace /DeviceGray /BitsPerComponent 8';

  test.each<[name: string, parts: Parts]>([
    ['contents', contents(spaces())],
    [
      'contents in runs',
      contents(
        packed('/FlateDecode /RunLengthDecode', deflateSync(Buffer.alloc(size / 64, Buffer.from([0x81, 0x20])))),
      ),
    ],
    ['contents in ASCII', contents(packed('/FlateDecode /ASCII85Decode', deflateSync(Buffer.alloc(size / 4, 'z'))))],
    ['contents of LZW', contents(packed('/FlateDecode /LZWDecode', deflateSync(lzw(size))))],
    ['contents of Brotli', contents(packed('/BrotliDecode', brotliCompressSync(Buffer.alloc(size, ' '))))],
    [
      'contents with a predictor',
      contents(
        packed('/FlateDecode', deflateSync(Buffer.alloc(size)), '/DecodeParms [<< /Predictor 12 /Columns 9999 >>]'),
      ),
    ],
    [
      'a form',
      {
        page: '/Contents 6 0 R /Resources << /XObject << /X 7 0 R >> >>',
        objects: [stream('', '/X Do'), spaces('/Type /XObject /Subtype /Form /BBox [0 0 9 9]')],
      },
    ],
    ['metadata', { catalog: '/Metadata 6 0 R', objects: [spaces('/Type /Metadata /Subtype /XML')] }],
    ['characters of a font', font('/ToUnicode 7 0 R', spaces())],
    ['a font', font('/FontDescriptor 7 0 R', '<< /Type /FontDescriptor /FontName /A /FontFile2 8 0 R >>', spaces())],
  ])('%s: refused before it has grown', async (_name, parts) => {
    const file = pdf(parts);
    expect(file.length).toBeLessThan(300_000);
    const refusal = { code: 'body_too_large', message: 'The document is too large when unpacked.' };
    await expect(openDocument(file)).rejects.toMatchObject(refusal);
  });

  test('objects: refused before they have grown', async () => {
    const head = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n';
    const objects = `${head}4 0 obj\n${spaces('/Type /ObjStm /N 1 /First 4')}\nendobj\n`;
    const rows = [
      [0, 0, 0],
      [1, 9, 0],
      [2, 4, 0],
      [1, objects.length, 0],
      [1, head.length, 0],
    ];
    const table = Buffer.concat(rows.map(([type = 0, at = 0, i = 0]) => Buffer.from([type, at >> 8, at & 255, i])));
    const references = packed('', table, '/Type /XRef /W [1 2 1] /Size 5 /Root 1 0 R');
    const file = `${objects}3 0 obj\n${references}\nendobj\nstartxref\n${objects.length}\n%%EOF\n`;
    await expect(openDocument(Buffer.from(file, 'latin1'))).rejects.toMatchObject({ code: 'body_too_large' });
  });

  test.each<[name: string, parts: Parts]>([
    [
      'a picture, which is not inspected',
      { page: '/Resources << /Font << /F1 3 0 R >> /XObject << /X 6 0 R >> >>', objects: [spaces(image)] },
    ],
    [
      'an attached file, whose name is reported',
      {
        catalog: '/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>',
        objects: ['<< /Type /Filespec /F (a.txt) /EF << /F 7 0 R >> >>', spaces('/Type /EmbeddedFile')],
      },
    ],
  ])('%s: opened', async (_name, parts) => {
    expect((await openDocument(pdf(parts))).texts[0]).toBe('plain');
  });

  test('a form shown on many pages counts once', async () => {
    const drawing = deflateSync(Buffer.from(`${'0 0 m 10 10 l S\n'.repeat(8000)}BT /F1 9 Tf (head) Tj ET`));
    const form = packed(
      '/FlateDecode',
      drawing,
      '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>',
    );
    const page =
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R /Resources << /XObject << /X 6 0 R >> >> >>';
    const count = 60;
    const kids = Array.from({ length: count }, (_, i) => `${9 + i} 0 R`).join(' ');
    const pages = `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`;
    const file = pdf({
      catalog: '/Pages 8 0 R',
      objects: [form, stream('', '/X Do'), pages, ...Array<string>(count).fill(page)],
    });
    const { texts } = await openDocument(file);
    expect(texts.filter((text) => text === 'head')).toHaveLength(count);
  });

  /** Spaces in codes of 9 bits and more (ISO 32000-1 §7.4.4.2): each entry of the table is one longer than the last. */
  function lzw(length: number): Uint8Array {
    const bytes: number[] = [];
    let rest = 0;
    let bits = 0;
    const put = (code: number, width: number) => {
      rest = (rest << width) | code;
      for (bits += width; bits >= 8; bits -= 8) bytes.push((rest >> (bits - 8)) & 255);
      rest &= (1 << bits) - 1;
    };
    const widthOf = (next: number) => (next < 511 ? 9 : next < 1023 ? 10 : next < 2047 ? 11 : 12);
    let width = 9;
    for (let made = 0; made < length; ) {
      put(256, width);
      put(32, 9);
      for (let next = 258; next < 4094; next++) {
        put(next, widthOf(next));
        made += next - 256;
      }
      width = 12;
    }
    return Buffer.from(bytes);
  }
});
