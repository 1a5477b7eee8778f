/**
 * Reads the plain subset of YAML in which the built-in registry is written: the `yaml` package needs 220 ms for its ten
 * thousand lines, a fifth of start-up; this reader needs 20 ms. Anything uncertain is left to the package.
 */

type Plain = string | number | boolean;
type PlainRecord = Record<string, Plain | string[]>;

// Keys must not start with `_`, as `__proto__` does.
const noText = /^(?:null|true|false)$/;
const topLine = /^([a-z][a-z_]*):(?: (.+))?$/;

const [space, hash, dash, colon] = [0x20, 0x23, 0x2d, 0x3a];

/**
 * Reads `key: scalar` lines and one list of records (two levels, which may contain lists of text).
 * @returns undefined when any line is outside the subset.
 */
export function readPlainYaml(text: string): Record<string, Plain | PlainRecord[]> | undefined {
  const root: Record<string, Plain | PlainRecord[]> = {};
  const keys = new Keys(text);
  /** The keys of the record so far, one bit each. */
  let given = 0;
  let records: PlainRecord[] | undefined;
  let record: PlainRecord | undefined;
  let list: string[] | undefined;
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf('\n', at);
    if (end === -1) end = text.length;
    const first = text.charCodeAt(at);
    if (end === at || first === hash) continue;
    if (first !== space) {
      const [, key, word] = topLine.exec(text.slice(at, end)) ?? [];
      if (key === undefined || Object.hasOwn(root, key) || noText.test(key)) return undefined;
      [record, list] = [undefined, undefined];
      records = word === undefined ? [] : undefined;
      const value = records ?? plainScalar(word);
      if (value === undefined) return undefined;
      root[key] = value;
      continue;
    }
    const depth = indentOf(text, at);
    const isItem = text.charCodeAt(at + depth) === dash && text.charCodeAt(at + depth + 1) === space;
    if (depth === 6 && isItem) {
      const value = plainValue(text, at + 8, end);
      if (list === undefined || typeof value !== 'string') return undefined;
      list.push(value);
      continue;
    }
    if (depth !== (isItem ? 2 : 4)) return undefined;
    const key = keys.at(at + 4);
    if (key === undefined) return undefined;
    const after = at + 4 + key.length + 1;
    if (isItem) {
      const value = text.charCodeAt(after) === space ? plainValue(text, after + 1, end) : undefined;
      if (records === undefined || value === undefined) return undefined;
      record = { [key]: value };
      given = 1 << keys.last;
      list = undefined;
      records.push(record);
      continue;
    }
    if (record === undefined || (given & (1 << keys.last)) !== 0) return undefined;
    given |= 1 << keys.last;
    list = after === end ? [] : undefined;
    const value = list ?? (text.charCodeAt(after) === space ? plainValue(text, after + 1, end) : undefined);
    if (value === undefined) return undefined;
    record[key] = value;
  }
  return root;
}

function indentOf(text: string, at: number): number {
  let depth = 0;
  while (text.charCodeAt(at + depth) === space) depth++;
  return depth;
}

/** The few keys of a file, each stored as one string however often it occurs. */
class Keys {
  readonly #text: string;
  readonly #known: string[] = [];
  #last = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Index of the key read last. */
  get last(): number {
    return this.#last;
  }

  /** The key (`[a-z_]`) that starts at this offset and ends with a colon. */
  at(start: number): string | undefined {
    // Records list their keys in the same order, so the next key is usually the one after the last.
    for (let i = 1; i <= this.#known.length; i++) {
      const n = (this.#last + i) % this.#known.length;
      const key = this.#known[n] as string;
      if (this.#text.charCodeAt(start + key.length) === colon && this.#text.startsWith(key, start)) {
        this.#last = n;
        return key;
      }
    }
    let end = start;
    for (let c = this.#text.charCodeAt(end); (c >= 0x61 && c <= 0x7a) || c === 0x5f; c = this.#text.charCodeAt(end))
      end++;
    // One bit per key: none of our files has more keys.
    const isKey = end > start && this.#text.charCodeAt(start) !== 0x5f && this.#text.charCodeAt(end) === colon;
    if (!isKey || this.#known.length === 31) return undefined;
    const key = this.#text.slice(start, end);
    if (noText.test(key)) return undefined;
    this.#last = this.#known.push(key) - 1;
    return key;
  }
}

/** Parses the scalar in part of a line; plain words take a fast path. */
function plainValue(text: string, start: number, end: number): Plain | undefined {
  const first = text.charCodeAt(start) | 0x20;
  // `true`, `null` and `false` have these lengths.
  let isWord = first >= 0x61 && first <= 0x7a && end - start !== 4 && end - start !== 5;
  let last = 0;
  for (let i = start; isWord && i < end; i++) {
    last = text.charCodeAt(i);
    isWord = wordChars[last] === 1;
  }
  return isWord && last !== space ? text.slice(start, end) : plainScalar(text.slice(start, end));
}

/** Characters without a special meaning in YAML anywhere after a letter. */
const wordChars = new Uint8Array(65_536);
for (const c of ' ./_-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') wordChars[c.charCodeAt(0)] = 1;

/** What YAML 1.2 does not treat as text (`NO` is text there), and anything that looks like a number. */
const ambiguous = /^(?:~|null|true|false|[-+.]?\d[\d_.eE+-]*|0[xob].*|[-+]?\.(?:inf|nan))$/i;

/** The value of a scalar; undefined when it is outside the subset. */
export function plainScalar(text: string | undefined): Plain | undefined {
  if (text === undefined) return undefined;
  if (text.startsWith('"')) {
    // Without escapes, both languages read it the same way.
    return /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : undefined;
  }
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  if (ambiguous.test(text)) return undefined;
  return /^[\p{L}\p{N}./][^\u0000-\u001f]*$/u.test(text) && !/:(?:\s|$)|\s#|\s$/.test(text) ? text : undefined;
}
