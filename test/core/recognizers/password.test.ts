import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detection.ts';

const detector = new Detector();
const passwordsIn = (text: string) =>
  detector
    .detect(text)
    .filter(({ type }) => type === 'PASSWORD')
    .map(({ value }) => value);

describe('passwords away from their word', () => {
  test.each([
    ['The password was changed last week, the new one is Tulip-Garage-19.', ['Tulip-Garage-19']],
    ['password reset done\nthe old one (Tulip-Garage-18) is gone', ['Tulip-Garage-18']],
    [
      "Agent: I've issued a temporary password.\nCaller: yes go ahead\nAgent: It's Fern72lake, capital F.",
      ['Fern72lake'],
    ],
    ['I keep forgetting my password. If not that then try Dancefloor89.', ['Dancefloor89']],
    ['the sheet is protected. Use Invoice#0424 to open it.', ['Invoice#0424']],
    [
      'We rotated the credentials.\nsvc_report: old Amber-Fox-31 → new Cobalt-Hare-54',
      ['Amber-Fox-31', 'Cobalt-Hare-54'],
    ],
    [
      'My passwords for mail and bank: Violin-Potato-22, m00nR@ker and Summer2024!',
      ['Violin-Potato-22', 'm00nR@ker', 'Summer2024!'],
    ],
    ['login "owner", pass "Sunroom-4th"', ['Sunroom-4th']],
    [
      'She used Maple&Syrup14 for everything incl. Instagram and Hotmail. Advised to change passwords soon',
      ['Maple&Syrup14'],
    ],
    ['the banking password?\nVictim: Yes, I told them Rosebud1962', ['Rosebud1962']],
    ['the SMTP login is wrong\nport=465\nsecret=hinode-Mail#465', ['hinode-Mail#465']],
    ['アカウントですが、再設定して Ono-hikitsugi-5 にしました。', ['Ono-hikitsugi-5']],
    [
      'パスワードは今年から Donguri#2024 になりました。昨年の Donguri#2023 では入れません。',
      ['Donguri#2024', 'Donguri#2023'],
    ],
    ['パスワードの使い回しです。今は楽天もアマゾンも pochi0401 か Pochi0401 です。', ['pochi0401', 'Pochi0401']],
    ['<password>\n  <value>kestrel_Tide7</value>\n</password>', ['kestrel_Tide7']],
    ["{ user: 'shop', secret: 'Plum*Cart88' }", ['Plum*Cart88']],
    ['define("DB_PASSWORD", "Mori+no+Oto8")', ['Mori+no+Oto8']],
    ['管理画面のパスワードを変更しました。\n旧：Copy-2023a\n新：Copy-2024b', ['Copy-2023a', 'Copy-2024b']],
    ['10:05 利用者：紙がもう無くて\n10:08 担当：再発行しました Tmp-haru-208 です', ['Tmp-haru-208']],
    [
      'SSIDは「Hoshino-Guest」、接続するときは hoshizora2024 を入力します。パスワードは毎月変わります。',
      ['hoshizora2024'],
    ],
    ['佐野：パスワード変わりました？\n井上：はい、今朝から\n井上：Stg-asagao-7', ['Stg-asagao-7']],
    ['添付の解凍用は Pk3#umi99 です。', ['Pk3#umi99']],
    ['パスワードが間違っていたので訂正します。正しくは sKy-9021-tori です。', ['sKy-9021-tori']],
    ['パスワードは口頭で伝達（minato#Ferry4、8月末に失効）', ['minato#Ferry4']],
    ['password changed from Old-Boat-1 to New-Boat-2.', ['Old-Boat-1', 'New-Boat-2']],
    ['passwords: birch#Tar44, birch#Tar45', ['birch#Tar44', 'birch#Tar45']],
    ['Logging in as dbadmin with Str0ng&Tide gives me an error.', ['Str0ng&Tide']],
    ["It won't take Winter2024$ any more, what's the new password?", ['Winter2024$']],
    ["I wrote Cactus-Moon-9 on the note, that's the laptop password.", ['Cactus-Moon-9']],
    ['The guest network is Fjord and everyone connects with herring+Rye7.', ['herring+Rye7']],
    ["I'll send the file, it opens with Cedar!Bay7.", ['Cedar!Bay7']],
    ['The zip is locked; type quiet.Maple.19 when asked.', ['quiet.Maple.19']],
    ['さっきのzip、pudding-3ko で開くよ。', ['pudding-3ko']],
    ['you can unzip them with Willow_Tree5', ['Willow_Tree5']],
    ['two passwords: amberLeaf21 (mail) and coralReef34 (vpn)', ['amberLeaf21', 'coralReef34']],
    ['Caller gave security word Pelican7 and was put through.', ['Pelican7']],
    ['[wifi]\nssid=Barn\npsk=hay-Bale-77', ['hay-Bale-77']],
    ['redis-server --requirepass blueHeron99', ['blueHeron99']],
    ['A：パスワード変わった？\nB：変わった！Kawa-kami4 だよ', ['Kawa-kami4']],
    ['無線LANのキーは herring7Rye です。', ['herring7Rye']],
    ['ログインしようと Tide-Line-3 を入れたら弾かれました。パスワードは合っています。', ['Tide-Line-3']],
  ])('finds in %j', (text, values) => {
    expect(passwordsIn(text)).toEqual(values);
  });
});

