import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLabelToken, formatSecuredToken, formatToken } from '../../../core/tokens/token-format.ts';
import { findTokens, heldSuffixLength, tokenLengthMax } from '../../../core/tokens/tokens.ts';
import { compareWithGolden } from '../../support/near-misses/suite.ts';
import { tokenBlocks } from '../../support/near-misses/tokens.ts';
import { spellings } from '../token-spellings.ts';

test('formats', () => {
  expect(formatToken('EMAIL', 1)).toBe('[EMAIL-1]');
  expect(formatLabelToken('PROJECT', 2)).toBe('[PROJECT_2]');
  expect(formatLabelToken('NAME', 2)).toBe('[NAME-2]');
  expect(formatSecuredToken('EMAIL', 'aB3')).toBe('[SECURED:type=EMAIL,id=aB3]');
});

describe('tolerated spellings', () => {
  test.each(spellings)('%s is %s (%s)', (text, identity, form) => {
    const found = findTokens(`before ${text} after`);
    expect(found).toEqual([{ start: 7, end: 7 + text.length, identity, form }]);
    expect(findTokens(`氏名${text}さん`)).toHaveLength(1);
  });

  test.each(spellings)('every cut of %s is held', (text) => {
    for (let cut = 1; cut < text.length; cut++) {
      const partial = text.slice(0, cut);
      // Held text may start earlier than the token, never later; a complete token inside needs no holding.
      if (findTokens(partial).length === 0) expect(heldSuffixLength(`to ${partial}`), partial).toBe(cut);
    }
    if (!text.startsWith('\\')) expect(heldSuffixLength(`to ${text}.`)).toBe(0);
  });

  test.each([
    ['**[EMAIL-1]**', 2, 'exact'],
    ['\\[EMAIL-1]', 1, 'exact'],
    ['[[EMAIL-1] x]', 1, 'exact'],
    ['[NAME-1]さん', 0, 'exact'],
    ["[NAME-1]'s", 0, 'exact'],
    ['array[[EMAIL-1]]', 5, 'doubled'],
  ])('%s: the text around it stays', (text, start, form) => {
    expect(findTokens(text)).toMatchObject([{ start, form }]);
  });

  test('link form is two tokens', () => {
    expect(findTokens('[EMAIL-1](mailto:[EMAIL-1])')).toMatchObject([{ start: 0 }, { start: 17 }]);
  });
});

test.each([
  '[EMAIL-]',
  '[EMAIL-01]',
  '[EMAIL-0]',
  '[EMAIL-1',
  'EMAIL-1',
  '[1]',
  '[-1]',
  'array[0]',
  '[EMAIL-1】',
  '[EMAIL-1.5]',
  '[EMAIL-1, EMAIL-2]',
  '[EMAIL\n-1]',
  '[PROJECT1]',
  '[SECURED:type=EMAIL]',
  '[SECURED:type=EMAIL,id=]',
  '[SECURED:]',
  '[SECURED:id]',
  '[SECURED:abcdef]',
  '[SECURED:a1]',
  '[SECURED:a1b2,c3]',
  '[SRAG:a1b2c3]',
  '[SECURED:type=EMAIL,id=a.b]',
  '[SECURED:type=EMAIL,id=a b,x]',
  `[SECURED:type=EMAIL,id=${'a'.repeat(65)}]`,
  '[SECURED:type=EMAIL,id=aB3】',
  '[SECURED:type=EMAIL,id=aB3&#93;',
  '&#91;SECURED:type=EMAIL,id=aB3%5D',
  '[SECURED:type=EMAIL;id=aB3]',
  '[メール-1]',
  `[${'A'.repeat(200)}-1]`,
])('%j is not a token', (text) => {
  expect(findTokens(text)).toEqual([]);
});

test('longer numbers are different tokens', () => {
  expect(findTokens('[EMAIL-12][EMAIL-1]').map((match) => match.identity)).toEqual(['[EMAIL-12]', '[EMAIL-1]']);
});

