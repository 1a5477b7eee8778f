/** Passwords behind the words for them, and the secret part of `scheme://user:secret@host`. */
import type { KeywordHit } from '../keywords.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { columnUnder } from '../tables.ts';
import { commandWords, secretsOfCommand } from './password-command.ts';
import { secretsAway } from './password-evidence.ts';
import { numberOfDial, secretsOfList, watchwordAt } from './password-list.ts';
import { looseSecrets, pairLabel } from './password-loose.ts';
import { phraseBehind } from './password-phrase.ts';
import { isBareSecret, isCellSecret, isMadeUp, isQuotedSecret, placeholder } from './password-shape.ts';
import { isSignWord, type Sign, secretSigns, signAt, signOfLabel } from './password-signs.ts';

const name = 'password';
const dialWords = ['combination', 'combo', 'ダイヤル'];
const lengthMin = 4;
const lengthMax = 128;
const windowLength = 64;
/** From the label to the value; the last group is the quote that the value stands in. */
const link = new RegExp(
  [
    // An assignment, a member, an element, a table cell.
    `^(?:\\\\?["'\`*_\\])}]|（[^）\\n]{0,12}）| ?\\([^)\\n]{1,24}\\)){0,4}[ \\t]{0,8}(?::=|=>|->|→|={1,3}|[:：>=]|\\.{3,}|…+|(?<=[ \\t])\\|(?=[ \\t]))(?![ \\t\\r]*\\n)[ \\t]{0,8}(?:(?:re)?set to |(?:changed|updated|rotated) to |now )?(\\\\?["'\`「『]|\\*\\*)?`,
    // A line of its own.
    // The value of an environment variable, as containers are given it.
    '^["\']?,?\\s{1,24}["\']?value["\']?\\s?[:=]\\s?(["\'])?',
    '^["\'],["\']value["\']:(["\'])?',
    '^[ \\t]*[:：][ \\t\\r]*\\n[ \\t]*(["\'`「『])?',
    // A sentence.
    '^(?:は|が|を)[ :：]{0,2}(["\'`「『])?',
    '^ (?:for|of|to) [^\\n:=.,]{1,30}[:=] ?(["\'`“‘「])?',
    '^ (?:has |had |was |is |have )?(?:been |now )?(?:changed|reset|set|updated|rotated)(?: back)? to:? (["\'`“‘「])?',
    '^(?: (?:for|of|to) [^\\n:.,]{1,30}?)? (?:is|was|to|as|will be)(?: now| still| set to| currently)?:? (["\'`“‘「])?',
    '^ (["\'`“])',
    '^ ?([「『【])',
    "^[^\\n.:]{0,24}, (?:(?:the |your )?(?:new|current|temporary|temp) one is|it is|it['’]s|which is|that is|that['’]s):? ([\"'`“])?",
    '^ - (["\'`“])?',
    "^['’]s(?: is)? ([\"'`“])?",
    // The next cell, the other attribute.
    '^</t[dh]>\\s{0,8}<t[dh][^<>]{0,40}>()',
    '^["\'] value=(["\'])',
    // A call, or the next argument of one.
    '^["\']?(?:\\(|, ?)(["\'`])',
  ].join('|'),
  'i',
);
/** The verb `pass` takes all kinds of objects. */
const assignment = /[:：=]|^>/;
const commandOption = /(?:^|[\s'"=])--?(?:[a-z]+-)*$/i;
const closers: Readonly<Record<string, string>> = {
  '「': '」',
  '『': '』',
  '【': '】',
  '“': '”',
  '‘': '’',
  '**': '**',
};
const userInfo = /:\/\/[^\s/@:"'<>`]{0,64}:([^\s/"'<>`]{1,100})@(?=[^\s@])/y;

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
  anchors: ['://', ...commandWords, ...secretSigns, ...dialWords, '合'],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const { shadow } = text;
    let done = 0;
    const add = (start: number, end: number, score: number, context?: string) => {
      if (start < done) return;
      done = end;
      found.push(detectionAt(text, start, end, { type: 'PASSWORD', score, recognizer: name, context }));
    };
    const signs: Sign[] = [];
    for (const hit of text.keywords.anchors(name)) {
      if (shadow.charCodeAt(hit.start) !== 0x3a) {
        const sign = signAt(shadow, hit.start, hit.end);
        if (sign !== undefined) signs.push(sign);
        if (sign !== undefined || isSignWord(shadow.slice(hit.start, hit.end))) continue;
        const lock = secretOfLock(shadow, hit);
        if (lock !== undefined) add(lock.start, lock.end, 0.7, hitWord(shadow, hit));
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
    done = 0;
    for (const hit of text.keywords.labels(name)) {
      const sign = signOfLabel(shadow, hit);
      if (sign !== undefined) signs.push(sign);
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
      const isLinked = mayLink(shadow, text.bytes, hit.end) && !pairLabel.test(hitWord(shadow, hit));
      const value = isLinked ? secretBehind(text, hit) : undefined;
      if (value !== undefined) add(value.start, value.end, 0.85, hitWord(shadow, hit));
      for (const { start, end } of looseSecrets(text, hit, value)) add(start, end, 0.7, hitWord(shadow, hit));
    }
    found.sort((a, b) => a.start - b.start);
    if (signs.length === 0) return found;
    signs.sort((a, b) => a.start - b.start);
    for (const rule of [secretsAway, secretsOfList]) {
      const more = rule(text, signs, found);
      if (more.length === 0) continue;
      for (const { start, end, sign } of more) {
        const context = shadow.slice(sign.start, sign.end).toLowerCase();
        found.push(detectionAt(text, start, end, { type: 'PASSWORD', score: 0.6, recognizer: name, context }));
      }
      found.sort((a, b) => a.start - b.start);
    }
    return found;
  },
  samples: {
    match: [
      ['password: hunter2!', 'hunter2!'],
      ['"password": "Tr0ub4dor&3"', 'Tr0ub4dor&3'],
      ["setPassword('Kx7mQ2p')", 'Kx7mQ2p'],
      ['{"password":"hunter2\\"x\\\\y","on":true}', 'hunter2\\"x\\\\y'],
      ['パスワード【Kx7mQ2p】', 'Kx7mQ2p'],
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
    ],
    noMatch: [
      'password is required',
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
    ],
  },
};

/** The number of a dial, or a watchword. */
function secretOfLock(shadow: string, { start, end }: KeywordHit): { start: number; end: number } | undefined {
  const first = shadow.charCodeAt(start);
  if (first === 0x5408) return watchwordAt(shadow, end);
  return (first | 0x20) === 0x63 || first === 0x30c0 ? numberOfDial(shadow, end) : undefined;
}

function hitWord(shadow: string, hit: KeywordHit): string {
  return shadow.slice(hit.start, hit.end).toLowerCase();
}

function secretBehind(
  { original, shadow }: ScanText,
  hit: KeywordHit,
): { readonly start: number; readonly end: number } | undefined {
  const window = shadow.slice(hit.end, hit.end + windowLength);
  let joint = link.exec(window);
  if (
    joint === null &&
    shadow.charCodeAt(hit.start - 1) === 0x2d &&
    /^[ \t]\S/.test(window) &&
    commandOption.test(shadow.slice(Math.max(0, hit.start - 24), hit.start))
  )
    joint = /^[ \t]+(["'`])?/.exec(window);
  if (joint === null && window.startsWith(' -p') && /^ssh/i.test(shadow.slice(hit.start, hit.end)))
    joint = /^ -p ?(["'`])?/.exec(window);
  // `初期パスワード Kx7mQ2p を`
  if (joint === null && window.charCodeAt(0) === 0x20 && /[ァ-ヶ一-龠]/.test(shadow[hit.start] as string))
    joint = /^ (?=[!-~]*[0-9])(?=[!-~]*[A-Za-z])(?=[!-~]{6})()/.exec(window);
  // `login admin / password Kx7m-Q28`: without a sign only what no word looks like.
  if (joint === null && isMadeUp(window)) joint = /^ /.exec(window);
  if (joint === null) return undefined;
  // A union of types: `'md5Password' | 'plainPassword'`.
  if (/["'] *\| *["']$/.test(joint[0])) return undefined;
  if (/^pass$/i.test(shadow.slice(hit.start, hit.end)) && !assignment.test(joint[0])) return undefined;
  // The next element of a list is no argument.
  if (/^["'], ?["'`]$/.test(joint[0]) && !/\(\s*["']$/.test(shadow.slice(Math.max(0, hit.start - 4), hit.start)))
    return undefined;
  const start = hit.end + joint[0].length;
  const quote = joint.slice(1).find((group) => group !== undefined);
  const rest = shadow.slice(start, start + lengthMax);
  const isElement = /^[^\n]*>\s*$/.test(joint[0]) && !joint[0].includes('=');
  if (quote !== undefined && quote !== '') {
    const end = closeOf(rest, closers[quote] ?? quote);
    const value = rest.slice(0, end);
    // Between quotes other words stand too; here a digit or a sign has to tell.
    if (/[(,]$|^ ?$/.test(joint[0].slice(0, -quote.length).trimEnd()) && !/[0-9!#$%&*+=?@^~]/.test(value))
      return undefined;
    if (end < lengthMin || /[\n]/.test(value) || !isQuotedSecret(value, shadow.slice(hit.start, hit.end)))
      return undefined;
    return { start, end: start + end };
  }
  let value = /^[!-~]*/.exec(rest)?.[0] ?? '';
  // Full-width brackets are those of the sentence.
  const close = original.slice(start, start + value.length).search(/[（）]/);
  if (close >= 0) value = value.slice(0, close);
  if (isElement) value = value.slice(0, Math.max(0, value.indexOf('</')));
  value = value.replace(/["'`<>].*$/, '').replace(/&(?:[A-Za-z_]+=|(?:quot|[lg]t|amp|[lr]dquo|#[0-9a-zA-Z]+)).*$/, '');
  // Brackets of the text around, and the punctuation of the sentence.
  if (!/[([{]/.test(value)) value = value.replace(/[)\]}]+[.,;:]*$/, '');
  value = value.replace(/[.,;:]+$/, '');
  const isSentence = /[a-zはがを.…-]\s*[:：]?\s*$/.test(joint[0]);
  if (value.length < lengthMin || value.length >= lengthMax || !isBareSecret(value, isSentence)) return undefined;
  if (joint[0].includes('\n') && !(/[0-9]/.test(value) && /[A-Za-z]/.test(value))) return undefined;
  const after = original.slice(start + value.length, start + value.length + 4);
  if (/^[0-9]+$/.test(value) && /^ ?(?:年|文字|桁|月|日|回|characters|chars|digits)/.test(after)) return undefined;
  return after.startsWith('(') && /^[\w$.]+$/.test(value) ? undefined : { start, end: start + value.length };
}

/** What a link begins with. */
const linkFirsts = new Set([...'\\"\'`*_])}（( \t:：=-→>|はがを「『【,<’'].map((sign) => sign.charCodeAt(0)));

/** Where the quote closes: not behind a backslash, as in JSON, unless there is no other one on the line. */
function closeOf(rest: string, close: string): number {
  const first = rest.indexOf(close);
  if (rest.charCodeAt(first - 1) !== 0x5c) return first;
  const line = rest.indexOf('\n');
  let escapes = 0;
  for (let i = 0; i < (line < 0 ? rest.length : line); i++) {
    if (rest.charCodeAt(i) === 0x5c) escapes++;
    else {
      if (escapes % 2 === 0 && rest.startsWith(close, i)) return i;
      escapes = 0;
    }
  }
  return first;
}

/** False when nothing can link what stands behind `end` to a value: so it is with most labels in prose. */
function mayLink(shadow: string, bytes: Uint8Array, end: number): boolean {
  const first = shadow.charCodeAt(end);
  if (linkFirsts.has(first)) return true;
  // No white space stands above these.
  if ((first < 0x3001 || first === 0xfeff) && isSpace.test(shadow[end] as string)) return true;
  const limit = Math.min(end + listReach, shadow.length);
  for (let i = end + 1; i < limit; i++) if (bytes[i] === 0x2c && bytes[i + 1] === 0x20) return true;
  return false;
}

/** `the password for it all, the new one is: Kx7mQ2p` */
const listReach = 26;
const isSpace = /\s/;
