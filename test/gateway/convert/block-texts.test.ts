/** Paragraphs: inline content that is not part of the text, and the text before tracked changes. */
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { withTexts, xmlTexts } from '../../../gateway/convert/office/xml-texts.ts';
import { maskPart, textsOf } from '../../support/masked-part.ts';

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const del = (text: string) => `<w:del w:id="1"><w:r><w:delText>${text}</w:delText></w:r></w:del>`;
const ins = (text: string) => `<w:ins w:id="2">${run(text)}</w:ins>`;
const note5 = '<w:r><w:footnoteReference w:id="5"/></w:r>';
const anchor =
  '<w:r><w:drawing><wp:anchor><wp:positionH><wp:posOffset>914400</wp:posOffset></wp:positionH><wp:positionV><wp:align>top</wp:align></wp:positionV>' +
  '<wp14:sizeRelH><wp14:pctWidth>0</wp14:pctWidth></wp14:sizeRelH><wp14:sizeRelV><wp14:pctHeight>0</wp14:pctHeight></wp14:sizeRelV></wp:anchor></w:drawing></w:r>';
const note =
  '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>x</text:p></text:note-body></text:note>';
const comment =
  '<office:annotation><dc:creator>the reviewers</dc:creator><dc:date>2024-01-01T10:00:00.000000000</dc:date><meta:creator-initials>HM</meta:creator-initials><text:p>check</text:p></office:annotation>';
const picture = '<draw:frame><draw:image/><svg:title>9</svg:title><svg:desc>99</svg:desc></draw:frame>';

const values: [value: string, token: string][] = [
  ['4111 1111 1111 1111', '[CREDIT_CARD-1]'],
  ['090-1234-5678', '[PHONE-1]'],
  ['hana@mail.example', '[EMAIL-1]'],
  ['123-45-6789', '[SSN-1]'],
];

describe('a value is found, and nothing else is changed', () => {
  test.each<[name: string, paragraph: (value: string) => string]>([
    ['after a floating picture', (value) => `<w:p>${anchor}${run(value)}</w:p>`],
    ['next to a floating picture', (value) => `<w:p>${run('Value: ')}${anchor}${run(value)}</w:p>`],
    ['after a comment', (value) => `<text:p>Value ${comment}${value}<office:annotation-end/> end</text:p>`],
    ['before a note mark', (value) => `<text:p>${value}${note}</text:p>`],
    ['after a picture with a title', (value) => `<text:p>${picture}${value}</text:p>`],
    [
      'after the instruction of a field',
      (value) => `<w:p><w:r><w:instrText>FORMTEXT</w:instrText></w:r>${run(value)}</w:p>`,
    ],
    ['in an inserted run', (value) => `<w:p>${run('x ')}${ins(value)}</w:p>`],
    ['in a deleted run next to an inserted one', (value) => `<w:p>${run('x ')}${del(value)}${ins('77')}</w:p>`],
    ['in an inserted run next to a deleted one', (value) => `<w:p>${run('x ')}${del('77')}${ins(value)}</w:p>`],
    ['moved away', (value) => `<w:p>${run('1 ')}<w:moveFrom>${run(value)}</w:moveFrom>${run(' 2')}</w:p>`],
    [
      'between tabs to the margins',
      (value) => `<w:p>${run('1')}<w:r><w:ptab/></w:r>${run(value)}<w:r><w:ptab/></w:r>${run('2')}</w:p>`,
    ],
    [
      'after a symbol',
      (value) => `<w:p>${run('x1')}<w:r><w:sym w:font="Wingdings" w:char="F028"/></w:r>${run(value)}</w:p>`,
    ],
  ])('%s', (_name, paragraph) => {
    for (const [value, token] of values) {
      expect(maskPart(paragraph(value))).toBe(paragraph(token));
    }
  });
});

