import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detection.ts';

/** Numbers of documents in whole texts, away from their word or beside numbers of other things; all values in order. */
type Rows = readonly (readonly [text: string, values: readonly string[]])[];

const passports: Rows = [
  [
    'Hotel check-in notes. Room 412: Mr Oyelaran, Nigerian, PP B50482917, visa V4482019, leaving Sunday. Booking 88120447.',
    ['B50482917'],
  ],
  [
    'HR onboarding: right-to-work check done. Passport seen: British, 548820193. NI number given. Employee no. 4482019.',
    ['548820193'],
  ],
  ["Our intern's passport (Brazil, FZ482019) expires before the internship ends. Requisition RQ482019.", ['FZ482019']],
  ['KYC: doc type P, doc no E48201937, score 0.97. Customer ID CU482019, session S48201937.', ['E48201937']],
  [
    'Scanned the MRZ: P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<< second line L898902C36UTO7408122F1204159',
    ['L898902C3'],
  ],
  ['本人確認書類：日本国旅券、記号番号MZ1204837、顧客番号 KH4820193', ['MZ1204837']],
  [
    'Which documents did you upload? - Passport. - Number? - YA4820193. - And the upload code? - UP482019.',
    ['YA4820193'],
  ],
  // Other things.
  ['Passport office queue ticket A4482019, counter 12. Bring form DS-82.', []],
  ['The passport printer PP4482019 is offline; replace cartridge TN482019.', []],
  ['Password and passport policy v2: see doc POL48201937 and ticket INC4820193.', []],
  ['Museum passport 2024: entry code MP482019, valid at 12 museums.', []],
  ['Passport-sized photos, order PH4820193, size 35x45. Pay invoice INV482019.', []],
  ['Courier collected the passport, waybill AW48201937, phone 0312345678.', []],
  ['Vaccine passport app build 48201937, certificate URN:UVCI:01:SE:EHM/V12907267LAJW.', []],
  ['Please renew my passport next week; my employee number is E4820193 and my desk is D4820.', []],
  ['Immigration: alien number A048201937, receipt number IOE0912345678, passport from Peru not provided.', []],
  ['海外旅行保険の契約者：証券番号 TR48201937、パスポートは未登録です。', []],
  ['パスポートセンターの整理券はA4820193でした。', []],
  ['旅券発給の統計は48201937件、予算番号 K4820193。', []],
  ['ホテルの予約確認番号は HB88204417、パスポートはチェックイン時に提示。', []],
  ['パスポートケースの品番 PK4820193 を注文、伝票 D48201937。', []],
  ['旅券番号を半角で入力してください。例：TK1234567 の形式です。', []],
  ['Insurance for the trip: policy TR4820193, emergency line 0800 482 019, passport to be shown at the desk.', []],
  ["Her passport's in the safe; safe code S482019, key tag KT482019.", []],
  ["My passport and my dog's pet passport (microchip 941000024820193) are in the bag. PETS ref PE482019.", []],
  ['Passport fee paid, transaction T4820193, card ending 2214. Collection slot C482019.', []],
  ["I'm at gate B12 with my passport, flight EK4820193? no EK0482.", []],
  ['パスポート紛失。警察の受理番号は A2048193、領事館の電話は +33 1 48 20 19 37 です。', []],
  ['旅券課の内線は 2048、書類番号は R2048193 です。', []],
];

