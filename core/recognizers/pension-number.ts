/** Japanese basic pension numbers (基礎年金番号): four and six digits; they have no check digit. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { type NumberKind, numbersByEvidence } from './number-evidence.ts';

const name = 'pension-number';
const number = new RegExp(`${numberLeft}[0-9]{4}[- ]?[0-9]{6}(?:[- ]?[0-9]{4})?${numberRight}`, 'g');

/** With the hyphen, further from its word. */
const kind: NumberKind = {
  owner: name,
  context: '年金番号',
  forms: new RegExp(`${numberLeft}[0-9]{4}-[0-9]{6}${numberRight}`, 'g'),
  weightOfForm: () => 4,
  weightOfWord: () => 3,
  maySpeak: () => true,
  isOther: () => false,
  ownWord: /^(?:pension|nenkin)$/i,
};

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
    '年金(手帳の|証書の|の|)記号番号',
    '年金手帳の記号・番号',
    '年金証書',
    '年金の番号',
    'ねんきん(ネット|定期便|番号)',
    'pension book',
    'pension book (number|no)',
    'kiso nenkin (number|bango|bangou|no)',
    '年金コード',
    '(basic|national) pension (number|no)',
    'pension (number|no|id|handbook)',
    'nenkin (number|bango|bangou|no)',
    '(国民|厚生)年金番号',
    '(国民|厚生)年金',
  ],
  find(text: ScanText): Detection[] {
    const values = labelledValues(text, name, number).filter(
      ({ groups, context }) => !/^(?:国民|厚生)年金$/.test(context) || groups[0][4] === '-',
    );
    const found = values.map(({ start, end, context }) =>
      detectionAt(text, start, end, { type: 'PENSION_NUMBER', score: 0.9, recognizer: name, context }),
    );
    const used = new Set(values.map(({ labelStart }) => labelStart));
    const further = numbersByEvidence(text, kind, { found, used });
    if (further.length === 0) return found;
    for (const [start, end, context] of further)
      found.push(detectionAt(text, start, end, { type: 'PENSION_NUMBER', score: 0.8, recognizer: name, context }));
    return found.sort((a, b) => a.start - b.start);
  },
  samples: {
    match: [
      ['基礎年金番号：1234-567890', '1234-567890'],
      ['年金手帳の番号は１２３４－５６７８９０です', '１２３４－５６７８９０'],
      ['pension number 1234567890', '1234567890'],
      ['"pensionNumber":"1234-567890"', '1234-567890'],
      ['1234-567890（基礎年金番号）', '1234-567890'],
      ['基礎年金番号がわかるものはありますか\n社員：はい、1234-567890', '1234-567890'],
      ['pension number (基礎年金番号) for the new assignee from Osaka: 1234-567890', '1234-567890'],
    ],
    noMatch: [
      '1234-567890',
      '年金額は1234567890円ではなく1,234円',
      'pension fund 2024-123456',
      '基礎年金番号は10桁です',
    ],
  },
};
