import { expect, test, vi } from 'vitest';
import type { IdentifierRow } from '../../core/recognizers/identifiers/types.ts';

/** A new type needs only a row in the file of its region. */
const added: IdentifierRow = {
  type: 'IS_LIBRARY_CARD',
  kind: 'id-card',
  form: 'BK\\d{6}',
  length: 8,
  check: [{ weights: [7, 3, 1], characters: '0987654321', body: [2, -1] }],
  alone: true,
  labels: ['bókasafnskort'],
};

vi.mock('../../core/recognizers/identifiers/europe.json', async (original) => {
  const own = await original<{ default: readonly IdentifierRow[] }>();
  return { default: [...own.default, added] };
});

test('a new type is one entry in one file: detection, tokens, name and settings follow', async () => {
  const { Detector } = await import('../../core/detect/detector.ts');
  const { isTokenType } = await import('../../core/tokens/token-types.ts');
  const { findTokens } = await import('../../core/tokens/tokens.ts');
  const { typeInfos, typeLabel, typesOn } = await import('../../core/types.ts');
  expect(new Detector().detect('bókasafnskort: BK482918').map(({ type, value }) => [type, value])).toEqual([
    ['IS_LIBRARY_CARD', 'BK482918'],
  ]);
  expect(new Detector().detect('my BK482918').map(({ value }) => value)).toEqual(['BK482918']);
  expect(new Detector().detect('my BK482919')).toEqual([]);
  expect(isTokenType('IS_LIBRARY_CARD')).toBe(true);
  expect(findTokens('see [IS_LIBRARY_CARD-1]').map(({ identity }) => identity)).toEqual(['[IS_LIBRARY_CARD-1]']);
  expect(typeInfos.find(({ type }) => type === 'IS_LIBRARY_CARD')).toEqual({
    type: 'IS_LIBRARY_CARD',
    group: 'NATIONAL_ID',
    default: 'on',
    country: 'IS',
  });
  expect(typeLabel('IS_LIBRARY_CARD', 'en')).toBe('Iceland: identity card (LIBRARY CARD)');
  expect(typesOn({ NATIONAL_ID: 'off' })).not.toContain('IS_LIBRARY_CARD');
});
