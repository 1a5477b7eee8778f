/** Escapes in texts that no parser decodes: JSON in prose, source code, logs, terminals. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { decodeUnits, escapeRanges } from '../../../core/detect/escapes.ts';
import { scanText } from '../../../core/detect/scan.ts';
import escapes from '../../../core/lexicon/escapes.json' with { type: 'json' };
import all from '../../../core/lexicon/patterns.json' with { type: 'json' };

const detector = new Detector();
const found = (text: string) => detector.detect(text).map(({ type, value }) => `${type} ${value}`);

test.each([
  [String.raw`to ann\.berg\@example\.com`, [String.raw`EMAIL ann\.berg\@example\.com`]],
  [String.raw`to ann.berg\\@example.com`, [String.raw`EMAIL ann.berg\\@example.com`]],
  [String.raw`card 4111\-1111\-1111\-1111`, [String.raw`CREDIT_CARD 4111\-1111\-1111\-1111`]],
  ['anna@mail。example｡co.jp まで', ['EMAIL anna@mail。example｡co.jp']],
  [String.raw`C:\users\ann.berg\.ssh and API。The`, []],
])('escaped punctuation and dots of other scripts: %s', (text, expected) => expect(found(text)).toEqual(expected));

test('every pattern has a sign', () => {
  const { signs, rare } = escapes;
  const found = new Set([...Object.values(signs).flat(), ...rare]);
  expect([...found, 'blank'].sort()).toEqual(Object.keys(all.escapes.patterns).sort());
});

describe('escaped breaks', () => {
  test.each([
    [String.raw`Fix: {"note":"Card\n4111 1111 1111 1111"}`, ['CREDIT_CARD 4111 1111 1111 1111']],
    [
      String.raw`{"body":"Card:\n4111 1111 1111 1111\nTel\n090-1234-5678"} fix`,
      ['CREDIT_CARD 4111 1111 1111 1111', 'PHONE 090-1234-5678'],
    ],
    [
      String.raw`{"a":"x\r\nEmily Harrington called\t203.0.113.7"} ?`,
      ['NAME Emily Harrington', 'IP_ADDRESS 203.0.113.7'],
    ],
    [String.raw`直して: {"a":"電話\n090-1234-5678"}`, ['PHONE 090-1234-5678']],
    ['\u001b[1;32m090-1234-5678\u001b[0m', ['PHONE 090-1234-5678']],
    [String.raw`log: {\\"a\\":\\"Tel\\n090-1234-5678\\"}`, ['PHONE 090-1234-5678']],
    [String.raw`log: "at\nann.berg@example.com"`, ['EMAIL ann.berg@example.com']],
    [String.raw`C:\new\temp\12 a`, []],
  ])('%s', (text, expected) => expect(found(text)).toEqual(expected));

  test('law: blanks have the width of what they replace', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\\', 'n', 't', '1', 'A', '\u001b[1m', '\u001b', '山', ' ')), (parts) => {
        const text = parts.join('');
        const places = escapeRanges(text);
        const blank = scanText(text).shadow;
        expect(blank).toHaveLength(text.length);
        for (let i = 0; i < places.length; i += 2) expect(blank.slice(places[i], places[i + 1])).toMatch(/^ +$/);
      }),
    );
  });
});

test.each([
  ['mail anna<b>@</b>example.com', ['EMAIL anna<b>@</b>example.com']],
  ['mail anna@<wbr>example.com', ['EMAIL anna@<wbr>example.com']],
  ['<b>a</b>nna@example<span class="x">.</span>com', ['EMAIL a</b>nna@example<span class="x">.</span>com']],
  ['anna<!-- not a break -->@example.com', ['EMAIL anna<!-- not a break -->@example.com']],
  ['anna**@**example.com', ['EMAIL anna**@**example.com']],
  ['anna`@`example.com', ['EMAIL anna`@`example.com']],
  ['card 4111<b>1111</b>1111<wbr>1111', ['CREDIT_CARD 4111<b>1111</b>1111<wbr>1111']],
  ['call 090-<b>1234</b>-5678', ['PHONE 090-<b>1234</b>-5678']],
  [
    'anna<p>@example.com, anna.berg@</div><div class="x">example.com',
    ['EMAIL anna<p>@example.com', 'EMAIL anna.berg@</div><div class="x">example.com'],
  ],
  ['<td>4111</td><td>1111</td><td>1111</td><td>1111</td>', []],
  ['<li>anna</li><li>@anna</li> Map<string>@Injectable() a<br>@media print', []],
  ['x**2 + y**2 = 4111**2, 10<sup>12</sup> and 411<sub>1</sub>', []],
])('markup inside a value: %s', (text, expected) => expect(found(text)).toEqual(expected));

describe('escaped characters', () => {
  test.each([
    [String.raw`see {"mail":"hanako\u0040example.com"} ok`, [String.raw`EMAIL hanako\u0040example.com`]],
    [String.raw`直して: {"name":"\u5c71\u7530 \u592a\u90ce\u69d8"} ok`, [String.raw`NAME \u5c71\u7530 \u592a\u90ce`]],
    [String.raw`x {"\u96fb\u8a71":"0355550123"} y`, ['PHONE 0355550123']],
    [String.raw`x \u0041 jo@example.com and 090-1234-5678`, ['EMAIL jo@example.com', 'PHONE 090-1234-5678']],
    [String.raw`x \\u0040 jo@example.com`, ['EMAIL jo@example.com']],
    [String.raw`anna\x40example.com`, [String.raw`EMAIL anna\x40example.com`]],
    [String.raw`anna\u{40}example.com`, [String.raw`EMAIL anna\u{40}example.com`]],
    [String.raw`anna\100example.com`, [String.raw`EMAIL anna\100example.com`]],
    [String.raw`{"html":"anna\u0026#64;example.com"}`, [String.raw`EMAIL anna\u0026#64;example.com`]],
    [String.raw`C:\100\200\101 and \x1b[0m or \u{110000}`, []],
  ])('%s', (text, expected) => expect(found(text)).toEqual(expected));

  test.each([
    ['<p>&#23665;&#30000;&#22826;&#37070;様</p>', ['NAME &#23665;&#30000;&#22826;&#37070;']],
    ['card 4111&#32;1111&#x20;1111&nbsp;1111 x', ['CREDIT_CARD 4111&#32;1111&#x20;1111&nbsp;1111']],
    ['john&#x2e;smith&#X40;example.com', ['EMAIL john&#x2e;smith&#X40;example.com']],
    ['jo&commat;example&period;com &amp; x', ['EMAIL jo&commat;example&period;com']],
    ['Dear Mr. Conor O&#39;Brien, hello', ['NAME Conor O&#39;Brien']],
    ['&#128512;jo@example.com', ['EMAIL jo@example.com']],
    ['電話&#65306;0355550123', ['PHONE 0355550123']],
    ['a&#64 b&#x110000;&#xd800;&#0;&#; jo@example.com', ['EMAIL jo@example.com']],
    ['jo&#64example.com', ['EMAIL jo&#64example.com']],
    ['jo&#00000000064;example.com', ['EMAIL jo&#00000000064;example.com']],
    ['a page in a page: jo&amp;#64;example.com', ['EMAIL jo&amp;#64;example.com']],
    ['jo&shy;hn&lowbar;b@example.com', ['EMAIL jo&shy;hn&lowbar;b@example.com']],
  ])('references: %s', (text, expected) => expect(found(text)).toEqual(expected));

  test.each([
    ['see https://x.example/?card=4111%201111%201111%201111 ok', ['CREDIT_CARD 4111%201111%201111%201111']],
    ['https://x.example/?tel=%2B81%2090-1234-5678&x=1', ['PHONE %2B81%2090-1234-5678']],
    [
      'https://x.example/?q=%E6%8B%85%E5%BD%93%E3%81%AF%E5%B1%B1%E7%94%B0%20%E5%A4%AA%E9%83%8E%E6%A7%98',
      ['NAME %E5%B1%B1%E7%94%B0%20%E5%A4%AA%E9%83%8E'],
    ],
    ['https://x.example/?mail=anna%2Eberg%40example%2Ecom', ['EMAIL anna%2Eberg%40example%2Ecom']],
    ['https://x.example/a%20b?mail=jo@example.com', ['EMAIL jo@example.com']],
    ['the log has mail=anna%2Eberg%40example%2Ecom in it', ['EMAIL anna%2Eberg%40example%2Ecom']],
    ['GET /find?card=4111%201111%201111%201111&x=1', ['CREDIT_CARD 4111%201111%201111%201111']],
    ['written as anna%2Eberg%40example%2Ecom, thanks', ['EMAIL anna%2Eberg%40example%2Ecom']],
    ['50%=a%2Fb and x=100%25 of anna%40', []],
    ['100%20 off 4111%2D1111%2D1111%2D1111', []],
    ['https://x.example/%E5%B1%zz%ff%2', []],
  ])('percent-encoding in addresses: %s', (text, expected) => expect(found(text)).toEqual(expected));

  test.each([
    ['a & b &amp; &#; &#x; &nbsp', undefined],
    [String.raw`{"a":"{\"b\":\"c\"}"} C:\new @ \u \x`, undefined],
    ['&#0;&#xd800;&#x110000;', undefined],
    ['&#128512;', '😀'],
    ['\\u0026#64;&#64;', '&#64;@'],
  ])('%s is decoded once', (text, decoded) => expect(decodeUnits(text)?.text).toBe(decoded));

  test('law: each unit maps to its position', () => {
    const piece = fc.constantFrom('\\u0041', '\\u5c71', '\\\\u0041', '\\', 'u', 'a', '山', '\\ud83d\\ude00');
    fc.assert(
      fc.property(fc.array(piece), (parts) => {
        const text = parts.join('');
        const decoded = decodeUnits(text);
        if (decoded === undefined) return;
        const { starts } = decoded;
        expect(starts[decoded.text.length]).toBe(text.length);
        for (let i = 0; i < decoded.text.length; i++) {
          const part = text.slice(starts[i], starts[i + 1]);
          const unit = part.length === 1 ? part : String.fromCharCode(Number.parseInt(part.slice(-4), 16));
          expect(unit).toBe(decoded.text[i]);
        }
      }),
    );
  });

  test('many of them take linear time', () => {
    const text = String.raw`a\u0040b.example jo@example.com `.repeat(20_000);
    expect(detector.detect(text).length).toBeGreaterThan(20_000);
  });
});
