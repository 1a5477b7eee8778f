import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { convertDocument, openDocument } from '../../../gateway/convert/index.ts';
import { makeDocx, makePackage, makePdf, makePptx, makeXlsx } from '../../support/documents.ts';

const address = 'hana.morita@kitamura-shoji.example';
const mail = /[\w.]+@[\w-]+\.example/g;

/** Addresses and the only card become tokens. */
async function maskMail(texts: string[]): Promise<(string | undefined)[]> {
  return texts.map((text) => {
    const masked = text.replaceAll(mail, '[EMAIL-1]').replaceAll('4111111111111111', '[CREDIT_CARD-1]');
    return masked === text ? undefined : masked;
  });
}

function part(bytes: Uint8Array | undefined, name: string): string {
  return Buffer.from(unzipSync(bytes ?? new Uint8Array())[name] ?? []).toString('utf8');
}

describe('convertDocument', () => {
  const rows: [name: string, bytes: Uint8Array, options: object, expected: unknown][] = [
    ['txt', Buffer.from('a\nb'), {}, { kind: 'txt', sections: [{ text: 'a\nb' }] }],
    ['txt in UTF-16', Buffer.from('\uFEFFaé', 'utf16le'), {}, { kind: 'txt', sections: [{ text: 'aé' }] }],
    ['csv', Buffer.from('a,b'), { name: 'x.CSV' }, { kind: 'csv', sections: [{ text: 'a,b' }] }],
    ['md', Buffer.from('# a'), { contentType: 'text/markdown' }, { kind: 'md', sections: [{ text: '# a' }] }],
    ['json', Buffer.from('{}'), { name: 'a.json' }, { kind: 'json', sections: [{ text: '{}' }] }],
    [
      'docx',
      makeDocx([['Hana', ' & Mor', 'ita'], ['x']], {
        'word/header1.xml': '<w:hdr><w:p><w:r><w:t>top</w:t></w:r></w:p></w:hdr>',
        'word/comments.xml':
          '<w:comments><w:comment w:author="Ann"><w:p><w:r><w:t>why?</w:t></w:r></w:p></w:comment></w:comments>',
      }),
      {},
      {
        kind: 'docx',
        sections: [{ text: 'Hana & Morita\nx' }, { title: 'Header', text: 'top' }, { title: 'Comments', text: 'why?' }],
      },
    ],
    [
      'xlsx',
      makeXlsx([
        ['name', 'n'],
        ['Hana', 12.5],
      ]),
      {},
      { kind: 'xlsx', sections: [{ title: 'Customers', text: 'name\tn\nHana\t12.5' }] },
    ],
    [
      'pptx',
      makePptx(['one', 'two']),
      {},
      {
        kind: 'pptx',
        sections: [
          { title: 'Slide 1', text: 'one' },
          { title: 'Slide 2', text: 'two' },
        ],
      },
    ],
    [
      'pdf',
      makePdf(['first (page)', 'second']),
      {},
      {
        kind: 'pdf',
        sections: [
          { title: 'Page 1', text: 'first (page)' },
          { title: 'Page 2', text: 'second' },
        ],
      },
    ],
  ];
  it.each(rows)('%s', async (_name, bytes, options, expected) => {
    expect(await convertDocument(new Uint8Array(bytes), options)).toEqual(expected);
  });

  const refused: [name: string, bytes: Uint8Array, code: string, limits?: object][] = [
    ['an old Word file', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'unsupported_media_type'],
    ['rich text', Buffer.from('{\\rtf1 x}'), 'unsupported_media_type'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'), 'unsupported_media_type'],
    ['text in an unknown encoding', Buffer.from('caf\xe9', 'latin1'), 'unsupported_media_type'],
    ['a zip of other files', makePackage({ 'a.txt': 'x' }), 'unsupported_media_type'],
    ['a broken package', makeDocx([['x']]).subarray(0, 200), 'invalid_input'],
    ['a broken PDF', Buffer.from('%PDF-1.4\nnothing'), 'invalid_input'],
    ['too many bytes', makeDocx([['x']]), 'body_too_large', { bytesMax: 100 }],
    ['too many parts', makeDocx([['x']]), 'body_too_large', { entriesMax: 1 }],
    ['too many pages', makePdf(['a', 'b', 'c']), 'body_too_large', { pagesMax: 2 }],
    ['too much text', Buffer.from('abcdef'), 'body_too_large', { charsMax: 5 }],
    [
      'a part that is not text',
      makeDocx([['x']], { 'word/a.xml': Buffer.from('<a>\xff</a>', 'latin1') }),
      'invalid_input',
    ],
  ];
  it.each(refused)('refuses %s', async (_name, bytes, code, limits = {}) => {
    await expect(convertDocument(new Uint8Array(bytes), { limits })).rejects.toMatchObject({ code });
  });

  it('refuses a file that would be far larger when unpacked, before unpacking it', async () => {
    const bomb = makeDocx([[' '.repeat(3e6)]]);
    expect(bomb.length).toBeLessThan(10_000);
    const limits = { unpackedBytesMax: 2e6 };
    await expect(convertDocument(bomb, { limits })).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it.each([{ unpackedBytesMax: 2e6 }, { entriesMax: 100 }])('counts nested packages together: %j', async (limits) => {
    const inner = makeDocx([['a'.repeat(20_000)]]);
    const around = (copies: number) =>
      makeDocx([['a']], Object.fromEntries(Array.from({ length: copies }, (_, i) => [`word/a${i}.docx`, inner])));
    await expect(convertDocument(around(10), { limits })).resolves.toMatchObject({ kind: 'docx' });
    await expect(convertDocument(around(120), { limits })).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it('refuses a package with false sizes', async () => {
    const bytes = makePackage({ 'word/document.xml': `<w:p>${'a'.repeat(5000)}</w:p>` });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at + 4 < bytes.length; at++) {
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true);
    }
    await expect(convertDocument(bytes)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('stops conversions that take too long, and then opens the next file', async () => {
    // A warm thread may read a single page within the millisecond.
    const long = makePdf(Array.from({ length: 1000 }, () => 'a'.repeat(500)));
    await expect(convertDocument(long, { limits: { timeMs: 1 } })).rejects.toMatchObject({ code: 'body_too_large' });
    expect((await convertDocument(makePdf(['a']))).sections).toHaveLength(1);
  });
});

describe('openDocument, and rewriting it', () => {
  /** The document with its texts masked in place; undefined if nothing changed. */
  async function masked(bytes: Uint8Array): Promise<Uint8Array | undefined> {
    const { texts, rewrite } = await openDocument(bytes);
    const newTexts = await maskMail([...texts]);
    return newTexts.every((text, i) => text === undefined || text === texts[i]) ? undefined : rewrite?.(newTexts);
  }

  it('a value split into runs, with the other runs unchanged', async () => {
    const document = makeDocx([['Write to ', 'hana.mor', 'ita@kitamura-shoji', '.example today'], ['nothing here']]);
    const before = part(document, 'word/document.xml');
    const after = part(await masked(document), 'word/document.xml');
    expect(after).toBe(
      before
        .replace('>hana.mor<', '>[EMAIL-1]<')
        .replace('>ita@kitamura-shoji<', '><')
        .replace('>.example today<', '> today<'),
    );
  });

  it.each([
    [
      'links',
      'word/_rels/document.xml.rels',
      `<Relationships><Relationship Target="mailto:${address}"/></Relationships>`,
    ],
    ['authors of comments', 'word/comments.xml', `<w:comments><w:comment w:author="${address}"/></w:comments>`],
    ['properties', 'docProps/core.xml', `<p><dc:creator>${address}</dc:creator></p>`],
    ['deleted text', 'word/footnotes.xml', `<w:p><w:r><w:delText>${address}</w:delText></w:r></w:p>`],
    ['fields', 'word/footer1.xml', `<w:p><w:r><w:instrText> HYPERLINK "mailto:${address}" </w:instrText></w:r></w:p>`],
    ['character references', 'word/header1.xml', '<w:p><w:t>a&#64;b.example &#x26; c</w:t></w:p>'],
    ['CDATA', 'customXml/item1.xml', `<a><![CDATA[${address}]]></a>`],
    ['charts', 'word/charts/chart1.xml', `<c:v>${address}</c:v>`],
  ])('finds %s', async (_name, name, xml) => {
    const output = await masked(makeDocx([['x']], { [name]: xml }));
    const expected = xml.includes('&#64;')
      ? '<w:p><w:t>[EMAIL-1] &amp; c</w:t></w:p>'
      : xml.replace(address, '[EMAIL-1]');
    expect(part(output, name)).toBe(expected);
  });

  it('cells: shared texts, and long numbers as text', async () => {
    const output = await masked(
      makeXlsx([
        ['a@b.example', 4111111111111111, 7],
        ['x', 123456789, 1],
      ]),
    );
    expect(part(output, 'xl/sharedStrings.xml')).toContain('<t>[EMAIL-1]</t>');
    expect(part(output, 'xl/worksheets/sheet1.xml')).toContain(
      '<c r="B1" t="inlineStr"><is><t>[CREDIT_CARD-1]</t></is></c><c r="C1"><v>7</v></c>',
    );
    expect(part(output, 'xl/worksheets/sheet1.xml')).toContain('<c r="B2"><v>123456789</v></c>');
  });

  it('slides, and a workbook inside a slide show', async () => {
    const slides = unzipSync(makePptx([`ask ${address}`]));
    const document = makePackage({ ...slides, 'ppt/embeddings/sheet.xlsx': makeXlsx([[address]]) });
    const output = await masked(document);
    expect(part(output, 'ppt/slides/slide1.xml')).toContain('<a:t>ask [EMAIL-1]</a:t>');
    const inner = unzipSync(output ?? new Uint8Array())['ppt/embeddings/sheet.xlsx'];
    expect(part(inner, 'xl/sharedStrings.xml')).toContain('[EMAIL-1]');
  });

  it('without findings, nothing is written', async () => {
    expect(await masked(makeDocx([['x']]))).toBeUndefined();
    expect(await masked(makePdf(['x']))).toBeUndefined();
  });

  it('a PDF cannot be rewritten', async () => {
    const { texts, rewrite } = await openDocument(makePdf([address]));
    expect([texts, rewrite]).toEqual([[address], undefined]);
  });

  it('reports objects of other programs', async () => {
    const document = makeDocx([['x']], { 'word/embeddings/oleObject1.bin': new Uint8Array(9) });
    expect((await openDocument(document)).opaque).toEqual(['word/embeddings/oleObject1.bin']);
  });

  it('a paragraph has the new text, wherever its runs are split', async () => {
    const text = `to ${address}, or a@b.example: [x] & <${address}>`;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(text.length), { maxLength: 8 }), async (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), text.length];
        const document = makeDocx([ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end))]);
        const output = await masked(document);
        expect((await convertDocument(output ?? document)).sections[0]?.text).toBe(text.replaceAll(mail, '[EMAIL-1]'));
      }),
      { numRuns: 30 },
    );
  });
});
