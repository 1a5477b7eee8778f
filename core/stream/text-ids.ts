/**
 * Tells apart texts that only ids distinguish: the answers of several agents, runs or messages whose events alternate on
 * one stream. An id alone is no evidence, because some services change theirs in every event. But ids that come back after
 * another one, twice in a stream, name texts.
 */
import type { JsonMember, JsonNode } from '../payload/json-strings.ts';

/** The ids of one text so far. */
type Ids = {
  last: string;
  /** The ids of all events; undefined once they name texts. */
  seen: Set<string> | undefined;
  /** How often an id came back. */
  returns: number;
  /** The keys of the texts that they name. */
  readonly keys: Map<string, string>;
};

// A service that changes its id in every event would otherwise fill memory.
const seenMax = 1_000;
const textsMax = 2_000;
/** One event in between may have another id by accident. */
const returnsMin = 2;
const idName = /(?:^|_)id$|I[dD]$|^author$/;

/** Finds the run of a text by the ids in its events. */
export class TextIds {
  readonly #ids = new Map<string, Ids>();
  readonly #ofRun = new Map<string, string>();

  /** The key of the member's run, given the one that ignores ids. */
  keyOf(key: string, member: JsonMember): string {
    const { names, values } = idsOf(member.node);
    if (names === '') return key;
    const place = `${names}|${key}`;
    const known = this.#ids.get(place);
    if (known === undefined) {
      if (this.#ids.size < textsMax)
        this.#ids.set(place, { last: values, seen: new Set([values]), returns: 0, keys: new Map() });
      return key;
    }
    if (known.seen !== undefined) {
      if (values === known.last) return key;
      if (known.seen.has(values)) known.returns++;
      else if (known.seen.size < seenMax) known.seen.add(values);
      if (known.returns < returnsMin) {
        known.last = values;
        return key;
      }
      known.seen = undefined;
      this.#name(known, known.last, key);
    }
    return known.keys.get(values) ?? this.#name(known, values, `${key}|${values}`);
  }

  /** True if the run belongs to another text than an event's own ids state. */
  isOfAnother(runKey: string, root: JsonNode): boolean {
    const own = this.#ofRun.get(runKey);
    return own !== undefined && !own.endsWith(idsOf(root).values);
  }

  #name({ keys }: Ids, values: string, key: string): string {
    if (keys.size >= textsMax) return key;
    keys.set(values, key);
    this.#ofRun.set(key, values);
    return key;
  }
}

/** The ids in a node and around it, from the innermost one. */
function idsOf(node: JsonNode): { names: string; values: string } {
  let names = '';
  let values = '';
  for (let at: JsonNode | undefined = node; at; at = at.parent) {
    for (const { key, value, isKey } of at.members ?? []) {
      // Most names end with another letter, which is faster to see.
      if (isKey || !mayEndId(key.charCodeAt(key.length - 1)) || !idName.test(key)) continue;
      names += `${key},`;
      values += `${value},`;
    }
  }
  return { names, values };
}

/** True for the last letter of a name that {@link idName} may match. */
function mayEndId(c: number): boolean {
  return c === 0x64 || c === 0x44 || c === 0x72;
}
