import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from '../../eval/evaluate.ts';
import { belowFloors, type Figures, figuresOf } from '../../eval/report.ts';

test('no figure of detection is below its floor', () => {
  const file = join(import.meta.dirname, '../../eval/floors.json');
  const floors = JSON.parse(readFileSync(file, 'utf8')) as Figures;
  expect(belowFloors(figuresOf(evaluate()), floors)).toEqual([]);
});
