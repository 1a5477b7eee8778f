/** The built-in types of tokens, and the shape of custom labels. */
import { PrivetError } from '../errors.ts';
import { identifierTypes } from '../recognizers/identifiers/types.ts';

/** The 24 types of the product's contract. */
export const contractTypes = [
  'NAME',
  'EMAIL',
  'PHONE',
  'ADDRESS',
  'CREDIT_CARD',
  'PASSPORT',
  'SSN',
  'MY_NUMBER',
  'IP_ADDRESS',
  'API_KEY',
  'DATE_OF_BIRTH',
  'BANK_ACCOUNT',
  'COMPANY_NAME_JP',
  'IBAN',
  'DRIVER_LICENSE',
  'HEALTH_INSURANCE',
  'PENSION_NUMBER',
  'RESIDENCE_CARD',
  'TAX_ID',
  'VEHICLE_PLATE',
  'MAC_ADDRESS',
  'PASSWORD',
  'PRIVATE_KEY',
  'JWT',
] as const;

/** Types with their own recognizer besides those of the contract. */
const furtherTypes = ['CRYPTO_ADDRESS', 'SEED_PHRASE', 'SESSION_TOKEN', 'MRZ', 'SWIFT_BIC', 'IN_UPI', 'USERNAME'];

/** The names of all built-in PII types; their tokens are written `[TYPE-n]`. */
export const tokenTypes: readonly [string, ...string[]] = [
  ...contractTypes,
  ...furtherTypes,
  ...new Set(identifierTypes.map(({ type }) => type).filter((type) => !contractTypes.includes(type as never))),
];

const bySqueezedName = new Map<string, string>(tokenTypes.map((type) => [type.replaceAll('_', ''), type]));
const names: ReadonlySet<string> = new Set(tokenTypes);

/** True for the exact name of a built-in type. */
export function isTokenType(name: string): boolean {
  return names.has(name);
}

/** The built-in type of a name in capitals, with or without its underscores: `CREDITCARD` → `CREDIT_CARD`. */
export function tokenTypeOf(name: string): string | undefined {
  return bySqueezedName.get(name.includes('_') ? name.replaceAll('_', '') : name);
}

/** Other tools' names for the same types. */
const otherNames: Readonly<Record<string, string>> = {
  PERSON: 'NAME',
  FULLNAME: 'NAME',
  MAIL: 'EMAIL',
  TEL: 'PHONE',
  TELEPHONE: 'PHONE',
  POSTALCODE: 'ADDRESS',
  LOCATION: 'ADDRESS',
  CARD: 'CREDIT_CARD',
  SOCIALSECURITYNUMBER: 'SSN',
  INDIVIDUALNUMBER: 'MY_NUMBER',
  IP: 'IP_ADDRESS',
  IPV4: 'IP_ADDRESS',
  IPV6: 'IP_ADDRESS',
  SECRET: 'API_KEY',
  TOKEN: 'API_KEY',
  DOB: 'DATE_OF_BIRTH',
  BIRTHDAY: 'DATE_OF_BIRTH',
  COMPANY: 'COMPANY_NAME_JP',
  ORGANIZATION: 'COMPANY_NAME_JP',
  MEDICALID: 'HEALTH_INSURANCE',
  EIN: 'TAX_ID',
  ITIN: 'TAX_ID',
  MAC: 'MAC_ADDRESS',
};

/** The built-in type that a wrong name probably means: a synonym, a part of a name, or a misspelling. */
export function nearestTokenType(name: string): string | undefined {
  const wanted = name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 40);
  if (wanted === '') return undefined;
  const known = bySqueezedName.get(wanted) ?? otherNames[wanted];
  if (known !== undefined) return known;
  let best: string | undefined;
  let bestShare = 0.55;
  for (const [squeezed, type] of [...bySqueezedName, ...Object.entries(otherNames)]) {
    const isPart = wanted.length > 3 && squeezed.length > 2 && (squeezed.includes(wanted) || wanted.includes(squeezed));
    const isHead = squeezed.length > 2 && wanted.startsWith(squeezed);
    const share = Math.max(sharedPairs(wanted, squeezed), isHead ? 0.9 : isPart ? 0.6 : 0);
    if (share > bestShare) {
      best = type;
      bestShare = share;
    }
  }
  return best;
}

/** Dice coefficient of adjacent letter pairs: 1 for equal words, 0 without common pairs. */
export function sharedPairs(a: string, b: string): number {
  const pairs = (word: string) =>
    new Set(Array.from({ length: word.length + 1 }, (_, i) => ` ${word} `.slice(i, i + 2)));
  const ofA = pairs(a);
  const ofB = pairs(b);
  let shared = 0;
  for (const pair of ofA) if (ofB.has(pair)) shared++;
  return (2 * shared) / (ofA.size + ofB.size);
}

/** Maximum length of a custom label, in characters. */
export const labelLengthMax = 40;

/**
 * True for capitals, digits and single underscores, starting with a letter. `SECURED` and `SRAG` open other token
 * forms, and a built-in type without its underscores would be read as that type.
 */
export function isLabel(label: string): boolean {
  if (label.length > labelLengthMax || !/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(label)) return false;
  return label !== 'SECURED' && label !== 'SRAG' && (isTokenType(label) || tokenTypeOf(label) === undefined);
}

/** Returns the label. @throws PrivetError `invalid_input` unless {@link isLabel} accepts it. */
export function checkLabel(label: string): string {
  if (isLabel(label)) return label;
  throw new PrivetError('invalid_input', 'A dictionary label has the wrong format.', {
    hint: `Use up to ${labelLengthMax} capitals, digits and single underscores, starting with a letter, e.g. PROJECT_NAME.`,
  });
}
