import fc from 'fast-check';
import { stdnum } from 'stdnum';
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { scanText } from '../../../core/detect/scan.ts';
import type { IdentifierType } from '../../../core/recognizers/identifiers/identifier.ts';
import { identifierRecognizer } from '../../../core/recognizers/identifiers/recognizer.ts';
import { identifierTypes } from '../../../core/recognizers/identifiers/types.ts';

const detector = new Detector();

/** Values generated from a form; forms with look-around are left out, because none can be generated from them. */
function valuesOf({ form }: IdentifierType, count: number): string[] {
  if (/\(\?[=!<]/.test(form.source)) return [];
  return fc.sample(fc.stringMatching(new RegExp(`^(?:${form.source})$`)), { numRuns: count, seed: 7 });
}

const bareOf = (value: string) => value.replace(/[^0-9A-Za-z&Ñ\u0370-\u052f]/g, '').toUpperCase();

function validValue(type: IdentifierType, count = 3_000): string | undefined {
  const passes = (value: string) => type.check?.(type.keepsSigns ? value : bareOf(value)) ?? true;
  // Values as people write them: with digits, not in groups of one or two.
  const isUsual = (value: string) =>
    /\d{3}/.test(value) && !/[ /-]\d?[ /-]/.test(value) && !/^(.)\1+$/.test(bareOf(value));
  return valuesOf(type, count).find((value) => isUsual(value) && passes(value));
}

/** Forms so permissive that generated values look unlike anything that people write. */
const irregular: ReadonlySet<string> = new Set(['PHONE', 'IT_FISCAL_CODE']);

describe('every identifier', () => {
  for (const type of identifierTypes) {
    const value = validValue(type);
    if (value === undefined || type.labels.length === 0 || irregular.has(type.type)) continue;
    test(`${type.type} is found after each of its labels`, () => {
      const missed = type.labels.filter((label) => {
        const found = detector.detect(`${label}: ${value}`);
        return !found.some((one) => one.value.includes(value) || value.includes(one.value));
      });
      expect(missed).toEqual([]);
    });
    test(`${type.type} is not found within a longer number`, () => {
      const found = identifierRecognizer([type]).find(scanText(`x${value}9x`));
      expect(found).toEqual([]);
    });
  }
});

/** Types whose check digit a maintained package also implements. */
const oracles: readonly (readonly [type: string, country: keyof typeof stdnum, name: string])[] = [
  ['DE_VAT', 'DE', 'vat'],
  ['FR_NIR', 'FR', 'nir'],
  ['NL_BSN', 'NL', 'bsn'],
  ['ES_DNI', 'ES', 'dni'],
  ['ES_NIE', 'ES', 'nie'],
  ['IT_FISCAL_CODE', 'IT', 'codicefiscale'],
  ['PT_NIF', 'PT', 'nif'],
  ['NO_FNR', 'NO', 'fodselsnummer'],
  ['HR_OIB', 'HR', 'oib'],
  ['TR_TCKN', 'TR', 'tckimlik'],
  ['TR_VKN', 'TR', 'vkn'],
  ['IN_AADHAAR', 'IN', 'aadhaar'],
  ['IN_GSTIN', 'IN', 'gstin'],
  ['AU_TFN', 'AU', 'tfn'],
  ['AU_ABN', 'AU', 'abn'],
  ['BR_CPF', 'BR', 'cpf'],
  ['BR_CNPJ', 'BR', 'cnpj'],
  ['CL_RUT', 'CL', 'rut'],
  ['AR_CUIT', 'AR', 'cuit'],
  ['PL_NIP', 'PL', 'nip'],
  ['NZ_IRD', 'NZ', 'ird'],
  ['TH_ID', 'TH', 'idnr'],
  ['IL_ID', 'IL', 'idnr'],
];

test.each(oracles)('the check digit of %s agrees with %s.%s of stdnum', (name, country, validator) => {
  const type = identifierTypes.find((one) => one.type === name) as IdentifierType;
  const judge = (stdnum[country] as Record<string, { validate(value: string): { isValid: boolean } }>)[validator];
  // Our check must accept whatever the package accepts; the package may be stricter.
  const accepted = valuesOf(type, 4_000).filter((value) => judge?.validate(bareOf(value)).isValid);
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.filter((value) => type.check?.(bareOf(value)) === false)).toEqual([]);
});

