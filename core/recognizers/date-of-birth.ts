/** Dates of birth: a real date next to a word that says so, in Western, Japanese-era and kanji forms. */
import type { KeywordHit } from '../keywords.ts';
import { labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { isOfOtherElement } from './birth-answers.ts';
import { date, isBirthDate, oldEra } from './birth-dates.ts';
import { birthDatesByEvidence } from './birth-evidence.ts';
import { dayNumbers } from './birth-numbers.ts';
import { birthSigns } from './birth-signs.ts';

const name = 'date-of-birth';
/** These stand behind the date; the others only before it, or in brackets. */
const suffix = /^(?:生|出生|born|誕生$)/;
const onlyBehind = /^.?生$|^[日0-9で]生ま?れ$/s;
/** `生産`, `生放送`: another word than born. */
const otherBirth = /[\u3400-\u9FFF\u30A1-\u30FF]/;
/** Birthdays are also celebrated, so only a plain link counts. */
const birthdays = /^(?:birthday|bday|b-day|誕生日)/;
const birthdayLink =
  /^(?:[\s"'’`*_:=#.,、>|()（）\]-]|is|was|on|the|date|of|birth|falls|s\b|は|が|なんです|ですが|西暦|年月日)*$/i;
const clauseEnd = /[;!?。！？]|[a-z]{3}\.\s/;
const postfixGap = /^[\s(（"'」,、]*(?:に|の|に[^\s、。]{0,6}で|[^\s、。]{1,6}[にで])?$/;
/** Other days, and how a day is written. */
const otherDay =
  /(?<![a-z])(?:issued?|expir\w+|released?|updated?|permits?|valid|until|hired|effective|admitted|discharged|visits?|joined|signed|registered|deceased|died|unknown|verified|confirmed|created|changed|checked|modified|formats?|e\.g|examples?|required|missing|next|graduated|married|published|founded|retired)(?![a-z])|登録|発行|更新|有効|形式|例|記入|作成|提出|申請|受付|受診|診察|結婚|婚姻|入籍|入社|入学|卒業|就職|入会|契約|死亡|逝去|退職|来日/i;
/** `DOB confirmed as`, `誕生日の登録が` */
const toldOf =
  /^ (?:(?:was|is|has been) )?(?:confirmed|verified|checked|recorded|registered|changed) (?:as|to) $|^の登録(?:が|は|内容は)$/;
/** So much behind a label may belong to another element. */
const elementMax = 120;
/** `born out of`, `born as a project`: not of a person. */
const bornOther = /^ (?:out|as|from|again|with)\b/;

/** Behind a sentence about the day that is wrong. */
const correction =
  /(?:正しくは|正：|本当は|実際は|(?:it )?should (?:read|be|say)|(?:the )?correct (?:one|date|day) is|it is actually)[ :：]?$/i;
/** `誕生日も伺いました。` */
const told = /^(?:は|も|を|について)?(?:お?(?:伺い|聞き|尋ね)|確認|教えて)[^\n。]{0,10}。$/;
/** What is born without a birthday. */
const otherBorn =
  /(?<![a-z])(?:firm|company|start-?up|business|product|brand|band|idea|app|website|team|club|festival|movement|internet|project|tradition)s? (?:was|were|is) $|(?<![a-z])v?[0-9]+(?:\.[0-9]+)+ $|(?<![a-z])(?:version|release|commit|branch) [^ \n]{1,12} (?:was )?$/i;

const otherSubject = /(?:当社|弊社|会社|ブランド|商品|製品|サービス|制度|団体|学校|チーム|クラブ|店)は$/;

/** Looks around the words. */
export const dateOfBirth: Recognizer = {
  name,
  type: 'DATE_OF_BIRTH',
  labels: [
    'date of birth',
    'date 0f birth',
    'birth date',
    'birth (time|dt|dat)',
    'geb',
    'bdate',
    'birth',
    'dob',
    'd.o.b',
    'd/o/b',
    'birthday',
    'bday',
    'b-day',
    'born',
    'born on',
    'day of birth',
    'geburtsdatum',
    'geboren',
    'geboren am',
    'born in',
    'd.o.b.',
    'né le',
    'née le',
    'data di nascita',
    'data de nascimento',
    'date de naissance',
    'fecha de nacimiento',
    '生年月日',
    '出生年月日',
    '出生日',
    '誕生日',
    '誕生',
    'バースデー',
    '生まれ',
    '生れ',
    'ウマレ',
    'seinengappi',
    'tanjobi',
    'tanjoubi',
    '生',
  ],
  anchors: ['(b. ', ' b. ', '(b.1', '(b.2', '(*', '様(', '様（', ...birthSigns],
  trigger: ({ keywords, hasJapanese }) => hasJapanese || keywords.has(name),
  find(text: ScanText): Detection[] {
    const { isEmpty, openings } = dayNumbers(text);
    if (isEmpty) return [];
    const found: Detection[] = shortlyBorn(text);
    let isSorted = found.length === 0;
    const mayCount = (hit: KeywordHit) => hit.end - hit.start > 1 || isBehindDay(text.shadow, hit.start);
    const reach = { reach: 40, back: 10, valueMax: 32, suffixes: onlyBehind, mayCount };
    for (const value of labelledValues(text, name, date, reach)) {
      const { start, end, groups, context, gap, isBehind } = value;
      const behindLabel = isBehind ? value.labelStart + context.length : end + gap.length + context.length;
      if (context === '生' && (!/^ ?$/.test(gap) || otherBirth.test(text.shadow[behindLabel] ?? ''))) continue;
      if (!isBehind && suffix.test(context) && !postfixGap.test(gap)) continue;
      const isBorn = context.startsWith('born');
      if (isBorn && otherBorn.test(text.shadow.slice(Math.max(0, value.labelStart - 24), value.labelStart))) continue;
      if (!isBehind && otherSubject.test(text.shadow.slice(Math.max(0, start - 8), start))) continue;
      // `</dateOfBirth><since>2019-02-01`
      if (isBehind && text.shadow.startsWith('</', value.labelStart - 2)) continue;
      if (isBehind && start - behindLabel < elementMax && isOfOtherElement(text.shadow.slice(behindLabel, start)))
        continue;
      // `2019-03-10: rename dob`
      if (!isBehind && /^: ?[a-z]+ $/.test(gap)) continue;
      if (isBehind && /^生ま?れ/.test(context) && /^[、。]/.test(gap)) continue;
      if (isBehind && ((otherDay.test(gap) && !toldOf.test(gap)) || (isBorn && bornOther.test(gap)))) continue;
      if (context === '誕生' && isBehind) continue;
      // `生まれ変わった`
      if (/^生まれ|^生れ/.test(context) && /^[変代]/.test(text.shadow.slice(value.labelStart + context.length)))
        continue;
      if (context === 'birth' && !/^["']? ?[:=] ?["']?$/.test(gap)) continue;
      if (context.startsWith('生年月日') && /[発再派誕]/.test(text.shadow[value.labelStart - 1] ?? '')) continue;
      if (!isBehind && bornOther.test(text.shadow.slice(behindLabel, behindLabel + 8))) continue;
      if (
        isBehind &&
        (clauseEnd.test(gap) || (birthdays.test(context) && !birthdayLink.test(gap))) &&
        !(birthdays.test(context) && (told.test(gap) || toldOf.test(gap) || /^[?？] ?["「]?$/.test(gap))) &&
        !correction.test(gap) &&
        !(context.startsWith('生年月日') && oldEra.test(groups[0]))
      )
        continue;
      if (isBehind && /^[0-9]{8}$/.test(groups[0]) && gap.length > 12) continue;
      if (!isBirthDate(groups[0])) continue;
      found.push(detectionAt(text, start, end, { type: 'DATE_OF_BIRTH', score: 0.9, recognizer: name, context }));
    }
    for (const [start, end, context] of birthDatesByEvidence(text, name, { openings, found })) {
      found.push(detectionAt(text, start, end, { type: 'DATE_OF_BIRTH', score: 0.8, recognizer: name, context }));
      isSorted = false;
    }
    return isSorted ? found : found.sort((a, b) => a.start - b.start);
  },
  samples: {
    match: [
      ['生年月日：1985年4月1日', '1985年4月1日'],
      ['生年月日　昭和６０年４月１日', '昭和６０年４月１日'],
      ['S60.4.1生', 'S60.4.1'],
      ['被相続人は昭和12年3月30日に富山で生まれ、令和6年12月3日に亡くなりました', '昭和12年3月30日'],
      ['ウマレ　昭和26年8月15日\n免許証', '昭和26年8月15日'],
      ['<seinengappi>1971-01-05</seinengappi>', '1971-01-05'],
      ['date of birth?\nCaller: Eleventh of March 1938.\n', 'Eleventh of March 1938'],
      ['date of birth: the twenty-first of May, 1964', 'twenty-first of May, 1964'],
      ['Columns: emp|start|dob|state|mobile\n\n20417|2025-03-03|1999-08-24|FL|3052217846\n', '1999-08-24'],
      ['生年月日　昭55・11・3', '昭55・11・3'],
      ['氏名 昭和61年12月30日生', '昭和61年12月30日'],
      ['平成元年1月8日生まれの方', '平成元年1月8日'],
      ['昭和六十年四月一日生まれ', '昭和六十年四月一日'],
      ['誕生日は1985/04/01です', '1985/04/01'],
      ['生年月日: 1985年（昭和60年）4月1日', '1985年（昭和60年）4月1日'],
      ['DOB 1985-04-01', '1985-04-01'],
      ["I set my mother's date of birth as June 2, 1939 in the portal", 'June 2, 1939'],
      ['お誕生日も伺いました。2001年6月14日だそうです。', '2001年6月14日'],
      ['誕生日が1日ズレています。正しくは1986年12月31日です。', '1986年12月31日'],
      ['shows the wrong birthday. It should read 1 December 2004;', '1 December 2004'],
      ['「生年月日が一致しません」と出ます。S29.3.18で入れました', 'S29.3.18'],
      ['上の子が2018年3月3日生まれ、七五三は2025年11月15日です', '2018年3月3日'],
      ["wants the subscriber's birthdate, it's 6/8/77. Thanks", '6/8/77'],
      ['自分の誕生日なんですが、2000年1月17日って何座ですか', '2000年1月17日'],
      ['様（S52.10.30）、健診の再検査対象です', 'S52.10.30'],
      ['birthday May 21, 1970, by my passport', 'May 21, 1970'],
      ['OKAFOR CHIDI / DOB 14JUL82 / EXP 02MAR29', '14JUL82'],
      ['D.O.B.: 04/01/1985', '04/01/1985'],
      ['She was born on 1 April 1985 in Leeds', '1 April 1985'],
      ['born in Paris on Apr 1, 1985.', 'Apr 1, 1985'],
      ['"dateOfBirth":"1985-04-01T00:00:00Z"', '1985-04-01'],
      ['birth_date=19850401', '19850401'],
      ['Date of Birth: 1st of April 1985', '1st of April 1985'],
      ['dob: 4/1/85', '4/1/85'],
      ['BIRTH DATE: 14JUL1986', '14JUL1986'],
      ['geboren am 14. März 1986', '14. März 1986'],
      ['1986年7月14日、大阪に生まれる', '1986年7月14日'],
      ['1985-04-01 (date of birth)', '1985-04-01'],
      ['DOB: 1-Jul-90', '1-Jul-90'],
      ['1990.07.01 生', '1990.07.01'],
      ['Isla Marsh (b. 14 July 1986), her son', '14 July 1986'],
      ['MRN 0048 | b. 07/30/1966 | ward 4', '07/30/1966'],
      ['And your date of birth?\nCaller: the 3rd of April 1969.', '3rd of April 1969'],
      ['生年月日を教えてください。\n客：昭和50年3月3日です', '昭和50年3月3日'],
      ['Geburtsdatum: 01.04.1985', '01.04.1985'],
      ['昭和61年7月14日に誕生', '昭和61年7月14日'],
      ['生年月日（昭和58年11月7日）と', '昭和58年11月7日'],
      ['Referral letter\n\nRe: Mrs Parveen Chaudhry, 16-Oct-1972, 27 Elmfield Avenue', '16-Oct-1972'],
      ['患者：榎本 静江　昭和15年6月3日　84歳　女性', '昭和15年6月3日'],
      ['65 y/o M, 7/14/1958, presents with chest pain', '7/14/1958'],
      ['your full name and birthday.\nPatient: Bea Kowal\nPatient: 7/31/58\nNurse: Thanks', '7/31/58'],
      ['生年月日をお願いします。\n客：佐々木です。\n客：1990年12月5日です。', '1990年12月5日'],
      ['prompt=enter_dob\ninput=04121976\nresult=match', '04121976'],
      ['本人確認：1958/04/30、登録電話下4桁一致', '1958/04/30'],
      ['Caller ID check: 1966-02-28, postcode OK', '1966-02-28'],
      ['the birthday in the file is mine; his should read 13 February 1962.', '13 February 1962'],
      ['・生年月日は書きまちがいあり、昭和26年12月1日に訂正', '昭和26年12月1日'],
      ["Dad's NHS number. He's 21.8.49, she had that right", '21.8.49'],
      ['父は昭和10年2月11日、要介護2', '昭和10年2月11日'],
      ['氏名 生年月日 入社日\n高橋 誠 S48.4.2 H08.4.1\n営業', 'S48.4.2'],
      ['Form\nAPPLICANT\nStephen Obi\n30th July 1990, Enugu', '30th July 1990'],
      ['Details:\nClaimant: Sandra Whitlock\nNI: QQ123456C\n05 Feb 1969\n', '05 Feb 1969'],
      ['応募者\n①鶴田 美咲 2001/02/03 080-1375-9926 新卒', '2001/02/03'],
      ['"birth": { "date": "1959-10-05", "place": "Sevilla" }', '1959-10-05'],
      ['PID|1||MRN12345||DOE^JANE||19710923|F|||12 Elm St', '19710923'],
      ['My kids are Leo (3 May 2019) and Mia. We fly on 21 July 2025', '3 May 2019'],
      ['被相続人 故 中村 正（昭和5年3月3日～令和5年11月20日死亡）', '昭和5年3月3日'],
      ['my birthday is, let me say it slowly, March 3rd, 1969, and you can call', 'March 3rd, 1969'],
      ["It's June 14, 1985. They use the birth date to match court records", 'June 14, 1985'],
      ['行27: 生年月日は済\n行28: 本人確認 1991/04/12', '1991/04/12'],
      ['ご本人様と確認できました。\nカスタマー「1983年5月5日です」', '1983年5月5日'],
      ['Grandad, for the insurance\nme: Leonard Pike\nme: 30/10/1939\nme: 14 Station Rd', '30/10/1939'],
      ['And the DOB?\nCustomer: that would be my husband, October 9, 1960\n', 'October 9, 1960'],
      ['健診の変更：社員 久保 拓也（1980.1.15）6/10→6/24', '1980.1.15'],
      ['Aさん（80代女性、S16.12.8）のケアプラン', 'S16.12.8'],
      ['Smith, Jonathan R. - 01/15/1948 - MRN 00938271', '01/15/1948'],
      ['Lab slip\nOKORO, BLESSING\nF / 1999-05-23\nCollected 2024-06-11', '1999-05-23'],
      ['社員名簿\n小峰 拓,1985-03-27,4902-317568,2012-04-01\n', '1985-03-27'],
      ['誕生日は5月12日ではなく1990/5/12です', '1990/5/12'],
      ['登記の委任状。委任者 甲野 花子（昭和38年1月25日）は', '昭和38年1月25日'],
      ['年金の住所変更ができません。2876-410093、昭和31年3月9日、広島在住', '昭和31年3月9日'],
      ['update the will: my grandson Theo Marsh (9 April 2012) gets the clock', '9 April 2012'],
      ['患者：女性、2001年5月9日生。初診 2025年10月30日。', '2001年5月9日'],
      ['2. Date of birth: 1994 / 10 / 21', '1994 / 10 / 21'],
      ['DOB confirmed as 03/08/1994, address confirmed', '03/08/1994'],
      ['Carers. Mum (Edith Lomax, 8 December 1934 - yes) is in', '8 December 1934'],
      ['the new tenant is my flatmate (1987-01-03), with a visa', '1987-01-03'],
      ['add my partner. Ruth Adebayo, 3 Feb 1988, same address. Start date 1 December 2024', '3 Feb 1988'],
      ['え、誕生日？平成7年の7月7日だよ', '平成7年の7月7日'],
      ['新郎 佐野 大輔（1992.4.18）', '1992.4.18'],
      ['本人確認しました。お名前・1983年1月29日、すべて一致', '1983年1月29日'],
      ['誕生日が一日ずれています。登録は1969-12-01。', '1969-12-01'],
      ['誕生日の登録が1990/3/2になっています', '1990/3/2'],
    ],
    noMatch: [
      'Passenger: Mr John Carter, passport issued 14 JUL 1996, expires 13 JUL 2006',
      'Patient seen on 4 May 1999 for fracture; plates removed 12/11/2003.',
      'Employee list with hire dates\nAnna Bell, 01/04/2001, Sales\nMark Stone, 15/09/1998, Finance',
      'the wedding of their daughter Anna, 14 June 2008, at noon',
      '氏名　高田 渉　資格取得　平成10年4月1日　資格喪失 平成20年3月31日',
      'Photo: my son Max, 4 July 2009, at the beach',
      '氏名 最終ログイン\n佐藤 健 2011/04/01\n鈴木 愛 2012/09/15',
      'Letter from Ms Gray, 7 July 2003: I refer to yours',
      "He's on version 3.12.45 and she's flying 21.8.2005 with BA",
      'date of birth please?\nCaller: it is on file\nAgent: When did you buy it?\nCaller: 11/02/2013',
      '本人確認：運転免許証（平成20年5月1日交付）',
      '領収書　佐藤 健 様　2004年3月3日　金5,000円',
      '患者 山田 太郎　受診日 2001年4月3日　内科',
      '男性用の浴場は2001年4月1日、女性用は2003年8月2日に改装',
      '大田区で生まれ、2024年6月1日で50周年を迎えました',
      '</dateOfBirth><since>2019-02-01</since>',
      '2019-03-10: rename dob to birth_date',
      '生年月日：　年　月　日　記入日：令和6年10月8日',
      'She was born in a small village and graduated on June 12, 2009',
      'The firm was born in a garage in Leeds on 4 July 1998',
      'released on 2024-11-20',
      '当社は1974年6月1日に大田区で生まれ、2024年に50周年',
      'v2.0 born 2024-11-05',
      '創立記念日：1985年4月1日',
      'born in Springfield',
      'DOB 1985-13-01',
      '会社は1998年3月4日に生まれ変わった',
      'version 4.2 was born out of the 2024-11-05 hackathon',
      '生年月日：1985年2月30日',
      '生年月日：2985年2月3日',
      '昭和70年4月1日生まれ',
      '学生1985年4月1日',
      '発生日：2024年4月1日',
      '発生年月日：2024年4月1日',
      '2024年4月1日生産分',
      'birthday party',
      'dob_verified_at: 2024-01-01',
      'id,dob_changed\n1,2024-01-01',
      'the birth of a star 1985-04-01',
      'birthday sale ends 12/01/2020',
      'the newborn 1.2.3',
      'see (b. 2 of 3)',
      'What is your date of birth?\nOpened 2024-01-01',
      '<dateOfBirth/><startDate>2003-04-01</startDate> <passport/>',
      '介護認定の更新、前回の認定日は令和5年10月1日です。母の件',
      'Birthday party bookings: Ana - 2 May 2012, Theo - 19 October 2012',
    ],
  },
};

/** True where a day may end directly before `生`, or before a blank: in most texts the sign is a part of other words. */
function isBehindDay(shadow: string, start: number): boolean {
  const before = shadow.charCodeAt(start - 1);
  const c = before === 0x20 ? shadow.charCodeAt(start - 2) : before;
  return (c >= 0x30 && c <= 0x39) || c === 0x65e5;
}

const shortSign = /^(?:\(b\.[ 12]| b\. |\(\*|様[(（])$/;

/** `Jo Doe (b. 14 July 1986)`: a day, not only a year, directly behind the letter. */
function shortlyBorn(text: ScanText): Detection[] {
  const found: Detection[] = [];
  for (const { end: anchorEnd, start: at } of text.keywords.anchors(name)) {
    if (!shortSign.test(text.shadow.slice(at, anchorEnd))) continue;
    const from = /[12]/.test(text.shadow[anchorEnd - 1] ?? '') ? anchorEnd - 1 : anchorEnd;
    const window = text.shadow.slice(from - 2, from + 32);
    date.lastIndex = window.charAt(2) === ' ' ? 3 : 2;
    const first = date.lastIndex;
    const groups = date.exec(window);
    if (groups?.index !== first || /^[0-9]{8}$/.test(groups[0]) || !isBirthDate(groups[0])) continue;
    // `様（2024年5月1日）` may be a visit.
    if (text.shadow[at] === '様' && !oldEra.test(groups[0])) continue;
    const start = from - 2 + first;
    const context = text.shadow.slice(at, anchorEnd).replace(/[ (]/g, '').slice(0, 2);
    const end = start + groups[0].length;
    found.push(detectionAt(text, start, end, { type: 'DATE_OF_BIRTH', score: 0.8, recognizer: name, context }));
  }
  return found;
}
