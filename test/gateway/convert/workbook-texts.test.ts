/** Workbooks and slides: numbers in every spelling, escaped characters, headers with codes. */
import { describe, expect, test } from 'vitest';
import { formattedDigits } from '../../../gateway/convert/office/cell-formats.ts';
import { wholeDigits } from '../../../gateway/convert/office/number-cells.ts';
import { decodeEscapes, encodeEscapes } from '../../../gateway/convert/office/xml-characters.ts';
import { maskPart, textsOf } from '../../support/masked-part.ts';

const card = '4111111111111111';
const masked = (tag: string) => `<row><c${tag} t="inlineStr"><is><t>[CREDIT_CARD-1]</t></is></c></row>`;

describe('cells with a number', () => {
  test.each<[name: string, cell: string, tag: string]>([
    ['as POI writes it', '<c r="A1"><v>4.111111111111111E15</v></c>', ' r="A1"'],
    ['with a signed exponent', '<c r="A1" s="1"><v>4.111111111111111e+15</v></c>', ' r="A1" s="1"'],
    ['as a fraction', `<c r="A1"><v>${card}.0</v></c>`, ' r="A1"'],
    ['with blanks', `<c r="A1"><v> ${card}\n</v></c>`, ' r="A1"'],
    ['on separate lines', `<c r="A1">\n  <v>${card}</v>\n</c >`, ' r="A1"'],
    ['with an extension', `<c r="A1"><f>1+1</f><v>${card}</v><extLst><ext uri="x"/></extLst></c>`, ' r="A1"'],
    ['with a comment', `<c r="A1"><!-- x --><v>4111<!-- y -->111111111111</v></c>`, ' r="A1"'],
    ['in CDATA', `<c r="A1"><v><![CDATA[${card}]]></v></c>`, ' r="A1"'],
    ['with a type', `<c r='A1' t = 'n'><v>${card}</v></c>`, " r='A1'"],
    ['with a bracket in its tag', `<c r="A1" x=">"><v>${card}</v></c>`, ' r="A1" x=">"'],
  ])('%s', (_name, cell, tag) => {
    expect(maskPart(`<row>${cell}</row>`)).toBe(masked(tag));
  });

  test('indexes of shared texts are not values', () => {
    const xml = `<c t='s'><v>${card}</v></c><c t="e"><v>#N/A</v></c><c><v>12.5</v></c>`;
    expect(textsOf(xml)).toEqual([]);
  });

  test.each<[value: string, digits: string | undefined]>([
    ['123456789', '123456789'],
    ['012345678', '012345678'],
    ['12345678', undefined],
    ['1.23456789E8', '123456789'],
    ['1.23456789E7', undefined],
    ['1.5E10', '15000000000'],
    ['123456789.00', '123456789'],
    ['123456789.5', undefined],
    ['1234567890E-1', '123456789'],
    ['1E-99', undefined],
    ['-123456789', undefined],
    ['1E999', undefined],
    ['1E', undefined],
    ['', undefined],
  ])('%s', (value, digits) => {
    expect(wholeDigits(value)).toBe(digits);
  });
});

test.each<[code: string, digits: string, text: string]>([
  ['[&lt;=9999999]###\\-####;\\(###\\)\\ ###\\-####', '2125550123', '(212) 555-0123'],
  ['[<=9999999]###-####;(###) ###-####', '5550123', '555-0123'],
  ['000-0000-0000', '9012345678', '090-1234-5678'],
  ['"+"00 0 0000 0000', '81312345678', '+81 3 1234 5678'],
  ['+## ### #######', '4915112345678', '+491 511 2345678'],
  ['00-00', '123456789', '1234567-89'],
  ['000-0000', '4111111111111111', '4111111111111111'],
  ['0000 0000 0000 0000', '4111111111111111', '4111 1111 1111 1111'],
  ['# ### ##0', '123456789', '123456789'],
  ['0.00', '123456789', '123456789'],
  ['#,##0', '123456789', '123456789'],
  ['[Red]000-000', '123456789', '123456789'],
  ['[>5]', '123456789', '123456789'],
  ['-', '123456789', '123456789'],
])('the format %s shows %s as %s', (code, digits, text) => {
  expect(formattedDigits(digits, { code })).toBe(text);
});

