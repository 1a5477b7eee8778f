/** Recognizers of the user's own. */
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import type { CustomRecognizer } from '../../../core/dictionary/custom-recognizers.ts';

const employee: CustomRecognizer = { type: 'EMPLOYEE_ID', forms: ['/E-\\d{6}/'], context: ['staff', '社員番号'] };

function valuesIn(text: string, recognizer: CustomRecognizer, minScore = 0): string[] {
  const detector = new Detector({ types: ['EMAIL'], recognizers: [recognizer], minScore });
  return detector.detect(text).map(({ type, value }) => `${type} ${value}`);
}

describe('what is found', () => {
  const needed: CustomRecognizer = { ...employee, contextNeeded: true };
  const loyalty: CustomRecognizer = { type: 'LOYALTY', forms: ['/\\d{16}/'], check: 'luhn' };
  const even: CustomRecognizer = {
    type: 'EVEN',
    forms: ['/K-\\d+/'],
    check: (value) => Number(value.slice(2)) % 2 === 0,
  };
  const mail: CustomRecognizer = { type: 'EMAIL', forms: ['/\\w+\\(at\\)[\\w.]+\\w/'] };
  const several = 'EMPLOYEE_ID E-123456, EMAIL ana@example.com, EMPLOYEE_ID E-654321';
  test.each<[name: string, text: string, recognizer: CustomRecognizer, found: string]>([
    ['a form', 'Ask E-123456 today', employee, 'EMPLOYEE_ID E-123456'],
    ['several, next to a built-in type', 'E-123456 ana@example.com E-654321', employee, several],
    ['full-width signs', '社員番号 Ｅ－１２３４５６', employee, 'EMPLOYEE_ID Ｅ－１２３４５６'],
    ['not a part of a longer word', 'E-1234567 and XE-123456', employee, ''],
    ['an exact text', 'a Project Apollo.', { type: 'PROJECT', forms: ['Project Apollo'] }, 'PROJECT Project Apollo'],
    ['only what passes a named check', '4111111111111111 4111111111111112', loyalty, 'LOYALTY 4111111111111111'],
    ['only what passes a function', 'K-10 K-11', even, 'EVEN K-10'],
    [
      'not a listed false positive',
      'E-000000 E-123456',
      { ...employee, allow: ['E-000000', '/E-9+/'] },
      'EMPLOYEE_ID E-123456',
    ],
    ['nothing without its context word', 'E-123456', needed, ''],
    ['with its context word nearby', 'staff number: E-123456', needed, 'EMPLOYEE_ID E-123456'],
    ['not with a distant context word', `staff${' x'.repeat(60)} E-123456`, needed, ''],
    ['a built-in type in another form', 'mail: ana(at)example.com', mail, 'EMAIL ana(at)example.com'],
  ])('%s', (_name, text, recognizer, found) => {
    expect(valuesIn(text, recognizer).join(', ')).toBe(found);
  });

  test('a context word raises the score', () => {
    const [alone] = new Detector({ recognizers: [employee] }).detect('E-123456');
    const [near] = new Detector({ recognizers: [employee] }).detect('staff E-123456');
    expect([alone?.score, near?.score, near?.context, near?.recognizer]).toEqual([0.6, 0.9, 'staff', 'custom']);
    expect(valuesIn('E-123456', employee, 0.7)).toEqual([]);
  });
});

test.each<[recognizer: unknown, message: RegExp]>([
  [{ ...employee, type: 'employee' }, /^recognizers\[0\]\.type: must be a label/],
  [{ ...employee, forms: [] }, /^recognizers\[0\]\.forms: must have at least one form/],
  [{ ...employee, forms: ['/(?=x)/'] }, /^recognizers\[0\]\.forms\[0\]: at position/],
  [{ ...employee, check: 'lun' }, /^recognizers\[0\]\.check: is not a known check/],
  [{ ...employee, score: 2 }, /^recognizers\[0\]\.score/],
  [{ type: 'X', forms: ['x'], contextNeeded: true }, /contextNeeded needs context words/],
  [{ ...employee, words: [] }, /^recognizers\[0\]\.words: is not a known field/],
])('%j is refused', (recognizer, message) => {
  expect(() => new Detector({ recognizers: [recognizer as CustomRecognizer] })).toThrow(message);
});

test('a form that needs too many steps raises an error and does not hang', () => {
  const slow: CustomRecognizer = { type: 'SLOW', forms: ['/a.{0,900}b|a/'] };
  expect(() => new Detector({ recognizers: [slow] }).detect('a'.repeat(400_000))).toThrow(/too many steps|too large/);
});
