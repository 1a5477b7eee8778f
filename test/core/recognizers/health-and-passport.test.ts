import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detection.ts';

/** Texts with several values, which samples of a recognizer do not hold; all values in order. */
const health: readonly (readonly [text: string, values: readonly string[]])[] = [
  ['For OHIP: Maya is 7204-118-563-AB and Theo is 7204-118-571-CD.', ['7204-118-563-AB', '7204-118-571-CD']],
  ['Medicaid packet. Her ID changed from 90284716A to 90284717B after the move.', ['90284716A', '90284717B']],
  [
    "What's the NHS number please?\nDaughter: Here. 943 476 5919\nReceptionist: And your mum?\nDaughter: hers is 161 563 1437",
    ['943 476 5919', '161 563 1437'],
  ],
  [
    'NHS numbers in the second column\nHughes, Brenda  943 476 5919  bed 4\nOkafor, Sam  161 563 1437  bed 9',
    ['943 476 5919', '161 563 1437'],
  ],
  ['会社は協会けんぽで、記号は21700482、番号は356だったと思います。', ['21700482', '356']],
  ['保険証を拝見します。記号が105の番号24871。', ['105', '24871']],
  ['国保の件。記号港3、番号1182047。折り返します。', ['港3', '1182047']],
  ['<insurance>\n<kigo>杉並3</kigo>\n<bango>482-1</bango>', ['杉並3', '482-1']],
  ["UPDATE e SET hoken_kigo = '73200154',\n       hoken_bango = '48',\n x = 1", ['73200154', '48']],
  ['[保険情報]\n記号=１０４\n番号=５５２１', ['１０４', '５５２１']],
  ['限度額の申請\n被保険者証　記号 横浜中 番号 08-1726\n世帯主', ['横浜中', '08-1726']],
  ['看護師：保険の記号、番号を確認しますね。\n患者：記号が4091、番号は1827です。', ['4091', '1827']],
  ['保険証ですが、記号が「港区」、番号が「04-8172」です', ['港区', '04-8172']],
  ['旧：健保 記号118 番号20471、新：記号22014478 番号12', ['118', '20471', '22014478', '12']],
  ["INSERT INTO hoken (id, kigo, bango) VALUES (10482, '2180', '477');", ['2180', '477']],
  [
    '| 氏名 | 保険証記号 | 保険証番号 |\n|---|---|---|\n| 柏木 透 | 7301 | 112 |\n| 仁科 舞 | 7301 | 113 |',
    ['7301', '112', '7301', '113'],
  ],
  ['社員番号,健保記号,健保番号\n1021,7301,1122\n1022,7301,1123', ['7301', '1122', '7301', '1123']],
  ['保険証の件。\n受付：記号と番号を読んでいただけますか。\n患者：はい、4410の2983です。', ['4410', '2983']],
  ['{"healthInsurance": {"symbol": "71920014", "number": "3386"}, "tel": "1"}', ['71920014', '3386']],
  ["Client's PHN is 9120 922 353 (the old chart had 9833819351 of her sister)", ['9120 922 353', '9833819351']],
  ['協会けんぽですね。カードの番号を」\n「ええと、上の段が37010042、下が56…」', ['37010042', '56']],
  ['「記号」が8301、「番号」が776です。これは国民健康保険ですよね', ['8301', '776']],
  ['健康保険です。「被保険者の記号は」「1077、番号が3350」', ['1077', '3350']],
  ['通帳の写しあり。本人確認：保険証　記号５１８　番号００７４', ['５１８', '００７４']],
  ['保険証　記号番号：1204－3391\n氏名：x\n振込：ゆうちょ銀行', ['1204－3391']],
  ['Health insurance card: symbol (記号) 2207, number (番号) 915', ['2207', '915']],
  ['健康保険証：記号 414、番号 20557。妻の健康保険証は同じ記号で番号 20601 です', ['414', '20557', '20601']],
  ['保険証はコピーだけ：記号「けん02」番号「5562」', ['けん02', '5562']],
  ['社員 | 健康保険 番号\nA | 5144\nB | 77', ['5144', '77']],
  ['No / 保険証記号 / 保険証番号\n1 / 205 / 7718\n2 / 207 / 0193', ['205', '7718', '207', '0193']],
  [
    'health insurance card symbol 20417 number 338\nthe same health insurance, symbol 20417 number 341',
    ['20417', '338', '20417', '341'],
  ],
  ['ゆうちょ銀行 記号 11940 番号 48201731 に健康保険料の還付', []],
  ['健康保険の診察券番号は48213、予約番号は7718です。', []],
];

const passports: readonly (readonly [text: string, values: readonly string[]])[] = [
  [
    'Passports for the charter, please check spelling:\n1. Amara Eze A08271634 14/02/1988\n2. Kemi Eze B00482917 01/06/2015',
    ['A08271634', 'B00482917'],
  ],
  [
    '集めた旅券情報です。\n2-A 03 安西ひなた　TT3098175　2007.5.30\n2-A 04 伊庭 颯　　TT2846610　2008.1.12',
    ['TT3098175', 'TT2846610'],
  ],
  [
    '海外出張者リスト　パスポート情報\nNo 氏名 番号 期限\n1 戸田 茂 TK8204173 2028-03\n2 広瀬 杏 TR1820473 2030-11',
    ['TK8204173', 'TR1820473'],
  ],
  [
    '[10:02] Marta: need passport nos by noon\n[10:05] Lars: 34829107\n[10:06] Ingrid: mine: 34820172\n[10:11] Bo: AB4820173 (Finnish)',
    ['34829107', '34820172', 'AB4820173'],
  ],
  ['3名のパスポートを預かりました。\n・Minh（C8204173）\n・Lan（B9182047）', ['C8204173', 'B9182047']],
  [
    'Crew list. Passport nos. and expiry:\nRamos, Jun  P8172639A  11 Oct 2029\nOlsen, Geir  CCB817263  19 Jul 2031',
    ['P8172639A', 'CCB817263'],
  ],
  ["Passports expired: mine 561827364, my husband's 561827401.", ['561827364', '561827401']],
  [
    '宿泊者名簿（外国籍の方は旅券番号を記入）\nCHEN WEI　台湾　301928374\nPARK SOYEON　韓国　M90281736',
    ['301928374', 'M90281736'],
  ],
  ['宿泊者名簿（パスポートの情報）\nCHEN WEI　台湾　301928374\nPARK SOYEON　韓国　201928375', []],
  ['I typed L4817263 on the card but my passport says L4817268.', ['L4817263', 'L4817268']],
  ['パスポートはTR4820173なのにTR4820178で申請してしまい', ['TR4820173', 'TR4820178']],
  ['Passport list below.\nAnna Berg, ticket TT3098175\nLars Berg, ticket TT3098176', []],
  ['Bring your passport.\nAnna Berg, RM3098175, 1.2.1990\nLars Berg, RM3098176, 1.2.1991', []],
  ['May I have your passport?\nAgent: and your order number?\nUser: 567204918', []],
];

describe.each([
  ['HEALTH_INSURANCE', health],
  ['PASSPORT', passports],
] as const)('%s', (type, rows) => {
  const detector = new Detector({ types: [type] });
  test.each(rows)('%j holds %j', (text, values) => {
    expect(detector.detect(text).map(({ value }) => value)).toEqual(values);
  });
});

test('50,000 numbers in one text', () => {
  const numbers = 'insurance Aetna ID W123456789 '.repeat(50_000);
  expect(new Detector({ types: ['HEALTH_INSURANCE'] }).detect(numbers)).toHaveLength(50_000);
});
