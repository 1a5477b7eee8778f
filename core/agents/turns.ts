/**
 * The turns of a conversation in any provider's model request: texts of users and tools. New texts are those after the
 * model's last turn, except a model turn at the end (a beginning to continue), to which nobody has replied.
 */
import { type AgentRules, kinds } from '../formats/agent-rules.ts';
import type { Keys, TextKind } from '../formats/agents.ts';
import { wireFormats } from '../formats/index.ts';
import { isObject, type JsonObject } from '../parsing.ts';
import { type ToolRef, toolRefOf } from './tool-names.ts';

export type RequestText = {
  readonly kind: TextKind;
  readonly text: string;
  readonly keys: Keys;
  /** True after the model's last turn. */
  readonly isNew: boolean;
};

export type Turns = {
  readonly texts: readonly RequestText[];
  /** Tools called in the model's last turn. */
  readonly called: readonly ToolRef[];
  /** Turns with tool lists: those that the provider read from MCP servers, and those added later (tool search). */
  readonly listings: readonly { readonly item: JsonObject; readonly keys: Keys }[];
};

type Turn = {
  readonly side: 'user' | 'model' | 'other';
  readonly kind: TextKind;
  readonly content: unknown;
  readonly keys: Keys;
  /** The complete turn, and its path. */
  readonly item: JsonObject;
  readonly at: Keys;
};

/** Minimum length of a text that could instruct a model. */
const textUnitsMin = 8;
const depthMax = 40;

/** Reads the turns of a request whose members are at `base`, and of these {@link kinds}. */
export function readTurns(value: JsonObject, base: Keys, bits: number, rules: AgentRules): Turns {
  const turns = turnsOf(value, base, bits, rules);
  const boundary = lastModelTurn(turns);
  const texts: RequestText[] = [];
  for (const [i, { side, kind, content, keys }] of turns.entries()) {
    if (side === 'user') collect({ texts, isNew: i > boundary, rules }, content, keys, { kind, depth: 0 });
  }
  const called: ToolRef[] = [];
  // The calls of a turn may be separate items.
  for (let i = boundary; i >= 0 && turns[i]?.side === 'model'; i--) addCalls((turns[i] as Turn).item, called, rules);
  const listings: { item: JsonObject; keys: Keys }[] = [];
  for (const { item, at } of turns) if (Array.isArray(item.tools)) listings.push({ item, keys: at });
  return { texts, called, listings };
}

function lastModelTurn(turns: readonly Turn[]): number {
  let at = turns.length - 1;
  while (at >= 0 && turns[at]?.side !== 'user') at--;
  while (at >= 0 && turns[at]?.side !== 'model') at--;
  return at;
}

function turnsOf(value: JsonObject, base: Keys, bits: number, rules: AgentRules): Turn[] {
  const said = bits & kinds.messages ? rules.turnsOf(value) : undefined;
  if (said !== undefined)
    return said.flatMap(({ keys, item, kind, content }) =>
      kind === undefined
        ? turnOf(item, [...base, ...keys], rules)
        : [userTurn(kind, content, [...base, ...keys], isObject(item) ? item : {})],
    );
  if (rules.isTurn(value)) return turnOf(value, base, rules);
  const turns: Turn[] = [];
  const addAll = (kind: TextKind, names: readonly string[]) => {
    for (const name of names) if (Array.isArray(value[name])) turns.push(userTurn(kind, value[name], [...base, name]));
  };
  if (bits & kinds.anyTurns)
    for (const name of rules.turnMembers) {
      const list = value[name];
      const keys = [...base, name];
      if (Array.isArray(list)) for (const [i, turn] of list.entries()) turns.push(...turnOf(turn, [...keys, i], rules));
      else if (isObject(list)) {
        const isPart = (list.content ?? list.parts ?? list.text) === undefined;
        turns.push(...turnOf(isPart ? { content: [list] } : list, keys, rules));
      }
    }
  if (bits & kinds.anyPrompts)
    for (const name of rules.promptMembers) {
      const prompt = value[name];
      const isText = typeof prompt === 'string' || (Array.isArray(prompt) && !rules.turnMembers.includes(name));
      if (isText) turns.push(userTurn('prompts', prompt, [...base, name]));
    }
  if (bits & kinds.results) addAll('tool_results', rules.said.results);
  if (bits & kinds.documents) addAll('documents', rules.said.documents);
  return turns;
}

