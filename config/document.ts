/** A YAML text as a plain value, with the place of every key, so that a fault can be shown with its line. */
import type { Document, LineCounter, Node, YAMLMap } from 'yaml';
import type { Problem } from './problem.ts';
import { readQuickYaml } from './quick-yaml.ts';
import { yamlPackage } from './yaml-package.ts';

/** Keys and array positions from the root. */
export type KeyPath = readonly PropertyKey[];

/** `line` and `column` count from 1. */
export type Place = { readonly line: number; readonly column: number };

/** A parsed file. `value` is undefined for an empty one and where `problems` has syntax errors. */
export class YamlText {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly #text: string;
  /** The keys of maps that were asked for. */
  readonly #keys = new WeakMap<object, ReadonlyMap<string, Child>>();
  #parsed: { readonly document: Document; readonly lines: LineCounter } | undefined;

  constructor(text: string, file: string) {
    this.#text = text;
    try {
      const quick = readQuickYaml(text);
      if (quick !== undefined) {
        this.value = quick;
        this.problems = [];
        return;
      }
      void this.#read;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.value = undefined;
      this.problems = [{ file, line: 1, column: 1, key: '', message: 'is nested too deeply' }];
      return;
    }
    const { document } = this.#read;
    const faults = [
      ...document.errors.map(({ pos, message }) => ({ at: pos[0], message })),
      ...faultsBesideSyntax(document),
    ];
    const problems = faults.map(({ at, message }): Problem => ({ file, ...this.#at(at), key: '', message }));
    let value: unknown;
    if (problems.length === 0) {
      try {
        value = document.toJS() ?? undefined;
      } catch (error) {
        // Unknown and self-referring aliases, and more aliases than a configuration ever has.
        problems.push({
          file,
          line: 1,
          column: 1,
          key: '',
          message: error instanceof Error ? error.message : 'cannot be read',
        });
      }
    }
    this.value = value;
    this.problems = problems;
  }

  /** Read when somebody asks where something stands, which is rare. */
  get #read(): { readonly document: Document; readonly lines: LineCounter } {
    if (this.#parsed === undefined) {
      const { LineCounter, parseDocument } = yamlPackage();
      const lines = new LineCounter();
      // The parser compares each key with all others of its map.
      const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
      this.#parsed = { document: parseDocument(this.#text, options), lines };
    }
    return this.#parsed;
  }

  /** Where the key (or the entry of a list) at the path stands; the nearest parent that exists when it is not there. */
  placeOf(path: KeyPath): Place {
    let node: unknown = this.#read.document.contents;
    let place: Place = { line: 1, column: 1 };
    for (const key of path) {
      const next = this.#childOf(node, key);
      if (next === undefined) break;
      place = this.#at(next.at.range?.[0] ?? 0);
      node = next.value;
    }
    return place;
  }

  /** Where the value at the path stands; its key when it has none. */
  placeOfValue(path: KeyPath): Place {
    const node = this.#nodeAt(path);
    return yamlPackage().isNode(node) && node.range ? this.#at(node.range[0]) : this.placeOf(path);
  }

  /** Whether the collection at a path stands in brackets and holds anything. */
  isInBrackets(path: KeyPath): boolean {
    const node = this.#nodeAt(path);
    return yamlPackage().isCollection(node) && node.flow === true && node.items.length > 0;
  }

  /** The same text with the collections at these paths written out, an entry to a line and keys plain; comments stay. */
  writtenOut(paths: readonly KeyPath[]): string {
    const { isCollection, isPair, isScalar } = yamlPackage();
    const document = this.#read.document.clone();
    for (const path of paths) {
      const node = document.getIn([...path], true);
      if (!isCollection(node) || node.items.length === 0) continue;
      node.flow = false;
      for (const item of node.items) if (isPair(item) && isScalar(item.key)) item.key.type = 'PLAIN';
    }
    return document.toString({ lineWidth: 0 });
  }

  #nodeAt(path: KeyPath): unknown {
    let node: unknown = this.#read.document.contents;
    for (const key of path) node = this.#childOf(node, key)?.value;
    return node;
  }

  #childOf(node: unknown, key: PropertyKey): Child | undefined {
    const { isMap, isNode, isSeq } = yamlPackage();
    if (isSeq(node)) {
      const item = node.items[Number(key)];
      return isNode(item) ? { at: item, value: item } : undefined;
    }
    if (!isMap(node)) return undefined;
    const known = this.#keys.get(node) ?? keysOf(node);
    this.#keys.set(node, known);
    return known.get(String(key));
  }

  #at(offset: number): Place {
    const { line, col } = this.#read.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Each alias is looked for among all anchors before it; those of one anchor are counted by the parser. */
const aliasesMax = 1_000;

/** Keys that a map has already (YAML 1.2.2 §3.2.1.1), and more aliases than a configuration ever has. */
function faultsBesideSyntax(document: Document): { readonly at: number; readonly message: string }[] {
  const { isScalar, visit } = yamlPackage();
  const found: { at: number; message: string }[] = [];
  let aliases = 0;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) found.push({ at: key.range?.[0] ?? 0, message: 'Map keys must be unique' });
        seen.add(key.value);
      }
    },
    Alias(_, { range }) {
      if (++aliases === aliasesMax + 1) found.push({ at: range?.[0] ?? 0, message: `more than ${aliasesMax} aliases` });
    },
  });
  return found;
}

/** A key or an entry of a list, and what it holds. */
type Child = { readonly at: Node; readonly value: unknown };

/** The keys of a map; of one that stands twice the first. */
function keysOf(map: YAMLMap): ReadonlyMap<string, Child> {
  const { isNode, isPair } = yamlPackage();
  const keys = new Map<string, Child>();
  for (const pair of map.items) {
    if (!isPair(pair) || !isNode(pair.key) || keys.has(String(pair.key))) continue;
    keys.set(String(pair.key), { at: pair.key, value: pair.value });
  }
  return keys;
}
