/**
 * National forms of phone numbers, as people of each country write them (ITU-T E.123 and the numbering plans). Without a word
 * beside it a number counts when its grouping is one of its country's; in other groupings it needs a label.
 */
import type { IdentifierType } from './identifier.ts';

const country = (form: RegExp, length: readonly number[] = [8, 9, 10, 11, 12]): IdentifierType => ({
  type: 'PHONE',
  kind: 'phone',
  form,
  length,
  alone: true,
  labels: [],
});

export const phoneNumbers: readonly IdentifierType[] = [
  {
    type: 'PHONE',
    kind: 'phone',
    form: /\d[\d ./-]{4,18}\d/,
    length: [6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    check: (d) => !/[A-Z]/.test(d),
    labels: [
      ...[
        'Telefon',
        'Telefonnummer',
        'Tel.-Nr.',
        'Fon',
        'Handy',
        'Handynummer',
        'Mobil',
        'Rufnummer',
        'Durchwahl',
        'Telefax',
      ],
      ...[
        'téléphone',
        'tél',
        'portable',
        'mobile',
        'GSM',
        'fixe',
        'teléfono',
        'tfno',
        'tlf',
        'móvil',
        'cel',
        'celular',
        'fijo',
      ],
      ...[
        'telefono',
        'cellulare',
        'cell.',
        'recapito',
        'telefone',
        'telemóvel',
        'telefoon',
        'telefoonnummer',
        'mobiel',
      ],
      ...[
        'telefonnummer',
        'puhelin',
        'telefonszám',
        'numer telefonu',
        'telefón',
        'телефон',
        'тел',
        'моб',
        'τηλέφωνο',
        'κινητό',
      ],
      ...['电话', '手机', '手机号', '联系电话', '전화', '전화번호', '휴대폰', '연락처', 'هاتف', 'جوال', 'טלפון'],
      ...['โทร', 'เบอร์โทร', 'điện thoại', 'sđt', 'telepon', 'no hp', 'फोन', 'मोबाइल'],
    ],
  },
  // An area in brackets, anywhere.
  country(/\(0[1-9]\d{0,3}\)[ -]?\d{2,8}(?:[ -]\d{2,5}){0,3}|0\d{1,2}\)\d{3,4}-\d{4}/),
  // The international form without `+`.
  country(
    /00[1-9]\d{0,2}(?:[ -]\d{1,8}){2,5}|0(?:0|11) [1-9]\d{0,2}(?:[ -]\d{1,8}){0,3}[ -]\d{3,8}/,
    [10, 11, 12, 13, 14, 15],
  ),
  // Great Britain.
  country(/07\d{3} ?\d{3} ?\d{3}|0[12358]\d{3} \d{5,6}|0\d{3} \d{3} \d{4}|02\d \d{4} \d{4}/),
  // Germany, Austria.
  country(/01[567]\d[ /-]?\d{7,8}|01[567]\d \d{3,4} \d{3,5}|0[2-9]\d{1,3}[ /-]\d{4} \d{3,4}/),
  country(/0[2-9]\d{0,3}(?:\/| \/ )\d{5,8}(?:-\d{1,4})?|0[2-9]\d{1,3} \d{3,8}-\d{1,4}/),
  // France, and Belgium's mobile numbers.
  country(
    /0[1-79](?: \d{2}){4}|0[1-79](?:\.\d{2}){4}|0[1-79](?:-\d{2}){4}|0 8\d{2} \d{3} \d{3}|04\d{2} \d{2} \d{2} \d{2}/,
  ),
  // Spain.
  country(/[67]\d{2} \d{3} \d{3}|[6789]\d{2} \d{2} \d{2} \d{2}|9\d \d{3} \d{2} \d{2}|9[1-8]\d \d{3} \d{3}/),
  // Italy.
  country(/3[2-9]\d[ -]\d{6,7}|3[2-9]\d \d{3} \d{4}|3[2-9]\d \d{2} \d{2} \d{3}|0[26] \d{7,8}|0[1-9]\d{1,2}[ /]\d{6,8}/),
  // The Netherlands, Switzerland, Sweden.
  country(/06[ -]\d{8}|06(?: \d{2}){4}|06 \d{4} \d{4}|0[1-57-9]\d{2}-\d{6}/),
  country(/0\d{2}[ /.]\d{3}[ .]\d{2}[ .]\d{2}|0\d{1,3}-\d{2,3} \d{2,3}(?: \d{2})?/),
  // India.
  country(/[6-9]\d{4} \d{5}/),
  // China.
  country(/1[3-9]\d[ -]\d{4}[ -]\d{4}|1[3-9]\d{9}|0\d{2,3}-\d{7,8}/),
  // Korea.
  country(/01[016-9]-\d{3,4}-\d{4}|0(?:2|[3-6]\d|70)-\d{3,4}-\d{4}|1[56]\d{2}-\d{4}/),
  // Brazil, with its area in brackets or not.
  country(/[1-9]\d 9\d{4}-\d{4}|\([1-9]\d\) ?(?:9 ?)?[2-9]\d{3}[- ]\d{4}|[1-9]\d [2-5]\d{3}-\d{4}|0800 \d{3} \d{4}/),
  // Australia.
  country(/04\d{2} \d{3} \d{3}|0[2378] \d{4} \d{4}|1[38]00 \d{3} \d{3}/),
  // Mexico.
  country(/(?:55|33|81) \d{4} \d{4}|\(\d{2}\) \d{4} \d{4}/),
];
