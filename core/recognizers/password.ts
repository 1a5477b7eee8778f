/** Passwords behind the words for them, and the secret part of `scheme://user:secret@host`. */
import type { KeywordHit } from '../keywords.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { columnUnder } from '../tables.ts';
import { CandidateReader } from './password-candidates.ts';
import { commandWords, secretsOfCommand } from './password-command.ts';
import { secretsAway } from './password-evidence.ts';
import { mayLink, secretBehind } from './password-link.ts';
import { numberOfDial, secretsOfList, watchwordAt } from './password-list.ts';
import { looseSecrets, mayBePhrase, pairLabel } from './password-loose.ts';
import { phraseBehind } from './password-phrase.ts';
import { isCellSecret, placeholder } from './password-shape.ts';
import { isSignWord, keyOf, type Sign, secretSigns, signAt, signOfLabel } from './password-signs.ts';
import type { Stretch } from './stretch.ts';

const name = 'password';
const watchword = '合';
const watchwordFirst = watchword.charCodeAt(0);
const dialWords = ['combination', 'combo', 'ダイヤル'];
const lengthMin = 4;
/** How far from a label a secret may stand without a sign that links it; characters. */
const looseReach = 100;
const userInfo = /:\/\/[^\s/@:"'<>`]{0,64}:([^\s/"'<>`]{1,100})@(?=[^\s@])/y;

/** The anchors that are no {@link secretSigns}, which are many more in most texts. */
const otherKeys = new Set([...commandWords, ...dialWords].map((word) => keyOf(word.charCodeAt(0), word.length)));

/** Looks behind the words and at the user part of addresses. */
export const password: Recognizer = {
  name,
  type: 'PASSWORD',
  labels: [
    'password',
    'passwd',
    'pwd',
    'passphrase',
    'pass phrase',
    'passcode',
    'pass code',
    'pass',
    'psw',
    'pw',
    'psk',
    'requirepass',
    'passwort',
    'kennwort',
    'contraseña',
    'mot de passe',
    '(db|user|root|admin|login|smtp|ftp|redis|mysql|postgres|pg|sql|ssh|ldap|sudo|app|web|wifi|wpa|vpn|my|key|store|keystore|auth|http|proxy|mail|imap|jdbc|ora|oracle|sa)(pass|pwd|password|passwd)',
    'パスワード',
    'パスフレーズ',
    '(ログイン|初期|仮|解凍)パス',
    'パスコード',
    '暗証番号',
    '暗号キー',
    'ＰＷ',
    'パスは',
    'パス:',
    'creds',
    'credentials',
    '(login|log in) (details|info)',
    'wifi',
    'wi fi',
    '(wifi|wi fi|wpa|wpa2) (key|code|pass|pw|password)',
    'ログイン情報',
    'アカウント情報',
  ],
  anchors: ['://', ...commandWords, ...secretSigns, ...dialWords, watchword],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const { shadow } = text;
    let done = 0;
    const add = (start: number, end: number, score: number, context?: string) => {
      if (start < done) return;
      done = end;
      found.push(detectionAt(text, start, end, { type: 'PASSWORD', score, recognizer: name, context }));
    };
    const labels = text.keywords.labels(name);
    const signs: Sign[] = [];
    const hasTokens = text.digitStarts.length + text.marks.length > 0;
    for (const hit of text.keywords.anchors(name)) {
      const first = shadow.charCodeAt(hit.start);
      if (first === watchwordFirst) {
        const secret = watchwordAt(shadow, hit.end);
        if (secret !== undefined) add(secret.start, secret.end, 0.7, hitWord(shadow, hit));
        continue;
      }
      if (first !== 0x3a) {
        if (!otherKeys.has(keyOf(first, hit.end - hit.start)) || isSignWord(shadow.slice(hit.start, hit.end))) {
          const sign = hasTokens ? signAt(shadow, hit.start, hit.end) : undefined;
          if (sign !== undefined) signs.push(sign);
          continue;
        }
        const dialed = (first | 0x20) === 0x63 || first === 0x30c0 ? numberOfDial(shadow, hit.end) : undefined;
        if (dialed !== undefined) add(dialed.start, dialed.end, 0.7, hitWord(shadow, hit));
        else for (const { start, end } of secretsOfCommand(shadow, hit)) add(start, end, 0.85, hitWord(shadow, hit));
        continue;
      }
      userInfo.lastIndex = hit.start;
      const secret = userInfo.exec(shadow)?.[1];
      if (secret === undefined || secret.length < lengthMin || placeholder.test(secret.replace(/[\][{}]/g, '')))
        continue;
      const start = shadow.indexOf(':', hit.start + 3) + 1;
      // `guest:guest@` is what every installation begins with.
      if (shadow.slice(hit.end, start - 1) === secret) continue;
      add(start, start + secret.length, 0.95, 'user:password@');
    }
    if (signs.length === 0 && labels.length === 0) return outsideCertificates(shadow, found);
    // Most texts that speak of passwords hold nothing that could be one.
    const hasCandidates = new CandidateReader(text).first(0, shadow.length) !== undefined;
    const candidates = hasCandidates ? new CandidateReader(text) : undefined;
    done = 0;
    for (const hit of labels) {
      const column = columnUnder(text, hit);
      if (column !== undefined) {
        const context = shadow.slice(hit.start, hit.end).toLowerCase();
        for (const [start, end] of column.cells())
          if (isCellSecret(shadow.slice(start, end), /暗証|code/.test(context)))
            found.push(detectionAt(text, start, end, { type: 'PASSWORD', score: 0.8, recognizer: name, context }));
        continue;
      }
      if (hit.start < done) continue;
      if (hit.nextStart - hit.end < 3 && hit.nextStart < shadow.length) continue;
      const phrase = phraseBehind(text, hit);
      if (phrase !== undefined) {
        add(phrase.start, phrase.end, 0.7, hitWord(shadow, hit));
        continue;
      }
      const isLinked = mayLink(shadow, text.bytes, hit) && !pairLabel.test(hitWord(shadow, hit));
      const value = isLinked ? secretBehind(text, hit) : undefined;
      if (value !== undefined) add(value.start, value.end, 0.85, hitWord(shadow, hit));
      if (value === undefined && !mayBePhrase(shadow, hit)) {
        const reach = hit.end + looseReach;
        if ((candidates?.first(hit.start - looseReach, reach)?.start ?? shadow.length) >= reach) continue;
      }
      for (const { start, end } of looseSecrets(text, hit, value)) add(start, end, 0.7, hitWord(shadow, hit));
    }
    found.sort(byStart);
    return outsideCertificates(shadow, hasCandidates ? withSecretsAway(text, found, signs) : found);
  },
  samples: {
    match: [
      ['password: hunter2!', 'hunter2!'],
      ['"password": "Tr0ub4dor&3"', 'Tr0ub4dor&3'],
      ["setPassword('Kx7mQ2p')", 'Kx7mQ2p'],
      ['{"password":"hunter2\\"x\\\\y","on":true}', 'hunter2\\"x\\\\y'],
      ['パスワード【Kx7mQ2p】', 'Kx7mQ2p'],
      ['**Password:** Tr0ub4dor3x', 'Tr0ub4dor3x'],
      ['<b>Password:</b> Tr0ub4dor3x', 'Tr0ub4dor3x'],
      ['new password for the portal: Kx7mQ2p', 'Kx7mQ2p'],
      ['login admin / password Kx7m-Q28', 'Kx7m-Q28'],
      ['DB_PASSWORD=s3cr3t_value', 's3cr3t_value'],
      ["dbPassword = 'correct-horse-18'", 'correct-horse-18'],
      ['パスワード：Kx7!mQ2p', 'Kx7!mQ2p'],
      ['初期パスワードはKx7mQ2pです。', 'Kx7mQ2p'],
      ['暗証番号は4821です', '4821'],
      ['my password is Kx7mQ2p!', 'Kx7mQ2p!'],
      ['postgres://app:correct-horse-18@db.internal:5432/main', 'correct-horse-18'],
      ['--password Kx7mQ2p', 'Kx7mQ2p'],
      ['仮パスワード「Kx7mQ2p」でログイン', 'Kx7mQ2p'],
      ['export PGPASSWORD=Kx7mQ2p', 'Kx7mQ2p'],
      ['<password>Kx7mQ2p</password>', 'Kx7mQ2p'],
      ['<td>Password</td><td>Kx7mQ2p!</td>', 'Kx7mQ2p!'],
      ['<add key="Password" value="Kx7mQ2p"/>', 'Kx7mQ2p'],
      ['初期パスワード Kx7mQ2p を変更', 'Kx7mQ2p'],
      ['- name: DB_PASSWORD\n  value: "Kx7mQ2p"', 'Kx7mQ2p'],
      ['{"name":"DB_PASSWORD","value":"Kx7mQ2p"}', 'Kx7mQ2p'],
      ['password:\n  Kx7m+Q2p', 'Kx7m+Q2p'],
      ['パスワード：Kx7m*Q2p（本日中に変更）', 'Kx7m*Q2p'],
      ["the root password's Kx7mQ2p", 'Kx7mQ2p'],
      ['| Password | Kx7mQ2p |', 'Kx7mQ2p'],
      ['user=jo&password=Kx7mQ2p&next=1', 'Kx7mQ2p'],
      ['passphrase: "correct horse battery staple"', 'correct horse battery staple'],
      ['curl -u svc-report:Nine7Otters https://metrics.stage.local/', 'Nine7Otters'],
      ['what password did the vendor set?\n< Spring#Gate08', 'Spring#Gate08'],
      ['wifi at the cabin: SSID Lake_5G, password heron-plank-77.', 'heron-plank-77'],
      ['pw Quill88finch', 'Quill88finch'],
      ['creds: mkessler / tulip!404', 'tulip!404'],
      ['login/pw: mkessler / tulip!404', 'tulip!404'],
      ['WiFi: Cabin5G / elk-meadow-31', 'elk-meadow-31'],
      ['Password ......... sp4rrow-lane', 'sp4rrow-lane'],
      ['PASSWORD\nsp4rrow-lane', 'sp4rrow-lane'],
      ['mysql -uroot -pT0psail9 shop', 'T0psail9'],
      ["CREATE USER 'jo' IDENTIFIED BY 'Kite8mast!';", 'Kite8mast!'],
      ['echo "jo:Kite8mast!" | chpasswd', 'Kite8mast!'],
      ['the passphrase is copper kettle on monday', 'copper kettle on monday'],
      ['Autumn2025! is the password for the portal', 'Autumn2025!'],
      ['my password is not working, I type Bluebird44! every time', 'Bluebird44!'],
      ['パスワードは以下の通りです。\nkumo2025!', 'kumo2025!'],
      ['ZIPのPWは別送と書きましたがここに：q7Lm#20', 'q7Lm#20'],
      ['IDはtanuki、パスはsora1192です', 'sora1192'],
      ['暗証番号 4417', '4417'],
      ['can you reset my pwd to Kodiak_2025 again? same as last time', 'Kodiak_2025'],
      ['Passphrase is violet kettle 88 mango.', 'violet kettle 88 mango'],
      ['This is the default password (admin1234), please change it.', 'admin1234'],
      ['She wrote the password on a sticky note: Coffee#12', 'Coffee#12'],
      ['the PDF password will be kx92-Pear', 'kx92-Pear'],
      ['パスワード変えました→Natsu#0822', 'Natsu#0822'],
      ['pw for the pdf = Lk29-qqr', 'Lk29-qqr'],
      ['password (case sensitive): TeaPot42', 'TeaPot42'],
      ['The password has been changed to NewMoon#19', 'NewMoon#19'],
      ['パスワードはメールの件名ではなく Yk#8812 です', 'Yk#8812'],
      ['パスワードが通りません。Neko-1234と入力しています。', 'Neko-1234'],
      ['I changed my PIN to 5518 at the ATM yesterday.', '5518'],
      ['My phone unlocks with 194702.', '194702'],
      ['the meeting room iPad code is 8080', '8080'],
      ["I'll send the file, it opens with Cedar!Bay7.", 'Cedar!Bay7'],
      ['Logging in as dbadmin with Str0ng&Tide gives an error', 'Str0ng&Tide'],
      ['Our guest network is Fjord, everyone connects with herring+Rye7', 'herring+Rye7'],
      ['passwords: birch#Tar44', 'birch#Tar44'],
      ['net user jane Spr!ng-Tea4 /add', 'Spr!ng-Tea4'],
      ['ID eigyo02 パス Eigyo_2024', 'Eigyo_2024'],
      ['金庫は550812で開きます。', '550812'],
      ['宅配ボックス：3358', '3358'],
      ['さっきのzip、pudding-3ko で開くよ。', 'pudding-3ko'],
      ['無線LANのキーは herring7Rye です。', 'herring7Rye'],
      ['初期パスワード｜Hk0415#start', 'Hk0415#start'],
      ['ロックパスワード、全部 byoto3F-nurse で統一しました', 'byoto3F-nurse'],
      ['DBのPWも zbx-ro.Ayame に変えてあります', 'zbx-ro.Ayame'],
      ['パスワードはmomiji_to_shikaです。', 'momiji_to_shika'],
      ['The laptop opens with the password tern_and_turnstone, for boarding passes', 'tern_and_turnstone'],
      ["the vault wants the passphrase 'eleven grey geese over Uist'.", 'eleven grey geese over Uist'],
      ['user ops, password is "nine green bottles"', 'nine green bottles'],
      ['yes, Copper-Field-19 is still the password for it', 'Copper-Field-19'],
      ['sudoのパスワードは別で ginnan-ginnan-8 です', 'ginnan-ginnan-8'],
    ],
    noMatch: [
      'password is required',
      'says: password is "too short for this site"',
      'the password is "never stored in plain text"',
      'パスワードはcase-sensitiveです',
      'login failed reason=bad_password attempts=3',
      'パスワードはlogin_nameと同じです',
      'log in with the password reset-link, please',
      'パスワードの件。コミットは 3be41f0 です',
      '02:14:07 WARN  PayRun#4471 account number failed the check',
      'password hashing with PBKDF2-HMAC',
      'pwd|read|readonly|set',
      'if len(password) > 1023:',
      'function pbkdf2(password: Uint8Array)',
      '"pgpass": "1.0.5"',
      'Reset your password: https://example.com/reset',
      'パスワードは必須です',
      'パスワードは8文字以上にしてください',
      'password: string;',
      'password = getPassword()',
      'password: process.env.DB_PASSWORD',
      'password: ********',
      `password=$${'{DB_PASSWORD}'}`,
      'const password = req.body.password;',
      'password: "<password>"',
      'Password: Must contain 8 characters',
      'password is 8-64 characters',
      'https://user:password@example.com',
      'pass: true',
      '100 pass, 2 fail',
      'https://example.com:8080/@scope/pkg',
      '"password": null',
      'Pass `maxBufferedEvents2` to limit',
      "paths: ['password', 'secrets.*']",
      'amqp://guest:guest@localhost:5672/',
      'password - at least 8 characters',
      'suite,pass,fail\nunit,1204,3',
      'id,password_changed_at\n1,2024-01-01T00:00:00Z',
      'password:\n  minLength: 8',
      'password:\n  type: string',
      "PWD: '/home/build/project1'",
      "self.password = config['password2']",
      'n.password=null;let t=1',
      '{password:r,strength:i2}',
      "type: 'md5Password' | 'plainPassword2'",
      'printf(&quot;Password is correct.&quot;)',
      'passphrase for the key to `Sign.sign()`',
      'password v2.1.3',
      'password SHA-256',
      'a password 12-character minimum',
      'the passphrase is required when you log in again',
      'Password\nUsername2',
      'What is the password policy? 12 characters minimum.',
      'credentials: include',
      'mysql -h db -p',
      'mysql -h db -p$PASS -P 3306',
      'curl -u "$USER:$TOKEN" https://example.com',
      'パスワードは毎月変更：2025-11-01',
      '暗証番号 4桁',
      'password reset ticket: INC0044182',
      'password hashing (RFC8018) in use',
      'パスワード変更の受付→A0044182',
      'the wifi: 5 GHz / 802.11ax',
      'Wi-Fi SSID: cafe-2F8 in the lobby',
      'Sort code 20-32-06, and then 91835192. My PIN is in the post.',
      '口座番号：4410218\nキャッシュカードの暗証番号を忘れました',
      "PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']",
      'The passphrase cache expires after 3600s',
      'Use argon2id with m=65536 for passwords.',
      'The Wi-Fi is "Cabin5G" and the password is on the fridge.',
      'select password from users2 where id=4410',
      'The mutex unlock took 3021 cycles on core 2.',
      'the safe limit is 4096 connections',
      'admin / editor2 / viewer3 are the roles',
      'ボックスのサイズは 1200、型番は BX-4410 です。',
    ],
  },
};