function userTurn(kind: TextKind, content: unknown, keys: Keys, item: JsonObject = {}): Turn {
  return { side: 'user', kind, content, keys, item, at: keys };
}

function turnOf(item: unknown, keys: Keys, rules: AgentRules): Turn[] {
  if (typeof item === 'string') return [userTurn('prompts', item, keys)];
  if (!isObject(item)) return [];
  const { type, author } = item;
  const role = item.role ?? (isObject(author) ? author.role : undefined);
  const side = rules.roleOf(role);
  const name = typeof type === 'string' ? type : '';
  if (rules.resultTypes.test(name)) {
    const member = resultMember(item) ?? 'result';
    return [userTurn('tool_results', item[member], [...keys, member], item)];
  }
  const content = item.content ?? item.parts ?? item.text;
  const member = item.content !== undefined ? 'content' : item.parts !== undefined ? 'parts' : 'text';
  const turn = { kind: 'prompts', content, keys: [...keys, member], item, at: keys } as const;
  if (side === 'model' || rules.modelTypes.test(name)) return [{ ...turn, side: 'model' }];
  if (side === 'tool') return [{ ...turn, side: 'user', kind: 'tool_results' }];
  const isUser = (side === 'user' || role === undefined) && !Array.isArray(item.tools);
  return [{ ...turn, side: isUser ? 'user' : 'other' }];
}

type Into = { readonly texts: RequestText[]; readonly isNew: boolean; readonly rules: AgentRules };
type Place = { readonly kind: TextKind; readonly depth: number };

function collectAll({ texts, isNew, rules }: Into, content: unknown, keys: Keys, { kind, depth }: Place): void {
  const add = (text: string, at: Keys) => {
    if (text.length >= textUnitsMin) texts.push({ kind, text, keys: at, isNew });
  };
  addTexts(add, content, keys, { depth, rules });
}

/** Collects the texts of a turn's content: a string, a list of parts, or one part. */
function collect(into: Into, content: unknown, keys: Keys, place: Place): void {
  if (typeof content === 'string') {
    if (content.length >= textUnitsMin) into.texts.push({ kind: place.kind, text: content, keys, isNew: into.isNew });
    return;
  }
  if (place.depth > depthMax) return;
  const deeper = { kind: place.kind, depth: place.depth + 1 };
  if (Array.isArray(content)) {
    for (const [i, part] of content.entries()) collect(into, part, [...keys, i], deeper);
    return;
  }
  if (!isObject(content)) return;
  const result = resultOf(content, into.rules);
  if (result !== undefined) {
    collectAll(into, result.value, [...keys, ...result.keys], { kind: 'tool_results', depth: deeper.depth });
    return;
  }
  if (place.kind === 'tool_results' || (place.kind === 'documents' && content.type === undefined)) {
    collectAll(into, content, keys, deeper);
    return;
  }
  const coded = codedText(content, into.rules);
  if (coded !== undefined) {
    const { text: decoded, key } = coded;
    into.texts.push({ kind: 'documents', text: decoded, keys: [...keys, ...key], isNew: into.isNew });
    return;
  }
  const { type, text, parts, source } = content;
  const kind = into.rules.said.documentTypes.includes(type as string) ? 'documents' : place.kind;
  if (isObject(source) && source.type !== 'base64' && kind === 'documents') {
    collectAll(into, source, [...keys, 'source'], { ...deeper, kind });
    return;
  }
  if (kind === 'documents') collect(into, content.content, [...keys, 'content'], { ...deeper, kind });
  if (text !== undefined) collect(into, text, [...keys, 'text'], deeper);
  else if (parts !== undefined) collect(into, parts, [...keys, 'parts'], deeper);
}

