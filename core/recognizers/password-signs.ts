/** Words that speak of secrets further off: what a text with them may hold, and how clearly each says so. */
import type { Stretch } from './stretch.ts';

/** A place in a text that speaks of secrets. */
export type Sign = Stretch & {
  /** How clearly it speaks of passwords, of numbers that unlock something, and of a user with a password. */
  readonly secret: number;
  readonly pin: number;
  readonly login: number;
};

type Weights = Omit<Sign, keyof Stretch>;

/** Words for secrets that are no labels, as they are searched for; {@link signAt} tells which of their places count. */
export const secretSigns: readonly string[] = [
  'pin',
  'login',
  'log in',
  'logged in',
  'logs in',
  'logging in',
  'sign in',
  'signin',
  'credential',
  'account',
  'lockbox',
  'lock box',
  'key safe',
  'screen lock',
  'lock screen',
  'keypad',
  'secret',
  'decrypt',
  'encrypted',
  'protected',
  'ssid',
  'local admin',
  'door code',
  'gate code',
  'alarm code',
  'entry code',
  'entrance code',
  'access code',
  'unlock',
  'lock code',
  'lock is',
  'padlock',
  'keybox',
  'key box',
  'voicemail',
  'parental',
  'disarm',
  'guest code',
  'guest network',
  'opens with',
  'security word',
  'code word',
  'zip',
  'unzip',
  'rdp',
  'code is',
  'the safe',
  'root /',
  'admin /',
  'safe code',
  'garage code',
  'key code',
  'code for the',
  'code to the',
  'ログイン',
  'インイン',
  'アカウント',
  '有id',
  'ロック',
  '暗証',
  '解凍',
  '発行',
  '理者',
  'キーボックス',
  'コード',
  '金庫',
  'ボックス',
  'キーは',
  'キー:',
  'ンキー',
  'パス ',
  '転車の',
];