describe('bare tokens', () => {
  test.each([
    ['EMAIL-1', ['[EMAIL-1]']],
    ['to: EMAIL-1, NAME-2', ['[EMAIL-1]', '[NAME-2]']],
    ['PROJECT_1', ['[PROJECT_1]']],
    ['[EMAIL-1] EMAIL-2', ['[EMAIL-1]', '[EMAIL-2]']],
    ['XEMAIL-1x', []],
    ['EMAIL-1-2', []],
    ['email-1', []],
    ['EMAIL-12a', []],
  ])('%s', (text, identities) => {
    expect(findTokens(text, { bare: true }).map((match) => match.identity)).toEqual(identities);
    expect(findTokens(text).every((match) => match.form !== 'bare')).toBe(true);
  });
  test('cuts are held', () => {
    for (let cut = 1; cut <= 7; cut++)
      expect(heldSuffixLength(`to ${'EMAIL-1'.slice(0, cut)}`, undefined, { bare: true })).toBe(cut);
  });
});

describe('held suffix', () => {
  test.each([
    ['', 0],
    ['plain words', 0],
    ['a [', 1],
    ['a [[', 2],
    ['a [[EMAIL-1]', 10],
    ['a [EMAIL-1]', 0],
    ['a [0', 0],
    ['a \\', 1],
    ['a &', 1],
    ['a &#9', 3],
    ['a &amp', 0],
    ['a %', 1],
    ['a %2', 2],
    ['a %20', 0],
    ['a 【', 1],
    ['f(x[i', 2],
    ['see [note] and', 0],
    ['[x.y', 0],
  ])('%j: %i', (text, held) => {
    expect(heldSuffixLength(text)).toBe(held);
  });
  test('accepts only issued tokens', () => {
    const issued = (partial: string) => '[EMAIL-1]'.startsWith(partial);
    expect(heldSuffixLength('x [EM', issued)).toBe(3);
    expect(heldSuffixLength('x [see the docs', issued)).toBe(0);
    expect(heldSuffixLength('x [email_1', issued)).toBe(8);
    expect(heldSuffixLength('x [EMAIL-2', issued)).toBe(0);
  });
  test('never reaches the maximum', () => {
    expect(heldSuffixLength(`[${'A'.repeat(126)}`)).toBe(127);
    expect(heldSuffixLength(`[${'A'.repeat(127)}`)).toBe(0);
    fc.assert(fc.property(fc.string(), (text) => heldSuffixLength(text) < tokenLengthMax));
  });
});

const piece = fc.constantFrom(...spellings.map(([text]) => text), ...'[|]|\\|&|%5| |a|[[|]]|(|-1|【|EMAIL'.split('|'));

test('law: cutting anywhere and holding back finds the same tokens', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(), (pieces, at) => {
      const text = pieces.join('');
      const whole = findTokens(text);
      const cut = at % (text.length + 1);
      const sent = cut - heldSuffixLength(text.slice(0, cut));
      const first = findTokens(text.slice(0, sent));
      const second = findTokens(text.slice(sent)).map((match) => ({
        ...match,
        start: match.start + sent,
        end: match.end + sent,
      }));
      expect([...first, ...second]).toEqual(whole);
    }),
    { numRuns: 2000 },
  );
});

/**
 * A difference is a change of what counts as a token: when it is intended, `node scripts/near-misses.ts tokens` and
 * read the diff.
 */
compareWithGolden([['tokens', tokenBlocks()]]);

test('a bare token inside other brackets counts, also in pieces', () => {
  const isIssued = (identity: string) => identity === '[EMAIL-1]';
  const found = (text: string) => findTokens(text, { bare: true, isIssued }).map(({ identity }) => identity);
  expect(found('[A EMAIL-1\\]')).toContain('[EMAIL-1]');
  expect(found('[A EMAIL-1 2]')).toContain('[EMAIL-1]');
  expect(found('[EMAIL-1]')).toEqual(['[EMAIL-1]']);
  expect(findTokens('[A EMAIL-1 2]', { bare: true }).map(({ identity }) => identity)).toEqual(['[A_EMAIL_1_2]']);
});
