/** Driving licence numbers by the word before them: Japan, the United States, the United Kingdom and similar forms. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isJapaneseLicense } from '../checksums.ts';
import { labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';

const name = 'driver-license';
const number = new RegExp(
  `${numberLeft}(?:${[
    '[0-9]{4}([ -])[0-9]{4}\\1[0-9]{4}',
    '[A-Z9]{5} ?[0-9]{6} ?[A-Z9]{2}[0-9A-Z]{3}(?: ?[0-9]{2})?',
    '[A-Z]{1,3}[- ]?[0-9]{2,14}(?:[- ][0-9]{1,6}){0,4}',
    '[0-9]{2,12}(?:[- ][0-9]{1,10}){0,4}',
    '(?=[A-Z*]*[0-9])[A-Z0-9*]{8,14}',
  ].join('|')})${numberRight}`,
  'gi',
);
const sentenceEnd =
  /[.!?;。！？]\s*(?=\S)(?<!\b(?:no|nr|lic|num)\.\s*)|\b(?:expir\w+|until|issued|since|valid)\b|有効|交付|まで/i;
/** Digits alone are told by what stands between. */
const bareLink =
  /^[^A-Za-z]*(?:(?:no|num|number|nr|id|is|was|my|it|it's|its|the|for|of|in|new|old|state|card|and|[A-Z]{2}|Texas|York|New)(?![A-Za-z])[^A-Za-z]*){0,5}$/i;
const counted = /^ ?(?:年|月|日|時|円|万|千|件|人|名|個|回|歳|か|ヶ|years?|days?|months?|usd|%)/i;
const dateLike = /^(?:[0-9]{4}[- ][0-9]{1,2}[- ][0-9]{1,2}|[0-9]{1,2}[- ][0-9]{1,2}[- ][0-9]{4})$/;
/** `DL` is short for other things too, so the number has to follow at once. */
const short = /^d\.?l/;
const linked = /^ copy ?[(:] ?$|^[\s"'`*_:=#.>|)\]}【】-]*(?:(?:no|num|number|id|is|nr)[\s"'`*_:=#.>|)-]*)?$/i;

/** There are licences for software and trades too. */
const plain = /^lic/;
const plainLink = /^[\s"'`*_:=#.>|)\]}-]*(?:(?:no|num|number|id|is|nr|\(driver\))[\s"'`*_:=#.>|)-]*){0,2}$/i;
const memberLink = /^["']?:.{0,24}["'](?:number|no|id)["']?: ?["']?$/;
const ofDriver = /(?<![A-Za-z])driv(?:er|ing)(?:'?s)?(?![A-Za-z])|(?<![A-Za-z])dmv(?![A-Za-z])/i;
/** The state of Australia or of the United States that issued it. */
const ofState = /^ ?\((?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT|TX|CA|NY|FL|PA|OH|GA|NC|MI|NJ|VA|AZ|CO)\)/;
/** Words of a record about a person. */
const ofPerson =
  /(?<![A-Za-z])(?:birth(?:day|[ _]?date)?|dob|passport|insur(?:ed|ance)|claimant|vehicle|rental|hirer|full[ _]?name|last[ _]?name|surname|applicant)(?![A-Za-z])/i;
const driverReach = 90;

/** The British form, and twelve digits with the check digit of Japan. */
function isNationalForm(written: string): boolean {
  return (
    /^[A-Z9]{5} ?[0-9][0156][0-9]{4} ?[A-Z9]{2}[0-9A-Z]{3}$/.test(written) ||
    (/^[0-9]{12}$/.test(written) && isJapaneseLicense(written))
  );
}

/** Looks around the words. */
export const driverLicense: Recognizer = {
  name,
  type: 'DRIVER_LICENSE',
  labels: [
    "(driver|driver's|drivers|drivers'|driving|operator|operator's) (license|licence|lic|permit)",
    "(driver|driver's|drivers|driving) (license|licence|lic) (no|num|number|id)",
    "(driver|driver's) id",
    '(license|licence|lic) (no|num|number)',
    '(license|licence)',
    'dl',
    "(driver|driver's) number",
    'dln',
    'dl (no|num|number|id)',
    'd.l',
    'cdl',
    'fuhrerschein',
    'führerschein',
    'permis de conduire',
    '免許証',
    '免許証番号',
    '運転免許',
    '運転免許証',
    '運転免許証番号',
    '運転免許番号',
    '免許番号',
    '免許の番号',
    '免許証の番号',
  ],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const value of labelledValues(text, name, number)) {
      const { start, end, groups, context, gap, isBehind, labelStart } = value;
      if (plain.test(context)) {
        const around = text.shadow.slice(Math.max(0, labelStart - driverReach), end + driverReach);
        if (
          !(plainLink.test(gap) || memberLink.test(gap)) ||
          !(
            isNationalForm(groups[0]) ||
            (/^[0-9]{8,10}$/.test(groups[0]) && ofState.test(text.shadow.slice(end, end + 8))) ||
            (/^[A-Z]{1,2}[0-9-]{6,}$/.test(groups[0]) &&
              (ofDriver.test(around) ||
                ofPerson.test(around) ||
                /\b(?:my|his|her|your) $/i.test(text.shadow.slice(Math.max(0, labelStart - 5), labelStart))))
          )
        )
          continue;
      }
      const written = groups[0];
      const digits = written.replace(/[^0-9]/g, '');
      const isMixed = written.length === 12 && /^[A-Z*]{3}/.test(written);
      if (digits.length < (isMixed ? 2 : 5) || dateLike.test(written) || counted.test(text.shadow.slice(end, end + 8)))
        continue;
      if (!isBehind && short.test(context) && !/^ ?[(（]$/.test(gap)) continue;
      if (
        isBehind &&
        (sentenceEnd.test(/n(?:o|r|um)$/.test(context) ? gap.replace(/^\./, '') : gap) ||
          (short.test(context) && !linked.test(gap)))
      )
        continue;
      if (/[a-z]/.test(written) && !(linked.test(gap) && /^[A-Za-z]{1,3}[- ]?[0-9]{5,}[0-9 -]*$/.test(written)))
        continue;
      const isBare = /^[0-9 -]+$/.test(written);
      if (isBare && (digits.length < 7 || digits.length > 13)) continue;
      if (isBare && isBehind && !bareLink.test(gap)) continue;
      const checksum = digits.length === 12 && isBare && isJapaneseLicense(digits);
      found.push(
        detectionAt(text, start, end, {
          type: 'DRIVER_LICENSE',
          score: checksum ? 1 : isBare ? 0.8 : 0.9,
          recognizer: name,
          context,
          checksum,
        }),
      );
    }
    return found;
  },
  samples: {
    match: [
      ['運転免許証番号：309012345620', '309012345620'],
      ['免許証の番号は第３０９０１２３４５６２０号', '３０９０１２３４５６２０'],
      ['DL# D1234567', 'D1234567'],
      ["driver's license number: S530-4209-1234", 'S530-4209-1234'],
      ['driving licence MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['"driverLicense": "WDLABCD456DG"', 'WDLABCD456DG'],
      ["Driver's License 12345678 (TX)", '12345678'],
      ['運転免許証(普通)：309012345620', '309012345620'],
      ['DRIVER LICENSE NO ..... R5637478', 'R5637478'],
      ['D1234567 (driver license)', 'D1234567'],
      ['drivers_license_no=A1234567', 'A1234567'],
      ['Hirer, licence no 044980315 (VIC), born', '044980315'],
      ['Driver number: MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['need DL copy (S5819174) today', 'S5819174'],
      ['my license number is M8800410', 'M8800410'],
      ['licence: MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['{"license_no":"309012345620"}', '309012345620'],
      ['birth_date: 1988-04-17, licence_no: S5819174', 'S5819174'],
    ],
    noMatch: [
      'part D1234567',
      'dl 12 files',
      'merge e0f9095aaa dl/show-ref later',
      '(merge b441717256 dl/test later)',
      'driver version 535.129.03',
      '免許証の有効期限は20271231',
      'driver license expires 2027-12-31',
      'NVIDIA driver 53512903',
      "driver's license office, room 1204567",
      'MIT license 12345678',
      'license_no: S5819174, seats 40, expires 2027',
      'license key: 309012345621',
      '309012345620',
    ],
  },
};
