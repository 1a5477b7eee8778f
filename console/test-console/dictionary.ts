/** The user's dictionary: parses a JSON array of { label, pattern } and locates the first error. */
import { JsonError, type JsonFault, type Located, positionOf, readJson } from './json-reader.ts';

export type DictionaryEntry = { readonly label: string; readonly pattern: string };

/** The first error in a dictionary. */
export type DictionaryFault = {
  readonly kind: JsonFault | 'list' | 'entry' | 'field' | 'missing' | 'label' | 'pattern' | 'expression' | 'many';
  /** The field or name concerned. */
  readonly about?: string;
  readonly line: number;
  readonly column: number;
};

export type DictionaryCheck =
  | { readonly ok: true; readonly entries: readonly DictionaryEntry[] }
  | { readonly ok: false; readonly fault: DictionaryFault };

/** The limits and shapes of the API: `dictionary` in bodies such as /mask. */
const entriesMax = 1_000;
const labelLengthMax = 40;
const patternLengthMax = 500;
const labelShape = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/** The entries of a text, or the first error with its line and column. */
export function checkDictionary(text: string): DictionaryCheck {
  try {
    return { ok: true, entries: entriesOf(readJson(text)) };
  } catch (error) {
    if (error instanceof JsonError) return { ok: false, fault: { kind: error.fault, ...positionOf(text, error.at) } };
    if (!(error instanceof Misfit)) throw error;
    const { kind, about, at } = error;
    return { ok: false, fault: { kind, ...(about === undefined ? {} : { about }), ...positionOf(text, at) } };
  }
}

class Misfit extends Error {
  readonly kind: DictionaryFault['kind'];
  readonly at: number;
  readonly about: string | undefined;

  constructor(kind: DictionaryFault['kind'], at: number, about?: string) {
    super(kind);
    this.kind = kind;
    this.at = at;
    this.about = about;
  }
}

function entriesOf(value: Located): DictionaryEntry[] {
  if (value.kind !== 'list') throw new Misfit('list', value.at);
  const beyond = value.items[entriesMax];
  if (beyond !== undefined) throw new Misfit('many', beyond.at, String(entriesMax));
  return value.items.map(entryOf);
}

function entryOf(value: Located): DictionaryEntry {
  if (value.kind !== 'object') throw new Misfit('entry', value.at);
  const found = new Map<string, Located & { readonly kind: 'string' }>();
  for (const { key, keyAt, value: inner } of value.entries) {
    if (key !== 'label' && key !== 'pattern') throw new Misfit('field', keyAt, key);
    if (inner.kind !== 'string') throw new Misfit(key, inner.at);
    found.set(key, inner);
  }
  const label = found.get('label');
  const pattern = found.get('pattern');
  if (label === undefined) throw new Misfit('missing', value.at, 'label');
  if (pattern === undefined) throw new Misfit('missing', value.at, 'pattern');
  if (!labelShape.test(label.value) || label.value.length > labelLengthMax) throw new Misfit('label', label.at);
  const { length } = pattern.value;
  if (pattern.value.trim() === '' || length > patternLengthMax) throw new Misfit('pattern', pattern.at);
  if (!isExpression(pattern.value)) throw new Misfit('expression', pattern.at);
  return { label: label.value, pattern: pattern.value };
}

/** False for an invalid `/…/flags`. The server decides: it supports no look-around and no back-references. */
function isExpression(pattern: string): boolean {
  const parts = /^\/(.+)\/([a-z]*)$/s.exec(pattern);
  if (parts === null) return true;
  const [, source = '', flags = ''] = parts;
  if (!/^[gimsu]*$/.test(flags) || /\(\?<?[=!]|\\[1-9]/.test(source)) return false;
  try {
    new RegExp(source, [...new Set(flags)].join(''));
    return true;
  } catch {
    return false;
  }
}
