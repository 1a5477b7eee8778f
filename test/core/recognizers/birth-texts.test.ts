import { expect, it } from 'vitest';
import { Detector } from '../../../core/detection.ts';

const detector = new Detector();
const daysIn = (text: string) =>
  detector
    .detect(text)
    .filter(({ type }) => type === 'DATE_OF_BIRTH')
    .map(({ start, end }) => text.slice(start, end));

it.each([
  ['a doctor who signs', 'Discharge summary. Dr A. Patel, 12/03/2008. Patient comfortable.'],
  ['one who prescribes', 'Prescriber: Jane Doe MD, 4/12/2006\nPatient: ______'],
  ['a doctor who signs in Japanese', '診断書　患者の経過は良好である。\n医師　佐藤 健　平成10年3月12日'],
  ['members of a team', '職員名簿\n佐藤 健　営業部　平成5年4月1日'],
  ['what was done on the day', 'The defendant, Mr Brown, 12 June 1995, entered the shop.'],
  ['a treatment of the day', '利用者 高橋様　1998年5月12日 入浴介助'],
  ['days of one year', 'Tenant: Laura Chen, 01/09/1996, flat 3\nTenant: Omar Aziz, 15/10/1997, flat 5\n'],
  ['an appointment', '社員 佐藤 健（1998年4月1日）が係長に昇任。'],
  ['a letter', 'Dear Ms Shaw, 5 June 1995\nThank you for the pension documents.'],
  ['a subject behind it', 'Mr. Robert Fox 4/12/1995 re: insurance renewal, see attached.'],
  ['a prescription', '患者 田中様　平成7年3月4日　処方：アムロジピン'],
  ['a teacher', '担任：小川 さくら　平成7年4月7日　生徒への連絡'],
  ['a signature', '相続人 佐藤 学 署名 平成7年5月3日'],
  ['an operation', '既往歴：昭和60年3月3日虫垂炎手術、平成2年5月1日骨折'],
  ['a lecture', 'Guest lecture: Ann Lee, 14/02/1983, John Roe, 15/02/1983 (archive tape list)'],
  ['a sort code', 'Standing order to Nationwide for my son: Oakwood Nursery, 07-04-36, 55310294, monthly'],
  ['a version', 'v2.0 born 2024-11-05'],
  ['an element behind that of a birth', '<dateOfBirth></dateOfBirth>\n <startDate>2003-04-01</startDate>\n <passport>'],
])('leaves the day of %s alone', (_, text) => {
  expect(daysIn(text)).toEqual([]);
});

it.each([
  ['children of a class', '修学旅行の名簿\n1 相沢 みなみ　2007.6.12\n2 石川 蓮　2008.2.3\n', ['2007.6.12', '2008.2.3']],
  [
    'kin behind one who has a word',
    "It asks for the date of birth twice. mine is 2009-03-27, mom's is 1977-10-18. ok",
    ['2009-03-27', '1977-10-18'],
  ],
  ['a child who needs something', 'My son Max, 4 July 2009, needs a new inhaler.', ['4 July 2009']],
  ['words for the day', 'date of birth?\nCaller: the thirty-first of March 1938.\n', ['thirty-first of March 1938']],
  [
    'a list below its word',
    'Party list by birthday month\nTheo - 2 May 2017\nPriya - 19 October 2016\n(Party on 14 June)',
    ['2 May 2017', '19 October 2016'],
  ],
  [
    'a list in a line',
    'Birthdays: Ana: May 4, 1991, Greg: July 22, 1978, Cake: 12 June 2026',
    ['May 4, 1991', 'July 22, 1978'],
  ],
  ['kin without names', 'Family: me (1985/07/19), wife (1987/01/03). Start 2025/03/28.', ['1985/07/19', '1987/01/03']],
  [
    'two papers that differ',
    'Her birth certificate has 04.03.1960 but the passport says 03.04.1960.',
    ['04.03.1960', '03.04.1960'],
  ],
  [
    'travellers in a line',
    'On the visa form: 1) Wei Zhang M 1975-05-20 2) Mei Zhang F 2010-02-02',
    ['1975-05-20', '2010-02-02'],
  ],
  ['a year with an apostrophe', "DOB is the 6th of June '84.", ["6th of June '84"]],
  ['a correction in Japanese', '生年月日　誤1968/8/6　正1968/6/8　登録日2015/4/1', ['1968/8/6', '1968/6/8']],
  ['the answer of the other', 'Your birthday? 2 May 1990, and yours? 17 Dec 1992', ['2 May 1990', '17 Dec 1992']],
  ['a claimant behind a number', 'Mr Ewan Sproat, NI QQ123456C, 27.01.1958, 14 Harbour Row.', ['27.01.1958']],
  ['the head of a party', '旅行の申込 代表者 1966.11.02 岡 誠司　出発日 2025.02.14', ['1966.11.02']],
  ['a wedding behind a birth', '祖父が大正12年5月3日の生まれで、結婚は昭和24年11月23日です。', ['大正12年5月3日']],
  [
    'persons of a deed',
    'LPA: donor = Agnes Holt (2 Feb 1941); attorney 1 = Peter Holt (30 Aug 1968); signed 4 Nov 2024',
    ['2 Feb 1941', '30 Aug 1968'],
  ],
  ['a patient between dots', 'NEW PATIENT: Ola Berg · M · 1988-11-30 · seen 2024-11-01', ['1988-11-30']],
  ['a column and no other', 'Name,DOB,Pos,Debut\nAli Raza,03-04-1999,FWD,12-08-2018', ['03-04-1999']],
  [
    'what somebody says in place of it',
    '生年月日は1991-01-01で仮登録→本人申告1991-10-01',
    ['1991-01-01', '1991-10-01'],
  ],
  ['a woman with an illness', '（1958.12.12、女）既往：高血圧。手術 2019.4.1', ['1958.12.12']],
  ['initials', 'Retirees: J. Osei 3/14/58, hired 1984.', ['3/14/58']],
  [
    'rows behind an empty line',
    'columns: emp|start|dob|state\n\n17|2025-03-03|1999-08-24|FL\n18|2025-03-03|1985-02-11|FL\n',
    ['1999-08-24', '1985-02-11'],
  ],
])('finds %s', (_, text, days) => {
  expect(daysIn(text)).toEqual(days);
});
