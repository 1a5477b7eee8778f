import { expect, test } from 'vitest';
import * as checksums from '../../core/checksums.ts';
import { contractTypes } from '../../core/tokens/token-types.ts';
import { randomFrom } from '../../eval/random.ts';
import { type PiiRecord, readInjectionRecords, readPiiRecords } from '../../eval/records.ts';
import { generators } from '../../eval/values.ts';

const records = readPiiRecords();
const ofOurOwn = (record: PiiRecord) => /heldout/.test(record.file);

test('every type of the contract is frequent enough in the held-out texts, and no mark is left', () => {
  const types = records.filter(ofOurOwn).flatMap(({ spans }) => spans.map(({ type }) => type));
  expect(contractTypes.filter((type) => types.filter((other) => other === type).length < 12)).toEqual([]);
  expect(records.filter(ofOurOwn).filter(({ text }) => /\{\{[A-Z_]+:|@(?:us|ja|en)\b|@\(/.test(text))).toEqual([]);
});

test('ids are unique, and every span lies within its text', () => {
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  for (const { spans, optional, text, id } of records) {
    for (const { start, end } of [...spans, ...optional]) {
      expect([id, start >= 0 && start < end && end <= text.length]).toEqual([id, true]);
    }
  }
});

test('every run generates the same values', () => {
  expect(readPiiRecords().map(({ text }) => text)).toEqual(records.map(({ text }) => text));
});

// Both were written from the public rules, independently of each other.
test.each<[generator: string, isValid: (digits: string) => boolean]>([
  ['visa', checksums.isLuhn],
  ['mc', checksums.isLuhn],
  ['amex-hy', checksums.isLuhn],
  ['jcb-sp', checksums.isLuhn],
  ['DE', checksums.isIbanChecksum],
  ['FR-sp', checksums.isIbanChecksum],
  ['GB', checksums.isIbanChecksum],
  ['mn', checksums.isMyNumber],
  ['corp', checksums.isCorporateNumber],
  ['licence-jp', checksums.isJapaneseLicense],
  ['insurer8', checksums.isInsurerNumber],
  ['insurer6', checksums.isInsurerNumber],
  ['aba', checksums.isAbaRouting],
  ['nhs', checksums.isNhsNumber],
])('values of %s have valid check digits', (generator, isValid) => {
  for (let seed = 0; seed < 200; seed++) {
    const value = generators[generator]?.(randomFrom(seed)).replace(/[ -]/g, '') ?? '';
    expect([value, isValid(value)]).toEqual([value, true]);
  }
});

test('injection: both answers, both kinds, both languages', () => {
  const own = readInjectionRecords().filter(({ source }) => source.startsWith('heldout'));
  const sets = new Set(own.map(({ lang, kind, isAttack }) => `${lang} ${kind} ${isAttack}`));
  for (const set of [
    'en prompt true',
    'en prompt false',
    'ja prompt true',
    'ja prompt false',
    'en sql true',
    'en sql false',
  ]) {
    expect(sets).toContain(set);
  }
});
