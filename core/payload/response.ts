/**
 * Restoring in complete JSON bodies: every string in which a token occurs, except signed and opaque ones (rules S1 to S6
 * of the wire format reference). JSON in a string is opened, and an original is escaped for the depth at which it lands.
 */

import { type AllowsHost, UrlGuard } from '../guard/url-guard.ts';
import { restoreText } from '../restore.ts';
import { heldSuffixLength, tokenLengthMax } from '../tokens/tokens.ts';
import type { TokenMap } from '../vault.ts';
import { isSealed, looksLikeJson } from './document.ts';
import { JsonFence } from './json-fence.ts';
import {
  isJson,
  type JsonEdit,
  type JsonMember,
  jsonLiteral,
  literalLength,
  scanJson,
  spliceJson,
} from './json-strings.ts';
import { type DocumentShifts, documentOffsets, shiftOffsets, type TextEdit } from './offsets.ts';
import { isOpaqueName } from './structure.ts';

/**
 * How many tokens were replaced, and how many well-formed ones were not issued or stayed on purpose; in streams also how
 * many events passed unrestored because they could not be read.
 */
export type RestoreCount = { restored: number; unresolved: number; unreadable?: number };

/** The restored body and what was done to it. */
export type RestoredBody = {
  readonly body: string;
  readonly restored: number;
  readonly unresolved: number;
  /** The body is no JSON. */
  readonly isUnreadable?: boolean;
  /** The end of a string was left out, because the next document of a growing text may complete a token there. */
  readonly isCut?: boolean;
};

/** What restoring works with, in bodies and streams alike. */
export type RestoreContext = {
  readonly map: TokenMap;
  readonly count: RestoreCount;
  /** Hosts in whose addresses originals may stand; default none. */
  readonly allowsHost?: AllowsHost | undefined;
  /** Documents of the request, into which an answer may count. */
  readonly documents?: DocumentShifts | undefined;
  /** Tokens that stand for numbers: in the data of tools they become numbers again. */
  readonly numbers?: ReadonlySet<string> | undefined;
  /** The last event that a client has seen of a stream that is read from its start: only later ones are sent. */
  readonly resumesAfter?: number | string | undefined;
};

/** Options of {@link restoreJsonBody}. */
export type RestoreBodyOptions = {
  readonly documents?: DocumentShifts | undefined;
  readonly numbers?: ReadonlySet<string> | undefined;
  /** One of several documents that each repeat the text so far: what may still become a token is left out. */
  readonly isGrowing?: boolean;
};

/**
 * Restores a whole JSON body; without a token in it the same string comes back.
 * A body that is no valid JSON comes back unchanged with `restored: 0`: the user sees tokens, nothing leaks.
 */
export function restoreJsonBody(
  json: string,
  map: TokenMap,
  allowsHost?: AllowsHost,
  options: RestoreBodyOptions = {},
): RestoredBody {
  const count: RestoreCount = { restored: 0, unresolved: 0 };
  const mark = json.startsWith('\uFEFF') ? 1 : 0;
  const inner = mark ? json.slice(1) : json;
  if (map.size === 0) return { body: json, restored: 0, unresolved: 0 };
  if (!isJson(inner)) return { body: json, restored: 0, unresolved: 0, isUnreadable: true };
  const cuts = options.isGrowing ? { count: 0 } : undefined;
  let body: string | undefined;
  try {
    const { documents, numbers } = options;
    const context = { map, count, allowsHost, documents, numbers };
    body = restoreDocument(inner, { ...context, level: 0, isToolData: false, cuts });
  } catch {
    // Nested too deeply for the scanner.
    return { body: json, restored: 0, unresolved: 0, isUnreadable: true };
  }
  return {
    body: body === undefined ? json : (mark ? '\uFEFF' : '') + body,
    restored: count.restored,
    unresolved: count.unresolved,
    ...(cuts && cuts.count > 0 && { isCut: true }),
  };
}

/** State of a restoring pass over one document. */
export type RestoreView = RestoreContext & {
  /** Levels of strings around the document. */
  readonly level: number;
  /** The document is data for a tool: a token may have lost its brackets there. */
  readonly isToolData: boolean;
  /**
   * Whether an address that began in the text around reaches to a place of a string, asked in order: whoever shows that text
   * as it is makes a link of it.
   */
  readonly isInAddress?: ((start: number) => boolean) | undefined;
  /** Counts the strings whose end was left out; see {@link RestoreBodyOptions}. */
  readonly cuts?: { count: number } | undefined;
};

