/** Request bodies and complete responses. */

import { PrivetError } from '../../../core/errors.ts';
import { bodyBytes, bodyText } from '../../../core/payload/body-text.ts';
import { hintSentence, withHint } from '../../../core/payload/hint.ts';
import { scanJson } from '../../../core/payload/json-strings.ts';
import { jsonDepthMax } from '../../../core/payload/json-weight.ts';
import { parseRequestBody, type TextBodyKind } from '../../../core/payload/request.ts';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import { type FuzzTarget, must, mustEqual } from '../target.ts';
import { recordings, requests, spellings, tokenMap } from './samples.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(input: Buffer): string | undefined {
  try {
    return decoder.decode(input);
  } catch {
    return undefined;
  }
}

/** The result of JSON.parse; undefined for invalid JSON. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** True if JSON is nested deeper than we read. */
function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= jsonDepthMax - 1 || Object.values(value).some((one) => isDeep(one, depth + 1));
}

const secret = 'HIT';
const token = '[NAME-7]';

/** The body with the secret masked; undefined if it is rejected. */
function masked(kind: TextBodyKind, body: string, contentType: string | undefined): string | undefined {
  let request: ReturnType<typeof parseRequestBody>;
  try {
    request = parseRequestBody(kind, body, contentType === undefined ? {} : { contentType });
  } catch (error) {
    if (error instanceof PrivetError) return undefined;
    throw error;
  }
  must(request.rewrite([]) === body, 'the body changed without new texts');
  must(request.rewrite([...request.leaves]) === body, 'the body changed with the same texts');
  // A non-UTF-8 byte of a form or `data:` URL is a surrogate in its leaf.
  const hasHalves = !body.isWellFormed() || body.includes('\\u') || /%[89a-f]/i.test(body);
  for (const leaf of request.leaves) must(hasHalves || leaf.isWellFormed(), 'a leaf is cut');
  const out = request.rewrite(request.leaves.map((leaf) => leaf.replaceAll(secret, token)));
  // Broken JSON can become valid when a quote in it is encoded; unchanged names of its pairs are then in a text.
  if (kind === 'form' && parsed(body) === undefined && parsed(out) !== undefined) return out;
  const again = parseRequestBody(kind, out, contentType === undefined ? {} : { contentType });
  for (const leaf of again.leaves)
    must(!leaf.includes(secret) || isOpenedByMasking(leaf, out), 'the secret of a leaf was not masked');
  return out;
}

/** True for letters that became base64 text only because the characters after them were masked. */
function isOpenedByMasking(leaf: string, out: string): boolean {
  const encoded = Buffer.from(leaf).toString('base64').replace(/=+$/, '');
  // The last letter may have unused bits.
  const begun = encoded.slice(0, -1);
  for (let at = out.indexOf(begun); at >= 0; at = out.indexOf(begun, at + 1))
    if (out.startsWith(token, at + encoded.length)) return true;
  return false;
}

/** Compares the strings of two documents, ignoring the secret; null for structure that may have been skipped. */
function sameBut(before: unknown, after: unknown): void {
  if (typeof before === 'string' && typeof after === 'string') {
    if (before === after || before.replaceAll(secret, token) === after) return;
    const [inner, outer] = [parsed(before), parsed(after)];
    if (inner && outer) sameBut(inner.value, outer.value);
    else must(/HIT|SElU/.test(before) || before.length > 20, 'a string without the secret has changed');
    return;
  }
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) {
    mustEqual(after, before, 'a value other than text has changed');
    return;
  }
  const [old, now] = [Object.entries(before), Object.entries(after)];
  if (old.some(([key]) => key.includes(secret))) return;
  mustEqual(
    now.map(([key]) => key),
    old.map(([key]) => key),
    'member names have changed',
  );
  for (const [i, [, value]] of old.entries()) sameBut(value, now[i]?.[1]);
}

const jsonWords = [
  secret,
  '"HIT"',
  '{"a":"HIT"}',
  '"{\\"a\\":\\"HIT\\"}"',
  '\\u0048IT',
  '\\"',
  '\\\\',
  'messages',
  '"content":',
  '"type":"text"',
  '"thinking","signature":"x"',
  'data:text/plain;base64,SElU',
  'SElUSElUSElUSElUSElUSElU',
  '123456789012345678901',
  '[1,2,3]',
  'true',
  'null',
  '__proto__',
];

