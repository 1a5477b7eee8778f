/** What a password looks like, and what stands where one would be. */

/** The most characters of a word that are looked at. */
const unsignedMax = 32;
/** What is written where a password would be. */
export const placeholder =
  /^(?:https?:\/\/.*|&[#a-z0-9]+;.*|\\[a-z(].*|[a-z_\\-]*[-_]pass(?:word|wd|phrase)?|[*•·.\-_x?#]+|x{3,}.*|:?\*.*\*|<.*|\[.*|\{+.*|\$.*|%[a-z_]+%|@[a-z]+\(?.*|your.*|my[-_ ]?pass.*|(?:new|old|current|user|admin|db|the|some|test)?[-_ ]?(?:pass(?:word|wd|phrase|code)?|pwd)[0-9]{0,1}|null|none|nil|undefined|true|false|required|optional|str(?:ing)?|text|bool(?:ean)?|number|int|object|any|void|empty|hidden|hash(?:ed)?|redacted|masked|encrypted|filtered|secret|example|placeholder|change[-_]?(?:me|it)|todo|n\/a|input|bytes|varchar.*|process\.env.*|os\.(?:environ|getenv).*|env\..*|getenv.*|var\..*|local\..*|vault:.*|sha-?(?:1|256|384|512)|md5|bcrypt|base64|utf-?8|argon2(?:id|i|d)?|scrypt|pbkdf2|uint8array.*|[~^]?[0-9]+\.[0-9]+\.[0-9]+.*|nvarchar|char\(.*)$/i;
const word = /^(?:[A-Za-z]+(?:['’-][A-Za-z]+)*)[.,;:!?)\]}]*$/;
/** Code, not the words of a passphrase (`Seven.Gulls.Over.Pier9`). */
const path =
  /^(?!(?:[A-Z][a-z]+\.){2,}[A-Z][a-z]*[0-9]+$)[A-Za-z_$][\w$]*(?:(?:\?|!)?\.[A-Za-z_$][\w$]*|\[[^\]]*\]|->\w+)+[;,)]*$/;
const codeIdentifier = /^[A-Za-z_$][A-Za-z_$]*[0-9]?$/;
const range = /^[0-9]+(?:[-~–.][0-9]+|[a-z]{1,2}|年.*|文字.*|桁.*)?[.,;:)]*$/i;

/** Names of methods, standards and systems, which have digits, too. */
const technical =
  /^(?:rfc|cve|iso|iec|nist|sha|md|aes|rsa|des|win(?:dows)?|x86|utf|ucs|base|https?|h?mac|oauth|pbkdf|kdf|u2f|fido|saml|tls|ssl|wpa|wep|ipv|log4j|office|microsoft|outlook|ubuntu|debian|ios|macos|android|python|node|php|java|sql|mysql|s3|ec2|k8s|web|v|ver|version|step|option|page|line|chapter|section|level|tier|part|fig|table|test|user|field|item|attempt|case|issue|ticket)s?[-_.]?[0-9]/i;
/** `12-character`, `90-day`, `2nd`. */
const measure = /^[a-z_]+=[0-9.]+[a-z]{0,2}$|^[0-9]+(?:-[a-z]|(?:st|nd|rd|th|h|d|ms|s|px|k|x|mb|gb|bit)s?$)/i;
const signs = /[-_!#$%&*+=?@^~]/;
const strongMin = 6;

/**
 * True for a word that nobody would write in a sentence: six characters or more with letters, and with two digits, or with a
 * digit and a sign or capitals inside.
 */
export function isStrong(value: string): boolean {
  if (value.length < strongMin || !/[A-Za-z]/.test(value) || technical.test(value) || measure.test(value)) return false;
  if (!isBareSecret(value, true)) return false;
  const digits = value.replace(/[^0-9]/g, '').length;
  return (
    digits > 1 ||
    (digits === 1 && (signs.test(value.slice(0, -1)) || /[!#$%&*+@^~]$/.test(value) || /.[A-Z]/.test(value)))
  );
}

const joinedWords = /^(?=.{8,64}$)(?=.*[-_])[A-Za-z]+(?:[-_.][A-Za-z]+)+$/;
/** Parts of names in programs and of what is said about passwords. */
const ofPrograms =
  /(?<![a-z])(?:access|admin|auth|based|case|client|code|config|data|db|default|encrypted|env|factor|field|file|hash|hashed|hint|id|key|length|login|max|min|mode|multi|must|name|new|no|not|null|old|on|one|only|optional|pass|password|plain|policy|protected|read|required|reset|secret|sensitive|server|service|set|sign|sso|strong|text|time|token|type|user|value|var|vault)(?![a-z])/i;

/** True for words with hyphens or underscores between them, as people join them for a password: `momiji_to_shika`. */
export const isJoinedWords = (value: string) =>
  joinedWords.test(value) && !ofPrograms.test(value) && !placeholder.test(value);

/** True for a blank and a word of at least eight characters with both cases, two digits and a sign. */
export function isMadeUp(window: string): boolean {
  if (window.charCodeAt(0) !== 0x20) return false;
  let [i, upper, lower, digits, signs] = [1, 0, 0, 0, 0];
  for (; i < unsignedMax; i++) {
    const c = window.charCodeAt(i);
    if (!(c > 0x20 && c < 0x7f)) break;
    if (c >= 0x30 && c <= 0x39) digits++;
    else if (c >= 0x41 && c <= 0x5a) upper++;
    else if (c >= 0x61 && c <= 0x7a) lower++;
    else if (/[-!#$%&*+=?@^~]/.test(window[i] as string)) signs++;
  }
  return i > 8 && upper > 0 && lower > 0 && digits > 1 && signs > 0;
}

/** In a column of passwords also words with a digit or sign in them; never several words. */
export function isCellSecret(value: string, isNumber: boolean): boolean {
  // A column `pass` may count tests.
  if (!isNumber && !/[A-Za-z]/.test(value)) return false;
  return /^[!-~]{4,128}$/.test(value) && isBareSecret(value, true);
}

/** Between quotes behind the label. */
export function isQuotedSecret(value: string, label: string): boolean {
  if (/phrase/i.test(label) && /^[^。{}<>=]{8,80}$/.test(value) && /[\u3040-\u9fff]/.test(value)) return true;
  if (placeholder.test(value) || /[^ -~]/.test(value) || /^[\w$.]+\(.*\)$/.test(value)) return false;
  // `PWD` is also the folder one works in.
  if (/^pwd$/i.test(label) && value.startsWith('/')) return false;
  if (/\s/.test(value)) return /phrase/i.test(label) && value.length >= 12;
  return !/^[A-Z]?[a-z]+$/.test(value) && !path.test(value);
}

/** Without quotes; in a sentence only with a digit or a sign. */
export function isBareSecret(value: string, isSentence: boolean): boolean {
  // Code: an index, a statement behind, the next member.
  if (/[[(]$|^(?:null|true|false|undefined)[;,)}]|^[a-z]{1,2},[\w$]+:/i.test(value)) return false;
  if (placeholder.test(value) || word.test(value) || path.test(value) || /[()]/.test(value.replace(/\)$/, '')))
    return false;
  // A folder: `pwd` prints one.
  if (/^\/[\w.-]+\//.test(value)) return false;
  if (/^[0-9]+$/.test(value)) return true;
  if (range.test(value) || /^[^A-Za-z0-9]+$/.test(value)) return false;
  if (codeIdentifier.test(value)) return /[0-9]/.test(value) && !/pass|pwd|word/i.test(value);
  return !isSentence || /[0-9]/.test(value) || /[!#$%^&*+=?@~]/.test(value);
}
