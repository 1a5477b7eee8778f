/**
 * Events that patch a document: `{"p": path, "o": operation, "v": value}`. `p` and `o` are omitted if they equal the
 * previous event's, so every event must be read in order.
 */
import type { WireFormats } from '../formats/wire-formats.ts';
import type { JsonEdit, JsonMember, JsonNode } from '../payload/json-strings.ts';
import type { Ending, EventScope } from './run-key.ts';

/** A piece of the document's text. */
export type DeltaPiece = {
  /** Key of the piece's run. */
  readonly key: string;
  /** Path for an event that continues the piece. */
  readonly path: string;
  /** True if the text starts here: it came with the document or replaces earlier text. */
  readonly starts: boolean;
};

/** An event that truncates a text to this length. */
export type Truncation = { readonly key: string; readonly path: string; readonly length: JsonMember };

/** One event in this encoding. */
export type DeltaEvent = {
  /** Undefined for a string that is not part of a run. */
  pieceOf(member: JsonMember): DeltaPiece | undefined;
  readonly truncations: readonly Truncation[];
  /** The runs that end with the event: all if the message is finished, else those whose path does not continue. */
  ending(keys: Iterable<string>): Ending | undefined;
  /** Writes path and operation into the event, needed after another event was inserted before it. */
  spellOut(json: string): JsonEdit | undefined;
};

/** A container within an event: a patch, or part of the value that a patch adds to the document. */
type Place = {
  readonly path: string;
  /** The operation of a patch. */
  readonly operation?: string;
  /** The previous length of the list; undefined if unknown. */
  readonly base?: number | undefined;
};

const separator = '|';
const mark = `delta${separator}`;
const appends = /^append$/i;
const truncates = /^truncate$/i;
const groups = /^(?:batch|patch)$/i;
// A response has one list of each kind; more lists belong to earlier responses.
const listsMax = 100;

/** Tracks the last event's path and operation, and the lengths of the document's text lists. */
export class DeltaEncoding {
  readonly #patches: WireFormats['patches'];
  #path = '';
  #operation = '';
  #channel = '';
  /** True if paths are JSON Pointers (RFC 6901); another service omits the leading slash. */
  #isPointer = false;
  /** By channel and path. */
  readonly #lengths = new Map<string, number>();
  /** True once the document itself was seen: unknown lists are then empty. */
  #hasDocument = false;
  /** True from the first event in this encoding on. */
  isActive = false;
  /** True if events were inserted since the last one, so the next must state its path and operation. */
  isInterrupted = false;

  constructor({ patches }: WireFormats) {
    this.#patches = patches;
  }

  /** True for a run key of this encoding. */
  static isKey(key: string): boolean {
    return key.startsWith(mark);
  }

  /** Parses an event in this encoding; undefined if it is not one. */
  read(scope: EventScope, members: readonly JsonMember[], name: string | undefined): DeltaEvent | undefined {
    const { root } = scope;
    if (name !== undefined && this.#patches.announcements.has(name)) {
      this.isActive = true;
      this.#isPointer = true;
    }
    if (root.isArray) return undefined;
    const p = root.member('p');
    const o = root.member('o');
    // A lone `p` is another provider's padding.
    const hasValue =
      root.member('v') !== undefined ||
      members.some((member) => member.isKey && member.node === root && member.value === 'v');
    if (!hasValue) return undefined;
    const isDocument = () => root.members === undefined && members.some(({ path }) => this.#patches.document(path));
    const isPatch = this.isActive || p?.isString || o?.isString || isDocument();
    if (!isPatch) return undefined;
    this.isActive = true;
    if (p?.isString) {
      this.#path = p.value;
      this.#isPointer = p.value === '' || p.value.startsWith('/');
    }
    if (o?.isString) this.#operation = o.value;
    const c = root.member('c');
    if (c) this.#channel = c.value;
    const path = this.#path;
    const operation = this.#operation;
    const append = this.#append;
    const prefix = mark + this.#channel + separator;
    const { pieces, touched, truncations, isFinished, isComplete } = this.#readValues(root, members, prefix);
    return {
      pieceOf: (member) => pieces.get(member),
      truncations,
      ending(keys) {
        const ended = isFinished
          ? [...keys]
          : [...keys].filter((known) => known.startsWith(prefix) && (isComplete || !touched.has(known)));
        return ended.length === 0 ? undefined : { all: isFinished, paths: [], keys: ended };
      },
      spellOut(json) {
        const missing = [
          ...(p ? [] : [`"p":${JSON.stringify(path)}`]),
          ...(o ? [] : [`"o":${JSON.stringify(operation || append)}`]),
        ];
        if (missing.length === 0) return undefined;
        const at = json.indexOf('{') + 1;
        return { start: at, end: at, literal: `${missing.join()},` };
      },
    };
  }

  /** Creates an event that appends text to a run, with explicit path and operation. */
  event(key: string, path: string, text: string): string {
    const [, channel = ''] = key.split(separator);
    // The original may be a number or a string; the member is optional, so only a number is repeated.
    const c = /^\d+$/.test(channel) && channel !== this.#channel ? `,"c":${channel}` : '';
    return `{"p":${JSON.stringify(path)},"o":"${this.#append}","v":${JSON.stringify(text)}${c}}`;
  }

  /** The append operation in the service's spelling. */
  get #append(): string {
    return this.#isPointer ? 'append' : 'APPEND';
  }

