import { describe, expect, test } from 'vitest';
import { allowedHosts, UrlGuard } from '../../core/url-guard.ts';

/** Whether a token behind the text would stand inside an address, whatever pieces the text came in. */
function isInside(text: string, hosts: readonly string[] = []): boolean {
  const allows = allowedHosts(hosts);
  const whole = new UrlGuard(allows);
  whole.push(text);
  const piecewise = new UrlGuard(allows);
  for (const unit of text.split('')) piecewise.push(unit);
  expect(piecewise.isInsideAddress).toBe(whole.isInsideAddress);
  for (let cut = 0; cut <= Math.min(text.length, 100); cut++) {
    const guard = new UrlGuard(allows);
    guard.push(text, 0, cut);
    guard.push(`x${text}y`, cut + 1, text.length + 1);
    if (guard.isInsideAddress !== whole.isInsideAddress) throw new Error(`another answer when cut at ${cut}`);
  }
  return whole.isInsideAddress;
}

describe('inside an address', () => {
  test.each([
    'http://x.example/',
    'see https://x.example/?q=',
    'HTTPS:/x',
    'http:\\x',
    '//x.example/',
    'file:///etc/',
    'http://x.example/a,b;c(d)e\'f"'.slice(0, -1),
    'www.x.example/',
    'see www.x.example?',
    '(www.x',
    '![](',
    '[text](https://x.example/',
    '[a](b(c)',
    '[a](b(c',
    '[a](b\nc',
    '[a](<b',
    'http://x[a](',
    '<img src="',
    "<img src='",
    '<img src=',
    '<img src = ',
    '<img src=x',
    '<IMG SRC = "',
    '<a href="mailto:a@b.example?body=',
    '<a title="x" href="',
    "<a title='>' href='",
    '<<a href="',
    '<img alt=x src=',
    '<form action="',
    '<video poster="',
    '<use xlink:href="',
    '<p style="background:url(',
    '<meta content="0;',
    '<iframe srcdoc="',
    `<img ${'x'.repeat(40)} src="`,
    `[a](${'x'.repeat(4095)}`,
  ])('%j', (text) => expect(isInside(text)).toBe(true));

  test.each([
    '',
    'text',
    'a / b',
    'and/or',
    'http:',
    'http: //'.slice(0, 6),
    'http://x.example/ ',
    'http://x.example/\n',
    'http://x.example/"',
    'http://x.example/`',
    'http://x.example/>',
    'http://x.example/<',
    'http://x.example/。',
    'http://x.example/、',
    'http://x.example/）',
    'http://x.example/」',
    'http://x.example/\u3000',
    '\\\\x',
    '/\\x',
    'awww.x',
    'www',
    '(text',
    '[a] (',
    '[a](b)',
    '[a](b(c))',
    '[a](b\n\n',
    '[a](mailto:',
    '[a](<tel:',
    '[a]( sms:',
    '<a href="mailto:',
    '<a href="TEL:',
    'a < b src="',
    '<1 src="',
    '<img alt="',
    '<img data-src="',
    '<img src="x"',
    '<img src="x" alt="',
    "<img src='x' ",
    '<img src=x ',
    '<img src=x>',
    '<img>src="',
    '<p>',
    '<img alt=',
    '<img ',
    `<img ${'x'.repeat(4096)} src="`,
    `[a](${'x'.repeat(4097)}`,
  ])('not %j', (text) => expect(isInside(text)).toBe(false));
});

describe('an address of a host that is allowed', () => {
  test('no host is', () => expect(allowedHosts([])).toBeUndefined());

  test.each([
    ['crm.example', true],
    ['a.crm.example', true],
    ['acrm.example', false],
    ['crm.example.evil.test', false],
    ['other.example', true],
    ['', false],
  ])('%s: %s', (host, expected) => expect(allowedHosts(['crm.example', 'other.example'])?.(host)).toBe(expected));

  test.each([
    ['https://crm.example/?name=', true],
    ['https://CRM.Example/', true],
    ['http:/\\crm.example/', true],
    ['//crm.example#', true],
    ['https://crm.example:8443/', true],
    ['https://user@crm.example/', true],
    ['https://crm.example', false],
    ['https://crm.example:', false],
    ['https://crm.example@evil.test/', false],
    ['https://evil.test/https://crm.example/', false],
    ['https://evil.test/#@crm.example/', false],
    ['https://evil.test\\@crm.example/', false],
    ['https://[::1]/', false],
    ['www.crm.example/', true],
    ['www.evil.test/', false],
    ['![x](https://crm.example/', true],
    ['![x](<https://crm.example/', true],
    ['![x](crm.example/', false],
    ['![x](https://evil.test/crm.example/', false],
    ['<img src="https://crm.example/?', true],
    ['<img src="https://evil.test/?', false],
    [`https://${'a.'.repeat(200)}crm.example/`, false],
  ])('%s: %s', (text, isAllowed) => expect(isInside(text, ['crm.example'])).toBe(!isAllowed));
});
