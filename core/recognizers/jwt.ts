/** JSON Web Tokens (RFC 7519): signed (RFC 7515, three parts) and encrypted ones (RFC 7516, five parts). */

import { codesOf } from '../detect/code-set.ts';
import { lengthAt, type ScanText } from '../detect/scan.ts';
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const { signed, encrypted } = patternsOf('jwt');

const name = 'jwt';

/** Checks each `eyJ`, which is `{"` in base64url. */
export const jwt: Recognizer = {
  name,
  type: 'JWT',
  anchors: ['eyj'],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    for (const { start } of text.keywords.anchors(name)) {
      if (start < done || isTokenCode(text.shadow.charCodeAt(start - 1))) continue;
      if (!hasHeader(text.shadow, start)) continue;
      const end = start + (lengthAt(signed, text.shadow, start) || lengthAt(encrypted, text.shadow, start));
      if (end === start || !isHeader(text.shadow.slice(start, text.shadow.indexOf('.', start)))) continue;
      done = end;
      found.push(detectionAt(text, start, done, { type: 'JWT', score: 1, recognizer: name }));
    }
    return found;
  },
};

const isTokenCode = codesOf('A-Za-z0-9_-');

/** True when the token characters end in a full stop; tested first to avoid backtracking over long runs. */
function hasHeader(text: string, start: number): boolean {
  let end = start;
  while (isTokenCode(text.charCodeAt(end))) end++;
  while (text.charCodeAt(end) === 0x3d) end++;
  return text.charCodeAt(end) === 0x2e;
}

/** True for JSON with a header member; a truncated header still counts by its start. */
function isHeader(part: string): boolean {
  try {
    const json = atob(
      part
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/=+$/, '')
        .slice(0, 400 - (400 % 4)),
    );
    return /^\{\s*"(?:alg|typ|kid|enc|cty|jku|jwk|x5t|x5c|x5u|zip|crit|iss|ver|b64|apu|epk)/.test(json);
  } catch {
    return false;
  }
}
