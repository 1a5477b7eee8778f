/** Passwords on command lines and in statements of databases, where no word for them stands. */
import type { KeywordHit } from '../keywords.ts';
import { isStrong, placeholder } from './password-shape.ts';

const lineMax = 240;
const lengthMin = 4;
/** Word → the options behind which its password stands; the last group is the password. */
const options: Readonly<Record<string, RegExp>> = {
  'curl ': /\s(?:-u|--user|--proxy-user|-U)[ =]?(["']?)[^\s:"'|]{1,64}:([^\s"'|]+)/i,
  'wget ': /\s(?:--user|--http-user)[ =]?(["']?)[^\s:"'|]{1,64}:([^\s"'|]+)/i,
  mysql: /\s-p(["']?)(?![=:\s])([^\s"'|]+)/,
  mariadb: /\s-p(["']?)(?![=:\s])([^\s"'|]+)/,
  'docker login': /\s(?:-p|--password)[ =](["']?)([^\s"'|]+)/,
  'podman login': /\s(?:-p|--password)[ =](["']?)([^\s"'|]+)/,
  sqlcmd: /\s-P ?(["']?)([^\s"'|]+)/,
  'sshpass ': /\s?-p ?(["']?)([^\s"'|]+)/,
  'redis-cli': /\s(?:-a|--pass)[ =](["']?)([^\s"'|]+)/,
  'zip ': /\s-(?:[a-z0-9]{0,6}P|-password)[ =]?(["']?)([^\s"'|]+)/,
  '7z ': /\s-p(["']?)(?![=:\s])([^\s"'|]+)/,
  '7za ': /\s-p(["']?)(?![=:\s])([^\s"'|]+)/,
  'rar ': /\s-h?p(["']?)(?![=:\s])([^\s"'|]+)/,
  openssl: /\s-(?:pass|passin|passout)[ =](["']?)pass:([^\s"'|]+)/,
  ldapsearch: /\s-w ?(["']?)([^\s"'|]+)/,
  ldapmodify: /\s-w ?(["']?)([^\s"'|]+)/,
  smbclient: /\s-U ?(["']?)[^\s"'%|]{1,64}%([^\s"'|]+)/,
  mongosh: /\s-p ?(["']?)(?![=:\s-])([^\s"'|]+)/,
  htpasswd: /^ -[a-zA-Z]{0,6}b[a-zA-Z]{0,6} (["']?)(?:[^\s"'|]{1,80} ){1,2}([^\s"'|]+)/,
};
/** The same without an option before the password. */
const statements: Readonly<Record<string, RegExp>> = {
  'identified by': /^(?: password)? (["'])([^"'\n]+)\1/i,
  'net use': /^ [^\n]{0,80}\\\\\S{1,80}(?: \/user:\S{1,60})? (["']?)(?!\/)([^\s"'/|]{4,})/i,
  'net user': /^ [\w.-]{1,40} (["']?)(?![/*])([^\s"'|]+)/,
  sqlplus: /^ (?:-[a-z]+ ){0,3}[\w$#]{1,30}\/(["']?)([^\s"'|/@]+)/i,
  expdp: /^ [\w$#]{1,30}\/(["']?)([^\s"'|/@]+)/i,
  impdp: /^ [\w$#]{1,30}\/(["']?)([^\s"'|/@]+)/i,
};
/** Of a user and a password before a pipe: `echo "jo:…" | chpasswd`. */
const piped = /["'\s][a-z_][\w.-]{0,31}:([^\s:"'|]+)["']?\s*\|\s*(?:sudo\s+)?$/i;
/** `echo '…' | sudo -S` */
const alone = /(?:echo|printf) ["']?([^\s"'|$]+)["']?\s*\|\s*$/i;

/** What the recognizer asks for. */
export const commandWords = [...Object.keys(options), ...Object.keys(statements), 'chpasswd', 'sudo -s'];

/** The passwords of the command at `hit`. */
export function secretsOfCommand(shadow: string, hit: KeywordHit): { readonly start: number; readonly end: number }[] {
  const word = shadow.slice(hit.start, hit.end).toLowerCase().replace(/_/g, ' ');
  if (word === 'chpasswd' || word === 'sudo -s') {
    const before = shadow.slice(Math.max(0, hit.start - lineMax), hit.start);
    const secret = (word === 'chpasswd' ? piped : alone).exec(before)?.[1];
    if (secret === undefined || !isSecret(secret)) return [];
    const start = hit.start - before.length + before.lastIndexOf(secret);
    return [{ start, end: start + secret.length }];
  }
  // From the space that ends the word.
  const from = word.endsWith(' ') ? hit.end - 1 : hit.end;
  const behind = shadow.slice(from, from + lineMax);
  const lineEnd = behind.indexOf('\n');
  const line = lineEnd < 0 ? behind : behind.slice(0, lineEnd);
  const pattern = line.includes('-') ? (options[word] ?? statements[word]) : statements[word];
  if (pattern === undefined) return [];
  const match = pattern.exec(line);
  const secret = match?.[2];
  if (match === null || secret === undefined || !isSecret(secret)) return [];
  // `-p` also names ports and paths.
  if (
    /^-?[0-9]+$/.test(secret) ||
    (/^(?:mysql|mariadb)$/.test(word) && !/[0-9!#%&*+=?@^~]/.test(secret) && !isStrong(secret))
  )
    return [];
  const start = from + match.index + match[0].lastIndexOf(secret);
  return [{ start, end: start + secret.length }];
}

function isSecret(secret: string): boolean {
  return secret.length >= lengthMin && !placeholder.test(secret);
}