test.each([
  ['the nearest label decides', 'IBAN of the Steuer-ID 65 929 970 489', ['DE_TAX_ID:65 929 970 489']],
  ['a word for another number in between', 'My DNI and the order number 12345678Z', []],
  ['a JSON key', '{"steuerId": "65929970489"}', ['DE_TAX_ID:65929970489']],
  ['initials', 'N.I.F.: 12345678Z', ['ES_DNI:12345678Z']],
  ['a heading', 'id,numéro de sécurité sociale,x\n1,255019224039246,y\n', ['FR_NIR:255019224039246']],
  ['a wrong check digit after its label', 'Steuer-ID: 65929970488', ['DE_TAX_ID:65929970488']],
  ['a wrong check digit alone', 'ref 12345678A', []],
  ['a label in a script without spaces', '客户的身份证号为110105198405051455', ['CN_ID:110105198405051455']],
])('%s', (_name, text, expected) => {
  const ids = detector.detect(text).filter(({ recognizer }) => recognizer === 'identifier');
  expect(ids.map(({ type, value }) => `${type}:${value}`)).toEqual(expected);
});

test('a new type is one entry', () => {
  const badge: IdentifierType = { type: 'BADGE', kind: 'id-card', form: /B\d{6}/, length: 7, labels: ['badge number'] };
  const found = identifierRecognizer([badge]).find(scanText('his badge number is B123456.'));
  expect(found.map(({ type, value }) => [type, value])).toEqual([['BADGE', 'B123456']]);
});

const ibans = new Detector({ types: ['IBAN'] });

test.each([
  ['IBAN: GB82 WEST 1234 5698 7654 32.', 'GB82 WEST 1234 5698 7654 32'],
  ['DE89370400440532013000', 'DE89370400440532013000'],
  ['FR14 2004 1010 0505 0001 3M02 606 please', 'FR14 2004 1010 0505 0001 3M02 606'],
  ['MT84MALT011000012345MTLCAST001S', 'MT84MALT011000012345MTLCAST001S'],
  ['NO93 8601 1117 947', 'NO93 8601 1117 947'],
  ['Invoice DE89 3704 0044 0532 0130 00 1200.00', 'DE89 3704 0044 0532 0130 00'],
  ['NO93 8601 1117 947 BIC DNBANOKK', 'NO93 8601 1117 947'],
])('finds the IBAN in %j', (text, value) => {
  expect(ibans.detect(text).map((found) => found.value)).toEqual([value]);
});

test.each([
  'GB82 WEST 1234 5698 7654 33',
  'DE893704004405320130001',
  'XX89370400440532013000',
  'xDE89370400440532013000',
  'DE89 3704',
])('finds no IBAN in %j', (text) => {
  expect(ibans.detect(text)).toEqual([]);
});

test.each([
  'ISBN 0735619670',
  'isbn=0471941484&page=2',
  'anrufen bis 31.12.2024',
  'ring på 2024-12-31',
  'bellen 2024-2025',
  'anrufen 120.000 mal',
  'appelez 1.250.000',
  'Numero chiamate: 125430',
  '접수 번호: 12345678',
  'sector 0700 12 34',
  '010180-1234',
  '0102030405',
  'Telefon 2021-05-03',
  'Telefon 03.05.2021',
  'tel 1.16.2',
  'commit 0712345678',
  'order number 64 734 795 673',
  'clause 252.227-7013',
  'contact the maintainer, 17 Nov 2019 21:01:52',
  'cell-border:#80808059',
])('no telephone number in %j', (text) => {
  expect(detector.detect(text).filter(({ type }) => type === 'PHONE')).toEqual([]);
});

test.each([
  ['Tel. 912.345.678', '912.345.678'],
  ['Telefon 2024 12 31', '2024 12 31'],
  ['번호 010-1234-5678', '010-1234-5678'],
  ['01012345678', '01012345678'],
  ['011-234-5678', '011-234-5678'],
  ['0231/12 34', '0231/12 34'],
  ['0431 12 34 56', '0431 12 34 56'],
  ['Telefon 12.345.678', '12.345.678'],
  ['please ring 2125550187', '2125550187'],
  ['звони 8-912-345-67-89', '8-912-345-67-89'],
])('a telephone number in %j', (text, value) => {
  expect(detector.detect(text).map((found) => [found.type, found.value])).toContainEqual(['PHONE', value]);
});

test.each([
  ['a bank account of New Zealand', 'from 01-0902-0068389-00', 'BANK_ACCOUNT:01-0902-0068389-00'],
  ['a branch of Australia with the account', 'BSB 062-000 12345678', 'BANK_ACCOUNT:062-000 12345678'],
  ['a driver license of Korea', '면허 11-12-123456-62', 'DRIVER_LICENSE:11-12-123456-62'],
  ['a tax account of Austria', 'Abgabenkontonummer 12-345/6782', 'AT_TAX:12-345/6782'],
  ['an ID number', 'ID No: 24819375', 'KE_ID:24819375'],
  ['the expiry of a card', 'Card 4111 1111 1111 1111 exp 09/27', 'CARD_EXPIRY:09/27'],
  ['the expiry of a card in a record', '{"pan":"4111111111111111","exp":"09/27"}', 'CARD_EXPIRY:09/27'],
])('finds %s', (_name, text, expected) => {
  expect(detector.detect(text).map(({ type, value }) => `${type}:${value}`)).toContain(expected);
});
