import { expect, test } from 'vitest';
import { measureForms } from '../../eval/record-forms.ts';

test('values under a heading or key that names them are found in every form of record and kind of file', async () => {
  const figures = await measureForms();
  const low = figures.filter(({ found, values }) => found < 0.98 * values);
  expect(low).toEqual([]);
  expect(figures.reduce((sum, { values }) => sum + values, 0)).toBeGreaterThan(15_000);
});
