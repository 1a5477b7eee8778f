import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';

const detector = new Detector();

/** The types of everything that is found, without names and e-mail addresses. */
const foundIn = (text: string) =>
  detector.detect(text).flatMap(({ type }) => (type === 'NAME' || type === 'EMAIL' ? [] : [type]));

test.each([
  ['a ticket after a name', 'Thanks to Haoxi Tan. (Closes: #940577)'],
  ['a merge request', 'work by Albert Cid (!2324)'],
  ['a ticket on its own line', 'account review, closes\n  #1006975\n'],
  ['tickets in a list', 'the account NEWS items. (Closes: #643559, #979385, #1008091, #643559)'],
  [
    'a changelog',
    '  * New upstream release (Closes: #1).\n\n -- Tamsin Overby <tamsin@example.org>  Tue, 19 Aug 2014 21:56:25 -0400\n\n',
  ],
  ['a version', '"@types/node": "^19.2.13", "birthday": "^1.0.0"'],
  ['a ticket after an abbreviation', 'Enable the plate driver for armhf. (LP: #1989830)'],
  ['a commit', 'pass through presigned URLs ([31e581c])'],
  ['a security fix', 'for development only security risks ([#658])'],
  ['a part of a compound word', 'the MC146818A-compatible clock'],
  ['Base64 after a hump', 'IGluZHVzdHJ5 IGhhbmRz Z3JvdW5k IHB1bGw='],
  ['a decimal', 'pi 3.1415929204'],
  ['a path of a site for organizations', 'https://pubs.opengroup.org/onlinepubs/9699919799/'],
  ['a license of software', 'license plate: CC0-1.0'],
  ['a product in code', 'let account=e+e*1099511627776'],
  ['a version before a label', 'tel que (depuis dpkg 1.16.2)'],
  ['a color', '--notebook-cellToolbarSeparator:#80808059;'],
  ['a clause', 'Restricted Rights in Clause 252.227-7013 of DFARs'],
  ['a verdict of a test', '{"pass": "ARIA-Attribut ist erlaubt", "fail": "ARIA-Attribut ist nicht erlaubt"}'],
  ['a verdict in Chinese', '{"pass": "元素没有属性", "fail": "元素有属性"}'],
  ['an escape in code', "password = password + b'\\xff\\x00'"],
  ['a placeholder in a URL', "parse('uri://user:pass@example.com:123/one')"],
  ['years of a copyright', 'Copyright 2002, 2003 University of Southern California'],
  ['an order number after a word for a telephone', 'Telefon Bestellnummer 4711 0815 22'],
  ['the number of a journal', 'See ISSN 1540-5943 for the series.'],
  ['two times of day', 'KEF-LHR 16 DEC 1640-1955'],
  ['years of a life', 'The library was built for the duke (1544-1599) on a hill.'],
  ['years of a copyright before a name', ' Copyright 2002-2003 Leif Delgass\n All Rights Reserved.'],
])('finds nothing in %s', (_name, text) => {
  expect(foundIn(text)).toEqual([]);
});

test.each([
  ['an account with its sign', 'Account #10069751', 'BANK_ACCOUNT'],
  ['a password of words', '{"password": "four green paper boats"}', 'PASSWORD'],
  ['an app token', `1793780012345678|${'O9xCYs4TqLm2'.repeat(2)}x1Ab`, 'API_KEY'],
  ['a short password', '{"pass": "tulip!44"}', 'PASSWORD'],
  ['a date of birth with a time of zeros', 'dob: 1980-12-19 00:00:00', 'DATE_OF_BIRTH'],
  ['a date of birth of another time zone', 'dob: 2001-12-19 15:00:00', 'DATE_OF_BIRTH'],
  ['a date of birth of the last century with a time', 'Date of birth: 1950-03-27 12:41:08', 'DATE_OF_BIRTH'],
  ['an account with a colon and its sign', 'Kontonummer: #12345678', 'BANK_ACCOUNT'],
  ['a passport with a colon and its sign', 'Reisepass: #C01X00T47', 'PASSPORT'],
  ['a short account with a colon and its sign', 'Please note: Account number: #482913. Thanks', 'BANK_ACCOUNT'],
  ['a telephone number with two signs', 'Write to 202.555-0147', 'PHONE'],
  ['a password of words under a short key', 'pass = "correct horse battery staple"', 'PASSWORD'],
  ['a password of other letters under a short key', '{"pass": "pässwort99!"}', 'PASSWORD'],
  ['a telephone after an address with an initial', "VALUES ('f.holm+news@example.jp', '090-6323-0198');", 'PHONE'],
  ['a service number of Korea', '대표번호 1588-0142', 'PHONE'],
  ['a security code before an amount', 'cvv 318. max $600', 'CARD_CVV'],
  ['a password that begins with a backslash', 'password is \\Pa55word!9', 'PASSWORD'],
])('finds %s', (_name, text, type) => {
  expect(foundIn(text)).toEqual([type]);
});
