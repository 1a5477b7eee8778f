import { ownCopy } from '../own-copy.ts';

/**
 * A path in a JSON document without positions: `messages[].content`. Equal paths are the same object while they are
 * cached, so facts about a path can be kept in a WeakMap.
 */
export class JsonPath {
  readonly text: string;
  /** Cached facts for the most frequent user (structure.ts); faster than a WeakMap. */
  memo: object | undefined = undefined;
  readonly #members = new Map<string, JsonPath>();
  #element: JsonPath | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The path of a member. */
  member(key: string): JsonPath {
    if (this.text.length > pathMax) return this.#beyond;
    const name = key.length > nameMax ? noName : key;
    let path = this.#members.get(name);
    if (path === undefined) {
      const own = ownCopy(name);
      path = newPath(this.text === '' ? own : `${this.text}.${own}`);
      this.#members.set(own, path);
    }
    return path;
  }

  /** The path of the elements. */
  get element(): JsonPath {
    if (this.text.length > pathMax) return this.#beyond;
    this.#element ??= newPath(`${this.text}[]`);
    return this.#element;
  }

  /** The path of everything below a path that is too long. */
  get #beyond(): JsonPath {
    if (this.text.endsWith(noName)) return this;
    this.#element ??= newPath(`${this.text}.${noName}`);
    return this.#element;
  }
}

// Longer than any path of a service: patterns run on paths, and paths are cached.
const pathMax = 1_000;
const nameMax = 100;
/** Replaces a name in a path that is too long. */
export const noName = '…';

// The cache is bounded because names are external; when full, it is cleared.
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

/** The path of a whole document. */
export function rootPath(): JsonPath {
  return root;
}
