/** Events that open a block and may already contain the first piece of its text: Anthropic's and Cohere's. */
import type { JsonMember } from '../payload/json-strings.ts';
import type { Template } from './run.ts';

const starts: Readonly<Record<string, RegExp>> = {
  content_block_start: /^content_block\.text$/,
  'content-start': /^delta\.message\.content\.(?:text|thinking)$/,
  'tool-call-start': /^delta\.message\.tool_calls\.function\.arguments$/,
};

/** True for the first piece of a text, in an event of this type that opens its block. */
export function isFirstPiece(type: string, member: Pick<JsonMember, 'path'>): boolean {
  return Object.hasOwn(starts, type) && (starts[type] as RegExp).test(member.path);
}

/** A template adapted so that events made from it do not open the block again. */
export function afterStart(template: Template): Template {
  const event = JSON.parse(template.json) as { type?: unknown; index?: unknown };
  const { type } = event;
  if (typeof type !== 'string' || !Object.hasOwn(starts, type)) return template;
  const next = type.replace(/start$/, 'delta');
  const name = template.name === type ? next : template.name;
  if (type !== 'content_block_start')
    return { ...template, at: undefined, name, json: JSON.stringify({ ...event, type: next }) };
  const delta = { type: 'text_delta', text: '' };
  const json = JSON.stringify({ type: next, index: event.index, delta });
  return { ...template, at: undefined, name, json, pointer: 'delta.text' };
}
