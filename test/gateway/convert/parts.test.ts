/** Parts of a package by kind: texts are inspected, unknown parts are reported so that the file can be refused. */
import { unzipSync } from 'fflate';
import { describe, expect, it, test } from 'vitest';
import { openDocument } from '../../../gateway/convert/index.ts';
import { partKind } from '../../../gateway/convert/office/parts.ts';
import { makeDocx, makePackage, makePdf, makeXlsx } from '../../support/documents.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const binary = bytes('\0\x01hana@kitamura.example\xff');

test.each<[name: string, data: Uint8Array, kind: string]>([
  ['word/document.xml', bytes('<a/>'), 'xml'],
  ['word/_rels/document.xml.rels', bytes('<a/>'), 'xml'],
  ['xl/drawings/vmlDrawing1.vml', bytes('<xml/>'), 'xml'],
  ['ppt/media/image1.svg', bytes('<svg/>'), 'xml'],
  ['manifest.rdf', bytes('<?xml version="1.0"?><a/>'), 'xml'],
  ['OEBPS/data.plist', bytes('<?xml version="1.0"?><a/>'), 'xml'],
  ['a.smil', bytes('\n <smil/>'), 'xml'],
  ['mimetype', bytes('application/epub+zip'), 'text'],
  ['OEBPS/style.css', bytes('a { }'), 'text'],
  ['word/data.csv', bytes('a,b'), 'text'],
  ['word/data.json', bytes('{}'), 'text'],
  ['word/data.yaml', bytes('a: b'), 'text'],
  ['word/embeddings/a.docx', makeDocx([['x']]), 'package'],
  ['word/embeddings/a.xlsx', makeXlsx([['x']]), 'package'],
  ['word/media/image1.png', bytes('\x89PNG\r\n\x1a\n'), 'picture'],
  ['word/media/image2.EMF', bytes('\x01\0\0\0\x6c\0\0\0'), 'picture'],
  ['word/media/hdphoto1.wdp', bytes('II\xbc\x01'), 'picture'],
  ['docProps/thumbnail.jpeg', bytes('\xff\xd8\xff\xe0'), 'picture'],
  ['docProps/thumbnail.wmf', bytes('\xd7\xcd\xc6\x9a'), 'picture'],
  ['ObjectReplacements/Object 1', bytes('VCLMTF\x01\0'), 'picture'],
  ['ObjectReplacements/Object 2', bytes(`\x01\0\0\0\x6c\0\0\0${'\0'.repeat(32)} EMF`), 'picture'],
  ['ObjectReplacements/Object 3', bytes('\x01\0\0\0\x6c\0\0\0'), 'opaque'],
  ['word/fonts/font1.odttf', binary, 'machinery'],
  ['ppt/fonts/font1.fntdata', binary, 'machinery'],
  ['OEBPS/fonts/a.ttf', binary, 'machinery'],
  ['ppt/media/media1.mp4', binary, 'machinery'],
  ['xl/printerSettings/printerSettings1.bin', binary, 'machinery'],
  ['layout-cache', binary, 'machinery'],
  ['Configurations2/accelerator/current.xml', bytes(''), 'xml'],
  ['_xmlsignatures/origin.sigs', bytes(''), 'machinery'],
  ['[trash]/0000.dat', bytes('\xff'.repeat(99)), 'machinery'],
  ['[trash]/0001.dat', binary, 'opaque'],
  ['word/afchunk.mht', bytes('MIME-Version: 1.0\r\n\r\nhana=40kitamura.example'), 'opaque'],
  ['word/afchunk1.txt', bytes('Subject: x\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ=='), 'opaque'],
  ['word/afchunk2.rtf', bytes('{\\rtf1 hana}'), 'opaque'],
  ['word/afchunk3.dat', bytes('{\\rtf1 hana}'), 'opaque'],
  ['word/media/image1.tmp', bytes('RIFF\0\0\0\0WEBPVP8 '), 'picture'],
  ['word/media/image1.jp2', binary, 'picture'],
  ['word/media/media1.mkv', binary, 'machinery'],
  ['word/media/media1.tmp', bytes('\x1aE\xdf\xa3\0'), 'machinery'],
  ['OEBPS/.DS_Store', binary, 'machinery'],
  ['__MACOSX/word/._document.xml', binary, 'machinery'],
  ['word/notes.txt', bytes('From: Tokyo\nhello'), 'text'],
  ['word/mail.txt', bytes('From: a\nTo: b\n\nhello'), 'opaque'],
  ['word/vbaProject.bin', binary, 'opaque'],
  ['word/embeddings/oleObject1.bin', bytes('hana'), 'opaque'],
  ['Object 1', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'opaque'],
  ['word/embeddings/a.dat', makePdf(['x']), 'opaque'],
  ['xl/model/item.data', binary, 'opaque'],
  ['xl/customData/item1.data', binary, 'opaque'],
  ['word/data-sjis.csv', bytes('\x8e\x52\x93\x63'), 'opaque'],
  ['word/data-utf16.csv', Buffer.from('\ufeffhana', 'utf16le'), 'opaque'],
])('%s', (name, data, kind) => {
  expect(partKind(name, data)).toBe(kind);
});