function hitWord(shadow: string, hit: KeywordHit): string {
  return shadow.slice(hit.start, hit.end).toLowerCase();
}

/** Certificates, requests for them and public keys in PEM (RFC 7468), also within a string of code. */
const certificateStart =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,2}(?:CERTIFICATE|CERTIFICATE REQUEST|PUBLIC KEY|PKCS7|CRL)-----/g;
const certificateEnd = '-----END ';
const certificateLineEnd = /(?:\\[nr]|\s)+/;
const certificateLine = /^[A-Za-z0-9+/]{60,}$/;
const certificateLastLine = /^[A-Za-z0-9+/]{0,76}={0,2}$/;

/** The certificates of a text, up to the word END. No base64 has a dash, so that each stretch is read once. */
function certificatesIn(shadow: string): Stretch[] {
  const blocks: Stretch[] = [];
  for (const { index, 0: head } of shadow.matchAll(certificateStart)) {
    const from = index + head.length;
    const to = shadow.indexOf('-----', from);
    if (to < 0) break;
    if (shadow.startsWith(certificateEnd, to) && isBase64Lines(shadow.slice(from, to)))
      blocks.push({ start: index, end: to + certificateEnd.length });
  }
  return blocks;
}

function isBase64Lines(text: string): boolean {
  const lines = text.split(certificateLineEnd).filter((line) => line !== '');
  const last = lines.pop() ?? '';
  const isEnd = certificateLastLine.test(last) || certificateLine.test(last);
  return isEnd && lines.every((line) => certificateLine.test(line));
}