const health: Rows = [
  ['My Medicaid ID changed to AB48201K last month. Case worker ref 482019.', ['AB48201K']],
  ['The pharmacy asked for BIN 610014, PCN MEDDPRIME, ID 820471933, group RX4820.', ['820471933']],
  [
    '氏名|保険者番号|記号|番号\n辻 亜希|06130199|204|7710\n谷 良平|138123|中野5|88204',
    ['06130199', '204', '7710', '138123', '中野5', '88204'],
  ],
  ['番号の前の記号は7102、そのあとが33810です。保険証は会社に返します。', ['7102', '33810']],
  [
    'Intake: Mr Dorsey, BlueCare Tennessee, ID ZEB820481937, effective 1/1; PCP Dr. Hall NPI 1821048193.',
    ['ZEB820481937'],
  ],
  ['受診者CSV\n氏名,生年月日,保険者番号,記号,番号\n小沢 亮,1980-02-03,06137335,120,4817', ['06137335', '120', '4817']],
  ['薬局です。保険証の番号をFAXで頂きましたが、記号「3304」の下の番号「20481」が薄いです。', ['3304', '20481']],
  // Other things.
  ['Car insurance policy PL48201937, claim C482019, member since 2011.', []],
  ['Gym member ID G4820193. Health class booked. Insurance waiver form W48201.', []],
  ['Claim number CLM4820193, health insurance denied it; call ref 88204471, tax id 12-3456789.', []],
  ['Life insurance policy number LI48201937, agent code A4820.', []],
  ['The NHS trust code is RJ1; ward 12; invoice 9434765919 is unpaid.', []],
  ['Travel insurance cert TI482019, medical cover up to 2000000.', []],
  ['自動車保険の証券番号は A48201937、事故受付番号 204-88 です。', []],
  ['保険の診療点数は 482 点、診察券 204817、予約 1130。', []],
  ['記号の説明：番号 12 は禁止、記号 A は注意を表す。', []],
  ['雇用保険の被保険者番号は 1234-567890-1 です。健康診断は来週。', []],
  ['銀行の記号 11940 番号 12345671 へ健康保険の還付金を振り込みます。', []],
  ['We take Aetna and Cigna. Our tax id is 12-3456789, NPI 1234567893, phone 555-482-0193.', []],
  ['Health fair booth number H482019; order T-shirts PO 4820193.', []],
  ['claim EOB 2024-482019 paid $204.81, check no. 10482019, plan year 2024.', []],
  ['番号札は 48 番、記号は◎、健康診断は午後です。', []],
];

const licences: Rows = [
  [
    'Delivery onboarding: name Obi, phone 07700 900123, driving licence OBIXX 804201 C99AB, DBS 001482019370.',
    ['OBIXX 804201 C99AB'],
  ],
  ['I renewed my license online; confirmation 48201937, my DL stays F4820193.', ['F4820193']],
  [
    'お客様：免許証、今手元にあります\nオペレーター：番号をお願いします\nお客様：6248 0193 7710です',
    ['6248 0193 7710'],
  ],
  ['息子が免許を取りました。第452204820190号、普通車（AT限定）です。', ['452204820190']],
  // Other things.
  ["Car title 4820193771, plate KLM4821, driver's license not provided.", []],
  ['Software license key 4820-1937-7712; the driver is v4.8.2.', []],
  ['Contractor license #CSLB 482019, driver needed Monday, job 4820193.', []],
  ['Driver license office ticket B482, fee $44, form DL-44, appointment A4820193.', []],
  ['Medical license MD482019 (CA), DEA BK4820193. He drives a Volvo.', []],
  ['License plate 7ABC482; permit P4820193; no license number yet.', []],
  ['免許センターの受付番号は482019377012です。', []],
  ['ソフトの免許…ライセンスキーは4820-1937-7712、ドライバーは最新です。', []],
  ['教員免許状番号 平30中一第482号、運転免許なし。', []],
  ['免許更新の問い合わせ番号 0120-482-019、手数料2500円。', []],
  ['License expired: software seat ABC-204817, renew at vendor. Driver pack DP204817.', []],
  ['Business license BL-204817 and food permit FP20481; driver Tom starts Monday.', []],
  ['調理師免許 第204819号、運転はしません。お問い合わせ 204819377012。', []],
  ['伝票 302048193770 は配送済み、ドライバーは免許停止中です。', []],
];

const pensions: Rows = [
  ['総務：基礎年金番号わかりますか？\n社員：手帳に5120 481937とあります', ['5120 481937']],
  ['20歳になったときに年金機構から来た通知書に6204-817730と書いてあります。', ['6204-817730']],
  ['{"kisoNenkin":"4820193770","name":"谷"}', ['4820193770']],
  // Other things.
  ['年金相談の予約番号は4820-193770です。', []],
  ['年金受給権者現況届、照会番号 4820-193770。問い合わせ 0570-05-1165。', []],
  ['企業年金の加入者番号は482019。', []],
  ['国民年金の納付書、納付番号 4820-1937-7012。', []],
];

describe.each([
  ['PASSPORT', passports],
  ['HEALTH_INSURANCE', health],
  ['DRIVER_LICENSE', licences],
  ['PENSION_NUMBER', pensions],
] as const)('%s in texts', (type, rows) => {
  const detector = new Detector({ types: [type] });
  test.each(rows)('%j holds %j', (text, values) => {
    expect(detector.detect(text).map(({ value }) => value)).toEqual(values);
  });
});
