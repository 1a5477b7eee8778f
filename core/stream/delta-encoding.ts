/**
 * Events that patch a document: `{"p": path, "o": operation, "v": value}` (chatgpt.com "v1", chat.deepseek.com).
 * `p` and `o` are left out where they are those of the event before, so every event has to be read in order.
 */
import type { JsonEdit, JsonMember, JsonNode } from '../payload/json-strings.ts';
import type { Ending, EventScope } from './run-key.ts';

/** A text of the document that an event says, or goes on with. */
export type DeltaPiece = {
  /** Key of its run. */
  readonly key: string;
  /** Path for an event that goes on with it. */
  readonly path: string;
  /** The text begins with it: it came with the document, or replaces what was there. */
  readonly starts: boolean;
};

/** The length to which an event cuts a text. */
export type Truncation = { readonly key: string; readonly path: string; readonly length: JsonMember };

/** One event in that encoding. */
export type DeltaEvent = {
  /** Undefined for strings that are no piece of a run. */
  pieceOf(member: JsonMember): DeltaPiece | undefined;
  readonly truncations: readonly Truncation[];
  /** Runs that end with the event: all when the message is finished, else those whose path does not go on. */
  ending(keys: Iterable<string>): Ending | undefined;
  /** Path and operation written into the event, for when another event was put before it. */
  spellOut(json: string): JsonEdit | undefined;
};

/** What a container of an event is: a patch, or part of what one puts into the document. */
type Place = {
  readonly path: string;
  /** That of a patch. */
  readonly operation?: string;
  /** How many elements the list had before; undefined where that is not known. */
  readonly base?: number | undefined;
};

const separator = '|';
const mark = `delta${separator}`;
const appends = /^append$/i;
const truncates = /^truncate$/i;
const groups = /^(?:batch|patch)$/i;
/** Paths of strings to which services append. */
const textPath = /(?:^|\/)(?:(?:thinking_)?content|text|summary|parts\/\d+)$/;
/** Paths of lists to whose elements services append. */
const listPath = /(?:^|\/)(?:fragments|thoughts|parts)$/;
const statusPath = /(?:^|\/)status$/;
/** The document as chat.deepseek.com sends it first, without path and operation. */
const documentPath = /^v\.response\.(?:message_id$|fragments\b)/;
// An answer has one of each; more of them are of answers before.
const listsMax = 100;

/** Remembers the path and operation of the last event, and how long the lists of texts in the document are. */
export class DeltaEncoding {
  #path = '';
  #operation = '';
  #channel = '';
  /** Paths are JSON Pointers (RFC 6901), as at chatgpt.com; those of chat.deepseek.com have no slash before them. */
  #isPointer = false;
  /** By channel and path. */
  readonly #lengths = new Map<string, number>();
  /** The document itself was seen, so lists of which nothing is known are empty. */
  #hasDocument = false;
  /** True from the first event in this encoding on. */
  isActive = false;
  /** True when events were put in since the last one, so that the next one has to say its path and operation. */
  isInterrupted = false;

  /** True for the key of a run of this encoding. */
  static isKey(key: string): boolean {
    return key.startsWith(mark);
  }

  /** The event in this encoding; undefined when it is none. */
  read(scope: EventScope, members: readonly JsonMember[], name: string | undefined): DeltaEvent | undefined {
    const { root } = scope;
    if (name === 'delta_encoding') {
      this.isActive = true;
      this.#isPointer = true;
    }
    if (root.isArray) return undefined;
    const p = root.member('p');
    const o = root.member('o');
    // A lone `p` is the padding of another provider.
    const hasValue =
      root.member('v') !== undefined ||
      members.some((member) => member.isKey && member.node === root && member.value === 'v');
    if (!hasValue) return undefined;
    const isDocument = () => root.members === undefined && members.some(({ path }) => documentPath.test(path));
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

  /** An event that appends a text to the run with that key at that path; path and operation are spelled out. */
  event(key: string, path: string, text: string): string {
    const [, channel = ''] = key.split(separator);
    // A number or a string in the original; it is optional, so only a number is repeated.
    const c = /^\d+$/.test(channel) && channel !== this.#channel ? `,"c":${channel}` : '';
    return `{"p":${JSON.stringify(path)},"o":"${this.#append}","v":${JSON.stringify(text)}${c}}`;
  }

  /** The operation that appends, as the service writes it. */
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
      const hasFinished = member.isString && statusPath.test(path) && /^finished/i.test(member.value);
      if (operation === undefined) {
        // A message that comes finished ends what it says itself.
        if (hasFinished) isComplete = true;
        if (!member.isString || !textPath.test(path)) continue;
        touched.add(key);
        pieces.set(member, { key, path: spelled, starts: true });
      } else if (member.isString) {
        if (hasFinished) isFinished = true;
        touched.add(key);
        if (operation === '' || appends.test(operation)) pieces.set(member, { key, path: spelled, starts: false });
        else if (textPath.test(path)) pieces.set(member, { key, path: spelled, starts: true });
      } else if (truncates.test(operation)) {
        touched.add(key);
        truncations.push({ key, path: spelled, length: member });
      }
    }
    return { pieces, touched, truncations, isFinished, isComplete };
  }

  /** Undefined for what is beside the value of a patch. */
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

  /** The path of a member or an element; the length of its list is remembered. */
  #inside({ path, base }: Place, { key, position }: JsonMember | JsonNode): string {
    if (position < 0) return join(path, key);
    if (base === undefined) return join(path, '-1');
    const at = base + position;
    if (listPath.test(path)) {
      if (this.#lengths.size >= listsMax) this.#lengths.clear();
      this.#lengths.set(this.#channel + separator + path, at + 1);
    }
    return join(path, String(at));
  }

  #lengthOf(list: string): number | undefined {
    return this.#lengths.get(this.#channel + separator + list);
  }

  /** The path with the last element of a list by its position, where that is known. */
  #resolve(path: string): string {
    const at = path.search(/\/-1(?=\/|$)/);
    const length = at < 0 ? undefined : this.#lengthOf(path.slice(0, at));
    return length === undefined ? path : `${path.slice(0, at)}/${length - 1}${path.slice(at + 3)}`;
  }

  /** A new document at that path. */
  #forget(path: string): void {
    if (path === '') this.#hasDocument = true;
    const start = this.#channel + separator + path;
    for (const list of this.#lengths.keys()) if (list.startsWith(start)) this.#lengths.delete(list);
  }
}

/** The place below another one; paths are kept without the slash that one of the services begins them with. */
function join(path: string, more: string): string {
  const rest = more.startsWith('/') ? more.slice(1) : more;
  return path === '' || rest === '' ? path + rest : `${path}/${rest}`;
}
