/**
 * Removes or replaces list elements in a JSON body; everything else keeps its bytes. A list that would become empty is
 * removed with its name, because providers reject empty ones.
 */

import type { Keys } from '../formats/agents.ts';
import { wireFormats } from '../formats/index.ts';
import { elementsOf, membersOf, placeOf } from '../payload/json-place.ts';
import { type JsonEdit, spliceJson } from '../payload/json-strings.ts';

/** A removed or replaced value. */
export type Change = { readonly keys: Keys; readonly value?: unknown };

/** Applies the changes to the body. `keepsEmpty`: empty lists stay, as in an MCP server's response. */
export function withChanges(json: string, changes: readonly Change[], keepsEmpty = false): string {
  const written = changes.filter(({ value }) => value !== undefined);
  const edits: JsonEdit[] = written.flatMap(({ keys, value }) => {
    const place = placeOf(json, keys);
    return place === undefined ? [] : [{ ...place, literal: JSON.stringify(value) }];
  });
  let text =
    edits.length === 0
      ? json
      : spliceJson(
          json,
          edits.sort((a, b) => a.start - b.start),
        );
  const byList = new Map<string, { keys: Keys; positions: number[] }>();
  for (const { keys, value } of changes) {
    const position = keys.at(-1);
    if (value !== undefined || typeof position !== 'number') continue;
    const list = keys.slice(0, -1);
    const id = JSON.stringify(list);
    const entry = byList.get(id) ?? { keys: list, positions: [] };
    entry.positions.push(position);
    byList.set(id, entry);
  }
  // From the end, so that earlier offsets stay valid; nested lists come first.
  const lists = [...byList.values()].sort((a, b) => b.keys.length - a.keys.length);
  for (const { keys, positions } of lists) text = withoutElements(text, keys, new Set(positions), keepsEmpty);
  return text;
}

function withoutElements(json: string, list: Keys, positions: ReadonlySet<number>, keepsEmpty: boolean): string {
  const place = placeOf(json, list);
  if (place === undefined || json[place.start] !== '[') return json;
  const elements = elementsOf(json, place);
  const kept = elements.filter((_, i) => !positions.has(i));
  if (kept.length === elements.length) return json;
  // Other items of a conversation may refer to one that lists tools, so it stays.
  const isOfItem = typeof list.at(-2) === 'number' && (list.at(-3) === 'input' || list.at(-3) === 'items');
  if (kept.length === 0 && !keepsEmpty && !isOfItem) return withoutList(json, list);
  const inner = kept.map(({ start, end }) => json.slice(start, end)).join(',');
  return `${json.slice(0, place.start)}[${inner}]${json.slice(place.end)}`;
}

/** Removes a list with its name, and the members of the same object that depend on it. */
function withoutList(json: string, list: Keys): string {
  const name = list.at(-1);
  const parent = list.slice(0, -1);
  // A list of declarations in an element of `tools`: remove the element.
  if (typeof name === 'string' && typeof parent.at(-1) === 'number' && parent.at(-2) === 'tools')
    return withoutElements(json, parent.slice(0, -1), new Set([parent.at(-1) as number]), false);
  if (typeof name !== 'string') return json;
  let text = withoutMember(json, parent, name);
  if (/^(?:tools|functions)$/i.test(name))
    for (const chooser of wireFormats.agents.offered.choosers)
      if (chooser !== name) text = withoutMember(text, parent, chooser, /^tools$/i.test(chooser));
  return text;
}

/** Removes a member and its duplicates; `onlyEmpty`: only if its value is an empty list. */
function withoutMember(json: string, parent: Keys, name: string, onlyEmpty = false): string {
  const object = placeOf(json, parent);
  if (object === undefined) return json;
  const members = [...membersOf(json, object.start)];
  const own = members.filter((member) => member.name === name);
  const last = own.at(-1);
  if (last === undefined) return json;
  if (onlyEmpty && !/^\[\s*\]$/.test(json.slice(last.value, last.end))) return json;
  if (own.length > 1) {
    const kept = members.filter((member) => member.name !== name).map(({ start, end }) => json.slice(start, end));
    return `${json.slice(0, object.start)}{${kept.join(',')}}${json.slice(object.end)}`;
  }
  let { start, end } = last;
  const after = /^\s*,/.exec(json.slice(end, end + 1000))?.[0];
  if (after !== undefined) end += after.length;
  else {
    const before = /,\s*$/.exec(json.slice(Math.max(0, start - 1000), start))?.[0];
    if (before !== undefined) start -= before.length;
  }
  return json.slice(0, start) + json.slice(end);
}
