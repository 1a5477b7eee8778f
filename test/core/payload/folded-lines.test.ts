/** Which folded lines are joined: those of calendars and contacts, but not text next to them. */
import { describe, expect, test } from 'vitest';
import { unfolded } from '../../../core/payload/folded-lines.ts';

/** A text in which `¬` is a line end and a space, and the same with its lines joined there. */
const folded = (text: string) => text.replaceAll('¬', '\n ');
const whole = (text: string) => text.replaceAll(/\r?¬/g, '');

const mark = 'BEGIN:VCARD\nEMAIL:ana@exam¬ple.com\nEND:VCARD\n';
const [contact, joined] = [folded(mark), whole(mark)];

describe('a line is joined with its continuation', () => {
  test.each([
    ['in a contact', mark],
    ['in a calendar', mark.replaceAll('VCARD', 'VCALENDAR')],
    ['in lower case', mark.toLowerCase()],
    ['with spaces after the delimiters', mark.replaceAll('VCARD', 'VCARD \t')],
    ['after a byte order mark', `a\n\uFEFF${mark}`],
    ['within other text', `a\n b\n${mark} c:d\n e`],
    ['in each of two', `${mark}A:b\n c\n${mark}`],
    ['with a CR in it', mark.replace('ana', 'a\rna')],
    ['with parameters', mark.replace('EMAIL:', 'item1.E-MAIL;PREF=1:')],
    ['right below the first line', 'BEGIN:VCARD¬X\nEND:VCARD'],
    ['right below a byte order mark', '\uFEFFBEGIN:VCARD¬X\nEND:VCARD'],
    ['before one that has only its first line', `${mark}BEGIN:VCARD`],
    ['in nested ones', `BEGIN:VCALENDAR\nA:b¬c\n${mark}${mark}D:e¬f\nEND:VCALENDAR\nG:h\n i`],
    ['after two that overlap', `BEGIN:VCARD\nBEGIN:VCALENDAR\nEND:VCARD\nEND:VCALENDAR\n${mark}`],
  ])('%s', (_where, text) => expect(unfolded(folded(text))).toBe(whole(text)));

  test.each([
    ['with a tab', contact.replace('\n ', '\n\t'), joined],
    ['with only its first space removed', contact.replace('\n ', '\n  '), joined.replace('exam', 'exam ')],
    ['over lines that end with CR LF', contact.replaceAll('\n', '\r\n'), joined.replaceAll('\n', '\r\n')],
    ['over three lines', contact.replace('@', '\n @\n\t'), joined],
  ])('%s', (_where, text, expected) => expect(unfolded(text)).toBe(expected));
});

describe('a truncated one joins a line', () => {
  test.each([
    ['up to the end', 'A:b¬c'],
    ['over CR LF', 'A:b\r¬c\r\nD:e\r¬f'],
    ['with parameters', 'A;X=1:b¬c'],
    ['with a longer name', 'X-AB2:b¬c'],
    ['with a group prefix', 'item1.A:b¬c\nitem23.D:e¬f'],
    ['up to empty lines', 'A:b¬c\n\n\nD:e\n f'],
    ['up to a name in lower case', 'A:b¬c\nSee: d\n e'],
    ['up to a sentence', 'A:b¬c\nSEE THIS: d\nD:e\n f'],
    ['up to a digit', 'A:b¬c\n1A:d\n e'],
    ['up to a name alone', 'A:b¬c\nD\nD:e\n f'],
    ['up to another group', 'A:b¬c\nitem.D:e\n f'],
    [
      'and those of a later complete one, but nothing in between',
      'A:b¬c\nx\nD:e\n f\nBEGIN:VCALENDAR\nG:h\nx\nI:j¬k\nEND:VCALENDAR\nL:m\n n',
    ],
    ['in a nested one', 'BEGIN:VCALENDAR\nA:b¬c'],
    ['to the end of a nested complete one', 'A:b¬c\nBEGIN:VCALENDAR\nD:e\nx\nF:g¬h\nEND:VCALENDAR\nI:j\n k'],
    ['also after a nested complete one', 'A:b¬c\nBEGIN:VCALENDAR\nD:e¬f\nEND:VCALENDAR\nG:h¬i'],
    ['and those of a later complete one', 'A:b¬c\n\nx\nBEGIN:VCALENDAR\nD:e¬f\nEND:VCALENDAR'],
  ])('%s', (_where, rest) => {
    for (const head of ['BEGIN:VCARD\n', 'x\n y\nBEGIN:VCARD\r\n'])
      expect(unfolded(head + folded(rest))).toBe(head + whole(rest));
  });

  test('with a tab', () => expect(unfolded('BEGIN:VCARD\nA:b\n\tc')).toBe('BEGIN:VCARD\nA:bc'));
});

describe('unchanged content', () => {
  test.each<[what: string, text: string]>([
    ['other text', 'A:b\n c'],
    ['a contact that begins within a line', contact.replace('BEGIN', 'x BEGIN')],
    ['a contact whose type continues', contact.replace('BEGIN:VCARD', 'BEGIN:VCARDS')],
    ['another kind of block', contact.replaceAll('VCARD', 'VTHING')],
    ['an end without a beginning', 'A:b\n c\nEND:VCARD\n'],
    ['a contact without folded lines', joined],
    ['a list in it', 'BEGIN:VCARD\nTo call\n 415-555-0132\n 415-555-0198\nEND:VCARD'],
    ['a line after an empty one', 'BEGIN:VCARD\nA:b\n\n c\nEND:VCARD'],
    ['a line that does not begin with a space', 'BEGIN:VCARD\nA:b\nc\nEND:VCARD'],
    ['a line whose name has a byte order mark in it', 'BEGIN:VCARD\nA\uFEFFB:c\n d\nEND:VCARD'],
    ['a line after one with a later colon', 'BEGIN:VCARD\nsee a:b\n c\nEND:VCARD'],
    ['nothing', ''],
  ])('%s', (_what, text) => expect(unfolded(text)).toBe(text));
});
