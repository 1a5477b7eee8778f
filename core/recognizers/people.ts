/** Facts of people and their accounts and cars that a label tells, in any language. */
import { isDayOfYear } from '../check-digits.ts';
import type { IdentifierType } from './identifier.ts';

export const labelledFacts: readonly IdentifierType[] = [
  {
    type: 'ADDRESS',
    kind: 'address',
    form: /\d{5}(?:-\d{3,4})?|\d{4}(?:-\d{3}| ?[A-Z]{2})|\d{3}-?\d{4}|\d{3} ?\d{2,3}|[A-Z]\d[A-Z] ?\d[A-Z]\d/,
    length: [5, 6, 7, 8, 9],
    strict: true,
    labels: [
      ...['zip', 'zip code', 'postal code', 'postcode', 'PLZ', 'Postleitzahl', 'code postal', 'código postal', 'C.P.'],
      ...['CEP', 'CAP', 'codice postale', 'codice di avviamento postale', '邮编', '邮政编码', '郵遞區號', '우편번호'],
    ],
  },
  {
    type: 'ADDRESS',
    kind: 'address',
    form: /\d{4}/,
    length: 4,
    strict: true,
    labels: ['PLZ', 'Postleitzahl', 'postcode', 'code postal', 'postnummer'],
  },
  {
    type: 'DATE_OF_BIRTH',
    kind: 'person',
    form: /\d{1,2}[./ -]\d{1,2}[./ -](?:19|20)?\d{2}|(?:19|20)\d{2}[./ -]\d{1,2}[./ -]\d{1,2}|(?:19|20)\d{6}/,
    length: [4, 5, 6, 7, 8],
    keepsSigns: true,
    check: isDate,
    strict: true,
    labels: [
      ...['Geburtsdatum', 'Geburtstag', 'geboren', 'geboren am', 'geb.', 'geb. am', 'Geb.-Datum'],
      ...[
        'date de naissance',
        'naissance',
        'né le',
        'née le',
        'né(e) le',
        'fecha de nacimiento',
        'fecha nacimiento',
        'fecha nac',
        'f. nac.',
      ],
      ...[
        'nacido el',
        'nacida el',
        'nacimiento',
        'data di nascita',
        'nato il',
        'nata il',
        'nascita',
        'data de nascimento',
      ],
      ...[
        'nascimento',
        'nasc.',
        'nascido em',
        'nascida em',
        'geboortedatum',
        'geboren op',
        'födelsedatum',
        'fødselsdato',
      ],
      ...[
        'syntymäaika',
        'data urodzenia',
        'ur.',
        'datum narození',
        'születési idő',
        'дата рождения',
        'ημερομηνία γέννησης',
      ],
      ...['doğum tarihi', '出生日期', '生日', '생년월일', 'تاريخ الميلاد', 'תאריך לידה', 'วันเกิด', 'ngày sinh'],
    ],
  },
  {
    type: 'BANK_ACCOUNT',
    kind: 'bank',
    form: /\d[\d -]{3,22}\d|\d{3}-?\d{3} \d{6,9}/,
    length: [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
    check: (d) => !/[A-Z]/.test(d),
    labels: [
      ...['Kontonummer', 'Konto-Nr.', 'numéro de compte', 'n° de compte', 'número de cuenta', 'cuenta bancaria'],
      ...[
        'numero di conto',
        'conto corrente',
        'número da conta',
        'conta corrente',
        'agência',
        'rekeningnummer',
        'kontonummer',
      ],
      ...[
        'numer konta',
        'číslo účtu',
        'bankszámlaszám',
        'номер счета',
        'расчетный счет',
        '银行账号',
        '银行卡号',
        '账号',
      ],
      ...['계좌번호', '계좌', 'เลขที่บัญชี', 'số tài khoản', 'nomor rekening'],
    ],
  },
  {
    type: 'BANK_ACCOUNT',
    kind: 'bank',
    form: /\d{2,6}-\d{2,6}-\d{4,8}(?:-\d{1,3})?|\d{10,19}/,
    length: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
    strict: true,
    labels: ['은행', '뱅크', '농협', '银行', '信用社'],
  },
  {
    type: 'VEHICLE_PLATE',
    kind: 'vehicle',
    form: /(?=.*\d)(?=.*[A-Z])[A-Z0-9]{1,4}(?:[ -]?[A-Z0-9]{1,4}){1,3}(?<! [A-Z]{1,2})(?<! [A-Z]{4})/,
    length: [4, 5, 6, 7, 8, 9, 10],
    strict: true,
    labels: [
      ...[
        'Kennzeichen',
        'amtliches Kennzeichen',
        'immatriculation',
        "plaque d'immatriculation",
        'matrícula',
        'targa',
        'placa',
      ],
      ...[
        'kenteken',
        'registreringsnummer',
        'rejestracyjny',
        'SPZ',
        'RZ',
        'rendszám',
        'номер машины',
        '车牌',
        '车牌号',
        '차량번호',
        'plaka',
      ],
    ],
  },
];

/** A real day, with the day or the month first, or the year. */
function isDate(written: string): boolean {
  const parts = /^\d{8}$/.test(written)
    ? [written.slice(0, 4), written.slice(4, 6), written.slice(6)]
    : written.split(/[./ -]/);
  const [a = 0, b = 0, c = 0] = parts.map(Number);
  if (parts[0]?.length === 4) return isYear(a) && isDayOfYear(b, c);
  return isYear(c < 100 ? c + 1900 : c) && (isDayOfYear(b, a) || isDayOfYear(a, b));
}

function isYear(year: number): boolean {
  return year > 1899 && year < 2100;
}
