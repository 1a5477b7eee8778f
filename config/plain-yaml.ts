/**
 * A reader for the plain subset of YAML that the built-in registry is written in: the `yaml` package needs 220 ms for
 * its ten thousand lines, a fifth of the start-up, this one 20 ms. Whatever it does not know for certain it leaves
 * to the package.
 */

type Plain = string | number | boolean;
type PlainRecord = Record<string, Plain | string[]>;

const topLine = /^([a-z_]+):(?: (.+))?$/;
const firstLine = /^ {2}- ([a-z_]+): (.+)$/;
const keyLine = /^ {4}([a-z_]+):(?: (.+))?$/;
const itemLine = /^ {6}- (.+)$/;

/**
 * Reads `key: scalar` lines and one list of records (two levels, lists of text in them).
 * @returns undefined when any line is outside the subset.
 */
export function readPlainYaml(text: string): Record<string, Plain | PlainRecord[]> | undefined {
  const root: Record<string, Plain | PlainRecord[]> = {};
  let records: PlainRecord[] | undefined;
  let record: PlainRecord | undefined;
  let list: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    let match = itemLine.exec(line);
    if (match !== null) {
      const value = scalar(match[1]);
      if (list === undefined || typeof value !== 'string') return undefined;
      list.push(value);
      continue;
    }
    match = keyLine.exec(line);
    if (match !== null) {
      const key = match[1] ?? '';
      if (record === undefined || Object.hasOwn(record, key)) return undefined;
      list = match[2] === undefined ? [] : undefined;
      const value = list ?? scalar(match[2]);
      if (value === undefined) return undefined;
      record[key] = value;
      continue;
    }
    match = firstLine.exec(line);
    if (match !== null) {
      const value = scalar(match[2]);
      if (records === undefined || value === undefined) return undefined;
      record = { [match[1] ?? '']: value };
      list = undefined;
      records.push(record);
      continue;
    }
    match = topLine.exec(line);
    if (match === null || Object.hasOwn(root, match[1] ?? '')) return undefined;
    [record, list] = [undefined, undefined];
    records = match[2] === undefined ? [] : undefined;
    const value = records ?? scalar(match[2]);
    if (value === undefined) return undefined;
    root[match[1] ?? ''] = value;
  }
  return root;
}

/** What YAML 1.2 takes for something else than text (`NO` is text there), and everything that looks like a number. */
const ambiguous = /^(?:~|null|true|false|[-+.]?\d[\d_.eE+-]*|0[xob].*|[-+]?\.(?:inf|nan))$/i;

function scalar(text: string | undefined): Plain | undefined {
  if (text === undefined) return undefined;
  if (text.startsWith('"')) {
    // Without escapes both languages read the same.
    return /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : undefined;
  }
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  if (ambiguous.test(text)) return undefined;
  return /^[\p{L}\p{N}./][^\u0000-\u001f]*$/u.test(text) && !/:(?:\s|$)|\s#|\s$/.test(text) ? text : undefined;
}
