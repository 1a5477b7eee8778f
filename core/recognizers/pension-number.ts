/** Japanese basic pension numbers (基礎年金番号): four and six digits; they have no check digit. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { CellHeadings } from '../cell-headings.ts';
import { isDigit } from '../characters.ts';
import { labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { type NumberKind, numbersByEvidence } from './number-evidence.ts';
import type { DigitForms } from './number-forms.ts';
import { isOtherThanPension, isUnderOther, pensionSigns, pensionsByEvidence } from './pension-evidence.ts';

const name = 'pension-number';
const number = new RegExp(`${numberLeft}[0-9]{4}[- ]?[0-9]{6}(?:[- ]?[0-9]{4}(?!年))?${numberRight}`, 'g');

const forms = new RegExp(`${numberLeft}[0-9]{4}[- ][0-9]{6}${numberRight}`, 'g');
const digits: DigitForms = {
  forms: new RegExp(forms.source, 'y'),
  leadMax: 0,
  mayBe(bytes, at) {
    const joint = bytes[at + 4];
    return (joint === 0x2d || joint === 0x20) && isDigit(bytes[at + 5]);
  },
};

/** With the hyphen, further from its word. */
const kind: NumberKind = {
  owner: name,
  context: '年金番号',
  forms,
  digits: () => digits,
  weightOfForm: (written) => (written.includes('-') ? 4 : 2),
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
    'kiso nenkin',
    'pension book (number|no)',
    'kiso nenkin (number|bango|bangou|no)',
    '年金コード',
    '(basic|national) pension (number|no)',
    'pension (number|no|id|handbook)',
    'nenkin (number|bango|bangou|no)',
    '(国民|厚生)年金番号',
    '(国民|厚生)年金',
  ],
  anchors: pensionSigns,
  trigger: ({ keywords }) => keywords.has(name),
  find(text: ScanText): Detection[] {
    const values = labelledValues(text, name, number).filter(
      (value) =>
        (!/^(?:国民|厚生)年金$/.test(value.context) || value.groups[0][4] === '-') &&
        // `基礎年金番号通知書の様式第 1101-220033 号`
        !(
          value.isBehind &&
          (value.context.endsWith('年金') ? isOtherThanPension(text, value) : /(?:様式|文書)第? ?$/.test(value.gap))
        ),
    );
    const found = values.map(({ start, end, context }) =>
      detectionAt(text, start, end, { type: 'PENSION_NUMBER', score: 0.9, recognizer: name, context }),
    );
    const used = new Set(values.map(({ labelStart }) => labelStart));
    const headings = new CellHeadings(text.shadow);
    for (const [start, end, context] of numbersByEvidence(text, kind, { found, used }))
      if (!isOtherThanPension(text, { start, end }) && !isUnderOther(headings, { start, end }))
        found.push(byEvidence(text, start, end, context));
    for (const { start, end } of pensionsByEvidence(text, name, found))
      found.push(byEvidence(text, start, end, kind.context));
    return found.sort((a, b) => a.start - b.start);
  },
  samples: {
    match: [
      ['基礎年金番号 ９０３１－５５７２１８　1957年1月6日生', '９０３１－５５７２１８'],
      ['基礎年金番号：1234-567890', '1234-567890'],
      ['年金手帳の番号は１２３４－５６７８９０です', '１２３４－５６７８９０'],
      ['pension number 1234567890', '1234567890'],
      ['"pensionNumber":"1234-567890"', '1234-567890'],
      ['1234-567890（基礎年金番号）', '1234-567890'],
      ['基礎年金番号がわかるものはありますか\n社員：はい、1234-567890', '1234-567890'],
      ['年金記録の照会です。青い手帳を持っており、番号は2749-306158となります', '2749-306158'],
      ['年金の請求。請求者：長男、昭和48年2月8日生、3051-847269', '3051-847269'],
      ['年金事務所に出します。例：村井さん 4471-920356', '4471-920356'],
      ['claim for my nenkin. The number in the book reads 9043-551276.', '9043-551276'],
      ['<nenkin>8834-120977</nenkin><orderNo>8834-120978</orderNo>', '8834-120977'],
      ['Rows:\nid,nenkin_no,tel\n1,1029-384756,0463-123456', '1029-384756'],
      ['未支給年金 川島 実　昭和11年1月30日　0412-558732', '0412-558732'],
      ['年金の住所変更ができません。2876-410093、広島在住です', '2876-410093'],
      ['基礎年金番号通知書の番号：3782-884957', '3782-884957'],
      ['blue pension booklet, first page\nMe: 6120-447781', '6120-447781'],
      ['pension number (基礎年金番号) for the new assignee from Osaka: 1234-567890', '1234-567890'],
      ['{"kisoNenkin":"4820193770"}', '4820193770'],
      ['20歳のとき年金機構から来た通知書に6204-817730と書いてあります。', '6204-817730'],
      ['基礎年金番号わかりますか？\n社員：手帳に5120 481937とあります', '5120 481937'],
    ],
    noMatch: [
      '年金機構の納税通知書の番号：1204-820193',
      '1234-567890',
      '年金額は1234567890円ではなく1,234円',
      'pension fund 2024-123456',
      'The Japanese pension number is not needed; the parcel has slip number 4021-558903.',
      '年金相談のご予約番号は 2024-123456 です',
      '年金事務所の電話番号は 0463-223344 です',
      '国民年金の納付書。納付書番号：1234-567890',
      '厚生年金の保険料率は文書番号 1203-445566 を参照',
      '部品コード 2210-998877 を 5 個、年金機構向けに納品',
      '基礎年金番号通知書の様式第 1101-220033 号を印刷',
      '年金事務所 1234-567890',
      '年金受給者現況届の送付番号 3301-556677',
      'nenkin desk: your claim reference?\nCaller: 2024-118820',
      'Dear Japan Pension Service, ref of your last letter: 2031-118822.',
      'suspension kit for the Japan model: 2210-998877',
      'japan:\n  pension:\n    paid: true\n  residenceTax: 1040-223344',
      '年金の話です。昨日届いた荷物は2019-334455、重さは不明',
      '基礎年金番号は10桁です',
    ],
  },
};

function byEvidence(text: ScanText, start: number, end: number, context: string): Detection {
  return detectionAt(text, start, end, { type: 'PENSION_NUMBER', score: 0.8, recognizer: name, context });
}
