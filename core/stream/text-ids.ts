/**
 * Tells apart texts that only ids distinguish: the answers of several agents, runs or messages whose events alternate on
 * one stream. An id alone is no evidence, because some services change theirs in every event. But ids that come back after
 * another one, twice in a stream, name texts. Counters do not: they start anew with the next answer. Where a decision is
 * due earlier, an id that several events in a row had is evidence enough.
 */
import { ownCopy } from '../own-copy.ts';
import type { JsonMember, JsonNode } from '../payload/json-strings.ts';

/** The ids in an event around a text. */
type Ids = {
  readonly names: string;
  readonly values: string;
  /** Those of the document itself. */
  readonly own: readonly (readonly [name: string, value: string])[];
};

/** The ids of the texts at one place so far. */
type Place = {
  last: Ids;
  /** The ids of all events; undefined once they name texts. */
  seen: Set<string> | undefined;
  /** How often an id came back. */
  returns: number;
  /** True if the last two events had the same ids. */
  isRepeated: boolean;
  /** The keys of the texts that they name. */
  readonly keys: Map<string, string>;
};

// A service that changes its id in every event would otherwise fill memory.
const seenMax = 1_000;
const textsMax = 2_000;
/** One event in between may have another id by accident. */
const returnsMin = 2;
const idName = /(?:^|_)id$|I[dD]$|^author$/;
const counter = /^\d{1,12}$/;
// Longer ones are the sealed state of a service.
const idLengthMax = 200;
// Around a text; no event has more.
const idsMax = 16;
/** Length of all ids that are kept; every text of an event may be a place with the same ids. */
const keptMax = 1_048_576;
const fewMembers = 32;
const none: Ids['own'] = [];

/** Finds the run of a text by the ids in its events. */
export class TextIds {
  readonly #places = new Map<string, Place>();
  readonly #ofRun = new Map<string, Ids['own']>();
  /** The ids in nodes with many members, which may be around many texts. */
  readonly #ofNode = new WeakMap<JsonNode, Ids['own']>();

  #kept = 0;

  /** The place of the last text. */
  #at: Place | undefined;
  /** The text before the last one at its place, if that had other ids. */
  #left: { readonly ids: Ids; readonly key: string; readonly isRepeated: boolean } | undefined;

  /** True if the last text had other ids than the one before it at its place. */
  get hasSwitched(): boolean {
    return this.#left !== undefined;
  }

  /** Notes an event with the ids of the last text. */
  repeat(): void {
    if (this.#at) this.#at.isRepeated = true;
  }

  /** Forgets the last text. */
  leave(): void {
    this.#at = undefined;
    this.#left = undefined;
  }

  /** Separates the last text from the one before it; false if their ids are no evidence of two texts. */
  separate(): boolean {
    if (!this.#at || !this.#left?.isRepeated) return false;
    this.#at.seen = undefined;
    this.#name(this.#at, this.#left.ids, this.#left.key);
    return true;
  }

  /** The key of the member's run, given the one that ignores ids. */
  keyOf(key: string, member: JsonMember): string {
    this.leave();
    const ids = this.#idsOf(member.node);
    const { names, values } = ids;
    if (names === '') return key;
    const name = `${names}|${key}`;
    const place = this.#places.get(name);
    if (place === undefined) {
      if (this.#places.size >= textsMax || !this.#fits(name.length + values.length)) return key;
      this.#at = { last: kept(ids), seen: new Set([values]), returns: 0, isRepeated: false, keys: new Map() };
      this.#places.set(name, this.#at);
      return key;
    }
    this.#at = place;
    if (place.seen !== undefined) {
      if (values === place.last.values) {
        place.isRepeated = true;
        return key;
      }
      this.#left = { ids: place.last, key, isRepeated: place.isRepeated };
      place.isRepeated = false;
      if (place.seen.has(values)) place.returns++;
      else if (place.seen.size < seenMax && this.#fits(values.length)) place.seen.add(values);
      if (place.returns < returnsMin) {
        place.last = kept(ids);
        return key;
      }
      place.seen = undefined;
      this.#name(place, place.last, key);
    }
    return place.keys.get(values) ?? this.#name(place, ids, `${key}|${values}`);
  }

  /** True if the run belongs to another text than an event's own ids state. */
  isOfAnother(runKey: string, root: JsonNode): boolean {
    const own = this.#ofRun.get(runKey) ?? [];
    return own.some(([name, value]) => (root.member(name)?.value ?? value) !== value);
  }

  #name({ keys }: Place, { values, own }: Ids, key: string): string {
    if (keys.size >= textsMax || !this.#fits(key.length + values.length)) return key;
    keys.set(values, key);
    this.#ofRun.set(key, own);
    return key;
  }

  /** The ids in a node and around it, from the innermost one. */
  #idsOf(node: JsonNode): Ids {
    let names = '';
    let values = '';
    let own: Ids['own'] = none;
    let count = 0;
    for (let at: JsonNode | undefined = node; at; at = at.parent) {
      if (at.members === undefined) continue;
      const found = at.members.length > fewMembers ? this.#idsIn(at, at.members) : idsIn(at.members);
      for (const [name, value] of found) {
        if (count++ === idsMax) break;
        names += `${name},`;
        values += `${value},`;
      }
      if (!at.parent?.parent) own = found;
    }
    return { names, values, own };
  }

  /** Counts what is kept; false if it is too much. */
  #fits(length: number): boolean {
    if (this.#kept + length > keptMax) return false;
    this.#kept += length;
    return true;
  }

  #idsIn(node: JsonNode, members: readonly JsonMember[]): Ids['own'] {
    const known = this.#ofNode.get(node) ?? idsIn(members);
    this.#ofNode.set(node, known);
    return known;
  }
}

/** A copy that does not keep the event. */
function kept({ names, values, own }: Ids): Ids {
  return {
    names: ownCopy(names),
    values: ownCopy(values),
    own: own.map(([name, value]) => [ownCopy(name), ownCopy(value)]),
  };
}

function idsIn(members: readonly JsonMember[]): Ids['own'] {
  let found: [string, string][] | undefined;
  for (const { key, value, isKey, isString } of members) {
    // Most names end with another letter, which is faster to see.
    if (!isString || isKey || !mayEndId(key.charCodeAt(key.length - 1)) || !idName.test(key)) continue;
    if (value.length > idLengthMax || counter.test(value)) continue;
    found ??= [];
    if (found.push([key, value]) === idsMax) break;
  }
  return found ?? none;
}

/** True for the last letter of a name that {@link idName} may match. */
function mayEndId(c: number): boolean {
  return c === 0x64 || c === 0x44 || c === 0x72;
}
