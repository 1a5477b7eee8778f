/** Japanese basic pension numbers (基礎年金番号): four and six digits; they have no check digit. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';

const name = 'pension-number';
const number = new RegExp(`${numberLeft}[0-9]{4}[- ]?[0-9]{6}(?:[- ]?[0-9]{4})?${numberRight}`, 'g');

/** Looks around the words. */
export const pensionNumber: Recognizer = {
  name,
  type: 'PENSION_NUMBER',
  labels: [
    '基礎年金番号',
    '基礎年金',
    '年金番号',
    '年金手帳',
    '年金手帳番号',
    '年金手帳の番号',
    '年金証書',
    '年金コード',
    '(basic|national) pension (number|no)',
    'pension (number|no|id|handbook)',
    'nenkin (number|bango|bangou|no)',
    '(国民|厚生)年金番号',
    '(国民|厚生)年金',
  ],
  find(text: ScanText): Detection[] {
    return labelledValues(text, name, number)
      .filter(({ groups, context }) => !/^(?:国民|厚生)年金$/.test(context) || groups[0][4] === '-')
      .map(({ start, end, context }) =>
        detectionAt(text, start, end, { type: 'PENSION_NUMBER', score: 0.9, recognizer: name, context }),
      );
  },
  samples: {
    match: [
      ['基礎年金番号：1234-567890', '1234-567890'],
      ['年金手帳の番号は１２３４－５６７８９０です', '１２３４－５６７８９０'],
      ['pension number 1234567890', '1234567890'],
      ['"pensionNumber":"1234-567890"', '1234-567890'],
      ['1234-567890（基礎年金番号）', '1234-567890'],
    ],
    noMatch: [
      '1234-567890',
      '年金額は1234567890円ではなく1,234円',
      'pension fund 2024-123456',
      '基礎年金番号は10桁です',
    ],
  },
};