describe('PINs', () => {
  test.each([
    ['the door asks for a PIN now?\n[14:05] hank: 582093', ['582093']],
    ['The VPN wants a PIN too, for now it is 651902.', ['651902']],
    ['The key safe PIN is 2746.', ['2746']],
    ['given me the PIN, 7719, but the machine keeps the card', ['7719']],
    ['My voicemail PIN used to be 3308, I changed it to 6192', ['3308', '6192']],
    ['My SIM wants the PIN. I tried 3 times: 1234, 8642.', ['1234', '8642']],
    ['The PIN came two days later. 5093. I would like to change it', ['5093']],
    ['キャッシュカードの番号は父が「3810」と「8310」のどちらかだと言い、暗証番号をまちがえました。', ['3810', '8310']],
    ['テンキーで 550912 を押して＃\n※暗証番号は年1回変更', ['550912']],
    ["it's the parental PIN\nCustomer: it's not 0000 and not 1234", ['0000', '1234']],
    ['Agent: try the PIN from your birth year\nCustomer: 1979 worked, thank you', ['1979']],
    ['notes: PIN for phone support 418820', ['418820']],
    ['4482 is the PIN, put it back after', ['4482']],
    ['{"admin":{"pin":"739110"}}', ['739110']],
    ['<pin>4406</pin>', ['4406']],
    ['Screen lock is 0815, or maybe 0816.', ['0815', '0816']],
    ['assistant: Which passcode did you try?\nuser: 201112', ['201112']],
    ['入口に暗証番号式の錠を付けました。番号は 3957 です。', ['3957']],
    ['暗証番号を本日より 6120 に変更しました。旧番号（4478）は使えません。', ['6120', '4478']],
    ['スマホの画面ロックは「250114」か「140125」だと思います。', ['250114', '140125']],
    ['ロック解除は全台共通で「2580」です。', ['2580']],
    ['暗証番号は誕生日ではなく3391にしています。', ['3391']],
    ['PCロックPIN　 ：603817（初期化前に使用）', ['603817']],
    ['複合機の管理者モード：78934561', ['78934561']],
    ['キーボックスの中です。PINは6024、開けたら戻してください。', ['6024']],
    ['I changed my PIN to 5518 at the ATM yesterday.', ['5518']],
    ['agent: may i have your 4 digit pin\nuser: yes its 4927', ['4927']],
    ["the PIN isn't 2233, it's 3322", ['2233', '3322']],
    ['my pin? 6021', ['6021']],
    ['Tell Dan the server room pin changed, now 6639.', ['6639']],
    ['SIM pin default 0000', ['0000']],
    ["Operator: What's the passcode on the account?\nCaller: 774410.", ['774410']],
    ['her voicemail is set to 3390', ['3390']],
    ['My phone unlocks with 194702.', ['194702']],
    ['Parental lock is 0909.', ['0909']],
    ['tablet unlock 2580', ['2580']],
    ['チャイルドロックは 3434 で解除', ['3434']],
  ])('finds in %j', (text, values) => {
    expect(passwordsIn(text)).toEqual(values);
  });
});

