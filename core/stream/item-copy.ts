/**
 * Events that repeat an item of the conversation in full while its text is streamed (the Realtime API). The text so far
 * in the copy must equal the pieces that were sent, and a finished item ends its texts.
 */
import { isObject } from '../parsing.ts';
import type { JsonMember } from '../payload/json-strings.ts';
import type { Run, Template } from './run.ts';
import type { EventScope } from './run-key.ts';

/** A copy of an item, and the runs of its texts with held text. */
export type ItemCopy = {
  /** True if pieces of the item may follow. */
  readonly isOpen: boolean;
  readonly runs: readonly Run[];
};

/** The copy in an event; undefined if it has none, or if no text of the item is held. */
export function itemCopyOf({ type, facts }: EventScope, members: readonly JsonMember[], runs: Iterable<Run>) {
  if (!facts.copiesItem) return undefined;
  const own = (name: string) => members.find(({ key, path }) => key === name && path === `item.${name}`)?.value;
  const id = own('id');
  if (id === undefined) return undefined;
  const held = [...runs].filter((run) => run.held && itemIdOf(run) === id);
  if (held.length === 0) return undefined;
  const status = own('status');
  const isOpen = !type.endsWith('.done') && (status === undefined || status === 'in_progress');
  return { isOpen, runs: held } satisfies ItemCopy;
}

/** True for the text of an open copy that ends with held text, which its next piece continues. */
export function isCutCopy(copy: ItemCopy, { value }: JsonMember): boolean {
  return copy.isOpen && copy.runs.some(({ text }) => value.endsWith(text.carry));
}

/** The ids of items by the event with their held text, which is parsed once. */
const itemIds = new WeakMap<Template, unknown>();

function itemIdOf({ template }: Run): unknown {
  if (template === undefined) return undefined;
  if (!itemIds.has(template)) {
    const event: unknown = template.continued?.event ?? JSON.parse(template.json);
    itemIds.set(template, isObject(event) ? event.item_id : undefined);
  }
  return itemIds.get(template);
}
