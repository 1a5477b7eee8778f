/** Assigns strings to runs of text and finds the runs that an event ends (wire format reference, 2.2 and 2.4). */
import { wireFormats } from '../formats/index.ts';
import type { TypeFacts, WireFormats } from '../formats/wire-formats.ts';
import { type JsonMember, type JsonNode, rootOf } from '../payload/json-strings.ts';

/** The properties that an event states about itself. */
export type EventScope = {
  readonly root: JsonNode;
  /** `type` or `event` of the document, or the event's name if more specific. */
  readonly type: string;
  readonly facts: TypeFacts;
  /** The type without its last word: `x.delta` and `x.done` belong to one family. */
  readonly family: string;
  readonly indexes: readonly string[];
  readonly formats: WireFormats;
};

/** Reads the scope of an event from the members of its document. */
export function scopeOf(
  members: readonly JsonMember[],
  name: string | undefined,
  formats: WireFormats = wireFormats,
): EventScope | undefined {
  const first = members[0];
  if (!first) return undefined;
  const root = rootOf(first.node);
  const declared = root.member('type') ?? root.member('event') ?? root.member('event_type');
  // The type of a message ("answer") is less specific than a name such as `conversation.message.delta`.
  const isNamed =
    name !== undefined &&
    formats.type(name).hasLastWord &&
    !(declared?.isString && formats.type(declared.value).hasLastWord);
  const type = declared?.isString && !isNamed ? declared.value : (name ?? '');
  const facts = formats.type(type);
  const indexes: string[] = [];
  // Without a type, `index` counts events, not blocks.
  const index = declared?.isString ? root.member('index') : undefined;
  if (index) indexes.push(`index=${index.value}`);
  for (const field of formats.indexes) {
    const member = root.member(field);
    if (member) indexes.push(`${field}=${member.value}`);
  }
  const id = facts.isById ? root.member('id') : undefined;
  if (id) indexes.push(`id=${id.value}`);
  const item = facts.isByItem ? root.member('item_id') : undefined;
  if (item) indexes.push(`item_id=${item.value}`);
  return { root, type, facts, family: facts.family, indexes, formats };
}

/** Path of a container, with array positions replaced by the index stated in the element. */
export function keyedPath(node: JsonNode, formats: WireFormats): string {
  if (!node.parent) return '';
  const parent = keyedPath(node.parent, formats);
  if (node.position < 0) return node.key === '' ? parent : `${parent}.${node.key}`;
  const index = node.member('index');
  if (index && !index.isString) return `${parent}[${index.value}]`;
  for (const name of formats.elementNames) {
    const member = node.member(name);
    if (member) return `${parent}[${node.position}:${member.value}]`;
  }
  // The parts of one event form one run.
  return formats.runs.joinedLists.has(node.parent.key) ? `${parent}[]` : `${parent}[${node.position}]`;
}

/** Key suffix of a run that repeats earlier pieces in full within one event. */
export const copyMark = '|copy';

/** True for a piece of tool arguments that only the event's type identifies. */
export function isToolPiece({ facts, formats }: EventScope, { key }: JsonMember): boolean {
  return key === 'delta' ? facts.isToolDelta : formats.tools.deltaNames.has(key);
}

/** The run key of a string. */
export function runKey(scope: EventScope, member: JsonMember): string {
  const { node } = member;
  const { formats } = scope;
  const base = keyedPath(node, formats);
  const place =
    member.position < 0 ? `.${member.key}` : formats.runs.joinedStrings.has(node.key) ? '[]' : `[${member.position}]`;
  let key = `${scope.family}|${scope.indexes.join()}|${base}${place}`;
  if (node.members && node.members.length > 1) {
    for (const detailOf of formats.runs.detail) {
      const detail = detailOf(node);
      if (detail) key += `|${detail.replaceAll(/\d+/g, '*')}`;
    }
  }
  if (formats.isCopy(member)) key += copyMark;
  return key;
}

/** The runs that an event ends. */
export type Ending = {
  readonly all: boolean;
  /** With `all`: an index, as in {@link EventScope.indexes}; runs with another value of it do not end. */
  readonly only?: string | undefined;
  /** Runs below these keyed paths. */
  readonly paths: readonly string[];
  readonly keys?: readonly string[];
  /** Runs of this family (any if undefined) whose indexes include those of the event. */
  readonly scope?: { readonly family: string | undefined; readonly indexes: readonly string[] };
};

/** What ends with an event; undefined if nothing does. */
export function endingOf(scope: EventScope, members: readonly JsonMember[]): Ending | undefined {
  const { root, facts, formats } = scope;
  let all = facts.endsAll;
  const paths: string[] = [];
  for (const member of members) {
    const { key, value, node } = member;
    if (member.isKey || key === '') continue;
    if (formats.isEnd(member, root)) all = true;
    if (!member.isString) {
      if (value === 'true' && (node === root ? formats.ends.flags : formats.ends.deepFlags).has(key)) all = true;
    } else if (formats.ends.reasons.has(key)) {
      if (value === '' || formats.ends.noReasons.has(value.toLowerCase())) continue;
      const element = elementOf(node);
      if (element) paths.push(keyedPath(element, formats));
      else all = true;
    } else if (value !== '' && (node === root ? key : rootKey(node, scope)) === 'error') {
      all = true;
    }
  }
  const endsOwn = !all && facts.endsOwn;
  if (!all && paths.length === 0 && !endsOwn) return undefined;
  if (!endsOwn) return { all, paths, only: all && facts.endsAll ? answerIndexOf(scope, members) : undefined };
  return { all, paths, scope: { family: facts.endsBlock ? undefined : scope.family, indexes: scope.indexes } };
}

/** The index of the texts of a complete response, such as `response_id=resp_1` for `response.id`. */
function answerIndexOf({ formats, root }: EventScope, members: readonly JsonMember[]): string | undefined {
  for (const name of formats.ends.answerIndex) {
    const id = members.find(({ key, node }) => key === 'id' && node.parent === root && `${node.key}_id` === name);
    if (id) return `${name}=${id.value}`;
  }
  return undefined;
}

/** Name of the document's member with this node. */
function rootKey(node: JsonNode, scope: EventScope): string | undefined {
  return node.parent === scope.root ? node.key : undefined;
}

/** The nearest enclosing array element, or the node itself. */
function elementOf(node: JsonNode): JsonNode | undefined {
  for (let at: JsonNode | undefined = node; at; at = at.parent) if (at.position >= 0) return at;
  return undefined;
}

/** True if the string is complete in itself: a copy of earlier text, or part of a complete object. */
export function isWholeText({ type, facts, formats }: EventScope, member: JsonMember): boolean {
  if (member.value !== '' && facts.start?.text.test(member.path)) return false;
  if (facts.isWhole) return true;
  const place = formats.place(member.where);
  return place.isWhole || (type !== '' && place.isWholeTyped);
}