describe('a user with a password', () => {
  test.each([
    [
      'Logins\n- Xero: office@birch.example / ledger-Wren-40\n- Printer: admin / Prn$7781x',
      ['ledger-Wren-40', 'Prn$7781x'],
    ],
    ['local admin is .\\svc_setup / Qu4rtz*Wren', ['Qu4rtz*Wren']],
    [
      'Accounts, each must change their password:\n\njpark01    Summit-Pine-07\nlrossi02   Summit-Birch-08\n',
      ['Summit-Pine-07', 'Summit-Birch-08'],
    ],
    ['Each must change their password on Monday.\n\njpark01    Summit-Pine-07\n', ['Summit-Pine-07']],
    ['端末名 ログイン パスワード\nPOS-01 reji1 Reji!1aka\nPOS-02 reji2 Reji!2ao', ['Reji!1aka', 'Reji!2ao']],
    ['sign in as "oncall" using p4ger-Duty-Blues.', ['p4ger-Duty-Blues']],
    ['I logged in with trainee14 and Chalk&Board14', ['Chalk&Board14']],
    ['her login is her email plus Walnut&Basil7', ['Walnut&Basil7']],
    ['the streaming accounts:\nNetflix – dana@hollow.example – PopcornNight#3', ['PopcornNight#3']],
    ['■ 共有ID\n・勤怠：jinji01／Kintai2024$', ['Kintai2024$']],
    ['共有アカウント\nCanva　design@aoba.example　Aoba-iro-55', ['Aoba-iro-55']],
    ['設定画面に入れません。シールには admin / wmx7Q2rt と書いてあります。パスワードは変えていません。', ['wmx7Q2rt']],
    ['<login>saeki</login><pass>Tsubaki_88k</pass>', ['Tsubaki_88k']],
    ['sqlplus hr/Tig3rlily#9@ORCL', ['Tig3rlily#9']],
    ['net use Z: \\\\fs01\\share /user:CORP\\jlee Pa55age-Way', ['Pa55age-Way']],
    ['net user jane Spr!ng-Tea4 /add', ['Spr!ng-Tea4']],
    ["echo 'Spr!ng-Tea4' | sudo -S apt update", ['Spr!ng-Tea4']],
    ['The service account svc_sql uses Sequel!Lake4.', ['Sequel!Lake4']],
    ['RDP to TS01 as CORP\\svc_backup with B@ckup-Nightly3.', ['B@ckup-Nightly3']],
    ['user kelly.w pass n3w-Start-24', ['n3w-Start-24']],
    ['the shared Dropbox login is ops@corp.example, Brick*Lane77', ['Brick*Lane77']],
    ['ID eigyo02 パス Eigyo_2024', ['Eigyo_2024']],
    ['サーバーに root / gr@nite-Wall5 で入って', ['gr@nite-Wall5']],
  ])('finds in %j', (text, values) => {
    expect(passwordsIn(text)).toEqual(values);
  });
});

