/** Which folded lines are joined: those of calendars and contacts, but not text next to them. */
import { describe, expect, test } from 'vitest';
import { unfolded } from '../../../core/payload/folded-lines.ts';

const contact = 'BEGIN:VCARD\nEMAIL:ana@exam\n ple.com\nEND:VCARD\n';
const joined = contact.replace('\n ', '');

describe('a line is joined with its continuation', () => {
  test.each<[where: string, text: string, expected: string]>([
    ['in a contact', contact, joined],
    ['in a calendar', contact.replaceAll('VCARD', 'VCALENDAR'), joined.replaceAll('VCARD', 'VCALENDAR')],
    ['in lower case', contact.toLowerCase(), joined.toLowerCase()],
    [
      'with spaces after the delimiters',
      contact.replaceAll('VCARD', 'VCARD \t'),
      joined.replaceAll('VCARD', 'VCARD \t'),
    ],
    ['after a byte order mark', `a\n\uFEFF${contact}`, `a\n\uFEFF${joined}`],
    ['within other text', `a\n b\n${contact} c:d\n e`, `a\n b\n${joined} c:d\n e`],
    ['in each of two', `${contact}A:b\n c\n${contact}`, `${joined}A:b\n c\n${joined}`],
    ['with a tab', contact.replace('\n ', '\n\t'), joined],
    ['with only its first space removed', contact.replace('\n ', '\n  '), joined.replace('exam', 'exam ')],
    ['over lines that end with CR LF', contact.replaceAll('\n', '\r\n'), joined.replaceAll('\n', '\r\n')],
    ['over three lines', contact.replace('@', '\n @\n\t'), joined],
    ['with a CR in it', contact.replace('ana', 'a\rna'), joined.replace('ana', 'a\rna')],
    [
      'with parameters',
      contact.replace('EMAIL:', 'item1.E-MAIL;PREF=1:'),
      joined.replace('EMAIL:', 'item1.E-MAIL;PREF=1:'),
    ],
    ['right below the first line', 'BEGIN:VCARD\n X\nEND:VCARD', 'BEGIN:VCARDX\nEND:VCARD'],
    ['right below a byte order mark', '\uFEFFBEGIN:VCARD\n X\nEND:VCARD', '\uFEFFBEGIN:VCARDX\nEND:VCARD'],
    ['before one that has only its first line', `${contact}BEGIN:VCARD`, `${joined}BEGIN:VCARD`],
    [
      'in nested ones',
      `BEGIN:VCALENDAR\nA:b\n c\n${contact}${contact}D:e\n f\nEND:VCALENDAR\nG:h\n i`,
      `BEGIN:VCALENDAR\nA:bc\n${joined}${joined}D:ef\nEND:VCALENDAR\nG:h\n i`,
    ],
    [
      'after two that overlap',
      `BEGIN:VCARD\nBEGIN:VCALENDAR\nEND:VCARD\nEND:VCALENDAR\n${contact}`,
      `BEGIN:VCARD\nBEGIN:VCALENDAR\nEND:VCARD\nEND:VCALENDAR\n${joined}`,
    ],
  ])('%s', (_where, text, expected) => expect(unfolded(text)).toBe(expected));
});

describe('a truncated one joins a line', () => {
  test.each<[where: string, rest: string, expected: string]>([
    ['up to the end', 'A:b\n c', 'A:bc'],
    ['over CR LF', 'A:b\r\n c\r\nD:e\r\n f', 'A:bc\r\nD:ef'],
    ['with parameters', 'A;X=1:b\n c', 'A;X=1:bc'],
    ['with a longer name', 'X-AB2:b\n c', 'X-AB2:bc'],
    ['with a group prefix', 'item1.A:b\n c\nitem23.D:e\n f', 'item1.A:bc\nitem23.D:ef'],
    ['with a tab', 'A:b\n\tc', 'A:bc'],
    ['up to empty lines', 'A:b\n c\n\n\nD:e\n f', 'A:bc\n\n\nD:e\n f'],
    ['up to a name in lower case', 'A:b\n c\nSee: d\n e', 'A:bc\nSee: d\n e'],
    ['up to a sentence', 'A:b\n c\nSEE THIS: d\nD:e\n f', 'A:bc\nSEE THIS: d\nD:e\n f'],
    ['up to a digit', 'A:b\n c\n1A:d\n e', 'A:bc\n1A:d\n e'],
    ['up to a name alone', 'A:b\n c\nD\nD:e\n f', 'A:bc\nD\nD:e\n f'],
    ['up to another group', 'A:b\n c\nitem.D:e\n f', 'A:bc\nitem.D:e\n f'],
    [
      'and those of a later complete one, but nothing in between',
      'A:b\n c\nx\nD:e\n f\nBEGIN:VCALENDAR\nG:h\nx\nI:j\n k\nEND:VCALENDAR\nL:m\n n',
      'A:bc\nx\nD:e\n f\nBEGIN:VCALENDAR\nG:h\nx\nI:jk\nEND:VCALENDAR\nL:m\n n',
    ],
    ['in a nested one', 'BEGIN:VCALENDAR\nA:b\n c', 'BEGIN:VCALENDAR\nA:bc'],
    [
      'to the end of a nested complete one',
      'A:b\n c\nBEGIN:VCALENDAR\nD:e\nx\nF:g\n h\nEND:VCALENDAR\nI:j\n k',
      'A:bc\nBEGIN:VCALENDAR\nD:e\nx\nF:gh\nEND:VCALENDAR\nI:j\n k',
    ],
    [
      'also after a nested complete one',
      'A:b\n c\nBEGIN:VCALENDAR\nD:e\n f\nEND:VCALENDAR\nG:h\n i',
      'A:bc\nBEGIN:VCALENDAR\nD:ef\nEND:VCALENDAR\nG:hi',
    ],
    [
      'and those of a later complete one',
      'A:b\n c\n\nx\nBEGIN:VCALENDAR\nD:e\n f\nEND:VCALENDAR',
      'A:bc\n\nx\nBEGIN:VCALENDAR\nD:ef\nEND:VCALENDAR',
    ],
  ])('%s', (_where, rest, expected) => {
    expect(unfolded(`BEGIN:VCARD\n${rest}`)).toBe(`BEGIN:VCARD\n${expected}`);
    expect(unfolded(`x\n y\nBEGIN:VCARD\r\n${rest}`)).toBe(`x\n y\nBEGIN:VCARD\r\n${expected}`);
  });
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
