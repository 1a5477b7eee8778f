/** Dates of birth: a real date next to a word that says so, in Western, Japanese-era and kanji forms. */
import { labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';

const name = 'date-of-birth';
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** German months that begin in another way. */
const otherMonths: Readonly<Record<string, string>> = { MÄR: 'MAR', MAI: 'MAY', OKT: 'OCT', DEZ: 'DEC' };
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember)\\.?';
const kanji = '[〇零一二三四五六七八九十]';
// `it's 6/8/77` is of no era.
const eraName = "明治|大正|昭和|平成|令和|[明大昭平令]|(?<!['’])[MTSHR]";
const eraYear = `(?:${eraName})\\.? ?(?:[0-9]{1,2}|元|${kanji}{1,3})`;
const westernYear = `(?:[0-9]{4}|${kanji}{4})`;
const bracketYear = `(?: ?[(（](?:西暦)?(?:${westernYear}|${eraYear})年?[)）])?`;
const number = `(?:[0-9]{1,2}|${kanji}{1,3})`;
const forms = [
  `(?:西暦)?(?:${westernYear}|${eraYear}) ?年${bracketYear} ?年? ?${number} ?月 ?${number} ?日`,
  `${eraYear}([-./・])[0-9]{1,2}\\1[0-9]{1,2}`,
  '[0-9]{4}([-./ ])[0-9]{1,2}\\2[0-9]{1,2}',
  '[0-9]{1,2}([-./ ])[0-9]{1,2}\\3(?:[0-9]{4}|[0-9]{2})',
  `${month}[- ]?[0-9]{1,2}(?:st|nd|rd|th)?[-, ]{1,2}[0-9]{4}`,
  `[0-9]{1,2}(?:st|nd|rd|th|\\.)?(?: of)?[- /]?${month}[-, /]{1,2}[0-9]{4}`,
  `[0-9]{4}[- ]${month}[- ][0-9]{1,2}`,
  `[0-9]{1,2}([-/])(?:${months.join('|')})\\4[0-9]{2}`,
  `[0-9]{1,2}(?:${months.join('|')})(?:[0-9]{4}|[0-9]{2})`,
  '[0-9]{8}',
];
const date = new RegExp(
  `(?<![0-9A-Za-z])(?<![0-9][-/.])(?:${forms.join('|')})(?![0-9])(?:(?<=[月日])|(?!(?!T[0-9])[A-Za-z])(?![-/.][0-9A-Za-z]))`,
  'gi',
);
/** Era → its first and last year. */
const eras: Readonly<Record<string, readonly [first: number, last: number]>> = {
  M: [1868, 1912],
  T: [1912, 1926],
  S: [1926, 1989],
  H: [1989, 2019],
  R: [2019, 2100],
};
const eraLetter: Readonly<Record<string, string>> = { 明: 'M', 大: 'T', 昭: 'S', 平: 'H', 令: 'R' };
const kanjiDigits = '〇一二三四五六七八九';
/** These stand behind the date; the others only before it, or in brackets. */
const suffix = /^(?:生|出生|born|誕生$)/;
const onlyBehind = /^.?生$|^[日0-9]生ま?れ$/s;
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
  /(?<![a-z])(?:issued?|expir\w+|released?|updated?|permits?|valid|until|hired|effective|admitted|discharged|visits?|joined|signed|registered|deceased|died|unknown|verified|confirmed|created|changed|checked|modified|formats?|e\.g|examples?|required|missing|next|graduated|married|published|founded|retired)(?![a-z])|登録|発行|更新|有効|形式|例|記入|作成|提出|申請|受付|受診|診察/i;
/** `born out of`, `born as a project`: not of a person. */
const bornOther = /^ (?:out|as|from|again|with)\b/;

/** Behind a sentence about the day that is wrong. */
const correction =
  /(?:正しくは|正：|本当は|実際は|(?:it )?should (?:read|be|say)|(?:the )?correct (?:one|date|day) is|it is actually)[ :：]?$/i;
/** Of no other days than those of people: an era before 1989. */
const oldEra = /^(?:[MTS]|明治|大正|昭和|[明大昭])/;
/** `誕生日も伺いました。` */
const told = /^(?:は|も|を|について)?(?:お?(?:伺い|聞き|尋ね)|確認|教えて)[^\n。]{0,10}。$/;
/** What is born without a birthday. */
const otherBorn =
  /(?<![a-z])(?:firm|company|start-?up|business|product|brand|band|idea|app|website|team|club|festival|movement|internet|project|tradition)s? (?:was|were|is) $/i;

