/**
 * A text may begin in the event that opens its block. Its first piece belongs to the run of the events that continue it,
 * which have another type and another path.
 */
import type { Continued } from '../formats/format.ts';
import type { JsonObject } from '../parsing.ts';
import { type JsonMember, type JsonNode, scanJson } from '../payload/json-strings.ts';
import type { Template } from './run.ts';
import { type EventScope, scopeOf } from './run-key.ts';

/** Where a piece belongs: its own event, or the one that continues it. */
export type PiecePlace = {
  readonly scope: EventScope;
  readonly member: JsonMember;
  readonly continued?: Continued;
};

/** An event may open many texts, and is parsed once. */
const parsed = new WeakMap<JsonNode, JsonObject>();

/** The place of a piece in an event. */
export function placeOfPiece(json: string, scope: EventScope, member: JsonMember): PiecePlace {
  const { start } = scope.facts;
  if (!start?.text.test(member.path)) return { scope, member };
  const event = parsed.get(scope.root) ?? (JSON.parse(json) as JsonObject);
  parsed.set(scope.root, event);
  const continued = start.continued(event, member.pointer);
  const members = scanJson(JSON.stringify(continued.event));
  const next = scopeOf(members, continued.name, scope.formats);
  const text = members.find(({ pointer }) => pointer === continued.pointer);
  return next && text ? { scope: next, member: text, continued } : { scope, member };
}

/** A template whose events continue the block, and do not open it again. */
export function afterStart(template: Template): Template {
  const { continued } = template;
  if (continued === undefined) return template;
  const { event, pointer } = continued;
  const type = event.type ?? event.event_type;
  const name = continued.name ?? (typeof type === 'string' ? type : template.name);
  return { ...template, name: template.name && name, json: JSON.stringify(event), pointer };
}