/** The tool result in a part, and its path. */
function resultOf(part: JsonObject, rules: AgentRules): { readonly value: unknown; readonly keys: Keys } | undefined {
  if (typeof part.type === 'string' && rules.resultTypes.test(part.type)) {
    const key = resultMember(part);
    if (key !== undefined) return { value: part[key], keys: [key] };
  }
  for (const key of rules.said.resultMembers) if (isObject(part[key])) return { value: part[key], keys: [key] };
  return undefined;
}

function resultMember(part: JsonObject): string | undefined {
  return ['content', 'output', 'result'].find((name) => part[name] !== undefined);
}

const dataUrl = /^data:text\/[\w.+-]+(?:;[^,;]+)*;base64,/;

/** The text of a base64 text file, in any provider's shape; undefined for other parts. */
function codedText(part: JsonObject, rules: AgentRules): CodedText | undefined {
  const own = textInFile(part, rules);
  if (own !== undefined) return own;
  for (const member in part) {
    if (!rules.files.has(member)) continue;
    const file = part[member];
    const found = isObject(file) ? textInFile(file, rules) : undefined;
    if (found !== undefined) return { text: found.text, key: [member, ...found.key] };
  }
  return undefined;
}

type CodedText = { readonly text: string; readonly key: Keys };

function textInFile(file: JsonObject, { fileData }: AgentRules): CodedText | undefined {
  if (file.type === 'text') return undefined;
  for (const key in file) {
    const data = file[key];
    if (typeof data !== 'string' || !fileData.has(key)) continue;
    const head = dataUrl.exec(data)?.[0];
    const type = file.mimeType ?? file.mime_type ?? file.media_type;
    if (head === undefined && !(typeof type === 'string' && type.startsWith('text/'))) continue;
    const text = decoded(data.slice(head?.length ?? 0));
    if (text !== undefined) return { text, key: [key] };
  }
  return undefined;
}

function decoded(base64: string): string | undefined {
  try {
    const bytes = atob(base64.replace(/-/g, '+').replace(/_/g, '/'));
    return new TextDecoder().decode(Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/**
 * Adds every string of a result that a model may read as instructions: not bytes, ids and types, unless they contain a
 * sentence. `isTask`: true for an object whose history repeats earlier messages.
 */
export function addTexts(
  add: (text: string, keys: Keys) => void,
  value: unknown,
  keys: Keys,
  options: { readonly depth?: number; readonly rules?: AgentRules; readonly isTask?: (value: object) => boolean } = {},
): void {
  const { depth = 0, rules = wireFormats.agents, isTask } = options;
  if (typeof value === 'string') add(value, keys);
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  const deeper = { rules, depth: depth + 1, isTask };
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) addTexts(add, one, [...keys, i], deeper);
    return;
  }
  const coded = codedText(value as JsonObject, rules);
  if (coded !== undefined) add(coded.text, [...keys, ...coded.key]);
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'string' && rules.unread.has(key) && !/[^\x21-\x7e]/.test(member)) continue;
    if (key !== 'history' || isTask?.(value) !== true) addTexts(add, member, [...keys, key], deeper);
  }
}

/** Adds the tools called by an item or message of the model. */
function addCalls(item: JsonObject, called: ToolRef[], rules: AgentRules): void {
  const { tool_calls: calls, content, parts } = item;
  const add = (part: unknown, isCall = false) => {
    if (!isObject(part)) return;
    const name = (rules.callOf(part) ?? (isCall ? part : undefined))?.name;
    if (typeof name === 'string' && name !== '') called.push(toolRefOf(name));
  };
  add(item);
  for (const call of Array.isArray(calls) ? calls : []) add(call, true);
  for (const part of Array.isArray(content) ? content : Array.isArray(parts) ? parts : []) add(part);
}
