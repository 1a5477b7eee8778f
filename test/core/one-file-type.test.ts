import { expect, test, vi } from 'vitest';
import type { IdentifierType } from '../../core/recognizers/identifier.ts';

/** All that a new type takes: an entry in the file of its country. */
const added: IdentifierType = {
  type: 'IS_LIBRARY_CARD',
  kind: 'id-card',
  form: /BK\d{6}/,
  length: 8,
  alone: true,
  labels: ['bókasafnskort'],
};

vi.mock('../../core/recognizers/countries/is.ts', async (original) => {
  const own = await original<{ isIdentifiers: readonly IdentifierType[] }>();
  return { isIdentifiers: [...own.isIdentifiers, added] };
});

test('a new type is an entry in one file: it is found, has tokens, a name and settings', async () => {
  const { Detector } = await import('../../core/detect/detector.ts');
  const { isTokenType } = await import('../../core/tokens/token-types.ts');
  const { findTokens } = await import('../../core/tokens/tokens.ts');
  const { typeInfo, typeLabel, typesOn } = await import('../../core/types.ts');
  expect(new Detector().detect('bókasafnskort: BK482917').map(({ type, value }) => [type, value])).toEqual([
    ['IS_LIBRARY_CARD', 'BK482917'],
  ]);
  expect(isTokenType('IS_LIBRARY_CARD')).toBe(true);
  expect(findTokens('see [IS_LIBRARY_CARD-1]').map(({ identity }) => identity)).toEqual(['[IS_LIBRARY_CARD-1]']);
  expect(typeInfo('IS_LIBRARY_CARD')).toEqual({
    type: 'IS_LIBRARY_CARD',
    group: 'NATIONAL_ID',
    default: 'on',
    country: 'IS',
  });
  expect(typeLabel('IS_LIBRARY_CARD', 'en')).toBe('Iceland: identity card (LIBRARY CARD)');
  expect(typesOn({ NATIONAL_ID: 'off' })).not.toContain('IS_LIBRARY_CARD');
});
