/** Driving licence numbers by the word before them: Japan, North America, Europe, Australia and similar forms. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isJapaneseLicense } from '../checksums.ts';
import { labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { answersOfLicences, isOfCard } from './license-answers.ts';
import { britishContext, isLicence, japaneseContext, numberOfDocument } from './license-context.ts';
import { licences, numberOfClass } from './license-forms.ts';
import { numbersByEvidence } from './number-evidence.ts';

const name = 'driver-license';
const number = new RegExp(
  // The cheap tests first.
  `(?<![0-9A-Za-zÀ-ÿ])(?=[A-Z0-9*])(?:${numberLeft}|(?<=N/|__)|(?<=(?<![0-9A-Za-z])(?!DL)[A-Z]{2}[-/])(?=[A-Za-z]?[0-9])|(?<=(?<![0-9A-Za-z])DL-)(?=[A-Z][0-9]|[0-9]{2}-?[0-9]{4}-?[0-9]{7})|(?<=(?<![0-9A-Za-z])(?:DL|LIC|LICENSE)/)(?=[A-Z]?[0-9]{6}))(?:${[
    '[0-9]{4}([ -])[0-9]{4}\\1[0-9]{4}',
    '[A-Z9]{5} ?[0-9]{6} ?[A-Z9]{2}[0-9A-Z]{3}(?: ?[0-9]{2})?',
    '[A-Z][0-9]{4} - [0-9]{5} - [0-9]{5}',
    // India.
    '[A-Z]{2}[0-9]{2} (?:19|20)[0-9]{9}',
    // Not the small words before a number.
    '(?<![\\x27’])(?!(?:is|as|to|by|are|no|nr|num|id|it|my|was|the|of|for|and|ist|die|exp|iss|dob|st) )[A-Z]{1,3}[- ]?[0-9]{2,14}(?:[- ][0-9]{1,7}){0,4}',
    // Manitoba, Kentucky and others in groups.
    '[A-Z]{2}(?:-[A-Z]{2}){2}-[A-Z][0-9]{3}[A-Z]{2}',
    '[A-Z]{5}-[A-Z]{2}[0-9]{3}[A-Z]{2}',
    // Poland.
    '[0-9]{5}/[0-9]{2}/[0-9]{4}',
    // Iowa, in groups.
    '[0-9]{3} [A-Z]{2} [0-9]{4}',
    // Not the mark of a list behind it, `2.`.
    '[0-9]{2,12}(?:(?! [0-9][.)])[- ][0-9]{1,10}){0,4}',
    '(?=[A-Z*]*[0-9])[A-Z0-9*]{8,14}',
    // France since 2013, New Hampshire, Iowa, Vermont.
    '[0-9]{2,8}[A-Z]{1,3}[0-9]{0,5}',
  ].join('|')})(?:${numberRight}|(?=/[A-Z]{2}(?![0-9A-Za-z])|__))`,
  'gi',
);
/** Most texts name no licence: nothing is ever added to this one. */
const noStarts = new Set<number>();

