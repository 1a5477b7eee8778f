/** A YAML text as a plain value, with the place of every key, so that a fault can be shown with its line. */
import type { Document, LineCounter, Node } from 'yaml';
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
    const problems = this.#read.document.errors.map(
      (error): Problem => ({ file, ...this.#at(error.pos[0]), key: '', message: error.message }),
    );
    let value: unknown;
    if (problems.length === 0) {
      try {
        value = this.#read.document.toJS() ?? undefined;
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
      this.#parsed = { document: parseDocument(this.#text, { lineCounter: lines, prettyErrors: false }), lines };
    }
    return this.#parsed;
  }

  /** Where the key (or the entry of a list) at the path stands; the nearest parent that exists when it is not there. */
  placeOf(path: KeyPath): Place {
    let node: unknown = this.#read.document.contents;
    let place: Place = { line: 1, column: 1 };
    for (const key of path) {
      const next = childOf(node, key);
      if (next === undefined) break;
      place = this.#at(next.at.range?.[0] ?? 0);
      node = next.value;
    }
    return place;
  }

  /** Where the value at the path stands; its key when it has none. */
  placeOfValue(path: KeyPath): Place {
    const node = this.#read.document.getIn([...path], true);
    return yamlPackage().isNode(node) && node.range ? this.#at(node.range[0]) : this.placeOf(path);
  }

  /** Whether the collection at a path stands in brackets and holds anything. */
  isInBrackets(path: KeyPath): boolean {
    const node = this.#read.document.getIn([...path], true);
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

  #at(offset: number): Place {
    const { line, col } = this.#read.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function childOf(node: unknown, key: PropertyKey): { at: Node; value: unknown } | undefined {
  const { isMap, isNode, isPair, isSeq } = yamlPackage();
  if (isSeq(node)) {
    const item = node.items[Number(key)];
    return isNode(item) ? { at: item, value: item } : undefined;
  }
  if (!isMap(node)) return undefined;
  for (const pair of node.items) {
    if (isPair(pair) && isNode(pair.key) && String(pair.key) === String(key))
      return { at: pair.key, value: pair.value };
  }
  return undefined;
}
