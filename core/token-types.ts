/**
 * The names that tokens carry: the 24 built-in types, and the shape of custom labels.
 */
import { PrivetError } from './errors.ts';

/** The names of all built-in PII types; a token of one of them is written `[TYPE-n]`. */
export const tokenTypes = [
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

const bySqueezedName = new Map<string, string>(tokenTypes.map((type) => [type.replaceAll('_', ''), type]));
const names: ReadonlySet<string> = new Set(tokenTypes);

/** True for the name of a built-in type, spelled exactly. */
export function isTokenType(name: string): boolean {
  return names.has(name);
}

/** The built-in type of a name in capitals, with or without its underscores: `CREDITCARD` → `CREDIT_CARD`. */
export function tokenTypeOf(name: string): string | undefined {
  return bySqueezedName.get(name.includes('_') ? name.replaceAll('_', '') : name);
}

/** Longest custom label, in characters. */
export const labelLengthMax = 40;

/**
 * True for a label that custom dictionary entries may carry: capitals, digits and single underscores, starting with a
 * letter. `SECURED` and `SRAG` open other token forms; a built-in type spelled without its underscores would be read as
 * that type.
 */
export function isLabel(label: string): boolean {
  if (label.length > labelLengthMax || !/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(label)) return false;
  return label !== 'SECURED' && label !== 'SRAG' && (isTokenType(label) || tokenTypeOf(label) === undefined);
}

/** The label as it was given. @throws PrivetError `invalid_input` when it has another shape than {@link isLabel} asks for. */
export function checkLabel(label: string): string {
  if (isLabel(label)) return label;
  throw new PrivetError('invalid_input', 'A dictionary label has a wrong shape.', {
    hint: `Use up to ${labelLengthMax} capitals, digits and single underscores, starting with a letter, e.g. PROJECT_NAME.`,
  });
}
