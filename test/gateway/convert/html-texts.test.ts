/** Pages in documents (chapters of books, HTML in a text): inline elements do not split values. */
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openDocument } from '../../../gateway/convert/index.ts';
import { makeDocx, makePackage } from '../../support/documents.ts';
import { maskPart, maskText, textsOf } from '../../support/masked-part.ts';

const page = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`;

describe('lines of a page', () => {
  test.each<[name: string, body: string, texts: string[]]>([
    [
      'inline elements',
      '<p>Tel 090-<b>1234</b>-5678, <i>a</i> <u>b</u></p>',
      ['Tel 090-1234-5678, a b', 'Tel 090-\n1234\n-5678, a b'],
    ],
    ['blocks', 'a<p>b</p>c<div>d<ul><li>e</li><li>f</li></ul></div>', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['tables', '<table><tr><td>SSN</td>\n <td>\n <b>123-45-6789</b>\n </td></tr></table>', ['SSN', '123-45-6789']],
    ['line breaks', '<p>090-1234-5678<br/>123-45-6789<BR>x</p>', ['090-1234-5678\n123-45-6789\nx']],
    ['unclosed elements', '<P>a<p>b<img src="x"><li>c', ['a', 'b', 'c']],
    ['prefixes', '<h:p>a<h:b>b-</h:b>c</h:p>', ['ab-c', 'a\nb-\nc']],
    [
      'readings',
      '<ruby>山田<rp>(</rp><rt>やまだ</rt><rp>)</rp></ruby>さん',
      ['山田さん', '(', 'やまだ', ')', '山田\nさん'],
    ],
  ])('%s', (_name, body, texts) => {
    expect(textsOf(page(body))).toEqual(texts);
  });
});

test.each<[body: string, out: string]>([
  ['<p>4111 1111 <i>1111 1111</i> x</p>', '<p>[CREDIT_CARD-1]<i></i> x</p>'],
  ['<p>hana@<b>mail.example</b></p>', '<p>[EMAIL-1]<b></b></p>'],
  ['<p>4111&nbsp;1111&nbsp;1111&nbsp;1111</p>', '<p>[CREDIT_CARD-1]</p>'],
  // Found where the style shows a gap, as between layout cells, and before a note mark.
  [
    '<p><span>hana@mail.example</span><span>123-45-6789</span></p>',
    '<p><span>[EMAIL-1]</span><span>[SSN-1]</span></p>',
  ],
  ['<p>4111 1111 1111 1111<sup>1</sup></p>', '<p>[CREDIT_CARD-1]<sup>1</sup></p>'],
  [
    '<p>4111 1111 1111 1111.<sup><a href="#n5">5</a></sup></p>',
    '<p>[CREDIT_CARD-1].<sup><a href="#n5">5</a></sup></p>',
  ],
  ['<p>host 192.168.12.17.<sup>5</sup></p>', '<p>host [IP_ADDRESS-1].<sup>5</sup></p>'],
  // Text that may be one value or two gets one token, so that nothing is restored twice.
  ['<p><b>Mail</b>hana@mail.example</p>', '<p><b>[EMAIL-1]</b></p>'],
  [
    '<p><b>4111 1111 1111 1111</b><span>-</span>12/29</p>',
    '<p><b>[CREDIT_CARD-1]</b><span>-</span>[CARD_EXPIRY-1]</p>',
  ],
  ['<p><span>Nr.</span>4111111111111111</p>', '<p><span>Nr.</span>[CREDIT_CARD-1]</p>'],
  ['<p><span>0.</span><span>4111111111111111</span></p>', '<p><span>0.</span><span>[CREDIT_CARD-1]</span></p>'],
  ['<p><span>12-</span>078-05-1120</p>', '<p><span>12-</span>[SSN-1]</p>'],
  ['<p><span>192.168.12.17</span><span>.5</span></p>', '<p><span>[IP_ADDRESS-1]</span><span>.5</span></p>'],
])('%s', (body, out) => {
  expect(maskPart(page(body))).toBe(page(out));
});

test.each<[name: string, bytes: Uint8Array, part: string]>([
  [
    'a chapter of a book',
    makePackage({ mimetype: 'application/epub+zip', 'a.xhtml': page('<p>Tel 090-<b>1234</b>-5678</p>') }),
    'a.xhtml',
  ],
  [
    'a fragment in a text',
    makeDocx([['x']], { 'word/afchunk.html': '<p>Tel 090-<b>1234</b>-5678' }),
    'word/afchunk.html',
  ],
])('%s', async (_name, bytes, part) => {
  const { texts, rewrite } = await openDocument(bytes);
  const out = unzipSync((await rewrite?.(texts.map(maskText))) ?? new Uint8Array());
  expect(Buffer.from(out[part] ?? []).toString()).toContain('<p>Tel [PHONE-1]<b></b>');
});
