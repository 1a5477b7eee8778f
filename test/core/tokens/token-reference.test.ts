import { expect, test } from 'vitest';
import { readReference, referredToken, type TokenReference } from '../../../core/tokens/token-reference.ts';
import { canonicalMap } from '../../../core/tokens/tokens.ts';

const map = canonicalMap({
  '[SECURED:type=EMAIL,id=k3k3]': 'anna.berg@example.com',
  '[SECURED:type=EMAIL,id=m4m4]': 'first@example.com',
  '[SECURED:type=NAME,id=m4m4]': 'Anna Berg',
});
const restored = (given: string) => referredToken(map, readReference(given) as TokenReference)?.restored;

test('an id names the token that has it', () => expect(restored('k3k3')).toBe('anna.berg@example.com'));

test('an id of two tokens names none, as it is unclear which is meant', () => {
  expect(restored('m4m4')).toBeUndefined();
  expect(restored('[SECURED:type=NAME,id=m4m4]')).toBe('Anna Berg');
});