describe('text parts', () => {
  const address = 'hana@kitamura.example';
  async function masked(name: string, part: string): Promise<string> {
    const { texts, opaque, rewrite } = await openDocument(makeDocx([['x']], { [name]: part }));
    expect(opaque).toEqual([]);
    const output = await rewrite?.(
      texts.map((text) => {
        const changed = text.replaceAll(address, '[EMAIL-1]').replaceAll('山田', '[NAME-1]');
        return changed === text ? undefined : changed;
      }),
    );
    return Buffer.from(unzipSync(output ?? new Uint8Array())[name] ?? []).toString();
  }

  it.each([
    ['word/data.csv', `a & <b,${address}\n`, 'a & <b,[EMAIL-1]\n'],
    ['word/data.txt', `\ufeff${address}`, '\ufeff[EMAIL-1]'],
    ['word/data.json', String.raw`{"a":"\u5c71\u7530 \"x\"","b":1}`, String.raw`{"a":"[NAME-1] \"x\"","b":1}`],
    ['word/data.md', `\n<a title="${address}">`, '\n<a title="[EMAIL-1]">'],
  ])('%s is masked in its own spelling', async (name, part, expected) => {
    expect(await masked(name, part)).toBe(expected);
  });
});

test('a package in a package is masked, and its objects are reported', async () => {
  const inner = makeXlsx([['hana@kitamura.example']], { 'xl/model/item.data': binary });
  const { texts, opaque } = await openDocument(makeDocx([['x']], { 'word/embeddings/a.xlsx': inner }));
  expect(texts).toContain('hana@kitamura.example');
  expect(opaque).toEqual(['xl/model/item.data']);
});

// The parts that Word, Excel, PowerPoint, LibreOffice and Google Docs write.
test.each<[name: string, document: Uint8Array]>([
  [
    'an OpenDocument of LibreOffice',
    makePackage({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': '<office:document-content/>',
      'Configurations2/accelerator/current.xml': '',
      'META-INF/manifest.xml': '<manifest:manifest/>',
      'manifest.rdf': '<?xml version="1.0"?><rdf:RDF/>',
      'layout-cache': binary,
      'Thumbnails/thumbnail.png': bytes('\x89PNG\r\n\x1a\n'),
    }),
  ],
  [
    'a text of Word',
    makeDocx([['x']], {
      'word/fonts/font1.odttf': binary,
      'docProps/thumbnail.emf': bytes('\x01\0\0\0\x6c\0\0\0'),
      'customXml/item1.xml': '<a/>',
      'word/printerSettings1.bin': binary,
      '[trash]/0000.dat': bytes('\0'.repeat(50)),
    }),
  ],
])('%s contains no unknown part', async (_name, document) => {
  expect(await openDocument(document)).toMatchObject({ opaque: [], hasImages: false });
});
