/** Parses a YAML text into a plain value and keeps the position of every key, so that errors can name their line. */

import type { Alias, Document, LineCounter, Node, Pair, YAMLMap } from 'yaml';
import { type KeyPath, keyText } from './key-path.ts';
import type { Problem } from './problem.ts';
import { yamlPackage } from './yaml-package.ts';
import { yamlValue } from './yaml-value.ts';

export type { KeyPath } from './key-path.ts';

/** `line` and `column` count from 1. */
export type Position = { readonly line: number; readonly column: number };

/** A parsed file. `value` is undefined for an empty file, and when `problems` contains syntax errors. */
export class YamlText {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly #text: string;
  /** Cached keys of maps that were looked up. */
  readonly #keys = new WeakMap<object, ReadonlyMap<string, Child>>();
  #parsed: { readonly document: Document; readonly lines: LineCounter } | undefined;

  constructor(text: string, file: string) {
    this.#text = text;
    try {
      const quick = yamlValue(text);
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
    const found = faultsBesideSyntax(document);
    const faults = [
      ...document.errors.map(({ pos, message }): DocumentFault => ({ at: pos[0], message })),
      ...found.faults,
    ];
    const problems = faults.map(({ at, key = '', message }): Problem => ({ file, ...this.#at(at), key, message }));
    let value: unknown;
    if (problems.length === 0) {
      try {
        value = document.toJS() ?? undefined;
      } catch (error) {
        // The parser gives no position, and its message may contain file contents.
        if (!(error instanceof ReferenceError)) throw error;
        const message = 'aliases expand to too much data';
        problems.push({ file, ...this.#at(found.firstAlias), key: '', message });
      }
    }
    this.value = value;
    this.problems = problems;
  }

  /** Parsed only when a position is needed, which is rare. */
  get #read(): { readonly document: Document; readonly lines: LineCounter } {
    if (this.#parsed === undefined) {
      const { LineCounter, parseDocument } = yamlPackage();
      const lines = new LineCounter();
      // The parser's own check compares each key with all others of its map, which is quadratic.
      const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
      this.#parsed = { document: parseDocument(this.#text, options), lines };
    }
    return this.#parsed;
  }

  /** The position of the key (or list entry) at the path; of the nearest existing parent if it does not exist. */
  positionOf(path: KeyPath): Position {
    let node: unknown = this.#read.document.contents;
    let position: Position = { line: 1, column: 1 };
    for (const key of path) {
      const next = this.#childOf(node, key);
      if (next === undefined) break;
      position = this.#at(next.at.range?.[0] ?? 0);
      node = next.value;
    }
    return position;
  }

  /** The position of the value at the path; of its key if it has none. */
  positionOfValue(path: KeyPath): Position {
    const node = this.#nodeAt(path);
    return yamlPackage().isNode(node) && node.range ? this.#at(node.range[0]) : this.positionOf(path);
  }

  /** Whether the collection at a path is in flow style (brackets) and not empty. */
  isInBrackets(path: KeyPath): boolean {
    const node = this.#nodeAt(path);
    return yamlPackage().isCollection(node) && node.flow === true && node.items.length > 0;
  }

  /**
   * The same text with the collections at these paths in block style: one entry per line, plain keys; comments stay.
   */
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

  #at(offset: number): Position {
    const { line, col } = this.#read.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Resolving an alias searches all anchors before it; the parser limits only the aliases of each anchor. */
const aliasesMax = 1_000;

type DocumentFault = { readonly at: number; readonly key?: string; readonly message: string };

/**
 * Reports duplicate keys (YAML 1.2.2 §3.2.1.1), aliases of unknown or enclosing anchors, and more aliases than any real
 * configuration has. Messages leave out the alias name: it may be a secret that lacks quotes.
 */
function faultsBesideSyntax(document: Document): { readonly faults: DocumentFault[]; readonly firstAlias: number } {
  const { isAlias, isMap, isScalar, visit } = yamlPackage();
  const faults: DocumentFault[] = [];
  /** The last node so far for each anchor name. */
  const anchors = new Map<string, unknown>();
  let [aliases, firstAlias] = [0, 0];
  const checkAlias = (alias: Alias, above: Ancestors) => {
    const at = alias.range?.[0] ?? 0;
    if (aliases++ === 0) firstAlias = at;
    if (aliases === aliasesMax + 1) faults.push({ at, message: `more than ${aliasesMax} aliases` });
    const meant = anchors.get(alias.source);
    if (meant !== undefined && !above.includes(meant)) return;
    const message =
      meant === undefined
        ? 'is an alias without an anchor; put quotes around a text that begins with "*"'
        : 'is an alias of an anchor that contains it';
    faults.push({ at, key: keyText(pathTo(alias, above)), message });
  };
  visit(document, {
    Node(_, node, above) {
      if (isAlias(node)) return checkAlias(node, above);
      if ('anchor' in node && node.anchor) anchors.set(node.anchor, node);
      if (!isMap(node)) return;
      const seen = new Set<unknown>();
      for (const { key } of node.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) faults.push({ at: key.range?.[0] ?? 0, message: 'Map keys must be unique' });
        seen.add(key.value);
      }
    },
  });
  return { faults, firstAlias };
}

/** The ancestors of a node, outermost first. */
type Ancestors = readonly (Document | Node | Pair)[] & readonly unknown[];

/** The keys and indexes that lead to a node, leaving out keys that are not scalars. */
function pathTo(node: Node, above: Ancestors): KeyPath {
  const { isPair, isScalar, isSeq } = yamlPackage();
  const line = [...above, node];
  return line.flatMap((one, i): PropertyKey[] => {
    if (isSeq(one)) return [one.items.indexOf(line[i + 1])];
    return isPair(one) && isScalar(one.key) ? [String(one.key.value)] : [];
  });
}

/** A key or a list entry, with its value. */
type Child = { readonly at: Node; readonly value: unknown };

/** The keys of a map; for duplicates the first. */
function keysOf(map: YAMLMap): ReadonlyMap<string, Child> {
  const { isNode, isPair } = yamlPackage();
  const keys = new Map<string, Child>();
  for (const pair of map.items) {
    if (!isPair(pair) || !isNode(pair.key) || keys.has(String(pair.key))) continue;
    keys.set(String(pair.key), { at: pair.key, value: pair.value });
  }
  return keys;
}
