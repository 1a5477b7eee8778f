/**
 * Passwords in URLs (`scheme://user:secret@host`) and connection strings with their quoting: ADO.NET (doubled quotes), ODBC and
 * SQL Server JDBC (braces), Oracle (`user/password@`); also signatures of pre-signed links.
 */

import { lineEndWithin, lineStartWithin, type MatchInText, matchesIn, type ScanText } from '../detect/scan.ts';
import parameters from '../lexicon/url-secrets.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const { member, isPairs, oracle, userInfo, passwordHash, pgpass, placeholder } = patternsOf('connection-string');

const name = 'connection-string';
/** The value of a parameter; unless it is a signature it contains letters and digits. */
const inLink = (names: readonly string[], start: string) =>
  new RegExp(`(?<![\\w.-])(?:${names.join('|')})=(${start}[^\\s&#"'<>)\\]};,]{16,2048})`, 'iy');
const mixed = '(?=[^\\s&]{0,40}[0-9])(?=[^\\s&]{0,40}[A-Za-z])';
const linkSecrets = [inLink(parameters.signatures, ''), inLink(parameters.parameters, mixed)];
const hashAnchors = ['$apr1$', '$1$', '$5$', '$6$', '$2a$', '$2b$', '$2y$', '$y$', '$argon2i'];
const lineMax = 2_048;

/** Checks lines that contain one of the anchors. */
export const connectionString: Recognizer = {
  name,
  type: 'PASSWORD',
  anchors: ['pwd', 'password', 'oracle:thin', 'sqlplus', '://', ':5432:', ':*:', ...hashAnchors],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    for (const { start, end } of text.keywords.anchors(name)) {
      if (text.shadow.startsWith('://', start)) {
        addUserInfo(text, start, found);
        continue;
      }
      if (text.shadow.charCodeAt(start) === 0x24) {
        addHash(text, start, found);
        continue;
      }
      if (end <= done) continue;
      const from = Math.max(done, lineStartWithin(text.shadow, start, lineMax));
      done = lineEndWithin(text.shadow, end, lineMax);
      const line = text.shadow.slice(from, done);
      const stored = line.includes(':5432:') || line.includes(':*:') ? pgpass.exec(line) : null;
      if (stored !== null) add(text, from, { start: stored.index, groups: stored }, 'PASSWORD', found);
      if (!line.includes('=') && !line.includes('@')) continue;
      for (const pattern of isPairs.test(line) ? [member, oracle] : [oracle])
        for (const match of matchesIn(line, pattern, { start: 0, end: line.length, after: 0 }))
          add(text, from, match, 'PASSWORD', found);
    }
    return found.sort((a, b) => a.start - b.start);
  },
};

/** Signatures of pre-signed storage links: anyone with the link can read the file. */
export const signedLink: Recognizer = {
  name: 'signed-link',
  type: 'API_KEY',
  anchors: [...parameters.signatures, ...parameters.parameters].map((one) => `${one}=`),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const { start } of text.keywords.anchors('signed-link')) {
      if (start < (found.at(-1)?.end ?? 0)) continue;
      for (const pattern of linkSecrets) {
        pattern.lastIndex = start;
        const groups = pattern.exec(text.shadow);
        if (groups !== null) add(text, 0, { start, groups }, 'API_KEY', found);
      }
    }
    return found;
  },
};

/** Adds a URL password; `guest:guest@` is the default of every installation. */
function addUserInfo(text: ScanText, at: number, found: Detection[]): void {
  userInfo.lastIndex = at;
  const [, user, secret = ''] = userInfo.exec(text.shadow) ?? [];
  if (secret === '' || secret === user || placeholder.test(secret.replace(/[\][{}]/g, ''))) return;
  const end = userInfo.lastIndex - 1;
  const context = 'user:password@';
  const start = end - secret.length;
  found.push(detectionAt(text, start, end, { type: 'PASSWORD', score: 0.95, recognizer: name, context }));
}

function addHash(text: ScanText, start: number, found: Detection[]): void {
  passwordHash.lastIndex = start;
  if (!passwordHash.test(text.shadow)) return;
  found.push(detectionAt(text, start, passwordHash.lastIndex, { type: 'PASSWORD', score: 0.9, recognizer: name }));
}

type Match = Omit<MatchInText, 'end'>;

function add(text: ScanText, from: number, match: Match, type: string, found: Detection[]): void {
  const value = match.groups.slice(1).find((group) => group !== undefined);
  if (value === undefined || placeholder.test(value)) return;
  const start = from + match.start + match.groups[0].lastIndexOf(value);
  const recognizer = type === 'PASSWORD' ? name : 'signed-link';
  found.push(detectionAt(text, start, start + value.length, { type, score: 0.9, recognizer }));
}