  #readValues(root: JsonNode, members: readonly JsonMember[], prefix: string) {
    const pieces = new Map<JsonMember, DeltaPiece>();
    const touched = new Set<string>();
    const truncations: Truncation[] = [];
    const places = new Map<JsonNode, Place | undefined>();
    places.set(root, { path: this.#resolve(join('', this.#path)), operation: this.#operation });
    let isFinished = false;
    let isComplete = false;
    for (const member of members) {
      if (member.isKey) continue;
      const place = this.#placeOf(member.node, places);
      if (!place) continue;
      const { operation } = place;
      if (operation !== undefined && member.key !== 'v') continue;
      const path = operation === undefined ? this.#inside(place, member) : place.path;
      const key = prefix + path;
      const spelled = member.node === root ? this.#path : this.#isPointer ? `/${path}` : path;
      const hasFinished = member.isString && this.#patches.status(path) && /^finished/i.test(member.value);
      if (operation === undefined) {
        // A message that arrives finished ends the runs it contains.
        if (hasFinished) isComplete = true;
        if (!member.isString || !this.#patches.texts(path)) continue;
        touched.add(key);
        pieces.set(member, { key, path: spelled, starts: true });
      } else if (member.isString) {
        if (hasFinished) isFinished = true;
        touched.add(key);
        if (operation === '' || appends.test(operation)) pieces.set(member, { key, path: spelled, starts: false });
        else if (this.#patches.texts(path)) pieces.set(member, { key, path: spelled, starts: true });
      } else if (truncates.test(operation)) {
        touched.add(key);
        truncations.push({ key, path: spelled, length: member });
      }
    }
    return { pieces, touched, truncations, isFinished, isComplete };
  }

  /** The container of a node; undefined outside the value of a patch. */
  #placeOf(node: JsonNode, places: Map<JsonNode, Place | undefined>): Place | undefined {
    if (places.has(node) || !node.parent) return places.get(node);
    const around = this.#placeOf(node.parent, places);
    const place = around && this.#placeIn(around, node);
    places.set(node, place);
    return place;
  }

  #placeIn(around: Place, node: JsonNode): Place | undefined {
    const { path, operation } = around;
    if (operation !== undefined) {
      if (node.key !== 'v') return undefined;
      if (appends.test(operation)) return { path, base: this.#lengthOf(path) ?? (this.#hasDocument ? 0 : undefined) };
      if (!groups.test(operation)) this.#forget(path);
      return { path, base: 0 };
    }
    const p = node.member('p');
    const o = node.member('o');
    if (node.position >= 0 && (p?.isString || o?.isString)) {
      return { path: this.#resolve(join(path, p?.value ?? '')), operation: o?.value ?? 'set' };
    }
    return { path: this.#inside(around, node), base: 0 };
  }

  /** The path of a member or element; records the length of its list. */
  #inside({ path, base }: Place, { key, position }: JsonMember | JsonNode): string {
    if (position < 0) return join(path, key);
    if (base === undefined) return join(path, '-1');
    const at = base + position;
    if (this.#patches.lists(path)) {
      if (this.#lengths.size >= listsMax) this.#lengths.clear();
      this.#lengths.set(this.#channel + separator + path, at + 1);
    }
    return join(path, String(at));
  }

  #lengthOf(list: string): number | undefined {
    return this.#lengths.get(this.#channel + separator + list);
  }

  /** Replaces "last element" in the path by its index, if known. */
  #resolve(path: string): string {
    const at = path.search(/\/-1(?=\/|$)/);
    const length = at < 0 ? undefined : this.#lengthOf(path.slice(0, at));
    return length === undefined ? path : `${path.slice(0, at)}/${length - 1}${path.slice(at + 3)}`;
  }

  /** Resets the list lengths below a path, for a new document. */
  #forget(path: string): void {
    if (path === '') this.#hasDocument = true;
    const start = this.#channel + separator + path;
    for (const list of this.#lengths.keys()) if (list.startsWith(start)) this.#lengths.delete(list);
  }
}

/** Joins two paths. They are stored without the leading slash that one service uses. */
function join(path: string, more: string): string {
  const relative = more.startsWith('/') ? more.slice(1) : more;
  return path === '' || relative === '' ? path + relative : `${path}/${relative}`;
}