/** Looks around the words. */
export const driverLicense: Recognizer = {
  name,
  type: 'DRIVER_LICENSE',
  labels: [
    "(driver|driver's|drivers|drivers'|driving|operator|operator's) (license|licence|lic|permit)",
    "(driver|driver's|drivers|driving|operator|operator's|operators) (license|licence|lic) (no|num|number|id)",
    "(operator|operator's|op) (no|number|license|lic)",
    '4d (no|dl|dln|lic|number)',
    "(driver|driver's) id",
    "(instruction|instructional|driving|motorcycle|motorbike|moped|provisional|junior|learner|learner's|learners|international driving|chauffeur|chauffeur's) (license|licence|permit)",
    '(driving|driver) (credential|record) (number|no)',
    // Misspelt, most often.
    "(driver|driver's|drivers|driving) (lisence|liscense|lisense|licnese|licens|liscence|iicense)",
    '(license|licence|lic) (no|num|number|nbr)',
    '(license|licence|lic)',
    'lic. (no|num|number)',
    'dl',
    '(drv|drvr) lic',
    '(drv|drvr) lic (no|num|number)',
    'dl/id',
    'dl or (id|state id)',
    'dl / (state id|id)',
    'dl/state id',
    "(driver|driver's) number",
    'dln',
    'oln',
    'd/l',
    'dl (no|num|number|id)',
    'd.l',
    'cdl',
    'fs-(nr|nummer)',
    'fuhrerschein',
    'fuehrerschein',
    'führerschein',
    'permis de conduire',
    'permis',
    'fahrerlaubnis',
    'patente di guida',
    'patente (n|nr|no|numero)',
    'numero patente',
    'numero (di|della) patente',
    '(carnet|permiso|licencia) de (conducir|conducción|conduccion)',
    'rijbewijs',
    'rijbewijsnummer',
    'prawo jazdy',
    'prawa jazdy',
    'körkort',
    'korkort',
    'kørekort',
    'førerkort',
    'ajokortti',
    'carta de (condução|conducao)',
    'carteira de (motorista|habilitação|habilitacao)',
    'cnh',
    '(al|az|ca|co|fl|ga|il|ma|md|mi|nc|nj|nv|ny|oh|or|pa|sc|tn|tx|va|wa|wi)dl',
    '免許',
    '免許証',
    '免許証番号',
    '運転免許',
    '運免',
    '運転免許証',
    '運転免許証番号',
    '運転免許番号',
    '免許番号',
    '免許の番号',
    '免許証ナンバー',
    '運転経歴証明書',
    'ドライバーズライセンス',
    'ドライバーライセンス',
    'menkyo',
    'menkyosho',
    'menkyosho (bango|no|number)',
    'menkyo (bango|no|number)',
    '免許証の番号',
  ],
  anchors: [
    'document number',
    'documentnumber',
    'document no',
    'id number',
    'id_number',
    'idnumber',
    ' id #',
    '/id #',
    'govt_id',
    ', class (a|b|c|d|m)',
  ],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number, score: number, context: string, checksum = false) =>
      found.push(detectionAt(text, start, end, { type: 'DRIVER_LICENSE', score, recognizer: name, context, checksum }));
    const used = text.keywords.labels(name).length === 0 ? noStarts : new Set<number>();
    let last = { end: 0, isBare: false, labelStart: -1, letters: 0 };
    for (const value of labelledValues(text, name, number, { back: 36 })) {
      const { start, end, groups, context } = value;
      if (!isLicence(text.shadow, value)) continue;
      const isBare = /^[0-9 -]+$/.test(groups[0]);
      // `…, DBS 001482019370`
      const letters = /^[A-Z]*/i.exec(groups[0])?.[0].length ?? 0;
      const isListed = value.labelStart === last.labelStart && text.shadow.slice(last.end, start) === ', ';
      if (isListed && letters !== last.letters) continue;
      // Behind `D1234567, ` a number without a letter is another one.
      if (last.isBare !== isBare && /^, ?$/.test(text.shadow.slice(last.end, start))) continue;
      last = { end, isBare, labelStart: value.labelStart, letters };
      used.add(value.labelStart);
      const digits = groups[0].replace(/[^0-9]/g, '');
      const checksum = digits.length === 12 && isBare && isJapaneseLicense(digits);
      add(start, end, checksum ? 1 : isBare ? 0.8 : 0.9, context, checksum);
    }
    const inOrder = found.length;
    for (const [start, end, context] of numbersByEvidence(text, licences, { found, used }))
      add(start, end, 0.7, context);
    const known = found.length === 0 ? noStarts : new Set(found.map((hit) => hit.start));
    for (const hit of text.keywords.anchors(name)) {
      const place =
        text.shadow[hit.start] === ','
          ? numberOfClass(text.shadow, hit.start, hit.end)
          : numberOfDocument(text.shadow, hit.start, hit.end);
      if (place !== undefined && !known.has(place[0])) add(place[0], place[1], 0.8, 'license');
    }
    for (const { start, end, digits } of text.digitRuns) {
      if (digits !== 12 || known.has(start)) continue;
      const context = japaneseContext(text.shadow, start, end);
      if (context !== undefined) add(start, end, 0.9, context, true);
      else if (isOfCard(text.shadow, start, end)) add(start, end, 0.8, '免許');
    }
    for (const { start, end } of answersOfLicences(text, name)) if (!known.has(start)) add(start, end, 0.7, 'license');
    for (const { start, end, hasDigit } of text.longWords) {
      if (!hasDigit || end - start !== 16 || known.has(start)) continue;
      const sign = britishContext(text.shadow, start, end);
      if (sign !== undefined) add(start, end, 0.9, sign.toLowerCase());
    }
    return found.length > inOrder ? found.sort((a, b) => a.start - b.start) : found;
  },
  samples: {
    match: [
      ['運転免許証番号：309012345620', '309012345620'],
      ['免許証の番号は第３０９０１２３４５６２０号', '３０９０１２３４５６２０'],
      ['DL# D1234567', 'D1234567'],
      ['免許の条件等 眼鏡等\n番号 第 309012345620 号', '309012345620'],
      ['My Colorado license number is 68-426-1287', '68-426-1287'],
      ['OLN: 79 281 471  State: PA', '79 281 471'],
      ['permis n° 824069134940', '824069134940'],
      ['5. MORGA657054SM9IJ\n7. signature\nDRIVING LICENCE', 'MORGA657054SM9IJ'],
      ["driver's license number: S530-4209-1234", 'S530-4209-1234'],
      ['driving licence MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['"driverLicense": "WDLABCD456DG"', 'WDLABCD456DG'],
      ["Driver's License 12345678 (TX)", '12345678'],
      ['運転免許証(普通)：309012345620', '309012345620'],
      ['DRIVER LICENSE NO ..... R5637478', 'R5637478'],
      ['D1234567 (driver license)', 'D1234567'],
      ["my driver's license is D1234567.Thanks for asking", 'D1234567'],
      ['drivers_license_no=A1234567', 'A1234567'],
      ['Hirer, licence no 044980315 (VIC), born', '044980315'],
      ['Driver number: MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['need DL copy (S5819174) today', 'S5819174'],
      ['my license number is M8800410', 'M8800410'],
      ['licence: MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['{"license_no":"309012345620"}', '309012345620'],
      ['birth_date: 1988-04-17, licence_no: S5819174', 'S5819174'],
      ['handed me a Nebraska DL, Q04556650, can', 'Q04556650'],
      ["update my driver's license. New: Y86135514", 'Y86135514'],
      ['a driver license bearing number 006632024', '006632024'],
      ['OLN/82783882.OLS/PA', '82783882'],
      ["Document: Driver's license\nState: TX\nDocument Number: 79281471", '79281471'],
      ["my driver's license? Number: 64179610", '64179610'],
      ['Q5120147 – Virginia DL', 'Q5120147'],
      ["The number T9281471 appears on his California driver's license.", 'T9281471'],
      ["ID type\nDriver's License\nID number\nQ6320241", 'Q6320241'],
      ["Suspect's DL was run (277979456, GA) and", '277979456'],
      ["my DL got flagged. It's A9739201, issued", 'A9739201'],
      ['DL State/No: CA-H6259800', 'H6259800'],
      ['１．免許証番号　202442446380　２．住所', '202442446380'],
      ['免許証番号をお願いします\nお客様：309012345620', '309012345620'],
      ['licencia de conducir 42329425G', '42329425G'],
      ["Is this driver's license number valid: M4022312?", 'M4022312'],
      ['She gave her DL number as 33885550 (Texas).', '33885550'],
      ['DL# → D6329062', 'D6329062'],
      ['DL Number\n---------\n01992499', '01992499'],
      ['{"DL_NUMBER":{"text":"A3414844"}}', 'A3414844'],
      ["what's the DL for the new guy\n[10:43] Lou: G60447192", 'G60447192'],
      ['I uploaded my license but it still says unverified. The number is B5518820.', 'B5518820'],
      ['Why does it reject S530-118-72-440-0? It is on my Florida license.', 'S530-118-72-440-0'],
      ['HENDR 910025 LM9OP is his, the licence of the manager', 'HENDR 910025 LM9OP'],
      ['the license presented by the buyer was Q3301942 issued in CA', 'Q3301942'],
      ['Driving Licence: DL-0420190233417', '0420190233417'],
      ['permis de conduire, numéro 080433201177', '080433201177'],
      ['FS-Nr. K721PL55A13', 'K721PL55A13'],
      ['driving licence no. MH12 20140038127 and', 'MH12 20140038127'],
      ['he was banned, licence PRICE 704128 R98HK 22.', 'PRICE 704128 R98HK 22'],
      [
        'Driver file audit\nQ: MVR pulled? A: clean\nQ: number on the card? A: S04-217-883, class A, expires',
        'S04-217-883',
      ],
      ['Patente n. RM7718204K', 'RM7718204K'],
      ['Nova Scotia licence CARTE140388002', 'CARTE140388002'],
      ['Kiwi licence CF602218', 'CF602218'],
      ['Class B CDL, license S88-44-7120', 'S88-44-7120'],
      ['予約に使う免許は 301245887610 です', '301245887610'],
      ['免許証番号を間違えました。正しくは 900044718820 です。', '900044718820'],
      ['免許証番号教えて\nB: 305518804470', '305518804470'],
      ['"license":{"type":"driver","id":"418902277"}', '418902277'],
      ['my new license number is 31 771 039.', '31 771 039'],
      ['Licence (QLD): 077 103 948', '077 103 948'],
      ['License No. & State: E7710399 CA', 'E7710399'],
      ["Driver's license on record: W6620420", 'W6620420'],
      ['License G5529104 came back suspended.', 'G5529104'],
      ['a motor vehicle report on license 662041873, Georgia', '662041873'],
      ['It says "DL number must be 8 digits" but my Texas one is 30771846', '30771846'],
      ['He showed his license and it came back valid: D44718820.', 'D44718820'],
      ["his driver's license? It reads, I mean, D447-1882-0064", 'D447-1882-0064'],
      ["What's the state and number of your driver's license?\nGuest: yes\nGuest: Utah, 428769689", '428769689'],
      ['Please update the driver license on account to E9460495', 'E9460495'],
      ['The license number supplied, 1877-20-4413, does not exist in the BMV file.', '1877-20-4413'],
      ['DRIVER LICENSE\\nID 482 713 906  CLASS D', '482 713 906'],
      ['She typed her licence in lower case: holli856217j99rk', 'holli856217j99rk'],
      ['\nName\tDOB\tLic. No\tState\nHollis Grant\t03/14/1988\t40718826\tTX', '40718826'],
      ['\nSurname   Licence    Class\nKAPLAN    18993047   HR\n', '18993047'],
      ['Your license is missing. First, your driver license number. Second, a phone.\n> 1) 66180427', '66180427'],
      ['1. Name as on licence\nOlu Bankole\n2. Licence number and province\nManitoba, BANKO-OS047KX', 'BANKO-OS047KX'],
      ['when he showed his licence, I wrote down 16204978 from the front of it', '16204978'],
      ["have your driver's license handy\nBob: um\nBob: P216-774-90-118-0", 'P216-774-90-118-0'],
      ['<driverLicense>\n<state>CO</state>\n<number>92-118-4407</number>', '92-118-4407'],
      ['"免許証": {"種類": "普通", "番号": "451190227330", "期限": 1}', '451190227330'],
      ['運転者の免許証番号は前回 620055718840 で登録済み', '620055718840'],
      [
        'my licence, quoted as asked when one writes to the office about a change: field 5 says ADEYE955120K99WP',
        'ADEYE955120K99WP',
      ],
      ['\n氏名　免許証番号　種類\n谷川 守　301188420560　大型\n', '301188420560'],
      ['"dl":{"state":"IN","no":"4417-20-8830"}', '4417-20-8830'],
      ['My own license is Arizona too, D08441726. Her', 'D08441726'],
      ['Q1. Licence number (as printed)?   094417726\nQ2. State of issue?', '094417726'],
      ['Il mio numero di patente è U1K447188M', 'U1K447188M'],
      ['Mon permis (n° 120447182001) a été volé', '120447182001'],
      ['免許証のコピーが不鮮明でした。番号は 104471882010 ですか？', '104471882010'],
      ['運転免許証の番号を伺えますか。\n客：お待ちください\n客：621803947120です。', '621803947120'],
      ["driver's license I guess\nOffice: send us the number?\nParent: he texted me, D400-7836-2291", 'D400-7836-2291'],
      ['息子が免許を取りました。第452204820190号、普通車', '452204820190'],
      ['my DL stays F4820193', 'F4820193'],
    ],
    noMatch: [
      '運転免許証の番号は不要です。\n係：電話番号を伺えますか\n客：621803947120です。',
      '調理師免許を取りました。第452204820190号',
      'part D1234567',
      'Driver file: incident D1234567, class action',
      'Driver: spare part no. D1234567, class A',
      'dl 12 files',
      'merge e0f9095aaa dl/show-ref later',
      "driver's license\nMIT license 12345678",
      'dl 20250301 backlog',
      'CPA license no. 45678123',
      '免許証入れ 商品番号 309012345620',
      '番号 第 309012345631 号 有効',
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
      "driver's licenses by state: TX 17368513",
      "driver's license photo DSC01234567.JPG",
      "order 12345678: driver's license holder",
      'operator licence OK1234567',
      'Childcare license 123456789, Texas HHS',
      'document number 79281471',
      'dl_id=12345678 (download)',
      'download id 12345678 (dl)',
      'Physician license A123456, California',
      'DL: 1234567 packets',
      'Driver ID D1234567 in the app',
      'Order DL-2024-00913 has shipped.',
      'DLN-12345678 case number',
      'Licensed electrician, license E7710394 (Ohio)',
      'New licences: A4471882 seats?',
      'license B5529104 for the API was suspended',
      'Liquor license L5529104 suspended',
      'my license to use the font is F4471882',
      'her barber license, B3301942, hangs there',
      'software licence: per seat, key A123-4567-8901',
      'renewed my driver license online, confirmation was R4471882',
      'if (!driverLicense) throw new Error("E1234567");',
      "Employee 4418820, driver's license on file: yes",
      '一般酒類小売業免許 第123456789012号',
      '免許更新センター 予約番号 330194277200',
      'License ID 12345678 (Photoshop)',
      'driver license agreement accepted 2024-06-11 12:34:56',
      '小型船舶操縦士免許証 第123456789012号',
      'Your driver license appointment is confirmed. Your appointment number is Q4471882.',
      "Please bring your driver's license when you pick up order A4471882.",
      "A driver's license is needed; job posting R1234567",
      'food handler license FH441882',
      'DL pipeline run 1234567890 finished',
      "I lost my driver's license, call me back on 4155550137.",
      '運転免許証のコピーを送ってください。受付番号は104471882015です。',
      '宅建の免許番号は104471882015です',
      '\nProduct      Licence       Seats\nPhotoEdit    44182077      12',
      'showed his license and then the delivery note, number 44182077 for 12 pallets',
      '"license": {"name": "MIT", "id": "20417738", "url": "x"}',
    ],
  },
};