const nestingMax = 8;
const opening = /[[&%\uFF3B\u3010\u3014\u300C]|\\u/;
const bareHint = /[A-Z][-_]\d/;
const toolData = /(?:^|\.)(?:arguments|args|input|partial_json|functionCall|function_call|toolUse)(?:\[\])*(?:\.|$)/;
const callArguments = 'arguments[]';

function restoreDocument(json: string, view: RestoreView): string | undefined {
  const edits: JsonEdit[] = [];
  const edited = new Map<JsonMember, TextEdit[]>();
  const members = scanJson(json, true);
  // A document in a string may be shown as it is, and then an address may reach from one of its strings into the next.
  const guard = view.level > 0 && !view.isToolData ? new UrlGuard(view.allowsHost) : undefined;
  let guarded = 0;
  for (const member of members) {
    if (!member.isString) continue;
    guard?.push(json, guarded, member.start + 1);
    guarded = member.start + 1;
    let decoded = 0;
    const isInAddress =
      guard &&
      ((start: number) => {
        let to = guarded;
        for (; decoded < start; decoded++) to += literalLength(json, to);
        guard.push(json, guarded, to);
        guarded = to;
        return view.isInAddress?.(to) || guard.isInsideMarkup;
      });
    const literal = restoredLiteral(json, member, isInAddress ? { ...view, isInAddress } : view, edited);
    if (literal !== undefined) edits.push({ start: member.start, end: member.end, literal });
  }
  const ofDocuments = view.level === 0 && view.documents ? documentOffsets(members, view.documents) : [];
  if (edits.length + ofDocuments.length === 0) return undefined;
  const shifted = [...shiftOffsets(members, edited), ...ofDocuments];
  if (shifted.length > 0) {
    edits.push(...shifted);
    edits.sort((a, b) => a.start - b.start);
  }
  return spliceJson(json, edits);
}

/** What stands in place of one string of a document: another string, or a number; undefined when it stays as it is. */
export function restoredLiteral(
  json: string,
  member: JsonMember,
  view: RestoreView,
  edited?: Map<JsonMember, TextEdit[]>,
): string | undefined {
  if (view.numbers && !member.isKey && (view.isToolData || isToolPath(member))) {
    const number = restoredNumber(member.value, view);
    if (number !== undefined) {
      view.count.restored++;
      return number;
    }
  }
  const text = restoreMember(json, member, view, edited);
  return text === undefined ? undefined : jsonLiteral(text);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number that a text stands for, if it is a token of one and nothing else. */
export function restoredNumber(text: string, { map, numbers }: RestoreContext): string | undefined {
  if (!numbers || numbers.size === 0 || text.length > tokenLengthMax) return undefined;
  const token = text.startsWith('[') ? text : `[${text}]`;
  const value = numbers.has(token) ? map.get(token) : undefined;
  return value !== undefined && jsonNumber.test(value) ? value : undefined;
}

/**
 * The restored text of one string (or member name) of a document; undefined when it stays as it is.
 * `edited` is told what was replaced, for the offsets into it.
 */
export function restoreMember(
  json: string,
  member: JsonMember,
  view: RestoreView,
  edited?: Map<JsonMember, TextEdit[]>,
): string | undefined {
  if (member.end - member.start < 5) return undefined;
  const raw = json.slice(member.start, member.end);
  const isOpen = opening.test(raw);
  if (!isOpen && !bareHint.test(raw)) return undefined;
  const bare = view.isToolData || isToolPath(member);
  if (!bare && !isOpen) return undefined;
  if ((!bare && isOpaqueName(member.key)) || isSealed(member) || isSignedReasoning(member)) return undefined;
  return restoreValue(member.value, view, bare, (edits) => edited?.set(member, edits));
}

/** Restores a decoded text, in the strings of it where it is JSON; undefined when it stays as it is. */
function restoreValue(
  value: string,
  view: RestoreView,
  bare: boolean,
  onEdits?: (edits: TextEdit[]) => void,
): string | undefined {
  // A text in quotes is none that anybody reads as JSON, unless it is meant for a tool.
  if (view.level < nestingMax && looksLikeJson(value) && (bare || !/^\s*"/.test(value)) && isJson(value)) {
    return restoreDocument(value, { ...view, level: view.level + 1, isToolData: bare });
  }
  const edits: TextEdit[] = [];
  const { cuts, map } = view;
  const held = cuts ? heldSuffixLength(value, map.hasPrefix && ((partial) => map.hasPrefix?.(partial) ?? true)) : 0;
  if (cuts && held > 0) cuts.count++;
  const result = restoreText(value.slice(0, value.length - held), map, {
    bare,
    // Nothing renders the arguments of a tool; a tool that is to write to an address needs it whole.
    guardUrls: !bare,
    ...(view.allowsHost && { allowsHost: view.allowsHost }),
    ...(/`{3}|~{3}/.test(value) && { fence: new JsonFence() }),
    ...(view.isInAddress && !bare && { isInAddress: view.isInAddress }),
    onEdit: (start, end, text) => edits.push({ start, end, value: text }),
  });
  view.count.restored += result.restoredCount;
  view.count.unresolved += result.unresolved.length;
  if (result.restored === value) return undefined;
  onEdits?.(edits);
  return result.restored;
}

/** True for reasoning that goes back to the provider as it came: some of it is signed, and the signature comes last. */
export function isSignedReasoning(member: JsonMember): boolean {
  return /(?:^|\.)(?:reasoning_details|thinking_blocks)(?:\[\]|\.|$)/.test(member.path);
}

/** True for the arguments of a tool, as JSON in a string or as an object. */
export function isToolPath(member: JsonMember): boolean {
  const { path } = member;
  if (!toolData.test(path)) return false;
  return !path.startsWith(callArguments) || !isCall(member) || toolData.test(path.slice(callArguments.length));
}

/** True in a record of SignalR: `{"type":1,"target":"update","arguments":[…]}` carries what is displayed. */
function isCall({ node }: JsonMember): boolean {
  let root = node;
  while (root.parent?.parent) root = root.parent;
  const type = root.member('type');
  return type !== undefined && !type.isString && root.member('target') !== undefined;
}