/** JSON is parsed like JSON.parse, and only strings with the secret change. */
export const jsonBody: FuzzTarget = {
  seeds: () => [...requests(), '{"messages":[{"role":"user","content":"HIT me"}]}', '"HIT"', ' ', '\ufeff{}'],
  words: jsonWords,
  run(input) {
    const body = textOf(input);
    if (body === undefined) return undefined;
    const out = masked('json', body, undefined);
    const plain = body.startsWith('\ufeff') ? body.slice(1) : body;
    const before = parsed(plain);
    if (out === undefined) {
      must(before === undefined || isDeep(before.value), 'valid JSON was rejected');
      return undefined;
    }
    if (plain.trim() === '') return undefined;
    must(before !== undefined, 'invalid JSON was accepted');
    const after = parsed(out.startsWith('\ufeff') ? out.slice(1) : out);
    must(after !== undefined, 'masked JSON is invalid');
    sameBut(before.value, after.value);
    return undefined;
  },
};

/** The scanner agrees with JSON.parse. */
export const jsonScan: FuzzTarget = {
  seeds: () => [...requests().map((one) => one.subarray(0, 600)), '{"a":[1,"b",null,{"c":"\\u00e9"}]}'],
  words: jsonWords,
  bytesMax: 800,
  run(input) {
    const text = textOf(input);
    if (text === undefined) return undefined;
    const expected = parsed(text);
    let members: ReturnType<typeof scanJson>;
    try {
      members = scanJson(text);
    } catch (error) {
      must(error instanceof PrivetError, `not our error: ${String(error)}`);
      must(expected === undefined || isDeep(expected.value), 'valid JSON was rejected');
      return undefined;
    }
    must(expected !== undefined, 'invalid JSON was accepted');
    const found: unknown[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) found.push(value);
      else if (Array.isArray(value)) value.forEach(walk);
      else Object.values(value).forEach(walk);
    };
    walk(expected.value);
    // JSON.parse keeps the last of duplicate names, and moves numeric names to the front.
    const key = (value: unknown) => JSON.stringify(value);
    const scanned = members
      .filter((member) => !member.isKey)
      .map((member) => key(member.isString ? member.value : JSON.parse(member.value)));
    const counts = new Map<string, number>();
    for (const value of scanned) counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const value of found) {
      const left = counts.get(key(value)) ?? 0;
      must(left > 0, `a value was not found: ${key(value)}`);
      counts.set(key(value), left - 1);
    }
    let end = 0;
    for (const member of members) {
      must(member.start >= end && member.end <= text.length, 'offsets overlap');
      end = member.end;
    }
    return undefined;
  },
};