describe('passphrases', () => {
  test.each([
    ['SSID "LAKE9A" with passphrase silver otter walks home. Firmware is 2.0', ['silver otter walks home']],
    ["Let's use a passphrase like walrus teapot gravel moon this time.", ['walrus teapot gravel moon']],
    ['"verbal passphrase marmalade kites" and', ['marmalade kites']],
    [
      'Recovery passphrase over the phone: orbit lemon cactus drift velvet. Written down.',
      ['orbit lemon cactus drift velvet'],
    ],
    ["can you tell me the verbal password?\nCustomer: sure, it's purple elephant\n", ['purple elephant']],
    ['asked for my verbal password. I said "tangerine bicycle" and', ['tangerine bicycle']],
    ['鍵のパスフレーズは「green tea and rain 42」です', ['green tea and rain 42']],
    ['USBのパスフレーズは blue whale under snow です。', ['blue whale under snow']],
    ['パスフレーズは midori no oka 55 にした', ['midori no oka 55']],
    ['passphrase = "雨の日は 傘を3本"', ['雨の日は 傘を3本']],
  ])('finds in %j', (text, values) => {
    expect(passwordsIn(text)).toEqual(values);
  });
});

describe('near words for passwords', () => {
  test.each([
    'パスワードをどう直せばいいですか\n\n  mysql:\n    image: mysql:8.0\n',
    'パスワードはどちらも同じですか。型番は WSR-3200AX4S です。',
    'Forgot password. Outlook shows error 0x8004010F on PC-4471. Build 16.0.17328.',
    'Her PIN code is 682001 (Kochi), deliver to MG Road.',
    'Please pin version 2.31.0, and pin 4.17.21 of lodash. Pin 7 is ground. PR 40218.',
    'My login name is kestrel77 and my user id is A-20418. I have no password.',
    'We had 2417 failed logins, of which 1830 were password spraying.',
    'LDAP_BIND_PASSWORD_FILE=/x/y\nLDAP_TIMEOUT=5000',
    'PIN entry failed on terminal T-40218, amount 2450 yen, receipt 004418.',
    'Line 14 of the PIN letter: Line 14 says 2450.',
    'I forgot my PIN. Wait for a letter. Reference 4471-0098. Branch 4021.',
    'choose a password, then iCloud17. It falls back to IMDSv2.',
    "const passwordField = page.locator('#pwd-input2');",
    'return bcrypt.compare(input, user.passwordHash2); // password',
    'login at /q?account=Ab12345&next=1',
    'is tied to 3V3, PIN 4095 is open. ADC range 0 to 4095.',
    'secret "auth-db-v2" not found',
    'The credentials are for the region: "us-east-2".',
    'レシート番号は 0091 です。暗証番号は入力していません。',
    '管理者です。停止の時間は 2200 から 2400 です。',
    'アカウント名を sakura_mochi88 から yuki_usagi77 に変えたいです。パスワードは覚えています。',
    'ロック解除の申請は窓口へ。受付は 0900 から 1700 までです。',
    'ssh ops@edge-04 asks for the password',
    'The passphrase for the backup drive, as I said.',
    'The length of the passphrase is limited to 1024 bytes.',
    'Decrypting in en_US.UTF-8 is slow. Password: none',
    'パスワード管理ソフトはBitwarden2024.6を使っています。',
    'PINの再試行は5回、タイムアウトは3000ミリ秒です。',
    'ログインIDは tanaka_s88 です。パスワードは別途お送りします。',
    'ログインは tencho03、パスは別紙です。',
    'パスワード再発行の受付番号は 20241188 です。',
    '画面ロックの番号を忘れました。内線 4415 まで。',
    'SSIDが Buffalo-G-1A2B と Buffalo-A-1A2B の2つ出ます。パスワードは同じです。',
    '暗証番号は4桁です。手数料は1100円です。',
    '旧端末はPixel6a、新端末はPixel8Proです。パスワードの引き継ぎ方法は？',
    'Sort code 20-32-06, and then 91835192. My PIN is in the post.',
    'I forgot my PIN. The account number at the bank was 91835192.',
    '口座番号：4410218\nキャッシュカードの暗証番号を忘れました',
    "PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']",
    'passwd=*** ip=10.9.8.7',
    'The passphrase cache expires after 3600s',
    'Use argon2id with m=65536 for passwords.',
    'The Wi-Fi is "Cabin5G" and the password is on the fridge.',
    'Connect to "Buffalo-A-1A2B"; the password is unchanged.',
    'Wi-Fiは Hana-5G で、パスワードは受付です。',
    'log in with SAML2.0 or LDAPv3',
    'select password from users2 where id=4410',
    'Unlock level 4410 in the game to get 2500 coins.',
    'The mutex unlock took 3021 cycles on core 2.',
    'Voicemail from 4410 at 12:05, duration 2210 ms.',
    'The error code is 4625, the exit code is 1603.',
    'the safe limit is 4096 connections',
    'zip code 94105 and the account is closed.',
    'admin / editor2 / viewer3 are the roles',
    '父のメモより：合言葉は犬の名前、パスワードは別紙。',
    '信用金庫の番号は 7718391 です。暗証番号は忘れました。',
    'ボックスのサイズは 1200、型番は BX-4410 です。',
    '主キーはorder_id2、外部キーは user_id7 です。',
    'テンキーの型番は TK-4410 です。',
    '2024/10/07 22:41:25 [ERROR] AUTH-0409 パスワードの有効期限切れ (user_seq=118204)',
  ])('leaves %j alone', (text) => {
    expect(passwordsIn(text)).toEqual([]);
  });
});

