/** Encodings of parts: they are read as the programs of the recipients read them, or refused. */
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openDocument } from '../../../gateway/convert/index.ts';
import { decodePart } from '../../../gateway/convert/office/part-text.ts';
import { makeDocx } from '../../support/documents.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const sjis = '\x8e\x52\x93\x63';

describe('encodings', () => {
  test.each<[name: string, data: Buffer, text: string]>([
    ['UTF-8 with a mark', Buffer.from('\ufeff<a>é</a>'), '\ufeff<a>é</a>'],
    [
      'UTF-16 without a mark',
      utf16('<?xml version="1.0" encoding="UTF-16"?><a/>'),
      '<?xml version="1.0" encoding="UTF-8"?><a/>',
    ],
    ['UTF-16, most significant byte first', utf16('<a>é</a>').swap16(), '<a>é</a>'],
    [
      'UTF-8 declared as UTF-16',
      Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>é</a>'),
      '<?xml version="1.0" encoding="UTF-8"?><a>é</a>',
    ],
    [
      'UTF-8 declared as ASCII',
      Buffer.from("<?xml version='1.0' encoding='US-ASCII'?><a>é</a>"),
      '<?xml version=\'1.0\' encoding="UTF-8"?><a>é</a>',
    ],
    ['UTF-8 declared as such', Buffer.from("<?xml encoding='utf-8'?><a/>"), "<?xml encoding='utf-8'?><a/>"],
    [
      'Western Europe',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>'),
      '<?xml version="1.0" encoding="UTF-8"?><a>é</a>',
    ],
    [
      'Russian',
      latin1('<?xml version="1.0" encoding="windows-1251"?><a>\xc8</a>'),
      '<?xml version="1.0" encoding="UTF-8"?><a>И</a>',
    ],
    [
      'Japanese',
      latin1(`<?xml version="1.0" encoding="Shift_JIS"?><a>${sjis}</a>`),
      '<?xml version="1.0" encoding="UTF-8"?><a>山田</a>',
    ],
    [
      'Japanese with escapes',
      latin1('<?xml version="1.0" encoding="ISO-2022-JP"?><a>\x1b$B;3ED\x1b(B</a>'),
      '<?xml version="1.0" encoding="UTF-8"?><a>山田</a>',
    ],
  ])('%s', (_name, data, text) => {
    expect(decodePart(data)).toBe(text);
  });

  test.each([
    'ISO-8859-1',
    'Shift_JIS',
    'utf8mb4',
    'ANSI',
    'MacRoman',
    'IBM037',
    'UTF-32',
    'utf-7',
    'hz-gb-2312',
    '',
    ' UTF-8',
  ])('UTF-8 declared as %j', (label) => {
    for (const mark of ['', '\ufeff']) {
      const part = (label: string) => `${mark}<?xml version="1.0" encoding="${label}"?><a>山田太郎 +44 20</a>`;
      expect(decodePart(Buffer.from(part(label)))).toBe(part('UTF-8'));
      const page = (label: string) => `${mark}<meta charset="${label}"><a>山田太郎 +44 20</a>`;
      if (/^\S/.test(label)) expect(decodePart(Buffer.from(page(label)), true)).toBe(page('UTF-8'));
    }
  });

  const html = (charset: string, text: string) => `<html><head><meta ${charset}></head>${text}</html>`;
  test.each<[name: string, data: Buffer, text: string]>([
    ['a page', latin1(html('charset="windows-1252"', '\xe9')), html('charset="UTF-8"', 'é')],
    [
      'an old page',
      latin1(html('http-equiv="Content-Type" content="text/html; charset=Shift_JIS"', sjis)),
      html('http-equiv="Content-Type" content="text/html; charset=UTF-8"', '山田'),
    ],
    ['a page with an old label', Buffer.from(html('charset=shift_jis', '山田')), html('charset=UTF-8', '山田')],
    ['a page with escapes', latin1(html('charset=iso-2022-jp', '\x1b$B;3ED\x1b(B')), html('charset=UTF-8', '山田')],
    [
      'a page that declares both',
      Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${html('charset=shift_jis', '山')}`),
      `<?xml version="1.0" encoding="UTF-8"?>${html('charset=UTF-8', '山')}`,
    ],
  ])('%s', (_name, data, text) => {
    expect(decodePart(data, true)).toBe(text);
  });

  test.each<[name: string, data: Buffer, isHtml?: boolean]>([
    ['UTF-7', latin1('<?xml version="1.0" encoding="UTF-7"?><a>hana+AEA-mail.example</a>')],
    [
      'UTF-7 after much white space',
      latin1(`<?xml version="1.0"${' '.repeat(9999)}encoding="UTF-7"?><a>hana+AEA-mail.example</a>`),
    ],
    ['UTF-7 in a page', latin1(html('charset=utf-7', 'hana+AEA-mail.example')), true],
    ['UTF-7 by another name', latin1('<?xml version="1.0" encoding="unicode-1-1-utf-7"?><a>hana+AEA-mail.example</a>')],
    ['HZ', latin1('<?xml version="1.0" encoding="HZ-GB-2312"?><a>~{VPND~}</a>')],
    ['EBCDIC', latin1('<?xml version="1.0" encoding="IBM037"?><a>\xf4\xf1\xf1\xf1</a>')],
    ['escapes of an unknown encoding', latin1('<?xml version="1.0" encoding="JIS"?><a>\x1b$B;3ED\x1b(B</a>')],
    ['declared as ASCII, but not ASCII', latin1('<?xml version="1.0" encoding="US-ASCII"?><a>\xe9</a>')],
    ['the mark of UTF-8 before other bytes', latin1('\xef\xbb\xbf<?xml encoding="ISO-8859-1"?><a>\xe9</a>')],
    ['UTF-32', Buffer.concat([Buffer.from([0, 0]), utf16('<\0a\0/\0>\0').swap16().subarray(0, 14)])],
    ['UTF-16 after a line', utf16('\n<a>hana@mail.example</a>')],
    ['a NUL', latin1('<a>\0</a>')],
    ['bytes that are invalid in the encoding', latin1('<?xml version="1.0" encoding="EUC-JP"?><a>\xff\xff</a>')],
  ])('refuses %s', (_name, data, isHtml) => {
    expect(() => decodePart(data, isHtml)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

test('a changed part declares UTF-8, any other keeps its bytes', async () => {
  const part = latin1('<?xml version="1.0" encoding="windows-1252"?><a><b>\xe9 hana@mail.example</b></a>');
  const { texts, rewrite } = await openDocument(makeDocx([['x']], { 'customXml/item1.xml': part }));
  const rewritten = async (of: (text: string) => string | undefined) =>
    Buffer.from(unzipSync((await rewrite?.(texts.map(of))) ?? new Uint8Array())['customXml/item1.xml'] ?? []);
  const masked = await rewritten((text) => (text.includes('@') ? 'é [EMAIL-1]' : undefined));
  expect(masked.toString()).toBe('<?xml version="1.0" encoding="UTF-8"?><a><b>é [EMAIL-1]</b></a>');
  expect(await rewritten((text) => (text === 'x' ? 'y' : undefined))).toEqual(part);
});
