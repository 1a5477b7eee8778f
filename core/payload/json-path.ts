/** Places of JSON documents in general, told by names alone. */

/**
 * A place of documents in general, positions aside: `messages[].content`. Equal places are the same object for as long
 * as they are remembered, so that what is found out about a place can be kept with it.
 */
export class JsonPath {
  readonly text: string;
  readonly #members = new Map<string, JsonPath>();
  #element: JsonPath | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The place of a member of that name. */
  member(key: string): JsonPath {
    if (this.text.length > pathMax) return this.#beyond;
    const name = key.length > nameMax ? noName : key;
    let path = this.#members.get(name);
    if (path === undefined) {
      path = newPath(this.text === '' ? name : `${this.text}.${name}`);
      this.#members.set(name, path);
    }
    return path;
  }

  /** The place of the elements. */
  get element(): JsonPath {
    if (this.text.length > pathMax) return this.#beyond;
    this.#element ??= newPath(`${this.text}[]`);
    return this.#element;
  }

  /** Any place below one that is too deep to be told. */
  get #beyond(): JsonPath {
    if (this.text.endsWith(noName)) return this;
    this.#element ??= newPath(`${this.text}.${noName}`);
    return this.#element;
  }
}

// Patterns are tried on places, and places are remembered: no service has longer ones.
const pathMax = 1_000;
const nameMax = 100;
/** Stands in a place for a name that no service has. */
export const noName = '…';

// Names come from outside, so what is remembered is bounded; then everything is forgotten, and common places come back.
const pathsMax = 5000;
let pathCount = 0;
let root = new JsonPath('');

function newPath(text: string): JsonPath {
  if (++pathCount > pathsMax) {
    pathCount = 0;
    root = new JsonPath('');
  }
  return new JsonPath(text);
}

/** The place of a whole document. */
export function rootPath(): JsonPath {
  return root;
}
