/**
 * Restores tokens in complete JSON bodies, in every string except signed and opaque ones. JSON within a string is
 * opened, and originals are escaped for its depth.
 */

import { wireFormats } from '../formats/index.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import { type AllowsHost, UrlGuard } from '../guard/url-guard.ts';
import { restoreText } from '../restore.ts';
import { heldSuffixLength, tokenLengthMax } from '../tokens/tokens.ts';
import type { TokenMap } from '../vault.ts';
import { JsonFence } from './json-fence.ts';
import {
  isJson,
  type JsonEdit,
  type JsonMember,
  jsonEscape,
  jsonLiteral,
  literalLength,
  looksLikeJson,
  rootOf,
  scanJson,
  spliceJson,
} from './json-strings.ts';
import { type DocumentShifts, documentOffsets, shiftOffsets, type TextEdit, type TextShifts } from './offsets.ts';
import { isSealed } from './sealed.ts';
import { isOpaqueName } from './structure.ts';

/**
 * Number of tokens that were replaced, and of well-formed ones that were not issued or deliberately left. In streams
 * also the number of events that passed unrestored because they could not be parsed.
 */
export type RestoreCount = { restored: number; unresolved: number; unreadable?: number };

/** The restored body, and what was restored. */
export type RestoredBody = {
  readonly body: string;
  readonly restored: number;
  readonly unresolved: number;
  /** True if the body is not JSON. */
  readonly isUnreadable?: boolean;
  /** True if the end of a string was held back, because the next document of a growing text may complete a token. */
  readonly isCut?: boolean;
};

/** The context of restoring, for bodies and streams. */
export type RestoreContext = {
  readonly map: TokenMap;
  readonly count: RestoreCount;
  /** Hosts whose URLs may contain originals; default none. */
  readonly allowsHost?: AllowsHost | undefined;
  /** Documents of the request that the answer may cite by offset. */
  readonly documents?: DocumentShifts | undefined;
  /** The wire formats to read; default all. */
  readonly formats?: WireFormats | undefined;
  /** Tokens that replaced numbers, which become numbers again in tool data. */
  readonly numbers?: ReadonlySet<string> | undefined;
  /** The last event that the client has received of a stream read from its start; only later ones are sent. */
  readonly resumesAfter?: number | string | undefined;
};

/** The wire formats of a context. */
export function formatsOf({ formats }: Pick<RestoreContext, 'formats'>): WireFormats {
  return formats ?? wireFormats;
}

export type RestoreBodyOptions = {
  readonly documents?: DocumentShifts | undefined;
  readonly numbers?: ReadonlySet<string> | undefined;
  /** True if each document repeats the text so far, so that a possible start of a token is held back. */
  readonly isGrowing?: boolean;
  /** See {@link RestoreContext}. */
  readonly formats?: WireFormats | undefined;
  /** The replacements in the text that the body's offsets refer to if it has none itself. */
  readonly elsewhere?: TextShifts | undefined;
};

/** Restores a complete JSON body. Returns it unchanged if it has no token or is invalid JSON; nothing leaks. */
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
    const { documents, formats, numbers, elsewhere } = options;
    const context = { map, count, allowsHost, documents, formats, numbers, elsewhere };
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

/** The state of restoring one document. */
export type RestoreView = RestoreContext & {
  /** Number of strings that enclose the document. */
  readonly level: number;
  /** True for tool data, where a token may have lost its brackets. */
  readonly isToolData: boolean;
  /** True in a tool's result, where numbers are restored as such. */
  readonly isResult?: boolean;
  /** See {@link RestoreBodyOptions}. */
  readonly elsewhere?: TextShifts | undefined;
  /** True if a URL in the surrounding text extends to this offset of a string, for raw display. Called in order. */
  readonly isInAddress?: ((start: number) => boolean) | undefined;
  /** Counts strings whose end was held back; see {@link RestoreBodyOptions}. */
  readonly cuts?: { count: number } | undefined;
};

