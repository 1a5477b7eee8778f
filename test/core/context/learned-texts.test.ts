import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { contextTypes } from '../../../core/recognizers/context-types.ts';
import { scorePii, sharesOf } from '../../../eval/score.ts';
import { markedTexts } from '../../../scripts/context/texts.ts';

/** Each text shows one kind of layout or near miss. The scorer was trained on them, and must still find most values. */
test.each(contextTypes.map(({ type }) => [type]))('%s is found in the texts that the scorer was trained on', (type) => {
  const detector = new Detector();
  const records = markedTexts().filter(({ judge }) => judge?.includes(type));
  // A PIN is both a password and a code; either type masks it.
  const { perType } = scorePii(records, (text) =>
    detector.detect(text).map((one) => (type === 'OTP_CODE' && one.type === 'PASSWORD' ? { ...one, type } : one)),
  );
  const { gold, f1 } = sharesOf(perType.get(type) ?? { tp: 0, fp: 0, fn: 1, strict: 0 });
  expect(gold).toBeGreaterThan(10);
  expect(f1).toBeGreaterThan(0.94);
});

test.each([
  ['Пароль: Bereza58les', 'PASSWORD'],
  ['ПАРОЛЬ: Bereza58les', 'PASSWORD'],
  ['Şifre: Deniz47kum', 'PASSWORD'],
  ['Ваш Код подтверждения: 900568', 'OTP_CODE'],
])('%s: a label may begin with a capital of any alphabet', (text, type) => {
  expect(new Detector().detect(text)).toMatchObject([{ type }]);
});

test.each([
  'Use product code 481290 when you order from the supplier portal.',
  '#define PASSWORD_MAX_LEN 0x40\n#define CRED_PROMPT 0x00020000L',
  '"password": "Passwort", "pass": "通过"',
])('%s holds no secret', (text) => {
  expect(new Detector().detect(text)).toEqual([]);
});

test.each([
  '[09/04/2023, 18:03:11] Bo: whose birthday is it?\n[09/04/2023, 18:03:50] Kim: mine, I am 40',
  '[2021/06/03 22:10] 蓮: 今日誕生日の人いる？\n[2021/06/03 22:11] 葵: 妹が17歳になった',
  'DOB on the wristband. Admitted: 06/02/2023  Discharged: 06/09/2023  Ward 6',
])('%s: the dates of messages and events are no dates of birth', (text) => {
  expect(new Detector().detect(text).filter(({ type }) => type === 'DATE_OF_BIRTH')).toEqual([]);
});
