/**
 * Builds an event with nothing but a text, from another event of the same run (section 2.4 of the wire format
 * reference).
 */

import type { Template } from './run.ts';

type Json = { [key: string]: unknown };

const dropped = new Set([
  'usage',
  'x_groq',
  'citations',
  'annotations',
  'prompt_filter_results',
  'content_filter_results',
]);
const emptied = new Set(['finish_reason', 'finishReason', 'stop_reason', 'done_reason', 'logprobs']);

/**
 * The template with one text in place, at `pointer` such as `choices[0].delta.content`. Ids, indexes, model and names
 * stay; pieces of other texts (`sent`), finish reasons and usage are removed. `sequence` replaces a `sequence_number`.
 */
export function emptyEvent(template: Template, text: string, sequence: number | undefined): string {
  const root: unknown = JSON.parse(template.json);
  const others = template.sent.map(stepsOf);
  const bare = others.reduce((value, steps) => withText(value, steps, 0, ''), root);
  const result = keepPath(bare, stepsOf(template.pointer), 0, text);
  if (sequence !== undefined && isObject(result) && 'sequence_number' in result) result.sequence_number = sequence;
  return JSON.stringify(result);
}

function stepsOf(pointer: string): (string | number)[] {
  return [...pointer.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map((match) =>
    match[1] !== undefined ? Number(match[1]) : (match[2] ?? ''),
  );
}

/** The value with the text at one path replaced. */
function withText(value: unknown, steps: readonly (string | number)[], at: number, text: string): unknown {
  const step = steps[at];
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? withText(item, steps, at + 1, text) : item));
  if (!isObject(value) || !(step in value)) return value;
  return { ...value, [step]: withText(value[step], steps, at + 1, text) };
}

function keepPath(value: unknown, steps: readonly (string | number)[], at: number, text: string): unknown {
  const step = steps[at];
  if (step === undefined) return text;
  if (Array.isArray(value)) {
    // Only the element with the text: the others have been sent.
    return typeof step === 'number' ? [keepPath(value[step], steps, at + 1, text)] : value;
  }
  if (!isObject(value)) return value;
  const result: Json = {};
  const isDelta =
    steps[at - 1] === 'delta' ||
    steps[at - 2] === 'tool_calls' ||
    steps[at - 1] === 'function' ||
    steps[at - 1] === 'tool_calls';
  for (const [key, member] of Object.entries(value)) {
    if (key === step) result[key] = keepPath(member, steps, at + 1, text);
    else if (dropped.has(key)) continue;
    else if (emptied.has(key)) result[key] = null;
    else if (key === 'chunk_starting_offset' && typeof member === 'number') result[key] = member + 1;
    else if (key === 'path' && value.op === 'add') result[key] = nextPlace(member);
    else if (key === 'event' && member === 'replaceText') result[key] = 'appendText';
    else if (isDelta && key !== 'index' && !(key === 'type' && steps[at - 2] !== 'tool_calls')) continue;
    else result[key] = member;
  }
  return result;
}

/** The position after the template's, in a list that is patched: `/chunks/4` → `/chunks/5`. */
function nextPlace(path: unknown): unknown {
  return typeof path === 'string' ? path.replace(/\d+$/, (digits) => String(Number(digits) + 1)) : path;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
