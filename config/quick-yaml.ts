/**
 * A fast reader for typical YAML configurations: the `yaml` package takes more than a second for ten thousand rules.
 * Anything uncertain (block text, anchors, multi-line values, `null`, decimals, …) is left to the package, which also
 * provides positions.
 */
import { plainScalar } from './plain-yaml.ts';

type Line = { depth: number; text: string };

/** Thrown internally when the text is outside the subset. */
const outside = Symbol('outside the subset');

const blockKey = /^(?:([A-Za-z_][\w./-]*)|"([^"\\]+)"):(?: +|$)/;
const quoted = /"(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/uy;
const single = /'[^'\p{Cc}]*'(?!')/uy;
const flowKey = /([A-Za-z_][\w-]*): +/y;
const flowPlain = /[\p{L}\p{N}./](?:[^,[\]{}:#"']|:(?=[^\s,[\]{}]))*/uy;

/** The value of a text; undefined when only the package can read it. */
export function readQuickYaml(text: string): unknown {
  if (/[\t\r\ufeff]/.test(text)) return undefined;
  try {
    const lines = linesOf(text);
    if (lines.length === 0) return undefined;
    const block = new Block(lines);
    const value = block.node(0);
    return block.isAtEnd ? value : undefined;
  } catch (error) {
    if (error === outside) return undefined;
    throw error;
  }
}

/** The significant lines, without comments. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const whole of text.split('\n')) {
    let line = withoutSpacesBehind(whole);
    let start = 0;
    while (line.charCodeAt(start) === 0x20) start++;
    if (line === '' || line[start] === '#') continue;
    const comment = line.indexOf(' #');
    if (comment !== -1) {
      line = withoutSpacesBehind(line.slice(0, comment));
      // The mark may be inside quotes.
      if (/["']/.test(line)) throw outside;
    }
    lines.push({ depth: start, text: line.slice(start) });
  }
  return lines;
}

/** YAML trims only spaces; `trim` would also remove others, such as the ideographic space of Japanese text. */
function withoutSpacesBehind(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
}

class Block {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length;
  }

  /** Parses the list or mapping that begins at the next line, at this depth. */
  node(depth: number): unknown {
    if (this.#lines[this.#at]?.depth !== depth) throw outside;
    return this.#isItem(depth) ? this.#list(depth) : this.#mapping(depth);
  }

  #isItem(depth: number): boolean {
    const line = this.#lines[this.#at];
    return line?.depth === depth && (line.text === '-' || line.text.startsWith('- '));
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    while (this.#isItem(depth)) {
      const line = this.#lines[this.#at] as Line;
      const rest = line.text.slice(1).replace(/^ +/, '');
      if (rest === '') throw outside;
      if (blockKey.test(rest)) {
        // A mapping that begins after the dash.
        line.depth = depth + line.text.length - rest.length;
        line.text = rest;
        items.push(this.#mapping(line.depth));
      } else {
        this.#at++;
        items.push(inline(rest));
      }
      this.#notDeeper(depth);
    }
    return items;
  }

  #mapping(depth: number): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    for (let line = this.#lines[this.#at]; line?.depth === depth; line = this.#lines[this.#at]) {
      const [head = '', plain, inQuotes] = blockKey.exec(line.text) ?? [];
      const key = plain ?? inQuotes;
      if (key === undefined || (plain !== undefined && typeof plainScalar(plain) !== 'string')) throw outside;
      put(mapping, key, this.#valueOf(line.text.slice(head.length), depth));
      this.#notDeeper(depth);
    }
    return mapping;
  }

  #valueOf(rest: string, depth: number): unknown {
    this.#at++;
    if (rest !== '') return inline(rest);
    const next = this.#lines[this.#at];
    if (next !== undefined && next.depth > depth) return this.node(next.depth);
    return this.#isItem(depth) ? this.#list(depth) : null;
  }

  /** A deeper line would continue the previous value. */
  #notDeeper(depth: number): void {
    if ((this.#lines[this.#at]?.depth ?? 0) > depth) throw outside;
  }
}

function put(mapping: Record<string, unknown>, key: string, value: unknown): void {
  if (Object.hasOwn(mapping, key) || key === '__proto__') throw outside;
  mapping[key] = value;
}

/** A value on one line. */
function inline(text: string): unknown {
  if (!/^["'[{]/.test(text)) return known(plainScalar(text));
  const flow = new Flow(text);
  const value = flow.value();
  if (!flow.isAtEnd) throw outside;
  return value;
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw outside;
  return value;
}

/** Quotes, brackets and braces, as in JSON or with plain words. */
class Flow {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  value(): unknown {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#mapping();
      case '[':
        return this.#list();
      case '"':
        return JSON.parse(this.#take(quoted)[0]);
      case "'":
        return this.#take(single)[0].slice(1, -1);
      default:
        return known(plainScalar(withoutSpacesBehind(this.#take(flowPlain)[0])));
    }
  }

  #mapping(): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    this.#items('}', () => {
      const key = this.#key();
      put(mapping, key, this.value());
    });
    return mapping;
  }

  #key(): string {
    if (this.#text[this.#at] !== '"') {
      const key = this.#take(flowKey)[1] as string;
      if (typeof plainScalar(key) !== 'string') throw outside;
      return key;
    }
    const key: string = JSON.parse(this.#take(quoted)[0]);
    if (this.#text[this.#at++] !== ':') throw outside;
    this.#skipSpaces();
    return key;
  }

  #list(): unknown[] {
    const items: unknown[] = [];
    this.#items(']', () => items.push(this.value()));
    return items;
  }

  #items(end: string, read: () => void): void {
    this.#at++;
    this.#skipSpaces();
    if (this.#text[this.#at] === end) {
      this.#at++;
      return;
    }
    for (;;) {
      read();
      this.#skipSpaces();
      const mark = this.#text[this.#at++];
      this.#skipSpaces();
      if (mark === end) return;
      if (mark !== ',') throw outside;
    }
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at++;
  }

  #take(what: RegExp): RegExpExecArray {
    what.lastIndex = this.#at;
    const match = what.exec(this.#text);
    if (match === null) throw outside;
    this.#at = what.lastIndex;
    return match;
  }
}
