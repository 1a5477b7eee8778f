/**
 * Restoring in complete JSON bodies: every string in which a token occurs, except signed and opaque ones (rules S1 to S6
 * of the wire format reference). JSON in a string is opened, and an original is escaped for the depth at which it lands.
 */
import { restoreText } from '../restore.ts';
import type { TokenMap } from '../vault.ts';
import { isSealed, looksLikeJson } from './document.ts';
import { isJson, type JsonEdit, type JsonMember, jsonLiteral, scanJson, spliceJson } from './json-strings.ts';
import { isOpaqueName } from './structure.ts';

/** How many tokens were replaced, and how many well-formed ones were not issued or stayed on purpose. */
export type RestoreCount = { restored: number; unresolved: number };

/** The restored body and what was done to it. */
export type RestoredBody = { readonly body: string } & Readonly<RestoreCount>;

/**
 * Restores a whole JSON body; without a token in it the same string comes back.
 * A body that is no valid JSON comes back unchanged with `restored: 0`: the user sees tokens, nothing leaks.
 */
export function restoreJsonBody(json: string, map: TokenMap): RestoredBody {
  const count: RestoreCount = { restored: 0, unresolved: 0 };
  const mark = json.startsWith('\uFEFF') ? 1 : 0;
  const inner = mark ? json.slice(1) : json;
  if (map.size === 0 || !isJson(inner)) return { body: json, ...count };
  let body: string | undefined;
  try {
    body = restoreDocument(inner, { map, count, level: 0, isToolData: false });
  } catch {
    // Nested too deeply for the scanner.
    return { body: json, restored: 0, unresolved: 0 };
  }
  return { body: body === undefined ? json : (mark ? '\uFEFF' : '') + body, ...count };
}

/** State of a restoring pass over one document. */
export type RestoreView = {
  readonly map: TokenMap;
  readonly count: RestoreCount;
  /** Levels of strings around the document. */
  readonly level: number;
  /** The document is data for a tool: a token may have lost its brackets there. */
  readonly isToolData: boolean;
};

const nestingMax = 8;
const opening = /[[&%\uFF3B\u3010\u3014\u300C]|\\u/;
const bareHint = /[A-Z][-_]\d/;
const toolData = /(?:^|\.)(?:arguments|args|input|partial_json|functionCall|function_call|toolUse)(?:\[\])*(?:\.|$)/;

function restoreDocument(json: string, view: RestoreView): string | undefined {
  const edits: JsonEdit[] = [];
  for (const member of scanJson(json, true)) {
    if (!member.isString) continue;
    const text = restoreMember(json, member, view);
    if (text !== undefined) edits.push({ start: member.start, end: member.end, literal: jsonLiteral(text) });
  }
  return edits.length === 0 ? undefined : spliceJson(json, edits);
}

/** The restored text of one string (or member name) of a document; undefined when it stays as it is. */
export function restoreMember(json: string, member: JsonMember, view: RestoreView): string | undefined {
  if (member.end - member.start < 5) return undefined;
  const raw = json.slice(member.start, member.end);
  const isOpen = opening.test(raw);
  if (!isOpen && !bareHint.test(raw)) return undefined;
  const bare = view.isToolData || isToolPath(member);
  if (!bare && !isOpen) return undefined;
  if ((!bare && isOpaqueName(member.key)) || isSealed(member)) return undefined;
  return restoreValue(member.value, view, bare);
}

/** Restores a decoded text, in the strings of it where it is JSON; undefined when it stays as it is. */
export function restoreValue(value: string, view: RestoreView, bare: boolean): string | undefined {
  if (view.level < nestingMax && looksLikeJson(value) && isJson(value)) {
    return restoreDocument(value, { ...view, level: view.level + 1, isToolData: bare });
  }
  const result = restoreText(value, view.map, { bare });
  view.count.restored += result.restored;
  view.count.unresolved += result.unresolved.length;
  return result.restored > 0 && result.text !== value ? result.text : undefined;
}

/** True for the arguments of a tool, as JSON in a string or as an object. */
export function isToolPath(member: JsonMember): boolean {
  return toolData.test(member.path);
}