/** Without what stands in the base64 of certificates: in so many letters there are short words for secrets. */
function outsideCertificates(shadow: string, found: Detection[]): Detection[] {
  if (found.length === 0 || !shadow.includes('-----BEGIN ')) return found;
  const blocks = certificatesIn(shadow);
  let next = 0;
  return found.filter(({ start, end }) => {
    while (next < blocks.length && (blocks[next]?.end ?? 0) <= start) next++;
    const block = blocks[next];
    return block === undefined || start < block.start || end > block.end;
  });
}

const byStart = (a: Stretch, b: Stretch) => a.start - b.start;

/** What was found, and what stands away from its word; `signs` are those of the anchors. */
function withSecretsAway(text: ScanText, found: Detection[], signs: Sign[]): Detection[] {
  const { shadow, keywords } = text;
  for (const hit of keywords.labels(name)) {
    const sign = signOfLabel(shadow, hit);
    if (sign !== undefined) signs.push(sign);
  }
  signs.sort(byStart);
  for (const rule of [secretsAway, secretsOfList]) {
    const more = rule(text, { signs, known: found });
    if (more.length === 0) continue;
    for (const { start, end, sign } of more) {
      const context = shadow.slice(sign.start, sign.end).toLowerCase();
      found.push(detectionAt(text, start, end, { type: 'PASSWORD', score: 0.6, recognizer: name, context }));
    }
    found.sort(byStart);
  }
  return found;
}