const known: Readonly<Record<string, Weights>> = {
  pin: { secret: 1, pin: 3, login: 1 },
  lockbox: { secret: 1, pin: 2.5, login: 1 },
  'lock box': { secret: 1, pin: 2.5, login: 1 },
  'key safe': { secret: 1, pin: 2.5, login: 1 },
  'screen lock': { secret: 2, pin: 3, login: 1 },
  'lock screen': { secret: 2, pin: 3, login: 1 },
  'lock is': { secret: 0, pin: 2.5, login: 0 },
  padlock: { secret: 0, pin: 2.5, login: 0 },
  keybox: { secret: 1, pin: 2.5, login: 1 },
  'key box': { secret: 1, pin: 2.5, login: 1 },
  voicemail: { secret: 1, pin: 2.3, login: 0 },
  parental: { secret: 1, pin: 2.3, login: 0 },
  disarm: { secret: 0, pin: 2.5, login: 0 },
  'guest network': { secret: 2.3, pin: 0, login: 2 },
  unzip: { secret: 2, pin: 0, login: 0 },
  'opens with': { secret: 2, pin: 2.5, login: 0 },
  'security word': { secret: 3, pin: 0, login: 0 },
  'code word': { secret: 3, pin: 0, login: 0 },
  'root /': { secret: 0, pin: 0, login: 0.5 },
  'admin /': { secret: 0, pin: 0, login: 0.5 },
  'パス ': { secret: 2.5, pin: 0, login: 2 },
  rdp: { secret: 1, pin: 0, login: 1.5 },
  unlock: { secret: 1, pin: 2, login: 0 },
  keypad: { secret: 0, pin: 2.5, login: 1 },
  secret: { secret: 2, pin: 0, login: 1 },
  account: { secret: 0.5, pin: 0, login: 1.5 },
  credential: { secret: 3, pin: 0, login: 3 },
  decrypt: { secret: 2, pin: 0, login: 0 },
  encrypted: { secret: 2.5, pin: 0, login: 0 },
  protected: { secret: 1.5, pin: 0, login: 0 },
  ssid: { secret: 1.5, pin: 0, login: 1 },
  暗証: { secret: 2, pin: 3, login: 1 },
  解凍: { secret: 2, pin: 0, login: 0 },
  アカウント: { secret: 1.5, pin: 0, login: 2 },
  キーボックス: { secret: 1, pin: 2.3, login: 1 },
};
const ofNetworkKey = /(?:接続|暗号化?|セキュリティ|ネットワーク|無線|Fi|LAN)の?\|/i;
const ofNetworkLasts = '続号化ィク線iInNの';
type Part = {
  /** What has to stand around it; `|` is the part. */
  readonly around: RegExp;
  readonly weights: Weights;
  /** Of what has to stand before, the last characters. */
  readonly lasts?: string;
};
/** Parts of words: no more characters may be searched for than an index holds. */
const parts: Readonly<Record<string, Part>> = {
  ロック: {
    around:
      /(?:画面|スクリーン|オート|ペアレンタル|チャイルド|PC|スマホ|端末|金庫|ドア|玄関|タブレット|レット|携帯|Pad|Phone|自転車|ダイヤル|キー)の?\||\|解除/,
    weights: { secret: 2.5, pin: 3, login: 1 },
    lasts: 'の面ントCホ末庫アレ帯話dDeE車ルー関ド',
  },
  コード: {
    around: /(?:ドア|解除|解錠|開錠|ゲート|玄関|入口|入館|入室|警備|門)の?\|(?!レス)/,
    weights: { secret: 1, pin: 3, login: 0 },
    lasts: 'ア除錠ト関口館室備門の',
  },
  転車の: { around: /自\|鍵(?:は|が|を|:|の?番号)/, weights: { secret: 0, pin: 2.5, login: 0 }, lasts: '自' },
  zip: { around: /\|(?! ?(?:code|plus|lock|line|コード)|[a-z0-9_])/i, weights: { secret: 2, pin: 0, login: 0 } },
  金庫: { around: /(?<!信用|労働)\|/, weights: { secret: 0, pin: 2.4, login: 0 } },
  ボックス: { around: /宅配\|/, weights: { secret: 0, pin: 2.5, login: 0 }, lasts: '配' },
  ンキー: { around: /テ\|/, weights: { secret: 0, pin: 2.5, login: 0 }, lasts: 'テ' },
  キーは: { around: ofNetworkKey, weights: { secret: 3, pin: 0, login: 0 }, lasts: ofNetworkLasts },
  'キー:': { around: ofNetworkKey, weights: { secret: 3, pin: 0, login: 0 }, lasts: ofNetworkLasts },
  'the safe': {
    around: /\|(?:['’]?s?| (?:is|was|in|on|at|by|code|pin|now|has|opens|takes)| ?[:=(–—-])(?![a-z])/i,
    weights: { secret: 0, pin: 2.2, login: 0 },
  },
  発行: { around: /[再仮]\|/, weights: { secret: 1.5, pin: 0, login: 0 }, lasts: '再仮' },
  理者: { around: /管\|(?!各位|様|殿)/, weights: { secret: 1, pin: 0.7, login: 2 }, lasts: '管' },
  インイン: { around: /サ\|/, weights: { secret: 1.5, pin: 0, login: 2 }, lasts: 'サ' },
  有id: { around: /共\|/, weights: { secret: 1.5, pin: 0, login: 2 }, lasts: '共' },
};
/** `login`, `sign in`, `ログイン`. */
const ofLock: Weights = { secret: 0.5, pin: 3, login: 0 };
/** `tablet unlock 2580` */
const deviceBefore = /(?<![a-z])(?:phone|iphone|ipad|tablet|screen|laptop|pc|door|gate|device) $/i;
const codeBefore =
  /(?<![a-z])(?:i?phone|i?pad|tablet|laptop|screen|alarm|house|office|building|flat|studio|shed|bike|locker|keypad|cleaners?|visitors?|front|back|staff|pool|lobby|gym) $/i;
const ofKeypad: Weights = { secret: 0, pin: 2, login: 1 };
const doorBefore = /(?<![a-z])(?:door|gate|garage|entry|front|back|side|alarm|safe) $/i;
const ofLogin: Weights = { secret: 1.5, pin: 0, login: 2 };
const ofPassword: Weights = { secret: 3, pin: 1.5, login: 3 };
const ofPasscode: Weights = { secret: 3, pin: 3, login: 2 };
const ofNetwork: Weights = { secret: 2.3, pin: 0, login: 2 };

/** A pin of a chip, of a map or of a version has no letter before it and another thing behind. */
const ownPin =
  /^pin(?:['’]?s?(?: ?(?:code|number|no))?(?: for [^\n.:]{1,30})?["']? ?(?:is|was|to|[:=>（「はを])| ?(?:code|number)(?![a-z])| (?:changed|default|reset)(?![a-z]))/i;
const pinBefore =
  /(?:(?<![a-z])(?:the|my|his|her|our|your|their|its|a|new|old|card|bank|atm|sim|door|safe|alarm|panel|phone|voicemail|lockbox|badge|bitlocker|parental|temp(?:orary)?|initial|default|wallet|debit|credit|4-digit|6-digit|four-digit|six-digit|4 digit|6 digit|four digit|six digit) |の)$/i;
/** The postal code of an Indian address. */
const postal =
  /(?<![a-z])(?:road|street|nagar|marg|colony|layout|kerala|karnataka|mumbai|delhi|pune|chennai|kolkata|hyderabad|bengaluru|bangalore|india|postal|address|city|state|district|deliver[a-z]*|parcel)(?![a-z])/i;

/** `the code for the side gate` */
const lockBehind =
  /^ (?:[a-z]{2,10} ){0,2}(?:door|gate|garage|safe|alarm|lockbox|lock|building|entrance|shed|pool|keypad|key ?box|laundry|storage|locker|elevator|lobby|office|house|cabin|barn)(?![a-z])/i;
const weightsOf: ReadonlyMap<string, Weights> = new Map(
  secretSigns.map((word) => [word, known[word] ?? (word.includes('code') ? ofLock : ofLogin)]),
);

/** Not by spreading, which is slower. */
function signOf(start: number, end: number, { secret, pin, login }: Weights): Sign {
  return { start, end, secret, pin, login };
}

/** The word as it is searched for, of those seen before; `Log-In` → `log in`. */
const wordsSeen = new Map<string, string>();
const writtenMax = 1000;

function wordOf(written: string): string {
  let word = wordsSeen.get(written);
  if (word !== undefined) return word;
  word = written.toLowerCase().replace(/[_.-]/g, ' ');
  if (wordsSeen.size < writtenMax) wordsSeen.set(written, word);
  return word;
}

/** A number for the first character of a word and its length: the same for few words. */
export const keyOf = (first: number, length: number) => ((first | 0x20) << 5) | length;
/** Most words for secrets are told by that alone. */
const wordOfKey = new Map<number, string | undefined>();
for (const word of secretSigns) {
  const key = keyOf(word.charCodeAt(0), word.length);
  wordOfKey.set(key, wordOfKey.has(key) ? undefined : word);
}

/** True for a word of {@link secretSigns}, whether it counts or not. */
export const isSignWord = (written: string) => weightsOf.has(wordOf(written));

/** What the word of {@link secretSigns} at a place says, or undefined where it speaks of something else. */
export function signAt(shadow: string, start: number, end: number): Sign | undefined {
  const first = shadow.charCodeAt(start);
  const before = shadow.charCodeAt(start - 1) | 0x20;
  if (before >= 0x61 && before <= 0x7a && first < 0x80) return undefined;
  const word = wordOfKey.get(keyOf(first, end - start)) ?? wordOf(shadow.slice(start, end));
  const weights = weightsOf.get(word);
  if (weights === undefined || (word === 'pin' && !isPin(shadow, start, end))) return undefined;
  if (weights === ofLock && word.endsWith(' the')) {
    const what = lockBehind.exec(shadow.slice(end, end + 36));
    return what === null ? undefined : signOf(start, end + what[0].length, weights);
  }
  // One among the parts of a machine.
  if (word === 'keypad' && !doorBefore.test(shadow.slice(Math.max(0, start - 12), start)))
    return signOf(start, end, ofKeypad);
  if (
    word === 'unlock' &&
    (shadow.startsWith(' code', end) || deviceBefore.test(shadow.slice(Math.max(0, start - 10), start)))
  )
    return signOf(start, end, ofLock);
  if (word === 'code is' && !codeBefore.test(shadow.slice(Math.max(0, start - 10), start))) return undefined;
  if (word === 'パス ' && !besideUser.test(shadow.slice(Math.max(0, start - 48), start))) return undefined;
  const part = parts[word];
  if (part === undefined) return signOf(start, end, weights);
  const mayCount = part.lasts === undefined || part.lasts.includes(shadow[start - 1] ?? '\n');
  if (!mayCount && !(word === 'ロック' && shadow[end] === '解')) return undefined;
  const here = `${shadow.slice(Math.max(0, start - 6), start)}|${shadow.slice(end, end + 6)}`;
  return part.around.test(here) ? signOf(start, end, part.weights) : undefined;
}

/** `login "jo", pass ` */
const besideUser =
  /(?<![a-z])(?:login|user(?:name)?|id|ssid|network|account|ユーザー?名?|アカウント名?|ログイン)(?![a-z])[^\n]{0,32}[ ,;/、]$/i;

/** `password policy`: it is about passwords, and gives none. */
const aboutSecrets =
  /^s? (?:polic|rules?|requirement|strength|complexity|length|expir)|^の?(?:規則|ルール|ポリシー|強度|要件)/i;

/** What a label of the recognizer says. */
export function signOfLabel(shadow: string, { start, end }: Stretch): Sign | undefined {
  if (aboutSecrets.test(shadow.slice(end, end + 13))) return undefined;
  const label = shadow.slice(start, end);
  // The verb, a result of tests.
  if (/^(?:pass|psw)$/i.test(label))
    return besideUser.test(shadow.slice(Math.max(0, start - 48), start))
      ? { start, end, secret: 2.5, pin: 0, login: 2 }
      : undefined;
  if (/^wi[ _.-]?fi$|wpa/i.test(label)) return { start, end, ...ofNetwork };
  if (/code$|暗証|コード/i.test(label)) return { start, end, ...ofPasscode };
  return { start, end, ...ofPassword };
}

/** `my pin? 6021` */
const answeredAtOnce = /^\?["'”」]?\s["'“「]?[0-9]{4}/;

function isPin(shadow: string, start: number, end: number): boolean {
  const next = shadow.charCodeAt(end);
  const lower = next | 0x20;
  if ((lower >= 0x61 && lower <= 0x7a && lower !== 0x73) || next === 0x2d || next === 0x5f) return false;
  if (next === 0x3f && !answeredAtOnce.test(shadow.slice(end, end + 12))) return false;
  if (shadow.startsWith('PIN', start)) return true;
  const lead = shadow.slice(Math.max(0, start - 24), start);
  return pinBefore.test(lead) || ownPin.test(shadow.slice(start, start + 48));
}

/** True for six digits that are the postal code of an Indian address, which is called `PIN`, too. */
export function isPostal(shadow: string, start: number, end: number): boolean {
  const before = shadow.slice(Math.max(0, start - 90), start);
  return /(?<![a-z])pin/i.test(before) && postal.test(before + shadow.slice(end, end + 40));
}

const ofHardware =
  /(?<![a-z])(?:gpio|adc|dac|datasheet|pinout|chips?|connectors?|led|header|solder(?:ed)?|voltage|3v3|arduino|esp32|raspberry|uart|i2c|spi|mosfet)(?![a-z])/i;

/** True for the number of a pin of a chip. */
export function isOfChip(shadow: string, start: number, end: number): boolean {
  return ofHardware.test(shadow.slice(Math.max(0, start - 90), end + 90));
}
