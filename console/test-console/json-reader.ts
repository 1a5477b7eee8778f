/**
 * A JSON parser that records positions, to show errors with line and column. Browsers report them in different words or
 * not at all, and never the position of a value.
 */

/** A value with its start, in UTF-16 code units. */
export type Located =
  | { readonly kind: 'string'; readonly value: string; readonly at: number }
  | { readonly kind: 'other'; readonly value: number | boolean | null; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Located[]; readonly at: number }
  | { readonly kind: 'object'; readonly entries: readonly Entry[]; readonly at: number };

export type Entry = { readonly key: string; readonly keyAt: number; readonly value: Located };

/** Why a text is not JSON. */
export type JsonFault = 'end' | 'value' | 'comma' | 'colon' | 'key' | 'string' | 'rest' | 'deep';

/** Thrown for invalid JSON. */
export class JsonError extends Error {
  readonly fault: JsonFault;
  readonly at: number;

  constructor(fault: JsonFault, at: number) {
    super(`${fault} at ${at}`);
    this.fault = fault;
    this.at = at;
  }
}

/** Line and column of an offset, both from 1; columns count characters as editors do. */
export function positionOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}

/** The value of a JSON text (RFC 8259). @throws JsonError at the first error */
export function readJson(text: string): Located {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

const depthMax = 50;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Located {
    this.#space();
    const at = this.#at;
    if (depth > depthMax) throw new JsonError('deep', at);
    const first = this.#text[at];
    if (first === undefined) throw new JsonError('end', at);
    if (first === '"') return { kind: 'string', value: this.#string(), at };
    if (first === '[') return this.#list(depth);
    if (first === '{') return this.#object(depth);
    const match = this.#match(/(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y);
    if (match === undefined) throw new JsonError('value', at);
    return { kind: 'other', value: JSON.parse(match) as number | boolean | null, at };
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw new JsonError('rest', this.#at);
  }

  #list(depth: number): Located {
    const at = this.#at++;
    const items: Located[] = [];
    if (this.#next(']')) return { kind: 'list', items, at };
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.#next(']')) return { kind: 'list', items, at };
      this.#comma();
    }
  }

  #object(depth: number): Located {
    const at = this.#at++;
    const entries: Entry[] = [];
    if (this.#next('}')) return { kind: 'object', entries, at };
    for (;;) {
      this.#space();
      const keyAt = this.#at;
      if (this.#text[keyAt] === undefined) throw new JsonError('end', keyAt);
      if (this.#text[keyAt] !== '"') throw new JsonError('key', keyAt);
      const key = this.#string();
      if (!this.#next(':')) throw new JsonError(this.#isOver() ? 'end' : 'colon', this.#at);
      entries.push({ key, keyAt, value: this.value(depth + 1) });
      if (this.#next('}')) return { kind: 'object', entries, at };
      this.#comma();
    }
  }

  #comma(): void {
    if (!this.#next(',')) throw new JsonError(this.#isOver() ? 'end' : 'comma', this.#at);
  }

  #string(): string {
    const at = this.#at;
    const raw = this.#match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y);
    if (raw !== undefined) return JSON.parse(raw) as string;
    const good = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;
    good.lastIndex = at;
    const stop = at + (good.exec(this.#text)?.[0].length ?? 0);
    throw new JsonError(stop >= this.#text.length ? 'end' : 'string', stop);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #next(character: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #isOver(): boolean {
    return this.#at >= this.#text.length;
  }

  #space(): void {
    this.#match(/[ \t\r\n]*/y);
  }
}
