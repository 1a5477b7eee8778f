/**
 * Random values of every type for the held-out records, with valid check digits. Written from the public rules of each
 * number and not from the recognizers, so that a shared mistake cannot hide. Keys are assembled here and appear in no
 * file.
 */
import type { Random } from './random.ts';
import {
  familySingapore,
  givenEnglish,
  givenFurther,
  givenIndian,
  givenJapanese,
  givenJapaneseFurther,
  givenJapaneseKana,
  hiraganaPairs,
  kanaPairs,
  localParts,
  nameAccented,
  romajiPairs,
  surnameEnglish,
  surnameFurther,
  surnameHyphen,
  surnameIndian,
  surnameJapanese,
  surnameJapaneseFurther,
  surnameJapaneseLong,
  surnameJapaneseRare,
  surnameJapaneseSingle,
  surnameParticle,
  syllablesSingapore,
} from './vocabulary.ts';

const digitCharacters = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const alphanumeric = `${capitals}abcdefghijklmnopqrstuvwxyz${digitCharacters}`;
const base64url = `${alphanumeric}-_`;

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function draw(random: Random, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[Math.floor(random() * alphabet.length)];
  return text;
}

/** A shape with a random digit for `#` and a random capital for `?`. */
export function shaped(random: Random, shape: string): string {
  return shape.replace(/[#?]/g, (sign) => draw(random, sign === '#' ? digitCharacters : capitals, 1));
}

const digits = (random: Random, length: number) => draw(random, digitCharacters, length);
const numbers = (text: string) => Array.from(text, Number);
const weighted = (text: string, weights: readonly number[]) =>
  numbers(text).reduce((sum, digit, i) => sum + digit * (weights[i] ?? 0), 0);
const grouped = (text: string, sizes: readonly number[], separator: string) => {
  const parts: string[] = [];
  let at = 0;
  for (const size of sizes) {
    parts.push(text.slice(at, at + size));
    at += size;
  }
  return parts.join(separator);
};
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

/** Digits with the check digit of ISO/IEC 7812 (Luhn). */
function luhn(body: string): string {
  const sum = numbers(body)
    .reverse()
    .reduce((total, digit, i) => total + (i % 2 === 0 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit), 0);
  return body + ((10 - (sum % 10)) % 10);
}

/** ISO 13616: 98 minus the number mod 97, with the country at the end. */
function iban(country: string, bban: string): string {
  const rearranged = `${bban}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(rearranged) % 97n);
  return `${country}${String(check).padStart(2, '0')}${bban}`;
}

/** Individual number: ordinance 85 of 2014, article 5. */
function myNumber(random: Random): string {
  const body = digits(random, 11);
  const rest = weighted(body, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return body + (rest <= 1 ? 0 : 11 - rest);
}

/** Corporate number: ordinance of the National Tax Agency; the check digit leads. */
function corporateNumber(random: Random): string {
  const body = digits(random, 12);
  return String(9 - (weighted(body, [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1]) % 9)) + body;
}

/** Driver's license number: commission, year, serial, check digit, reissue count. */
function driverLicenseJapan(random: Random): string {
  const body = pick(random, ['10', '20', '30', '43', '45', '54', '61', '62', '73', '90']) + digits(random, 8);
  const check = (11 - (weighted(body, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 10;
  return `${body}${check}0`;
}

function insurerNumber(random: Random, lawCode: string): string {
  const body = lawCode + pick(random, ['01', '13', '14', '23', '27', '40']) + digits(random, 3);
  const sum = numbers(body)
    .reverse()
    .reduce((total, digit, i) => total + (i % 2 === 0 ? Math.floor((digit * 2) / 10) + ((digit * 2) % 10) : digit), 0);
  return body + ((10 - (sum % 10)) % 10);
}

/** ABA routing number. */
function routingNumber(random: Random): string {
  const body = pick(random, ['02', '06', '07', '11', '12', '26', '31']) + digits(random, 6);
  const sum = weighted(body, [3, 7, 1, 3, 7, 1, 3, 7]);
  return body + ((10 - (sum % 10)) % 10);
}

/** NHS number: weights 10 to 2, never the check 10. */
function nhsNumber(random: Random): string {
  for (;;) {
    const body = pick(random, ['4', '6', '7']) + digits(random, 8);
    const check = (11 - (weighted(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
    if (check !== 10) return grouped(body + check, [3, 3, 4], ' ');
  }
}

/** Medicare beneficiary identifier (CMS): position classes, no S L O I B Z. */
function medicareNumber(random: Random): string {
  const letters = 'ACDEFGHJKMNPQRTUVWXY';
  const classes = [
    '123456789',
    letters,
    letters + digitCharacters,
    digitCharacters,
    letters,
    letters + digitCharacters,
  ];
  const tail = [digitCharacters, letters, letters, digitCharacters, digitCharacters];
  return grouped([...classes, ...tail].map((alphabet) => draw(random, alphabet, 1)).join(''), [4, 3, 4], '-');
}

function socialSecurityNumber(random: Random, separator: string): string {
  const area = String(1 + Math.floor(random() * 664)).padStart(3, '0');
  return [
    area,
    String(1 + Math.floor(random() * 99)).padStart(2, '0'),
    String(1 + Math.floor(random() * 9998)).padStart(4, '0'),
  ].join(separator);
}

function taxPayerNumber(random: Random): string {
  return `9${digits(random, 2)}-${50 + Math.floor(random() * 16)}-${digits(random, 4)}`;
}

function phoneUS(random: Random, style: 'hyphen' | 'dot' | 'parentheses'): string {
  const area = pick(random, ['212', '303', '415', '503', '617', '702', '804', '919']);
  const [exchange, line] = ['555', `01${digits(random, 2)}`];
  if (style === 'dot') return `${area}.${exchange}.${line}`;
  return style === 'hyphen' ? `${area}-${exchange}-${line}` : `(${area}) ${exchange}-${line}`;
}

function phoneJapan(random: Random): string {
  const kind = pick(random, ['03-4', '06-4', '045-3', '0466-2', '092-3', '0123-2']);
  const [area = '', rest = ''] = kind.split('-');
  return `${area}-${pick(random, ['2', '3', '5', '6', '7'])}${digits(random, Number(rest) - 1)}-${digits(random, 4)}`;
}

/** The digit after the prefix is never 0 (numbering plan of the ministry). */
const mobileJapan = (random: Random) =>
  `${pick(random, ['090', '080', '070'])}-${1 + Math.floor(random() * 9)}${digits(random, 3)}-${digits(random, 4)}`;

/** Letters of both cases, digits and signs: no placeholder, no character with a meaning in URLs. */
function password(random: Random, signs: string): string {
  return `${draw(random, capitals, 1)}${draw(random, alphanumeric, 5)}${draw(random, signs, 1)}${digits(random, 2)}${draw(random, alphanumeric, 3)}`;
}

function jwt(random: Random): string {
  const part = (value: unknown) =>
    btoa(JSON.stringify(value)).replace(/[+/=]/g, (c) => ({ '+': '-', '/': '_', '=': '' })[c] ?? '');
  const payload = { sub: digits(random, 8), iat: 1_700_000_000 + Math.floor(random() * 1e7), scope: 'read' };
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.${draw(random, base64url, 43)}`;
}

function privateKey(random: Random, kind: string, lines: number, lineBreak = '\n'): string {
  const body = Array.from({ length: lines }, () => draw(random, `${alphanumeric}+/`, 64));
  const name = `${kind}PRIVATE KEY`;
  return [`-----BEGIN ${name}-----`, ...body, `${draw(random, alphanumeric, 30)}==`, `-----END ${name}-----`].join(
    lineBreak,
  );
}

const english = (random: Random) => `${pick(random, givenEnglish)} ${pick(random, surnameEnglish)}`;
const japanese = (random: Random, surnames: readonly string[], gap: string) =>
  `${pick(random, surnames)}${gap}${pick(random, givenJapanese)}`;
const person = (random: Random) =>
  `${pick(random, [...givenEnglish, ...givenFurther])} ${pick(random, [...surnameEnglish, ...surnameFurther])}`;
const reversedPerson = (random: Random) => person(random).replace(/^(\S+) (.+)$/, '$2, $1');
const japaneseJoined = (random: Random) =>
  pick(random, [...surnameJapanese, ...surnameJapaneseFurther]) +
  pick(random, [...givenJapanese, ...givenJapaneseFurther]);
const card = (random: Random, prefix: string, length: number) =>
  luhn(prefix + digits(random, length - prefix.length - 1));
const inFours = [4, 4, 4, 4, 4, 4, 4, 4, 4];
const spaced = (text: string) => grouped(text, inFours.slice(0, Math.ceil(text.length / 4)), ' ');

/** The generators that may follow `@` in the value of a mark. */
export const generators: Readonly<Record<string, (random: Random) => string>> = {
  en: english,
  en3: (r) => `${pick(r, givenEnglish)} ${draw(r, capitals, 1)}. ${pick(r, surnameEnglish)}`,
  enc: (r) => `${pick(r, surnameEnglish).toUpperCase()}, ${pick(r, givenEnglish)}`,
  enm: (r) => `${pick(r, givenEnglish)} ${pick(r, surnameParticle)}`,
  enh: (r) => `${pick(r, givenEnglish)} ${pick(r, surnameHyphen)}`,
  enp: (r) => pick(r, nameAccented),
  romaji: (r) => pick(r, romajiPairs),
  romajicaps: (r) => pick(r, romajiPairs).toUpperCase(),
  ja: (r) => japanese(r, surnameJapanese, ' '),
  jaf: (r) => japanese(r, surnameJapanese, '\u3000'),
  ja3: (r) => japanese(r, surnameJapaneseLong, ' '),
  jarare: (r) => japanese(r, surnameJapaneseRare, ' '),
  ja1k: (r) => `${pick(r, surnameJapaneseSingle)} ${pick(r, givenJapaneseKana)}`,
  kana: (r) => pick(r, kanaPairs),
  person,
  personcaps: (r) => person(r).toUpperCase(),
  personlf: reversedPerson,
  personsc: (r) => reversedPerson(r).replace(/^[^,]+/, (family) => family.toUpperCase()),
  givenname: (r) => pick(r, givenFurther),
  familyname: (r) => pick(r, surnameFurther),
  indian: (r) => `${pick(r, givenIndian)} ${pick(r, surnameIndian)}`,
  singapore: (r) => `${pick(r, familySingapore)} ${pick(r, syllablesSingapore)} ${pick(r, syllablesSingapore)}`,
  jan: japaneseJoined,
  jasur: (r) => pick(r, surnameJapaneseFurther),
  kanaf: (r) => pick(r, kanaPairs).replace(' ', '\u3000'),
  hira: (r) => pick(r, hiraganaPairs),
  romajirev: (r) =>
    pick(r, romajiPairs).replace(
      /^(\S+) (\S+)$/,
      (_, given: string, family: string) => `${family.toUpperCase()} ${given}`,
    ),
  local: (r) => pick(r, localParts),
  us: (r) => phoneUS(r, pick(r, ['hyphen', 'dot', 'parentheses'] as const)),
  'us-hy': (r) => phoneUS(r, 'hyphen'),
  'us-dot': (r) => phoneUS(r, 'dot'),
  'us-par': (r) => phoneUS(r, 'parentheses'),
  'intl-us': (r) => `+1 ${phoneUS(r, 'hyphen')}`,
  'intl-uk': (r) => `+44 20 7946 0${digits(r, 3)}`,
  'intl-de': (r) => `+49 30 ${pick(r, ['2', '5', '8'])}${digits(r, 6)}`,
  'intl-mx': (r) => `+52 55 ${pick(r, ['1', '5'])}${digits(r, 3)} ${digits(r, 4)}`,
  'uk-mobile': (r) => `07${pick(r, ['700', '911', '812', '450'])} ${digits(r, 6)}`,
  'uk-land': (r) => `0${pick(r, ['161 496', '20 7946', '121 496', '131 496'])} 0${digits(r, 3)}`,
  'in-mobile': (r) => `+91 ${pick(r, ['98', '99', '87', '70'])}${digits(r, 3)} ${digits(r, 5)}`,
  'au-mobile': (r) => `04${digits(r, 2)} ${digits(r, 3)} ${digits(r, 3)}`,
  'sg-mobile': (r) => `+65 ${pick(r, ['8', '9'])}${digits(r, 3)} ${digits(r, 4)}`,
  'intl-jp': (r) => `+81-${mobileJapan(r).slice(1)}`,
  'jp-fixed': phoneJapan,
  'jp-mobile': mobileJapan,
  'jp-mobile-plain': (r) => mobileJapan(r).replaceAll('-', ''),
  'jp-mobile-sp': (r) => mobileJapan(r).replaceAll('-', ' '),
  'jp-mobile-fw': (r) => fullWidth(mobileJapan(r)),
  'jp-fixed-fw': (r) => fullWidth(phoneJapan(r)),
  'jp-fixed-par': (r) => phoneJapan(r).replace(/^(\d+)-/, '($1)'),
  'jp-free': (r) => `0120-${digits(r, 3)}-${digits(r, 3)}`,
  visa: (r) => card(r, '4', 16),
  'visa-sp': (r) => spaced(card(r, '4', 16)),
  mc: (r) => card(r, pick(r, ['51', '53', '55', '2221']), 16),
  'mc-sp': (r) => spaced(card(r, pick(r, ['52', '54']), 16)),
  'amex-sp': (r) => grouped(card(r, '37', 15), [4, 6, 5], ' '),
  'amex-hy': (r) => grouped(card(r, '34', 15), [4, 6, 5], '-'),
  'jcb-sp': (r) => spaced(card(r, '3530', 16)),
  'disc-hy': (r) => grouped(card(r, '6011', 16), inFours.slice(0, 4), '-'),
  'passport-us': (r) => pick(r, [digits(r, 9), `${draw(r, capitals, 1)}${digits(r, 8)}`]),
  'passport-jp': (r) => `${pick(r, ['TK', 'TR', 'MZ', 'TZ'])}${digits(r, 7)}`,
  ssn: (r) => socialSecurityNumber(r, '-'),
  'ssn-sp': (r) => socialSecurityNumber(r, ' '),
  mn: myNumber,
  'mn-sp': (r) => spaced(myNumber(r)),
  'mn-hy': (r) => grouped(myNumber(r), [4, 4, 4], '-'),
  'mn-fw': (r) => fullWidth(grouped(myNumber(r), [4, 4, 4], '-')),
  digits4: (r) => digits(r, 4),
  digits7: (r) => digits(r, 7),
  digits8: (r) => digits(r, 8),
  digits9: (r) => digits(r, 9),
  digits10: (r) => digits(r, 10),
  digits11: (r) => digits(r, 11),
  digits12: (r) => digits(r, 12),
  aba: routingNumber,
  DE: (r) => iban('DE', digits(r, 18)),
  'DE-sp': (r) => spaced(iban('DE', digits(r, 18))),
  'FR-sp': (r) => spaced(iban('FR', `${digits(r, 10)}${draw(r, capitals, 1)}${digits(r, 12)}`)),
  GB: (r) => iban('GB', `${draw(r, capitals, 4)}${digits(r, 14)}`),
  NL: (r) => iban('NL', `${draw(r, capitals, 4)}${digits(r, 10)}`),
  'ES-sp': (r) => spaced(iban('ES', digits(r, 20))),
  'CH-sp': (r) => spaced(iban('CH', digits(r, 17))),
  'licence-us': (r) => pick(r, [`${draw(r, capitals, 1)}${digits(r, 7)}`, `${draw(r, capitals, 1)}${digits(r, 12)}`]),
  'licence-uk': (r) =>
    `${draw(r, capitals, 5)}${digits(r, 1)}0${1 + Math.floor(r() * 9)}${digits(r, 3)}${draw(r, capitals, 2)}9${draw(r, capitals, 2)}`,
  'licence-jp': driverLicenseJapan,
  mbi: medicareNumber,
  nhs: nhsNumber,
  policy: (r) => `${draw(r, capitals, 3)}${digits(r, 9)}`,
  insurer8: (r) => insurerNumber(r, pick(r, ['06', '32', '39'])),
  insurer6: (r) => insurerNumber(r, ''),
  pn: (r) => `${digits(r, 4)}-${digits(r, 6)}`,
  pn10: (r) => digits(r, 10),
  rc: (r) => `${draw(r, capitals, 2)}${digits(r, 8)}${draw(r, capitals, 2)}`,
  corp: corporateNumber,
  t13: (r) => `T${corporateNumber(r)}`,
  ein: (r) => `${pick(r, ['12', '20', '46', '81'])}-${digits(r, 7)}`,
  itin: taxPayerNumber,
  'vat-de': (r) => `DE${digits(r, 9)}`,
  pw: (r) => password(r, '!#*%&?+'),
  pwurl: (r) => password(r, '!-_~'),
  jwt,
  'pem-rsa': (r) => privateKey(r, 'RSA ', 8),
  'pem-ec': (r) => privateKey(r, 'EC ', 2),
  'pem-openssh': (r) => privateKey(r, 'OPENSSH ', 5),
  'pem-escaped': (r) => privateKey(r, '', 4, '\\n'),
  openai: (r) => `sk-proj-${draw(r, base64url, 74)}T3Blbk${'FJ'}${draw(r, base64url, 74)}`,
  anthropic: (r) => `sk-ant-api03-${draw(r, base64url, 93)}AA`,
  google: (r) => `AIza${'Sy'}${draw(r, base64url, 33)}`,
  hf: (r) => `hf_${draw(r, alphanumeric, 34)}`,
  groq: (r) => `gsk_${draw(r, alphanumeric, 52)}`,
  pplx: (r) => `pplx-${draw(r, alphanumeric, 48)}`,
  aws: (r) => `AKIA${draw(r, `${capitals}234567`, 16)}`,
  awssecret: (r) => draw(r, `${alphanumeric}/+`, 40),
  github: (r) => `ghp_${draw(r, alphanumeric, 36)}`,
  gitlab: (r) => `glpat-${draw(r, base64url, 20)}`,
  stripe: (r) => `sk_live_${draw(r, alphanumeric, 24)}`,
  slack: (r) => `xoxb-${digits(r, 12)}-${digits(r, 12)}-${draw(r, alphanumeric, 24)}`,
  npm: (r) => `npm_${draw(r, alphanumeric, 36)}`,
  sendgrid: (r) => `SG.${draw(r, base64url, 22)}.${draw(r, base64url, 43)}`,
  generic: (r) => draw(r, alphanumeric, 32),
};
