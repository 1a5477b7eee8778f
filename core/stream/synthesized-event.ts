/** Builds an event with nothing but a text from another event of its run (wire format reference, section 2.4). */

import type { WireFormats } from '../formats/wire-formats.ts';
import { isObject, type JsonObject } from '../parsing.ts';
import type { Template } from './run.ts';

type Json = { [key: string]: unknown };

/**
 * The template with a text at `pointer`, such as `choices[0].delta.content`. Ids, indexes, model and names stay; pieces
 * of other texts (`sent`), finish reasons and usage are removed. `sequence` replaces a `sequence_number`.
 */
export function emptyEvent(
  template: Template,
  text: string,
  sequence: number | undefined,
  formats: WireFormats,
): string {
  const root: unknown = JSON.parse(template.json);
  for (const pointer of template.sent) removeText(root, stepsOf(pointer));
  const result = keepPath(root, { steps: stepsOf(template.pointer), text, formats }, 0);
  const isNumbered = sequence !== undefined && isObject(result) && 'sequence_number' in result;
  return JSON.stringify(isNumbered ? { ...result, sequence_number: sequence } : result);
}

function stepsOf(pointer: string): (string | number)[] {
  return [...pointer.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map((match) =>
    match[1] !== undefined ? Number(match[1]) : (match[2] ?? ''),
  );
}

/** Empties the text at one path. */
function removeText(root: unknown, steps: readonly (string | number)[]): void {
  let value = root;
  for (const [at, step] of steps.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return;
    const container = value as Record<string | number, unknown>;
    if (at === steps.length - 1) container[step] = '';
    else value = container[step];
  }
}

type Kept = { readonly steps: readonly (string | number)[]; readonly text: string; readonly formats: WireFormats };

function keepPath(value: unknown, kept: Kept, at: number): unknown {
  const { steps, text, formats } = kept;
  const step = steps[at];
  if (step === undefined) return text;
  if (Array.isArray(value)) {
    // Keep only the element with the text; the others have been sent.
    return typeof step === 'number' ? [keepPath(value[step], kept, at + 1)] : value;
  }
  if (!isObject(value)) return value;
  const result: Json = {};
  const isDelta =
    steps[at - 1] === 'delta' ||
    steps[at - 2] === 'tool_calls' ||
    steps[at - 1] === 'function' ||
    steps[at - 1] === 'tool_calls';
  for (const [key, member] of Object.entries(value)) {
    if (key === step) {
      result[key] = keepPath(member, kept, at + 1);
      continue;
    }
    if (formats.inserted.dropped.has(key)) continue;
    const changed = formats.inserted.emptied.has(key) ? null : changedMember(key, member, value, formats);
    if (changed !== undefined) result[key] = changed;
    else if (isDelta && key !== 'index' && !(key === 'type' && steps[at - 2] !== 'tool_calls')) continue;
    else result[key] = member;
  }
  return result;
}

/** A member's value in the inserted event; undefined if unchanged. */
function changedMember(key: string, member: unknown, object: JsonObject, formats: WireFormats): unknown {
  if (key === 'event' && typeof member === 'string') return formats.continues.get(member);
  for (const change of formats.inserted.changed) {
    const changed = change(key, member, object);
    if (changed !== undefined) return changed;
  }
  return undefined;
}
