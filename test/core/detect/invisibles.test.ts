/** Values that contain invisible characters: models read through them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { withoutInvisibles } from '../../../core/detect/invisibles.ts';

const detector = new Detector({ dictionary: [{ label: 'PROJECT', pattern: 'Bluebird' }] });
const found = (text: string) => detector.detect(text).map(({ type, value }) => `${type} ${value}`);

const invisibles = {
  'soft hyphen': '\u00ad',
  'combining grapheme joiner': '\u034f',
  'Arabic letter mark': '\u061c',
  'Hangul filler': '\u115f',
  'Mongolian variation selector': '\u180b',
  'zero width space': '\u200b',
  'zero width non-joiner': '\u200c',
  'zero width joiner': '\u200d',
  'right-to-left mark': '\u200f',
  'direction override': '\u202e',
  'word joiner': '\u2060',
  'direction isolate': '\u2066',
  'variation selector': '\ufe0f',
  'byte order mark': '\ufeff',
  'ideographic variation selector': '\u{e0100}',
  tag: '\u{e0041}',
  'Braille blank': '\u2800',
  'mark of an annotation': '\ufff9',
  'object in place': '\ufffc',
  bell: '\u0007',
  backspace: '\b',
  delete: '\u007f',
  'control of ISO 6429': '\u0081',
};

describe('a value with an invisible character inside is found as a whole', () => {
  test.each(Object.entries(invisibles))('%s', (_name, c) => {
    const between = (value: string) => [...value].join(c);
    const values = {
      EMAIL: between('anna.berg@example.com'),
      CREDIT_CARD: between('4111 1111 1111 1111'),
      PHONE: `090-12${c}34-5678`,
      API_KEY: `sk-proj-${c}${'aB3dE6gH9j'.repeat(5)}`,
      PROJECT: `Blue${c}bird`,
      NAME: `山${c}田 太郎`,
    };
    const text = `mail ${values.EMAIL} card ${values.CREDIT_CARD} tel ${values.PHONE} key ${values.API_KEY} for ${values.PROJECT}. 担当は${values.NAME}様。`;
    expect(found(text)).toEqual(Object.entries(values).map(([type, value]) => `${type} ${value}`));
  });
});

test('characters next to a value are not part of it, and other values are found as before', () => {
  expect(found('\u200banna@example.com\u200b and ☎\ufe0f 090-1234-5678\u200b')).toEqual([
    'EMAIL anna@example.com',
    'PHONE 090-1234-5678',
  ]);
});

test('letters and digits in another style are read', () => {
  const bold = (text: string) =>
    text
      .replaceAll(/[a-z]/g, (c) => String.fromCodePoint(0x1d41a + c.charCodeAt(0) - 97))
      .replaceAll(/[0-9]/g, (c) => String.fromCodePoint(0x1d7ce + Number(c)));
  const [mail, card, arabic] = [bold('anna.berg@example.com'), bold('4111 1111 1111 1111'), '٤١١١ ١١١١ ١١١١ ١١١١'];
  expect(found(`${mail}, ${card}, card ${arabic}.`)).toEqual([
    `EMAIL ${mail}`,
    `CREDIT_CARD ${card}`,
    `CREDIT_CARD ${arabic}`,
  ]);
});

test('escaped ones are read through as well', () => {
  expect(found(String.raw`x {"mail":"anna\u200b@example.com"} y`)).toEqual([String.raw`EMAIL anna\u200b@example.com`]);
  expect(found('anna&#8203;@example.com')).toEqual(['EMAIL anna&#8203;@example.com']);
});

test('law: detections slice to their values, sorted and disjoint, whatever is in between', () => {
  const part = fc.constantFrom(
    ...'anna|@|example.com|090-1234-5678| |山田|😀'.split('|'),
    ...Object.values(invisibles),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      let end = 0;
      for (const one of detector.detect(text)) {
        expect(one.start).toBeGreaterThanOrEqual(end);
        expect(text.slice(one.start, one.end)).toBe(one.value);
        end = one.end;
      }
      const visible = withoutInvisibles(text);
      const kept = visible === undefined ? text : [...visible.text].join('');
      const shown = Object.values(invisibles).reduce((left, one) => left.replaceAll(one, ''), text);
      expect(kept).toBe(shown);
    }),
  );
});