const footnote = '<w:r><w:footnoteReference w:id="2"/></w:r>';
const raised = (text: string) => `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t></w:r>`;
const field = (instruction: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const slide = (properties: string, text: string) => `<a:r><a:rPr lang="en"${properties}/><a:t>${text}</a:t></a:r>`;
const svg = (inside: string) => `<svg><text>${inside}</text></svg>`;
test.each<[name: string, text: (value: string) => string]>([
  ['before a note mark and a digit', (value) => `<text:p>${value}${note}5 more</text:p>`],
  ['before a footnote mark', (value) => `<w:p>${run(`${value}.`)}${footnote}${run('5 more')}</w:p>`],
  ['before an endnote mark', (value) => `<w:p>${run(value)}<w:endnoteReference/>${run('.5')}</w:p>`],
  ['before a superscript digit', (value) => `<w:p>${run(value)}${raised('5')}${run('.')}</w:p>`],
  ['superscript, after a digit', (value) => `<w:p>${run('5')}${raised(value)}${run('5')}</w:p>`],
  ['before a subscript digit', (value) => `<w:p>${run(value)}${raised('5').replace('super', 'sub')}</w:p>`],
  ['before a reference to a note', (value) => `<w:p>${run(value)}${field('NOTEREF x', '5')}</w:p>`],
  ['before the same as one element', (value) => `<w:p>${run(value)}<w:fldSimple>${run('5')}</w:fldSimple></w:p>`],
  [
    'before a superscript digit of a slide',
    (value) => `<a:p>${slide(' baseline="0"', value)}${slide(' baseline="30000"', '5')}${slide('', 'x')}</a:p>`,
  ],
  [
    'before a superscript digit of a cell',
    (value) => `<si><r><t>${value}</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>5</t></r></si>`,
  ],
  ['before a digit of another style', (value) => `<text:p>${value}<text:span>5</text:span></text:p>`],
  ['in lines of a picture', (value) => svg(`<tspan>${value}</tspan>\n<tspan>5 more</tspan>`)],
])('a value is found %s', (_name, text) => {
  for (const [value, token] of values) {
    expect(maskPart(text(value))).toBe(text(token));
  }
});

test.each(['a', 'tspan', 'textPath', 'altGlyph', 'tref'])('%s in a text of a picture belongs to it', (name) => {
  expect(maskPart(svg(`hana@<${name}>mail.example</${name}>`))).toBe(svg(`[EMAIL-1]<${name}></${name}>`));
});

test('a paragraph with only a note mark has no text', () => {
  expect(xmlTexts(`<w:p>${footnote}</w:p><text:p>${note}</text:p>`).map(({ text }) => text)).toEqual(['x', '', '1']);
});

test('a note mark inside a value does not hide it', () => {
  const xml = (card: string, rest: string) => `<w:p>${run(card)}${footnote}${run(rest)}</w:p>`;
  expect(maskPart(xml('4111 1111', ' 1111 1111'))).toBe(xml('[CREDIT_CARD-1]', ''));
  expect(maskPart(`<text:p>4111 1111${note} 1111 1111</text:p>`)).toBe(`<text:p>[CREDIT_CARD-1]${note}</text:p>`);
});

test('other inline elements of OpenDocument belong to the text', () => {
  const xml =
    '<text:p>hana@<text:span>mail<text:meta>.exa</text:meta></text:span><loext:content-control>mple</loext:content-control></text:p>';
  expect(textsOf(xml)[0]).toBe('hana@mail.example');
  expect(maskPart(xml)).toContain('<text:p>[EMAIL-1]<text:span>');
});

test('a non-numeric position is inspected', () => {
  expect(maskPart('<w:p><wp:posOffset>hana@mail.example</wp:posOffset></w:p>')).toContain('>[EMAIL-1]<');
});

describe('tracked changes', () => {
  test('a paragraph is read in its current and former state', () => {
    expect(textsOf(`<w:p>${run('Tel 090 ')}${del('1111')}${ins('1234')}${run(' 5678')}</w:p>`)).toEqual([
      'Tel 090 1234 5678',
      'Tel 090 1111 5678',
    ]);
  });

  test('values that are replaced in part are both removed, and their tokens are adjacent', () => {
    expect(maskPart(`<w:p>${run('Tel 090-')}${del('1111')}${ins('1234')}${run('-5678 today')}</w:p>`)).toBe(
      `<w:p>${run('Tel ')}${del('[PHONE-1]')}${ins('[PHONE-1]')}${run(' today')}</w:p>`,
    );
  });

  const added = (text: string) =>
    `<w:ins w:id="0" w:author=""><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:ins>`;
  const struck = (text: string) =>
    `<w:del w:id="0" w:author=""><w:r><w:delText xml:space="preserve">${text}</w:delText></w:r></w:del>`;
  const end = run('hana@mail.example today');
  test.each<[name: string, xml: string, masked: string]>([
    [
      'another word before it',
      `${run('write to ')}${del('old.')}${ins('new.')}${end}`,
      `${run('write to ')}${del('[1]')}${ins('[2]')}${run(' today')}`,
    ],
    [
      'a beginning',
      `${run('mail ')}${ins('info-')}${end}`,
      `${run('mail ')}${struck('[1]')}${ins('[2]')}${run(' today')}`,
    ],
    [
      'a deleted beginning',
      `${run('mail ')}${del('info-')}${end}`,
      `${run('mail ')}${added('[1]')}${del('[2]')}${run(' today')}`,
    ],
    [
      'a beginning in its own run',
      `${run('mail h')}${ins('.an')}${run('ana@mail.example today')}`,
      `${run('mail ')}${struck('[1]')}${ins('[2]')}${run(' today')}`,
    ],
    ['a deleted space', `${run('x')}${del(' ')}${end}`, `${run('x')}${del(' ')}${run('[1] today')}`],
    ['an inserted space', `${run('x')}${ins(' ')}${end}`, `${run('x')}${ins(' ')}${run('[1] today')}`],
  ])('restored in each reading: %s', (_name, inside, masked) => {
    const xml = `<w:p>${inside}</w:p>`;
    const groups = xmlTexts(xml);
    const values: string[] = [];
    const out = withTexts(
      xml,
      groups,
      groups.map(({ text }) => text.replaceAll(/[\w.-]+@[\w.]+/g, (value) => `[EMAIL-${values.push(value)}]`)),
    );
    const order: string[] = [];
    const numbered = out.replaceAll(/\[EMAIL-\d+\]/g, (token) => {
      if (!order.includes(token)) order.push(token);
      return `[${order.indexOf(token) + 1}]`;
    });
    expect(numbered).toBe(`<w:p>${masked}</w:p>`);
    const restored = out.replaceAll(/\[EMAIL-(\d+)\]/g, (_, number) => values[number - 1] ?? '');
    const texts = (part: string) =>
      xmlTexts(part).flatMap(({ text, reading }) => (text === '' || reading === 'apart' ? [] : [text]));
    expect(new Set(texts(restored))).toEqual(new Set(texts(xml)));
  });

  test('a current and a former value that share a run with a kept one', () => {
    const xml = `<w:p>${run('hana@mail.example 4111 1111 ')}${del('1111 1111')}${ins('x')}</w:p>`;
    expect(maskPart(xml)).toBe(`<w:p>${run('[EMAIL-1] [CREDIT_CARD-1]')}${del('')}${ins('x')}</w:p>`);
  });

  test('text inserted and deleted again is separate', () => {
    const xml = `<w:p>${del('123-45-6780')}<w:ins>${del('123-45-')}${del('6781')}</w:ins>${ins('123-45-6789')}</w:p>`;
    expect(textsOf(xml)).toEqual(['123-45-6789', '123-45-6780', '123-45-6781']);
    expect(maskPart(xml)).toBe(
      `<w:p>${del('[SSN-1]')}<w:ins>${del('[SSN-1]')}${del('')}</w:ins>${ins('[SSN-1]')}</w:p>`,
    );
  });

  test('a value separated from a word only by deleted or inserted text is found', () => {
    expect(
      maskPart(`<w:p>${run('Tel')}${del(' ')}${run('hana@mail.example')}${del(', ')}${run('123-45-6789')}</w:p>`),
    ).toBe(`<w:p>${run('[EMAIL-1][SSN-1]')}${del(' ')}${run('')}${del(', ')}${run('')}</w:p>`);
    expect(maskPart(`<w:p>${run('hana@mail.example')}${ins(' x ')}${del('123-45-6789')}</w:p>`)).toBe(
      `<w:p>${run('[EMAIL-1]')}${ins(' x ')}${del('[SSN-1]')}</w:p>`,
    );
  });

  test.each([
    ['4111 1111 1111 1111.', '[CREDIT_CARD-1].', '6', '5'],
    ['ip 192.168.12.17', 'ip [IP_ADDRESS-1]', '.6', '.5'],
  ])('the same with punctuation: %s', (value, masked, before, now) => {
    const xml = (text: string) => `<w:p>${run(text)}${del(before)}${ins(now)}</w:p>`;
    expect(maskPart(xml(value))).toBe(xml(masked));
  });

  test('a value adjacent to a longer one is not split by their concatenation', () => {
    const xml = (card: string, mail: string) => `<w:p>${run(card)}${del(', ')}${ins(mail)}${run(' today')}</w:p>`;
    expect(maskPart(xml('4111 1111 1111 1111', 'hana@mail.example'))).toBe(xml('[CREDIT_CARD-1]', '[EMAIL-1]'));
  });

  test.each<[name: string, inside: string, masked: string]>([
    [
      'two values before, each with a part of it',
      `${run('Tel: 090-')}${del('1234-5678 / 090-')}${run('8765-4321')}`,
      `${run('Tel: [PHONE-1]')}${del('[PHONE-2] / [PHONE-1]')}${run('')}`,
    ],
    [
      'a longer one before',
      `${run('Mail hana')}${del('@old.example')}${run('@kitamura.example')}`,
      `${run('Mail [EMAIL-1]')}${del('[EMAIL-2]')}${run('')}`,
    ],
  ])('displayed text keeps its own value: %s', (_name, inside, masked) => {
    const xml = `<w:p>${inside}</w:p>`;
    const values: string[] = [];
    const groups = xmlTexts(xml);
    const detector = new Detector();
    const found = groups.map(({ text }) =>
      detector.detect(text).map(({ type, value, start, end }) => {
        if (!values.includes(value)) values.push(value);
        return { start, end, text: `[${type}-${values.indexOf(value) + 1}]` };
      }),
    );
    const texts = groups.map(({ text }, i) =>
      (found[i] ?? []).reduceRight((now, span) => now.slice(0, span.start) + span.text + now.slice(span.end), text),
    );
    const out = withTexts(xml, groups, texts, found);
    expect(out).toBe(`<w:p>${masked}</w:p>`);
    const restored = out.replaceAll(/\[[A-Z]+-(\d)\]/g, (_, number) => values[number - 1] ?? '');
    expect(textsOf(restored)[0]).toBe(textsOf(xml)[0]);
  });

  test('an instruction in a deleted field is inspected', () => {
    const xml = '<w:p><w:r><w:delInstrText>HYPERLINK "mailto:hana@mail.example"</w:delInstrText></w:r></w:p>';
    expect(maskPart(xml)).toBe(xml.replace('hana@mail.example', '[EMAIL-1]'));
  });
});

test('runs with equal vertical alignment are one text', () => {
  expect(textsOf(`<w:p>${run('x ')}${raised('090-12')}${raised('34-5678')}</w:p>`)).toEqual(['x 090-1234-5678']);
});

test('separators within a value are removed with it, those around it are kept', () => {
  const hyphen = '<w:r><w:noBreakHyphen/></w:r>';
  const card = [run('4111'), run('1111'), run('1111'), run('1111')];
  expect(maskPart(`<w:p>${run('x')}<w:tab/>${card.join(hyphen)}<w:tab/>${run('y')}</w:p>`)).toBe(
    `<w:p>${run('x')}<w:tab/>${[run('[CREDIT_CARD-1]'), run(''), run(''), run('')].join('<w:r></w:r>')}<w:tab/>${run('y')}</w:p>`,
  );
  expect(maskPart('<text:p>4111<text:s/>1111<text:s/>1111<text:s></text:s>1111<text:s/>x</text:p>')).toBe(
    '<text:p>[CREDIT_CARD-1]<text:s></text:s><text:s/>x</text:p>',
  );
  expect(maskPart('<html><p>4111 1111<br/>1111 1111<br/>x</p></html>')).toContain('x</p>');
});

test('tokens take the positions of the values, as far as known', () => {
  const xml = '<text:p>+81 90-<text:span>1234-5</text:span>678 hana@mail.example x</text:p>';
  const groups = xmlTexts(xml);
  const texts = groups.map(({ text }, i) => (i === 0 ? '[PHONE-1] [EMAIL-1] x' : text));
  const places = [
    [
      { start: 0, end: 16, text: '[PHONE-1]' },
      { start: 17, end: 34, text: '[EMAIL-1]' },
    ],
  ];
  expect(withTexts(xml, groups, texts, places)).toBe('<text:p>[PHONE-1]<text:span></text:span> [EMAIL-1] x</text:p>');
  expect(withTexts(xml, groups, texts)).toBe('<text:p>[PHONE-1] [EMAIL-1]<text:span></text:span> x</text:p>');
});

test.each<[xml: string, masked: string]>([
  [
    'db: postgres://admin:S3cretPass<text:span>77@db.kitamura.example/app</text:span>',
    'db: postgres://admin:[PASSWORD-1]<text:span>@db.kitamura.example/app</text:span>',
  ],
  [
    '<text:span>https://hana:Tr0ub4dor</text:span>3x@files.kitamura.example/',
    '<text:span>https://hana:[PASSWORD-1]</text:span>@files.kitamura.example/',
  ],
])('a displayed value is removed despite a longer one that begins inside it: %s', (xml, masked) => {
  expect(maskPart(`<text:p>${xml}</text:p>`)).toBe(`<text:p>${masked}</text:p>`);
});

test.each<[xml: string, masked: string]>([
  [
    `${run('4111 1111 1111 1111')}${note5}${run('-hana@mail.example')}`,
    `${run('[CREDIT_CARD-1]')}${note5}${run('-[EMAIL-1]')}`,
  ],
  [
    `${run('Karte 4111 1111 1111 1111')}${note5}${ins('@mail.example')}`,
    `${run('Karte [CREDIT_CARD-1]')}${note5}${ins('@mail.example')}`,
  ],
])('a value before a note mark is removed despite another one that begins inside it: %s', (xml, masked) => {
  expect(maskPart(`<w:p>${xml}</w:p>`)).toBe(`<w:p>${masked}</w:p>`);
});

test('instructions of two fields are separate texts', () => {
  const field = '<w:r><w:instrText>123-45-6789</w:instrText></w:r>';
  const masked = '<w:r><w:instrText>[SSN-1]</w:instrText></w:r>';
  for (const between of [run('x'), '<w:r><w:fldChar w:fldCharType="end"/></w:r>', '<w:r><w:tab/></w:r>']) {
    expect(maskPart(`<w:p>${field}${between}${field}</w:p>`)).toBe(`<w:p>${masked}${between}${masked}</w:p>`);
  }
});

test('an element within a text is not mistaken for its tag', () => {
  const xml = '<w:p><w:t>x<w:tab/> hana@mail.example</w:t></w:p>';
  expect(maskPart(xml)).toBe(xml.replace('hana@mail.example', '[EMAIL-1]'));
});

test('adjacent values both get their token, wherever they are split', () => {
  const xml = `<w:p>${run('山田太')}${run('郎090-1234-5678.')}</w:p>`;
  const masked = withTexts(xml, xmlTexts(xml), ['[NAME-1][PHONE-1].']);
  expect(masked).toBe(`<w:p>${run('[NAME-1][PHONE-1]')}${run('.')}</w:p>`);
});