/** Looks around the words. */
export const dateOfBirth: Recognizer = {
  name,
  type: 'DATE_OF_BIRTH',
  labels: [
    'date of birth',
    'date 0f birth',
    'birth date',
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
    '生',
  ],
  anchors: ['(b. ', ' b. ', '(b.1', '(b.2', '(*', '様(', '様（'],
  find(text: ScanText): Detection[] {
    const found: Detection[] = shortlyBorn(text);
    const before = found.length;
    for (const value of labelledValues(text, name, date, { reach: 40, back: 10, valueMax: 32, suffixes: onlyBehind })) {
      const { start, end, groups, context, gap, isBehind } = value;
      const behindLabel = end + gap.length + context.length;
      if (context === '生' && (!/^ ?$/.test(gap) || otherBirth.test(text.shadow[behindLabel] ?? ''))) continue;
      if (!isBehind && suffix.test(context) && !postfixGap.test(gap)) continue;
      const isBorn = context.startsWith('born');
      if (isBorn && otherBorn.test(text.shadow.slice(Math.max(0, value.labelStart - 24), value.labelStart))) continue;
      if (isBehind && (otherDay.test(gap) || (isBorn && bornOther.test(gap)))) continue;
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
        !(context === '誕生日' && told.test(gap)) &&
        !correction.test(gap) &&
        !(context.startsWith('生年月日') && oldEra.test(groups[0]))
      )
        continue;
      if (isBehind && /^[0-9]{8}$/.test(groups[0]) && gap.length > 12) continue;
      if (!isBirthDate(groups[0])) continue;
      found.push(detectionAt(text, start, end, { type: 'DATE_OF_BIRTH', score: 0.9, recognizer: name, context }));
    }
    if (before > 0 && found.length > before) found.sort((a, b) => a.start - b.start);
    return found;
  },
  samples: {
    match: [
      ['生年月日：1985年4月1日', '1985年4月1日'],
      ['生年月日　昭和６０年４月１日', '昭和６０年４月１日'],
      ['S60.4.1生', 'S60.4.1'],
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
      ['患者：女性、2001年5月9日生。初診 2025年10月30日。', '2001年5月9日'],
    ],
    noMatch: [
      '生年月日：　年　月　日　記入日：令和6年10月8日',
      'She was born in a small village and graduated on June 12, 2009',
      'The firm was born in a garage in Leeds on 4 July 1998',
      'released on 2024-11-20',
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
    ],
  },
};

/** `Jo Doe (b. 14 July 1986)`: a day, not only a year, directly behind the letter. */
function shortlyBorn(text: ScanText): Detection[] {
  const found: Detection[] = [];
  for (const { end: anchorEnd, start: at } of text.keywords.anchors(name)) {
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

const eraStart = new RegExp(`^(?:${eraName})`, 'i');
const kanjiNumber = new RegExp(`${kanji}+`, 'g');

/** Two digits are of the last hundred years. */
function fullYear(written: number): number {
  return written > 99 ? written : written + (written > new Date().getFullYear() % 100 ? 1900 : 2000);
}

/** A day of the calendar between 1868 and now, whichever order the day and month are in. */
function isBirthDate(written: string): boolean {
  const text = written
    .replace(/[(（][^)）]*[)）]/, '')
    .toUpperCase()
    .replace(/MÄR|MAI|OKT|DEZ/, (name) => otherMonths[name] ?? name);
  const era = eraStart.exec(text)?.[0][0] ?? '';
  const digits = text
    .replace(/元/, '1')
    .replace(kanjiNumber, arabic)
    .match(/[0-9]+/g)
    ?.map(Number);
  if (digits === undefined) return false;
  if (digits.length === 1) {
    const all = String(digits[0]);
    return isDay(Number(all.slice(0, 4)), Number(all.slice(4, 6)), Number(all.slice(6)));
  }
  const named = months.findIndex((word) => text.includes(word.toUpperCase())) + 1;
  const [first = 0, second = 0, third = 0] = digits;
  if (named > 0) return isDay(first > 31 ? first : fullYear(second), named, first > 31 ? second : first);
  if (/^[A-Z明大昭平令]/.test(text) && era !== '') {
    const [from, to] = eras[eraLetter[era] ?? era] ?? [0, 0];
    const year = from + first - 1;
    return first > 0 && year <= to && isDay(year, second, third);
  }
  if (String(first).length === 4) return isDay(first, second, third);
  const year = fullYear(third);
  return isDay(year, second, first) || isDay(year, first, second);
}

/** Kanji digits, positional (一九八五) or with ten (二十三), as Arabic ones. */
function arabic(text: string): string {
  const [tens, units] = text.replaceAll('零', '〇').split('十');
  const plain = (part = '') => [...part].map((digit) => kanjiDigits.indexOf(digit)).join('');
  if (units === undefined) return plain(tens);
  return `${tens === '' ? 1 : plain(tens)}${units === '' ? 0 : plain(units)}`;
}

function isDay(year: number, monthNumber: number, day: number): boolean {
  if (year < 1868 || monthNumber < 1 || monthNumber > 12 || day < 1) return false;
  const time = Date.UTC(year, monthNumber - 1, day);
  return new Date(time).getUTCDate() === day && time <= Date.now();
}