describe('codes of locks and lists of secrets', () => {
  test.each([
    ['the gate code is 4471# and the door is on the latch', ['4471#']],
    ['The lockbox is on the left railing, code 7306.', ['7306']],
    ['Door keypad 2580#. Call Ann.', ['2580#']],
    ['The code for the bike shed is 5810, thanks', ['5810']],
    ['ドアコードは 9081 です。', ['9081']],
    ['タブレットのロックは5566です。', ['5566']],
    ['The safe combination is 22-08-41, the deeds are in there.', ['22-08-41']],
    ['金庫のダイヤルは 右3-左21-右8 です。', ['右3-左21-右8']],
    ['家族の合言葉は「ひまわりとカレー」です。', ['ひまわりとカレー']],
    ['合言葉：あおいとりはよんわ\n', ['あおいとりはよんわ']],
    [
      'safe – 31-07-52\nalarm – 8842 then press ARM\ncomputer – Dolores1961\nmove these into a password manager',
      ['31-07-52', '8842', 'Dolores1961'],
    ],
    ['寮の玄関：5829*\nWi-Fi：ryo-2F / minori_field88', ['5829*', 'minori_field88']],
    ['暗証番号 2719\nキャッシュカード　0625（忘れたら誕生日ではない）', ['2719', '0625']],
    ['zip -P archive@Hama9 ledger.zip ledger.sql', ['archive@Hama9']],
    ['7z x a.7z -pMarble_Jar3 -oout', ['Marble_Jar3']],
    ['openssl enc -aes-256-cbc -pass pass:Heron.Nest.88', ['Heron.Nest.88']],
    ['ldapsearch -x -D cn=admin -w L1brary-Moss', ['L1brary-Moss']],
    ['The encrypted PDF: you can open it with Larkspur/Cottage/1922.', ['Larkspur/Cottage/1922']],
    ['The computer login is picker / Valencia2025.', ['Valencia2025']],
    ['The padlock on the bin store is 2217.', ['2217']],
    ['The keybox next to the meter takes 1856.', ['1856']],
    ['the meeting room iPad code is 8080', ['8080']],
    ['The safe in room 4 - code 550812 - has the passports.', ['550812']],
    ['alarm: 6602 to disarm', ['6602']],
    ['金庫は550812で開きます。', ['550812']],
    ['自転車の鍵は 3141 です。', ['3141']],
    ['宅配ボックス：3358', ['3358']],
    ['テンキーに 7734 と打ってから開けてください', ['7734']],
    [
      'Old pw was toastIsLife22. He says the same but with an exclamation mark, so toastIsLife23! I guess',
      ['toastIsLife22', 'toastIsLife23!'],
    ],
  ])('finds in %j', (text, values) => {
    expect(passwordsIn(text)).toEqual(values);
  });

  test.each([
    'Keypad 4410 is sold out.',
    'Please add PIN keypad (#2041), bump.',
    'combo 5-3-2 from the kebab shop',
    'computer – Latitude5420, router – ArcherC7v2, printer – LaserJet1320. Passwords not needed.',
    'Laptop: Latitude5420\nRouter: ArcherC50\nPassword manager: none',
    'カード：下4桁 4471\nキャッシュカード　4471（下4桁）\nパスワードは別紙です',
    '合言葉を設定してください。合計 4410 円',
    'The code for the gate driver is in gate.c, line 2044.',
    '`crypto.pbkdf2Sync(password, salt)`',
    "name: 'Password' }).fill('password123');",
    "basic auth, username:password, base64\n  auth: 'aXNhYWNzOm5vdCBteSByZWFsIHBhc3N3b3Jk'",
    '文字コードは 9081 です。',
  ])('leaves %j alone', (text) => {
    expect(passwordsIn(text)).toEqual([]);
  });
});