describe('escapes', () => {
  test.each<[xml: string, out: string]>([
    [`<si><t>${card}_x000D_\nTokyo</t></si>`, '<si><t>[CREDIT_CARD-1]_x000D_\nTokyo</t></si>'],
    ['<si><t>hana_x0040_mail.example</t></si>', '<si><t>[EMAIL-1]</t></si>'],
    ['<si><t>a_x005F_x0040_ hana@mail.example</t></si>', '<si><t>a_x005F_x0040_ [EMAIL-1]</t></si>'],
    ['<c t="str"><v>123-45-6789_x000D_</v></c>', '<c t="str"><v>[SSN-1]_x000D_</v></c>'],
    ['<a:p><a:t>hana@mail.example_x000B_Tokyo</a:t></a:p>', '<a:p><a:t>[EMAIL-1]_x000B_Tokyo</a:t></a:p>'],
    ['<t><![CDATA[hana@mail.example_x000D_]]></t>', '<t><![CDATA[[EMAIL-1]_x000D_]]></t>'],
    ['<tableColumn name="Tel_x000a_090-1234-5678"/>', '<tableColumn name="Tel\n[PHONE-1]"/>'],
    ['<vt:lpwstr>hana@mail.example_x000d_</vt:lpwstr>', '<vt:lpwstr>[EMAIL-1]_x000D_</vt:lpwstr>'],
    ['<si><t>a&#13;&#10;b hana@mail.example</t></si>', '<si><t>a_x000D_\nb [EMAIL-1]</t></si>'],
    ['<si><t>a\r\nb hana@mail.example</t></si>', '<si><t>a\nb [EMAIL-1]</t></si>'],
    ['<oddHeader>a&#13;\r\nb hana@mail.example</oddHeader>', '<oddHeader>a_x000D_\nb [EMAIL-1]</oddHeader>'],
    ['<w:p><w:t>_x0041_ hana@mail.example</w:t></w:p>', '<w:p><w:t>_x0041_ [EMAIL-1]</w:t></w:p>'],
  ])('%s', (xml, out) => {
    expect(maskPart(xml)).toBe(out);
  });

  test.each([
    '_x0041_',
    'a_x005F_x0041_',
    '__x0041__x0042_',
    '_xABCD_x0041_',
    '_x0041\r',
    '\u0001\ud83d\ude00\udc00\uffff',
    'x\ty\nz_x00',
  ])('written text is read back unchanged: %j', (text) => {
    const written = encodeEscapes(text);
    expect(decodeEscapes(written)).toBe(text);
    expect(written.isWellFormed()).toBe(true);
  });
});

describe('headers and footers of sheets', () => {
  test.each<[text: string, out: string]>([
    ['&amp;C4111 1111 1111 1111', '&amp;C[CREDIT_CARD-1]'],
    ['&amp;LPage &amp;P&amp;R090-1234-5678', '&amp;LPage &amp;P&amp;R[PHONE-1]'],
    ['&amp;L&amp;"Arial,Bold"&amp;12 4111 1111 1111 1111', '&amp;L&amp;"Arial,Bold"&amp;12 [CREDIT_CARD-1]'],
    [
      '&amp;&quot;-,Regular&quot;hana@mail.example&amp;R123-45-6789',
      '&amp;&quot;-,Regular&quot;[EMAIL-1]&amp;R[SSN-1]',
    ],
    ['&amp;C&amp;KFF0000123-45-6789&amp;K01+000&amp;B', '&amp;C&amp;KFF0000[SSN-1]&amp;K01+000&amp;B'],
    ['R&amp;&amp;D hana@mail.example', 'R&amp;&amp;D [EMAIL-1]'],
  ])('%s', (text, out) => {
    const part = (inside: string) =>
      `<headerFooter><oddHeader>${inside}</oddHeader><firstFooter>x</firstFooter></headerFooter>`;
    expect(maskPart(part(text))).toBe(part(out));
  });

  test('in CDATA', () => {
    const xml = '<evenFooter><![CDATA[&C123-45-6789&"A"]]></evenFooter>';
    expect(maskPart(xml)).toBe(xml.replace('123-45-6789', '[SSN-1]'));
  });
});
