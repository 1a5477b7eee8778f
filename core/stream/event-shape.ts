/** Recognises an event that differs from the previous one only in its text, like most events of a stream. */
import type { JsonMember } from '../payload/json-strings.ts';
import { type GrowthRule, growthRule, type Run } from './run.ts';
import type { EventScope } from './run-key.ts';

/** The content around the text of an event whose text is its only variable part. */
export type EventShape = {
  readonly name: string | undefined;
  readonly prefix: string;
  readonly suffix: string;
  readonly run: Run;
  readonly rule: GrowthRule;
  readonly pointer: string;
};

/** The content of a JSON string (RFC 8259 §7). */
const stringContent = /^(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*$/;

/** The shape of an event in which only this member's text varies. */
export function shapeOf(
  json: string,
  name: string | undefined,
  member: JsonMember,
  run: Run,
  scope: EventScope,
): EventShape {
  return {
    name,
    prefix: json.slice(0, member.start + 1),
    suffix: json.slice(member.end - 1),
    run,
    rule: growthRule(member, scope),
    pointer: member.pointer,
  };
}

/** The text of an event with this shape; undefined for others. */
export function valueLike(
  { prefix, suffix, name }: EventShape,
  json: string,
  ownName: string | undefined,
): string | undefined {
  if (name !== ownName || json.length < prefix.length + suffix.length) return undefined;
  if (!json.startsWith(prefix) || !json.endsWith(suffix)) return undefined;
  const literal = json.slice(prefix.length, json.length - suffix.length);
  if (!stringContent.test(literal)) return undefined;
  return literal.includes('\\') ? (JSON.parse(`"${literal}"`) as string) : literal;
}
