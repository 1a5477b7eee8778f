import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeywordIndex } from '../../../core/detect/keywords.ts';
import { TextScanner } from '../../../core/detect/scan.ts';
import { address } from '../../../core/recognizers/address.ts';
import { addressJp } from '../../../core/recognizers/address-jp.ts';
import { companyName } from '../../../core/recognizers/company-name.ts';
import { personName } from '../../../core/recognizers/person-name.ts';
import { spelledEmail } from '../../../core/recognizers/spelled-email.ts';
import { expectLinear } from '../../support/linear-time.ts';

const all = [personName, address, addressJp, companyName];
const scanner = new TextScanner(new KeywordIndex(all));
const valuesOf = (text: string) => all.flatMap((one) => one.find(scanner.scan(text)).map((found) => found.value));

describe('sentences', () => {
  test.each<[text: string, values: readonly string[]]>([
    ['Ticket assigned to Brianna Kowalczyk. Please review the logs.', ['Brianna Kowalczyk']],
    ['Mr. Tendai Moyo and Ms. Lucía Ferrer met', ['Tendai Moyo', 'Lucía Ferrer']],
    ["We read Siobhan O'Hara's letter", ["Siobhan O'Hara"]],
    ['Attn: WALTER HODSON, 12 Oak Street, Reno, NV 89501', ['WALTER HODSON', '12 Oak Street, Reno, NV 89501']],
    ['Wang Xiaoming joined', ['Wang Xiaoming']],
    ['spotkanie: Łukasz Żak', ['Łukasz Żak']],
    ['at the end of A Street 9 NV Street', ['9 NV Street']],
    ['the station is on Pod Floriánem 1677', ['Pod Floriánem 1677']],
    ['see you on 12 March, then 4 April. 3rd try', []],
    ['Bjørn Sæther and Zoë Müller', ['Bjørn Sæther', 'Zoë Müller']],
    ['本日の面接は佐々木 結衣さんが担当します。', ['佐々木 結衣']],
    ['先週高橋　健一が退職しました', ['高橋　健一']],
    ['監督の鈴木一郎とジョン・スミスは', ['鈴木一郎', 'ジョン・スミス']],
    ['{"氏名":"城 百香"}', ['城 百香']],
    ['本社：大阪府堺市堺区架空町２丁目３番４号', ['大阪府堺市堺区架空町２丁目３番４号']],
    ['〒060-0001', ['〒060-0001']],
    ['発注元：架空精機株式会社', ['架空精機株式会社']],
    ['社会福祉法人みどり会と', ['社会福祉法人みどり会']],
    ['10 Downing Street, London SW1A 2AA', ['10 Downing Street, London SW1A 2AA']],
    ['| Sales rep | Notes |\n|---|---|\n| Hunter Hill | calls |', ['Hunter Hill']],
    ['Name,Team\nAutumn Brooks,Red', ['Autumn Brooks']],
    [
      'Tenant\tUnit\tKin\nHunter Hill\t4B\tHazel Brooks\nIngrid Halvorsen\t7A\tTomasz Nowak',
      ['Hunter Hill', 'Hazel Brooks', 'Ingrid Halvorsen', 'Tomasz Nowak'],
    ],
    ['<tr><th>Guest</th><th>Room</th></tr><tr><td>Autumn Brooks</td><td>12</td></tr>', ['Autumn Brooks']],
    ['Attendees: Emily Harrington, Hazel Marsh and Chase Hill', ['Emily Harrington', 'Hazel Marsh', 'Chase Hill']],
    ['Children: Chase Hill (b. 2 March 2019)', ['Chase Hill']],
    ['Hunter Brooks, RN', ['Hunter Brooks']],
    ['tenant_1: Hollis Sharp', ['Hollis Sharp']],
    ['Customer: hi, Lim Jun Hao here', ['Lim Jun Hao']],
    ['Ho Hum Day and Long Way Off', []],
    ['関豊様と堀内みどりさん', ['関豊', '堀内みどり']],
    ['担当医の西川健太医師に報告', ['西川健太']],
    ['土屋ゆいです。石川さんから', ['土屋ゆい', '石川']],
    ['私成田直人は', ['成田直人']],
    ['配送先\n青森県八戸市三日町15', ['青森県八戸市三日町15']],
    ['青森県八戸市三日町15日間', []],
    ['首相オラフ・ショルツの', ['オラフ・ショルツ']],
    ['ケアマネ高橋直樹より', ['高橋直樹']],
    ['旅券の名義人 OSHIMA ERIKO', ['OSHIMA ERIKO']],
    ['Unit 4502 Box 4881\nDPO AA 19766', ['Unit 4502 Box 4881\nDPO AA 19766']],
  ])('%j', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });
});

describe('text without detections', () => {
  test.each([
    'Google Cloud and Amazon Web Services in North Carolina',
    'Upgrade Visual Studio Code to Version 3 Beta',
    'Thank You, Dear Customer. Kind Regards, Support Team',
    'const user = new User Session(Type Mismatch)',
    'The Monte Carlo method, Nash Equilibrium and Bloom Filter',
    'New York, Los Angeles, San Diego, Hong Kong',
    'INFO Server Started on port 8080 in 12 Steps',
    'Chapter 5 Road to Production',
    'Windows 11 Pro Drive letters',
    '東京 大阪 名古屋 福岡',
    '平山温泉、中村鉄道、吉田音楽、高田方法',
    '担当は後日決定します。スライスを生成しようとした。関連関数',
    '本日 午後 会議 資料',
    '営業 部長 課長 主任',
    'バージョン 1-2-3 を 参照',
    '千代田区の人口は6万人、2020-2021年',
    '株式会社の設立と会社法、株式会社法',
    'オブジェクト・リレーショナル・マッピング',
    'ジャスト・イン・タイム',
    '石川県立図書館、長野県庁、山口大学',
  ])('%j', (text) => {
    expect(valuesOf(text)).toEqual([]);
  });
});

const piece = fc.constantFrom(
  ...'John|Smith|Mr.|de|la|,| |\n|12|Oak|Street|IL|62704|Box|P.O.|山田|太郎|様|氏名：| |　|東京都|港区|芝|1-2-3|丁目|〒|100-0001|株式会社|（株）|の|・|マイケル|スミス|ヤマダ|タロウ|\uD800|é|"|name:|corner of|and'.split(
    '|',
  ),
);

test('detections slice to their value, are in order and do not overlap within a recognizer', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      for (const one of all) {
        let end = 0;
        for (const found of one.find(scanner.scan(text))) {
          expect(text.slice(found.start, found.end)).toBe(found.value);
          expect(found.start).toBeGreaterThanOrEqual(end);
          expect(found.end).toBeGreaterThan(found.start);
          end = found.end;
        }
      }
    }),
  );
});

test.each([
  'A ',
  'Mr. ',
  '山田',
  '山田 ',
  '1 丁目',
  'さ市1-2',
  '〒100-0001 ',
  '株式会社',
  'マイケル・',
  '1 A ',
  'P.O. Box 1 ',
  'Van de ',
])('many times %j ends', (unit) => {
  const text = unit.repeat(20_000);
  for (const one of all) expect(Array.isArray(one.find(scanner.scan(text)))).toBe(true);
});

test.each([' dot ', 'a dot ', '(at) ', 'a at '])('many times %j takes spelled e-mail addresses linear time', (unit) => {
  const spelled = new TextScanner(new KeywordIndex([spelledEmail]));
  expectLinear((length) => {
    const text = spelled.scan(unit.repeat(length / unit.length));
    return () => spelledEmail.find(text);
  }, 8_000);
});