const nestingMax = 8;
const opening = /[[&%\uFF3B\u3010\u3014\u300C]|\\u/;
const bareHint = /[A-Z][-_]\d/;

function restoreDocument(json: string, view: RestoreView): string | undefined {
  const edits: JsonEdit[] = [];
  const edited = new Map<JsonMember, TextEdit[]>();
  const members = scanJson(json, true);
  // A document in a string may be displayed raw, so a URL may extend from one of its strings into the next.
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
  const ofDocuments =
    view.level === 0 && view.documents ? documentOffsets(members, view.documents, formatsOf(view)) : [];
  const elsewhere = view.level > 0 || view.elsewhere?.isEmpty ? undefined : view.elsewhere;
  if (edits.length + ofDocuments.length === 0 && elsewhere === undefined) return undefined;
  const shifted = [...shiftOffsets(members, edited, formatsOf(view), elsewhere), ...ofDocuments];
  if (shifted.length > 0) {
    edits.push(...shifted);
    edits.sort((a, b) => a.start - b.start);
  }
  return edits.length === 0 ? undefined : spliceJson(json, edits);
}

/** The replacement for one string: another string, or a number; undefined if unchanged. */
export function restoredLiteral(
  json: string,
  member: JsonMember,
  view: RestoreView,
  edited?: Map<JsonMember, TextEdit[]>,
): string | undefined {
  if (view.numbers && !member.isKey && mayHoldNumber(member, view)) {
    const number = restoredNumber(member.value, view);
    if (number !== undefined) {
      view.count.restored++;
      return number;
    }
  }
  let edits: readonly TextEdit[] | undefined;
  const text = restoreMember(json, member, view, (own) => {
    edits = own;
    edited?.set(member, own);
  });
  if (text === undefined) return undefined;
  // Without escapes, the literal is the text in quotes, and only the values may need some.
  if (edits === undefined || member.hasEscape || view.cuts) return jsonLiteral(text);
  const escaped = edits.map(({ start, end, value }) => ({ start, end, literal: jsonEscape(value) }));
  return `"${spliceJson(json.slice(member.start + 1, member.end - 1), escaped)}"`;
}

function mayHoldNumber(member: JsonMember, view: RestoreView): boolean {
  const formats = formatsOf(view);
  if (view.isToolData || isToolPath(member, formats)) return true;
  // Results show names that are like tokens without brackets, such as the key of a ticket.
  return member.value.startsWith('[') && (view.isResult || formats.place(member.where).isResult);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number that a text stands for, if it is exactly one number token. */
export function restoredNumber(text: string, { map, numbers }: RestoreContext): string | undefined {
  if (!numbers || numbers.size === 0 || text.length > tokenLengthMax) return undefined;
  const token = text.startsWith('[') ? text : `[${text}]`;
  const value = numbers.has(token) ? map.get(token) : undefined;
  return value !== undefined && jsonNumber.test(value) ? value : undefined;
}

/** The restored text of a string or member name; undefined if unchanged. Passes on its replacements. */
function restoreMember(
  json: string,
  member: JsonMember,
  view: RestoreView,
  onEdits: (edits: TextEdit[]) => void,
): string | undefined {
  if (member.end - member.start < 5 && !view.cuts) return undefined;
  const raw = json.slice(member.start, member.end);
  const isOpen = opening.test(raw);
  if (!isOpen && !bareHint.test(raw)) return undefined;
  const formats = formatsOf(view);
  const bare = view.isToolData || isToolPath(member, formats);
  if (!bare && !isOpen) return undefined;
  if (!bare && isOpaqueName(member.key, formats)) return undefined;
  const { isSigned, isResult, isResultText } = formats.place(member.where);
  if (isSealed(member, formats) || isSigned) return undefined;
  const inner = isResult || isResultText ? { ...view, isResult: true } : view;
  return restoreValue(member.value, inner, bare, onEdits);
}

/** Restores a decoded text, inside its strings if it is JSON; undefined if unchanged. */
function restoreValue(
  value: string,
  view: RestoreView,
  bare: boolean,
  onEdits?: (edits: TextEdit[]) => void,
): string | undefined {
  // A quoted text is JSON only for a tool; users see it as quoted text.
  if (view.level < nestingMax && looksLikeJson(value) && (bare || !/^\s*"/.test(value)) && isJson(value)) {
    return restoreDocument(value, { ...view, level: view.level + 1, isToolData: bare });
  }
  const edits: TextEdit[] = [];
  const { cuts, map } = view;
  const held = cuts ? heldSuffixLength(value, map.hasPrefix && ((partial) => map.hasPrefix?.(partial) ?? true)) : 0;
  if (cuts && held > 0) cuts.count++;
  const result = restoreText(value.slice(0, value.length - held), map, {
    bare,
    // Tool arguments are not rendered, and a tool that calls a URL needs it complete.
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

/** True for a tool's arguments, as JSON in a string or as an object. */
export function isToolPath({ node, where }: JsonMember, formats: WireFormats): boolean {
  const { isTool, unlessCall } = formats.place(where);
  return isTool && !unlessCall?.(rootOf(node));
}
