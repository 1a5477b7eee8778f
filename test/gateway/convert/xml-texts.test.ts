import { describe, expect, it } from 'vitest';
import { withTexts, xmlTexts } from '../../../gateway/convert/office/xml-texts.ts';

const mask = (xml: string) => {
  const groups = xmlTexts(xml);
  expect(
    withTexts(
      xml,
      groups,
      groups.map(({ text }) => text),
    ),
  ).toBe(xml);
  const texts = groups.map(({ text }) =>
    text.replaceAll('Hana', '[NAME-1]').replaceAll('4111111111111111', '[CARD-1]'),
  );
  return withTexts(xml, groups, texts);
};

describe('malformed XML parts: every text is found, nothing else changes', () => {
  const rows: [name: string, xml: string, masked?: string][] = [
    ['CDATA', '<t><![CDATA[a < Hana]]></t>'],
    ['unclosed CDATA', '<t ><![CDATA[>Hana</t>'],
    ['a cell with a number in CDATA', '<t><![CDATA[><c><v>4111111111111111</v></c>Hana]]></t>'],
    ['text outside any element', 'Hana'],
    ['text after all elements', '<a/>Hana'],
    ['text after an unclosed tag', '<t>a</t><b Hana', '<t>a</t>&lt;b [NAME-1]'],
    ['text after an unclosed quote', '<t>a</t><b c="Hana', '<t>a</t>&lt;b c="[NAME-1]'],
    ['a tag in a tag', '<a <t>Hana</t>'],
    [
      'names that every object of JavaScript has',
      '<si><constructor>Hana</constructor>&toString; Hana</si>',
      '<si><constructor>[NAME-1]</constructor>&amp;toString; [NAME-1]</si>',
    ],
    [
      'a text as the value of a cell with a number',
      '<c r="A1"><v>Hana</v></c><c><v>12.5</v></c><c t="e"><v>#N/A</v></c>',
    ],
    ['a lone bracket', '<t>1 < 2 Hana</t>', '<t>1 &lt; 2 [NAME-1]</t>'],
    ['a bracket in a value', '<a title="x > Hana">Hana</a>', '<a title="x &gt; [NAME-1]">[NAME-1]</a>'],
    ['values without a space between them', '<a title="Hana"alt="Hana"/>'],
    ['a name without a value', '<a b title = "Hana x"/>'],
    ['a closing tag too many', '</w:p><w:p><w:t>Hana</w:t></w:p></w:p>'],
  ];
  it.each(rows)('%s', (_name, xml, masked) => {
    const expected = xml.replaceAll('Hana', '[NAME-1]').replaceAll('4111111111111111', '[CARD-1]');
    expect(mask(xml)).toBe(masked ?? expected);
  });

  it('a comment is inspected as written', () => {
    const texts = xmlTexts('<?xml version="1.0"?><!-- Hana --><?x Hana?><!DOCTYPE Hana>').map(({ text }) => text);
    expect(texts.filter((text) => text !== '')).toEqual(['-- Hana --', 'x Hana?', 'DOCTYPE Hana']);
  });

  // Took hours for 40 KB as one regular expression; a regression makes this test hang.
  it.each([
    ...['<!--', '<a "', "<a '", '<![CDATA[', '<?', '<!', '<w:p><w:t>a', '<c><f>', '<a b=', '<a><'],
    ...['<w:ins><w:del>', '<w:t>a</w:t><w:del><w:t>b</w:t></w:del>', '<c><v>1', '<oddHeader>&amp;"', '<t>_x000D'],
  ])('many %s are processed without delay', (piece) => {
    expect(xmlTexts(`<w:p><w:t>Hana</w:t></w:p>${piece.repeat(50_000)}`)[0]?.text).toContain('Hana');
  });
});

it.each([
  ['a workbook', '<si><t>Hana</t><rPh sb="0" eb="2"><t>ハナ</t></rPh><r><t> Mori</t></r></si>'],
  ['a text', '<w:p><w:t>Hana</w:t><w:ruby><w:rt><w:t>ハナ</w:t></w:rt></w:ruby><w:t> Mori</w:t></w:p>'],
  ['an OpenDocument', '<text:p>Hana<text:ruby-text>ハナ</text:ruby-text> Mori</text:p>'],
])('phonetic readings of kanji are not part of the words: %s', (_name, xml) => {
  expect(xmlTexts(xml).map(({ text }) => text)).toEqual(['Hana Mori', 'ハナ']);
  expect(mask(xml)).toBe(xml.replace('Hana', '[NAME-1]'));
});

it('a quote in a name is not a delimiter, so changes do not move the end of a tag', () => {
  const masked = mask(`<a'Hana author="Hana'""><t>Hana</t>`);
  expect(masked).toContain('<t>[NAME-1]</t>');
  for (const { text } of xmlTexts(masked)) expect(text).not.toContain('Hana');
});

// A regression makes this test hang.
it.each([
  ['codes', '<oddHeader>', '&amp;&quot;A&amp;C', '</oddHeader>'],
  ['changes', '<w:p>', '<w:t>a</w:t><w:del><w:t>b</w:t></w:del>', '</w:p>'],
  ['numbers', '<c><v>', '1<!---->', '</v></c>'],
  ['spaces', '<c><v>', '   ', 'x</v></c>'],
  ['lines', '<html>', 'a<b>b</b>', '</html>'],
  ['readings', '<html>', 'a<rt>b', '</html>'],
])('many %s in one place are processed without delay', (_name, before, piece, after) => {
  expect(xmlTexts(before + piece.repeat(100_000) + after).length).toBeGreaterThan(0);
});

// When every change was searched for among all others, both took minutes; a regression makes this test hang.
it.each([
  ['cells', '<sheetData>', '<c r="A1"><v>4111111111111111</v></c>', '</sheetData>', 'inlineStr'],
  ['runs of a paragraph', '<w:p>', '<w:r><w:t>Hana </w:t></w:r>', '</w:p>', '[NAME-1] '],
])('300,000 %s are changed', (_name, before, piece, after, changed) => {
  const masked = mask(before + piece.repeat(300_000) + after);
  expect(masked.split(changed).length - 1).toBe(300_000);
});
