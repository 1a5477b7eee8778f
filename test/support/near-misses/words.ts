/** Near misses of words around numbers, which noise does not change, and of type names. */
import { addNoise } from '../../../core/noise.ts';
import { isLabel, nearestTokenType, tokenTypeOf } from '../../../core/tokens/token-types.ts';
import { alternatives } from './edits.ts';
import { addTo, groupLines } from './golden.ts';
import type { Made } from './recognizers.ts';

/** `{a|b}` stands for either one; the number 500 may or may not be a quantity there. */
const numberTexts: readonly string[] = [
  '{the |}{v|ver|version|versions|no|nos|number|nr|id|ids|page|pp|p|chapter|ch|section|sec|step|steps|figure|fig|table|line|port|room|floor|build|release|rfc|iso|iec|issue|ticket|order|invoice|case|ref|reference|code|model|sku|type|class|level|grade|phase|part|volume|vol|question|q|item|article|rule|bug|pr|http|error|status|python|node|windows|ios|android|java|route|highway|flight|gate|track|channel|apartment|apt|suite|unit|zip|sprint|stage|words|cover}{ |. |: |=|# |" |\t|  |-|, }{500| 500}',
  'a {#|№|§|第|^|_|@|\\\\|# |バージョン|番号|ページ|項番|平成|令和 |昭和:|価格|userId: |userID=|"userId": |iPhone |iPhone  |Iphone |x/|x.|x-|1:|a:|1,|"a",|a,|~|\'|(|=|$|USD|EUR|JPY|xUSD|é|山|)}500 b',
  'on {Jan|january|Feb|mar|April|may|June|jul|aug|sept|sep|oct|nov|Dec|Decade|xjan|Mon} {12|12, |12th |5 and |}500',
  'so 500{| |st|nd|rd|th| May| of May|th of June| Mayor| jan.| x}{ came|.|,|}',
  'で500{年|月|日|時|分|秒|年間|日間|年度|月度|号|番|条|章|節|項|版|巻|話|丁目|階|期|級|位|世紀|円|人| 年| 円|th| th}です',
  'so 500{%|‰|°|k|K|M|bn|kg|g|mg|µg|t|km|cm|mm|ft|in|lb|oz|l|ml|dl|kB|KiB|MB|bps|kbps|Hz|MHz|W|kWh|V|mA|A|kcal|ms|s|sec|min|h|hrs|d|days|weeks|month|years|yrs|x|pts|px|em|USD|yen|kgx|x1|xy|am|foo}{ b|_|1|}',
  "so 500{-|/|.|,|:|'|_|\\\\|~|^|;|)|]|!}{a|5| 5|}",
  '{|\n|x\n|  |(|\n[|a }{3|500|3.5}{.|)|:|]|．|,|;} {first|}',
  '{in |$|£ |¥|€|￥|=|= |}{2019|1999|1899|2099|2100|20190|02019}{|%|円|個|人| 人|名|件|台|万| items| it| of|.| A}',
  'a {|-|+|x-|5-|)-|] -|é-|( -|- |--}{500|5,000|50,00|5000,000|0500|05|0.5|.5|500.|5.50|1234567890|123456789|12345678901234567.12|123,456,789,012,345} b',
  '{see |}{https://x.example/|http://x/|ftp://x/|wss://x/|file:///|www.x.example/|www |xhttp://x/|mailto:}{a |}500{ b|}',
  '{Ann|"Ann"|5|Ann Lee|山田}{,| ,|, |;}{34|x34|-34}{,|;| ,}{52000|5,200}{\nBob,45|}',
];
/** Other spellings of a number. */
const written =
  '0 5 42 4200 -42 +42 0.5 -0.25 +0.25 12.50 1,234 -1,234.5 1,234,567 999,999 100000 9 1 0.001 １２ －１２ ＋１２ １，２３４ １２．５ １2 -１２ -0';

/** Each number as `=` if it stays and `~` if noise changes it. */
function signsOf(text: string): string {
  const numbersOf = (one: string) => one.match(/[0-9０-９]+(?:[.,][0-9]+)*/g) ?? [];
  const { text: noisy } = addNoise(text, { epsilon: 0.01, seed: 3, detections: [] });
  const after = numbersOf(noisy);
  return numbersOf(text)
    .map((number, i) => (number === after[i] ? '=' : '~'))
    .join('');
}

const typeNames =
  'PERSON FULLNAME full-name Full_Name persons PERS PER MAIL e-mail EMAIL email_address emial EMIAL TEL telephone_number PHONE phonenumber FONE POSTALCODE postal LOCATION locale CARD CREDITCARD credit CREDIT_CARD creditcards DEBITCARD SOCIALSECURITYNUMBER social_security SSN ssns INDIVIDUALNUMBER MYNUMBER my number IP IPS IPV4 ipv6 IPADRESS ip-address SECRET TOKEN tok APIKEY api_keys DOB BIRTHDAY birth_date DATEOFBIRTH COMPANY company_name ORGANIZATION ORG organisation MEDICALID medical EIN ITIN TAXID tax MAC mac_addr MACADDRESS IBAN ibans JWT PASSPORT pasport DRIVERLICENSE driver LICENSE vehicle PLATE password PASSWRD pw xyz a ab abc ___ NAM NAMES NAMEX ADDRESSES ADRESS INSURANCE pension key';
const labels =
  'A AB A1 1A A_B A__B _A A_ a Ab A-B EMAIL CREDIT_CARD CREDITCARD MY_NUMBER MYNUMBER SECURED SRAG SECURED_X SRAGS DRIVERLICENSE PROJECT PROJECT_2 É';

/** Blocks of numbers and of names. */
export function wordBlocks(): Made[] {
  const words = typeNames.split(' ');
  return [
    ...numberTexts.map((row, i) => ({
      name: `numbers ${i + 1}`,
      make: () => {
        const groups = new Map<string, string[]>();
        for (const [text, taken] of alternatives(row)) addTo(groups, signsOf(text), taken);
        return [`numbers ${i + 1} ${row.slice(0, 40).replaceAll('\n', '⏎')}`, ...groupLines(groups)].join('\n');
      },
    })),
    {
      name: 'numbers written again',
      make: () => {
        const noisy = (number: string, epsilon: number, sensitivity?: number) =>
          addNoise(`so ${number} b`, {
            epsilon,
            seed: 5,
            detections: [],
            ...(sensitivity && { sensitivity }),
          }).text.slice(3, -2);
        return [
          'numbers written again',
          ...written
            .split(' ')
            .map((number) =>
              [number, noisy(number, 0.1), noisy(number, 10), noisy(number, 1, 3), noisy(number, 0.001)].join(' '),
            ),
        ].join('\n');
      },
    },
    {
      name: 'names of types',
      make: () =>
        [
          'names of types',
          ...words.map((word) => `${word} ${tokenTypeOf(word) ?? '-'} ${nearestTokenType(word) ?? '-'}`),
        ].join('\n'),
    },
    {
      name: 'labels',
      make: () =>
        [
          'labels',
          ...[...labels.split(' '), 'A'.repeat(40), 'A'.repeat(41)].map((label) => `${label} ${isLabel(label)}`),
        ].join('\n'),
    },
  ];
}