describe('certificates', () => {
  // With `pw` in it, as base64 has it by chance.
  const lines = [
    'TKqftl1lAMMDp06maBNoB8L++pIdpQiggVxDrq+Y/2pqZmE8Kq5NqSbdcu2DFJYN',
    'DtCSdiDdLU4NFmrFZL9RTyODcDqpjhZqdhA4R19WBZSmvwjzPwFOutkuzDlR8PwM',
    'aIWusmYBT2==',
  ];
  const body = (end: string) => lines.join(end);
  const pem = (kind: string, end = '\n') => `-----BEGIN ${kind}-----${end}${body(end)}${end}-----END ${kind}-----`;
  test('without its lines it looks like a password', () => expect(passwordsIn(body('\n'))).not.toEqual([]));
  test.each([
    pem('CERTIFICATE'),
    pem('CERTIFICATE', '\r\n'),
    pem('CERTIFICATE', '\n    '),
    pem('CERTIFICATE', '\\n'),
    pem('TRUSTED CERTIFICATE'),
    pem('CERTIFICATE REQUEST'),
    pem('PUBLIC KEY'),
    `${pem('CERTIFICATE')}\n${pem('CERTIFICATE')}`,
  ])('%j holds none', (text) => expect(passwordsIn(text)).toEqual([]));
  test.each([
    ['a start without an end', `-----BEGIN CERTIFICATE-----${'\n'.repeat(300_000)}`],
    ['starts without an end', '-----BEGIN CERTIFICATE-----\n'.repeat(20_000)],
    ['lines without an end', `-----BEGIN CERTIFICATE-----\n${`${lines[0]}\n\n\n\n`.repeat(5_000)}!`],
    ['an end behind many blanks', `-----BEGIN CERTIFICATE-----${' '.repeat(300_000)}x -----END CERTIFICATE-----`],
  ])('%s cost no more than their length', (_what, text) => {
    expect(passwordsIn(`password: Kx7mQ2p!\n${text}\npassword: Tr0ub4dor3x`)).toEqual(
      expect.arrayContaining(['Kx7mQ2p!', 'Tr0ub4dor3x']),
    );
  });
  test('what stands beside them, or is none, is looked at', () => {
    expect(passwordsIn(`password: Kx7mQ2p!\n${pem('CERTIFICATE')}\npassword: Tr0ub4dor3x`)).toEqual([
      'Kx7mQ2p!',
      'Tr0ub4dor3x',
    ]);
    expect(passwordsIn('-----BEGIN CERTIFICATE-----\npassword: Kx7mQ2p!\n-----END CERTIFICATE-----')).toEqual([
      'Kx7mQ2p!',
    ]);
  });
});
