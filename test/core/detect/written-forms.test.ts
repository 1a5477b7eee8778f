/** Values in a written form that a program or a person reads through: each is masked as a whole and restored to its bytes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { decodeUnits } from '../../../core/detect/escapes.ts';
import { withoutInvisibles } from '../../../core/detect/invisibles.ts';
import { Masker } from '../../../core/mask.ts';
import { restoreText } from '../../../core/restore.ts';
import { MemoryVault, type TokenMap } from '../../../core/vault.ts';

const detector = new Detector();

/** The masked text; fails unless restoring it gives the text. */
async function masked(text: string): Promise<string> {
  const vault = new MemoryVault();
  const result = await new Masker({ detector, vault }).mask(text, 's');
  const map = vault.tokens('s') as TokenMap;
  expect(restoreText(result.masked, map, { guardUrls: false }).restored).toBe(text);
  return result.masked;
}

/** A text with its digits replaced by those of an alphabet. */
const digits = (alphabet: string, text: string) =>
  text.replaceAll(/\d/g, (digit) => [...alphabet][Number(digit)] ?? '');
const decomposed = (text: string) => text.normalize('NFD');
const [red, plain] = ['\u001b[31m', '\u001b[0m'];

const mail = 'Mail [EMAIL-1] now';

describe('characters in another form', () => {
  test.each([
    ['an address of macOS', decomposed('Mail josé.garcía@mail.example now'), mail],
    ['a mark in an address', 'Mail ann.lee@ma\u0301il.example now', mail],
    ['a mark behind each letter', `Mail ${[...'ann@mail.example'].join('\u0336')}\u0336 now`, mail],
    ['a name of macOS', decomposed('Please ask José García about it'), 'Please ask [NAME-1] about it'],
    ['kana of macOS', decomposed('担当はダイゴ ケンジさんです。'), `担当は[NAME-1]さん${decomposed('で')}す。`],
    ['keys', digits('0123456789', 'SSN: 078-05-1120').replaceAll(/\d/g, '$&\ufe0f\u20e3'), 'SSN: [SSN-1]'],
    ['superscript digits', `SSN: ${digits('⁰¹²³⁴⁵⁶⁷⁸⁹', '078-05-1120')}`, 'SSN: [SSN-1]'],
    ['subscript digits', `Mail ann${digits('₀₁₂₃₄₅₆₇₈₉', '1985')}@mail.example now`, mail],
    ['digits in circles', `Phone: +${digits('⓪①②③④⑤⑥⑦⑧⑨', '1 212 555 0187')}`, 'Phone: [PHONE-1]'],
    ['digits in black circles', `SSN: ${digits('⓿❶❷❸❹❺❻❼❽❾', '078-05-1120')}`, 'SSN: [SSN-1]'],
    ['digits in brackets', `card ${digits('0⑴⑵⑶⑷⑸⑹⑺⑻⑼', '4111 1111 1111 1111')}`, 'card [CREDIT_CARD-1]'],
    ['digits with a dot', `card ${digits('🄀⒈⒉⒊⒋⒌⒍⒎⒏⒐', '4111 1111 1111 1111')}`, 'card [CREDIT_CARD-1]'],
    ['digits of a display', `SSN: ${digits('🯰🯱🯲🯳🯴🯵🯶🯷🯸🯹', '078-05-1120')}`, 'SSN: [SSN-1]'],
    ['letters in boxes', 'Mail 🄰🄽🄽@mail.example now', mail],
    ['letters in black boxes', 'Mail 🅰🅽🅽@mail.example now', mail],
    ['small capitals', 'Mail ᴀɴɴ.ʟᴇᴇ@mail.example now', mail],
    ['raised letters', 'Mail ᵃⁿⁿ@ᵐᵃⁱˡ.example now', mail],
    ['a ligature of a PDF', 'Mail stefﬁ@mail.example now', mail],
    ['a private character', 'Mail ann.le\ue123e@mail.example now', mail],
    ['a private character beyond the first plane', 'SSN: 078-05\u{f0001}-1120', 'SSN: [SSN-1]'],
    ['no character', 'Mail ann\uffff@mail.example now', mail],
  ])('%s', async (_name, text, expected) => expect(await masked(text)).toBe(expected));

  test.each([
    'The area is 25 m², the volume 3 m³ and 10⁻¹² of it, H₂O and x¹².',
    '① Anna\u0301 ② plan ③ work, ⑴ and ⒜ and ❶, 🅿 parking, 🇺🇸 and ½',
    'icons \ue0b0 \uf095 and ﬁne ofﬁces, ᴻ and ᵼ, which stand for themselves',
  ])('%s', async (text) => expect(await masked(text)).not.toMatch(/\[(?!NAME)/));

  test('a replacement that is longer than what it replaces keeps the offsets behind it', () => {
    const text = `${'ﬃ'.repeat(40)} ann@mail.example`;
    const { text: visible, starts } = withoutInvisibles(text) ?? {};
    expect(starts?.[visible?.length ?? 0]).toBe(text.length);
    expect(detector.detect(text)).toMatchObject([{ value: 'ann@mail.example', start: 41 }]);
  });
});

describe('escapes', () => {
  test.each([
    ['JSON in JSON', String.raw`log {\"a\":\"\\u0061nn\\u0040mail.example\"}`, String.raw`log {\"a\":\"[EMAIL-1]\"}`],
    ['JSON in JSON in JSON', String.raw`at \\\\u0061nn\\\\u0040mail.example`, 'at [EMAIL-1]'],
    [
      'digits of JSON in JSON',
      String.raw`x {\"ssn\": \"\\u0030\\u0037\\u0038-05-1120\"}`,
      'x {\\"ssn\\": \\"[SSN-1]\\"}',
    ],
    ['a line break of JSON in JSON', String.raw`x "text\\nann@mail.example\\n"`, String.raw`x "text\\n[EMAIL-1]\\n"`],
    ['a byte in a string in a string', String.raw`at ann\\x40mail.example`, 'at [EMAIL-1]'],
    ['letters as references', 'Name: Jos&eacute; Garc&iacute;a, ok', 'Name: [NAME-1], ok'],
    ['dashes as references', 'SSN: 078&ndash;05&ndash;1120', 'SSN: [SSN-1]'],
    ['brackets as references', 'Phone: &lpar;212&rpar; 555-0187', 'Phone: [PHONE-1]'],
    ['blanks as references', 'Phone: +1&thinsp;212&ensp;555&#8239;0187', 'Phone: [PHONE-1]'],
    ['slashes as references', 'DOB: 05&sol;12&sol;1984', 'DOB: [DATE_OF_BIRTH-1]'],
    ['a section of XML', '<mail>ann<![CDATA[@]]>mail.example</mail>', '<mail>[EMAIL-1]</mail>'],
    ['a section of XML around a value', '<ssn><![CDATA[078-05-1120]]></ssn>', '<ssn><![CDATA[[SSN-1]]]></ssn>'],
  ])('%s', async (_name, text, expected) => expect(await masked(text)).toBe(expected));

  test.each([
    ['an underscore', String.raw`\email{ann\_lee@mail.example}`, String.raw`\email{[EMAIL-1]}`],
    ['a link', String.raw`\url{ann.lee@mail.example}`, String.raw`\url{[EMAIL-1]}`],
    ['a sign in braces', 'Mail ann.lee{@}mail.example now', mail],
    ['a sign as a formula', 'Mail ann.lee$@$mail.example now', mail],
    ['accents', String.raw`\author{Jos\'e Garc\'{\i}a}`, String.raw`\author{[NAME-1]}`],
    ['accents in braces', String.raw`\author{J{\"u}rgen M{\"u}ller}`, String.raw`\author{[NAME-1]}`],
    ['a letter by its name', String.raw`\author{S{\o}ren J{\o}rgensen}`, String.raw`\author{[NAME-1]}`],
    ['ties', String.raw`\phone{+1~212~555~0187}`, String.raw`\phone{[PHONE-1]}`],
    ['narrow blanks', String.raw`Phone: +1\,212\,555\,0187`, 'Phone: [PHONE-1]'],
    ['blanks', String.raw`card 4111\ 1111\ 1111\ 1111`, 'card [CREDIT_CARD-1]'],
    ['dashes', String.raw`\begin{letter} SSN: 078--05--1120`, String.raw`\begin{letter} SSN: [SSN-1]`],
  ])('of LaTeX: %s', async (_name, text, expected) => expect(await masked(text)).toBe(expected));

  test.each([
    ['a colour', `Mail ann.le${red}e@ma${plain}il.example now`, mail],
    ['what grep has found', 'Mail ann.lee\u001b[01;31m\u001b[K@\u001b[m\u001b[Kmail.example now', mail],
    ['a colour of 24 bits', 'Mail ann\u001b[38;2;255;100;20m@mail.example now', mail],
    ['a colour with colons', 'Mail ann\u001b[38:2::255:100:20m@mail.example now', mail],
    ['in one character', 'Mail ann\u009b31m@mail.example now', mail],
    ['without its first character', 'Mail ann[31m@mail[0m.example now', mail],
    ['as a symbol', 'Mail ann␛[31m@mail.example␛[0m now', 'Mail [EMAIL-1]␛[0m now'],
    ['in caret notation', 'Mail ann^[[31m@mail.example^[[0m now', 'Mail [EMAIL-1]^[[0m now'],
    ['in octal', String.raw`echo "ann\033[31m@mail.example\033[0m"`, String.raw`echo "[EMAIL-1]\033[0m"`],
    ['in hexadecimal', String.raw`echo "ann\x1b[31m@mail.example\x1b[0m"`, String.raw`echo "[EMAIL-1]\x1b[0m"`],
    ['in JSON', String.raw`"ann\u001b[31m@mail.example\u001b[0m" x`, String.raw`"[EMAIL-1]\u001b[0m" x`],
    ['around a number', `card 4111${red} 1111 ${plain}1111 1111`, 'card [CREDIT_CARD-1]'],
    ['around a value', `${red}ann@mail.example${plain}.`, `${red}[EMAIL-1]${plain}.`],
  ])('of terminals: %s', async (_name, text, expected) => expect(await masked(text)).toBe(expected));

  test.each([
    ['a dot', 'Mail ann@mail[.]example now', mail],
    ['both signs', 'Mail ann[at]mail[.]example now', mail],
    ['the bare sign', 'Mail ann[@]mail[dot]com now', mail],
    ['round brackets', 'Mail ann@mail(.)com now', mail],
    ['braces', 'Mail ann@mail{.}com now', mail],
    ['an IPv4 address', 'from hxxp://8[.]8[.]4[.]4/x', 'from hxxp://[IP_ADDRESS-1]/x'],
    ['an IPv6 address', 'from 2001[:]db8[:]85a3::8a2e:370:7334', 'from [IP_ADDRESS-1]'],
  ])('against links: %s', async (_name, text, expected) => expect(await masked(text)).toBe(expected));
});

describe('lines of mails, calendars and contacts', () => {
  test.each([
    [
      'an event',
      'BEGIN:VEVENT\r\nATTENDEE:mailto:ann.le\r\n e@mail.example\r\nEND:VEVENT\r\n',
      'BEGIN:VEVENT\r\nATTENDEE:mailto:[EMAIL-1]\r\nEND:VEVENT\r\n',
    ],
    [
      'a contact in a text',
      'Here:\n\nBEGIN:VCARD\nEMAIL:ann.lee@ma\n il.example\nNOTE:card 4111 11\n 11 1111 1111\nEND:VCARD\n\nthanks',
      'Here:\n\nBEGIN:VCARD\nEMAIL:[EMAIL-1]\nNOTE:card [CREDIT_CARD-1]\nEND:VCARD\n\nthanks',
    ],
    ['the sign of quoted-printable', 'Mail ann.lee=40mail.example now', mail],
    [
      'a letter of quoted-printable',
      'Gr=C3=BC=C3=9Fe,\nMail ann.le=\ne@mail.example now',
      'Gr=C3=BC=C3=9Fe,\nMail [EMAIL-1] now',
    ],
    [
      'a full line of quoted-printable',
      `${'some words '.repeat(6)}ann.le=\r\ne@mail.example now`,
      `${'some words '.repeat(6)}[EMAIL-1] now`,
    ],
  ])('%s', async (_name, text, expected) => expect(await masked(text)).toBe(expected));

  test.each(['NAME=\nann@mail.example', 'width=200&size=40', 'a=C3 b=20 c=3D'])('no quoted-printable: %s', (text) => {
    expect(decodeUnits(text)).toBeUndefined();
  });
});

test('law: values slice to their places and are restored, whatever is between', async () => {
  const part = fc.constantFrom(
    ...['ann', '@', 'mail.example', '078-05-1120', ' ', '\\', "\\'e", '{\\"u}', '~', '--', '[.]', '[at]', '<![CDATA['],
    ...[']]>', red, '[0m', '=\n', '=40', '=C3=BC', '\\\\u0040', 'e\u0301', '①', '²', 'ﬃ', '\ue000', '\u{f0000}', '😀'],
    ...['BEGIN:VCARD\n', 'EMAIL:', '\r\n ', '&eacute;', '&amp;#64;', '\u3099', '\ud83c'],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => {
      const text = parts.join('');
      let end = 0;
      for (const one of detector.detect(text)) {
        expect(one.start).toBeGreaterThanOrEqual(end);
        expect(text.slice(one.start, one.end)).toBe(one.value);
        end = one.end;
      }
      await masked(text);
    }),
  );
});

test.each([
  String.raw`\\\\\\\\\\`,
  '[.]=\n=40',
  "\\'e{",
  `${red}\u001b[`,
  'BEGIN:VCARD\nA:b\n c\n',
  'e\u0301\u0301\u200b',
  '①.ﬃ\ue000',
  '[0m<![CDATA[ann[at]',
])('many of them take linear time: %j', (part) => {
  const text = part.repeat(Math.ceil(300_000 / part.length));
  expect(decodeUnits(text)?.text.length ?? 0).toBeLessThan(2 * text.length);
  withoutInvisibles(text);
});