/** Forms: decoded pairs are the same except for the secret. */
export const formBody: FuzzTarget = {
  seeds: () => [...requests(/\.form$/), 'a=b&c=HIT+d&%48IT=1&=&&x', 'q=%7B%22a%22%3A%22HIT%22%7D', '{"a":"HIT"}'],
  words: ['HIT', '%48%49%54', '%22HIT%22', '+', '&', '=', '%', '%zz', '%7B', '%5B', 'f.req=', 'password='],
  run(input) {
    const body = textOf(input);
    if (body === undefined) return undefined;
    const out = masked('form', body, undefined);
    must(out !== undefined, 'a form was rejected');
    if (/^\s*[{[]/.test(body)) return undefined;
    const [before, after] = [[...new URLSearchParams(body)], [...new URLSearchParams(out)]];
    must(before.length === after.length, 'the number of pairs changed');
    for (const [i, [name, value]] of before.entries()) {
      if (!name.includes(secret)) mustEqual(after[i]?.[0], name, 'a name has changed');
      if (!value.includes(secret) && !parsed(value)) mustEqual(after[i]?.[1], value, 'a value has changed');
    }
    return undefined;
  },
};

/** JSON lines: each is masked separately. */
export const linesBody: FuzzTarget = {
  seeds: () => [...recordings(/batch\.jsonl$/), '{"a":"HIT"}\n\n{"b":1}\r\n', '[1]\n'],
  words: [...jsonWords, '\n', '\r\n'],
  run(input) {
    const body = textOf(input);
    if (body === undefined) return undefined;
    const out = masked('ndjson', body, undefined);
    if (out !== undefined) must(out.split('\n').length === body.split('\n').length, 'the number of lines changed');
    return undefined;
  },
};

/** Heads and contents of a multipart body's parts, according to a strict parser. */
function parts(body: string, boundary: string): string[][] | undefined {
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (pieces.length < 2 || !/^--/.test(pieces.at(-1) as string)) return undefined;
  return pieces.slice(1, -1).map((piece) => piece.split('\r\n\r\n'));
}

/** Multipart bodies keep their parts. */
export const multipartBody: FuzzTarget = {
  seeds: () => [
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nHIT\r\n--b--\r\n',
    '--b\r\nContent-Disposition: form-data; name="f"; filename="HIT.txt"; filename*=UTF-8\'\'HIT.txt\r\nContent-Type: text/plain\r\n\r\na HIT\n\r\n--b\r\n\r\nx\r\n--b--',
    'HIT\r\n--b\r\nX-A: HIT\r\nContent-Type: application/json\r\n\r\n{"a":"HIT"}\r\n--b--\r\nHIT',
    '--b\nContent-Disposition: form-data; name="a"; filename="x.bin"\nContent-Type: image/png\n\n\x89PNG\n--b--\n',
  ],
  words: [
    '--b',
    '\r\n--b\r\n',
    '--b--',
    '\r\n',
    '\n',
    'Content-Disposition: form-data; ',
    "filename*=UTF-8''",
    '; filename="',
    'HIT',
    'Content-Transfer-Encoding: base64',
    '"',
    '\\"',
  ],
  run(input) {
    const body = bodyText('multipart', input);
    must(Buffer.from(bodyBytes('multipart', body)).equals(input), 'bytes change when converted to text');
    const out = masked('multipart', body, 'multipart/form-data; boundary=b');
    if (out === undefined) return undefined;
    for (const code of [...out].map((char) => char.charCodeAt(0))) must(code < 256, 'a character is not a byte');
    const [before, after] = [parts(body, 'b'), parts(out, 'b')];
    must(before?.length === after?.length, 'a strict parser sees another number of parts');
    return undefined;
  },
};

/** Bodies without a media type. */
export const contentBody: FuzzTarget = {
  seeds: () => [
    ...requests().slice(0, 2),
    'HIT',
    '\x89PNG\r\n\x1a\nHIT',
    '{"a":"HIT"}\n{"b":1}\n',
    '<p>HIT</p>',
    'a,b\r\nHIT,2\r\n',
    '%PDF-1.4 HIT',
    '\xff\xfeH\0I\0T\0',
  ],
  words: [...jsonWords, '\ufeff', '\0'],
  run(input) {
    const body = bodyText('content', input);
    masked('content', body, undefined);
    const text = textOf(input);
    if (text !== undefined) masked('text', text, 'text/plain');
    return undefined;
  },
};

/** Complete responses: JSON stays JSON, and tokens are replaced by originals. */
export const jsonAnswer: FuzzTarget = {
  seeds: () => [
    ...recordings(/response.*\.json$/),
    '{"choices":[{"message":{"content":"to [EMAIL-1] and [NAME-1]"}}]}',
    '{"a":"{\\"b\\":\\"[NAME-1]\\"}"}',
  ],
  words: [...spellings, ...jsonWords, '"annotations":[{"start_index":1,"end_index":4}]', '"arguments":"'],
  run(input) {
    const body = textOf(input);
    if (body === undefined) return undefined;
    const before = parsed(body);
    const result = restoreJsonBody(body, tokenMap());
    if (result.isUnreadable) {
      mustEqual(result.body, body, 'unreadable content has changed');
      return undefined;
    }
    const after = parsed(result.body);
    must(
      (before === undefined) === (after === undefined) || body.startsWith('\ufeff'),
      'JSON has become invalid, or the reverse',
    );
    if (result.restored === 0) mustEqual(result.body, body, 'the body changed although nothing was restored');
    return undefined;
  },
};

/** Adding the hint for the model keeps the body valid. */
export const hint: FuzzTarget = {
  seeds: () => requests(),
  words: [...jsonWords, '"system":', '"instructions":"x"', '"parts":[]', '"systemInstruction":{}', '"messages":[]'],
  run(input) {
    const body = textOf(input);
    const before = body === undefined ? undefined : parsed(body);
    if (body === undefined || before === undefined || isDeep(before.value)) return undefined;
    for (const address of [
      'a/v1/chat/completions',
      'a/v1/responses',
      'a/v1/messages',
      'a/m:generateContent',
      'a/model/x/converse',
    ]) {
      const out = withHint(body, address);
      if (out === undefined) continue;
      const after = parsed(out);
      must(after !== undefined, 'the body is no longer JSON');
      must(JSON.stringify(after.value).includes(hintSentence.slice(0, 30)), 'the sentence is missing');
    }
    return undefined;
  },
};
