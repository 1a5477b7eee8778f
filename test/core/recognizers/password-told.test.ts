/** What tells that a word is a secret, and what that it is none. */
import { expect, test } from 'vitest';
import {
  isMeasured,
  isOtherHead,
  isToldBehind,
  weightOfForm,
  weightOfTold,
} from '../../../core/recognizers/password-told.ts';

test.each([
  ['letters, a digit and a sign', 2.5, ['Tr0ub4dor&3', 'Maple7!river', 'a7~harbour']],
  [
    'letters of both kinds and digits, capitals with a sign, words with joints',
    1.5,
    ['Zx9kQ2vLp8', 'MAPLE7#RIVER', 'maple-7-river'],
  ],
  ['words and a number', 1, ['BlueTractor42', 'blueTractor42', 'Larkspur/Cottage/1922', 'red!house']],
  ['names of the kind of IMDSv2', 0, ['IMDSv2', 'iCloud17']],
  ['too short, too long, a word alone', 0, ['m4p!e', 'abcdef', `Maple7!${'a'.repeat(60)}`]],
])('%s weigh %d', (_what, weight, values) => {
  for (const value of values) expect([value, weightOfForm(value)]).toEqual([value, weight]);
});

test.each(
  // Each would weigh something by its characters alone.
  `en_US1 #channel-name4 server.getName1 deploy-user@build-host7.lan anna.b2@example.org https://a1.example C:\\temp\\x1a
  ./run1.sh-2 ~/x9.txt nginx:1.25-alpine3 v1.2.3-rc4b 10-12-ab RFC-2616-B deadbeef12 0xCafe12 $HOME1a sha256abc timeout=30s
  com.acme_x.tools.v2 scope/pkg@v3.1.0 --max-old9 HOME_DIR_1=ab1 get_user_name2.run_it3 api-gateway-v3 build-agent7 key:value12
  max2_retry_count u_ab12cd req-9ab12c AT+CGMI12 INC12-4471A 123456abc ab(1)cd2 ssid2.4GHz report12.xlsx a=b1&c=2 page1...2
  win-server2019 wpa2-psk iPhone15pro password123 libfoo-v1.22.3`.split(/\s+/),
)('%s is something else', (value) => {
  expect(weightOfForm(value)).toBe(0);
});

test.each([
  [
    'the code of a mode, what opens a file',
    3,
    ['admin mode: ', '管理者モード:', 'open it with ', 'unlocked them using "', 'unzip the files with '],
  ],
  [
    'what tells a secret',
    2,
    [
      'log in as jo with ',
      'connect using ',
      'new one is ',
      "it's not ",
      'try ',
      'typed "',
      'now it works: ',
      'changed it back to ',
    ],
  ],
  ['a sign, a turn, a particle', 1.5, ['hint -> ', '<secret> ', '[10:43] lou: ', '\n・', 'こちら「', '現在は', '例: ']],
  ['a list', 0.5, ['a1 or ', 'a1; ']],
  ['nothing', 0, ['blue 7 ', 'the fox ', 'retry ', 'unzipper ']],
])('%s weighs %d before a word', (_what, weight, heads) => {
  for (const head of heads) expect([head, weightOfTold(`some words ${head}`)]).toEqual([head, weight]);
});

test('a number with its unit is measured', () => {
  const measured = [' 時間', '%', ' mb,', ' attempts', ' minutes', '" days', 'まで', '文字', ' GHz', ' users'];
  expect(measured.filter((tail) => !isMeasured(tail))).toEqual([]);
  expect([' apples', ' kgs', ' is mine', ' members'].filter(isMeasured)).toEqual([]);
});

test('words behind a secret', () => {
  const behind = [' still works', 'です', 'を入力', ' until May', ' and it opened', '」に変更', ' to unlock'];
  expect(behind.filter((tail) => !isToldBehind(tail))).toEqual([]);
  expect([' is blue', 'という', ' and so on'].filter(isToldBehind)).toEqual([]);
});

test.each<[head: string, always: boolean, unlessCertain: boolean]>([
  ['version ', true, true],
  ['booking no. ', true, true],
  ['レシート番号は', true, true],
  ['顧客ID：', true, true],
  ['エラーコード「', true, true],
  ['WARN: ', true, true],
  ['line 14 says ', true, true],
  ['SSID = ', false, true],
  ['connected to ', false, true],
  ['username from bob to ', false, true],
  ['暗証番号は', false, false],
  ['it is ', false, false],
  ['my dog is ', false, false],
])('%s names something else: %j, and %j for what may be a name', (head, always, unlessCertain) => {
  const text = `${head}Xy12ab`;
  expect([isOtherHead(text, head.length, true), isOtherHead(text, head.length)]).toEqual([always, unlessCertain]);
});
