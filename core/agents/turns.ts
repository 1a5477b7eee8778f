/**
 * The turns of a conversation in any provider's model request: texts of users and tools. New texts are those after the
 * model's last turn, except a model turn at the end (a beginning to continue), to which nobody has replied.
 */
import type { Keys } from './keys.ts';
import { type ToolRef, toolRefOf } from './tool-names.ts';

type Json = Readonly<Record<string, unknown>>;

/** The author of a text; `documents` are files attached as text. */
export type TextKind = 'prompts' | 'tool_results' | 'documents';

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
  readonly listings: readonly { readonly item: Json; readonly keys: Keys }[];
};

type Turn = {
  readonly side: 'user' | 'model' | 'other';
  readonly kind: TextKind;
  readonly content: unknown;
  readonly keys: Keys;
  /** The complete turn, and its path. */
  readonly item: Json;
  readonly at: Keys;
};

/** Minimum length of a text that could instruct a model. */
const textUnitsMin = 8;
const depthMax = 40;

/** Reads the turns of a request whose members are at `base`. */
export function readTurns(value: Json, base: Keys): Turns {
  const turns = turnsOf(value, base);
  const boundary = lastModelTurn(turns);
  const texts: RequestText[] = [];
  for (const [i, { side, kind, content, keys }] of turns.entries()) {
    if (side === 'user') collect({ texts, isNew: i > boundary }, content, keys, { kind, depth: 0 });
  }
  const called: ToolRef[] = [];
  // The calls of a turn may be separate items.
  for (let i = boundary; i >= 0 && turns[i]?.side === 'model'; i--) addCalls((turns[i] as Turn).item, called);
  const listings: { item: Json; keys: Keys }[] = [];
  for (const { item, at } of turns) if (Array.isArray(item.tools)) listings.push({ item, keys: at });
  return { texts, called, listings };
}

function lastModelTurn(turns: readonly Turn[]): number {
  let at = turns.length - 1;
  while (at >= 0 && turns[at]?.side !== 'user') at--;
  while (at >= 0 && turns[at]?.side !== 'model') at--;
  return at;
}

/** Members that list turns, in chronological order. */
const turnLists = ['chat_history', 'messages', 'contents', 'input', 'inputs', 'items', 'additional_messages'] as const;
/** Members that list results of tools. */
const resultLists = ['tool_outputs', 'tool_results'] as const;
/** Members that may contain the prompt itself. */
const questions = ['input', 'inputs', 'contents', 'prompt', 'message', 'inputText', 'query_str'] as const;

/** The relevant members by purpose. */
const groups = { live: 1, lists: 2, questions: 4, results: 8 };
const groupOf = new Map<string, number>();

function groupsIn(value: Json): number {
  let found = 0;
  for (const name in value) found |= groupOf.get(name) ?? 0;
  return found;
}

function turnsOf(value: Json, base: Keys): Turn[] {
  const { contents, input, message, item, documents, attachments } = value;
  if (isConversationItem(value)) return turnOf(item, [...base, 'item']);
  const has = groupsIn(value);
  const live = has & groups.live ? liveTurns(value, base) : undefined;
  if (live !== undefined) return live;
  // A2A over plain HTTP.
  if (isObject(message) && Array.isArray(message.parts)) return turnOf(message, [...base, 'message']);
  if (isTurn(value)) return turnOf(value, base);
  const turns: Turn[] = [];
  for (const name of has & groups.lists ? turnLists : []) {
    const list = value[name];
    if (Array.isArray(list)) for (const [i, turn] of list.entries()) turns.push(...turnOf(turn, [...base, name, i]));
  }
  if (isObject(contents)) turns.push(...turnOf(contents, [...base, 'contents']));
  // Google's Interactions accept a single part.
  if (isObject(input)) turns.push(...turnOf({ content: [input] }, [...base, 'input']));
  for (const name of has & groups.questions ? questions : []) {
    const text = value[name];
    const isList = name === 'prompt' && Array.isArray(text);
    if (typeof text === 'string' || isList) turns.push(userTurn('prompts', text, [...base, name]));
  }
  for (const name of has & groups.results ? resultLists : [])
    if (Array.isArray(value[name])) turns.push(userTurn('tool_results', value[name], [...base, name]));
  if (Array.isArray(documents)) turns.push(userTurn('documents', documents, [...base, 'documents']));
  // claude.ai reads attached files in the browser.
  for (const [i, file] of Array.isArray(attachments) ? attachments.entries() : []) {
    const text = isObject(file) ? file.extracted_content : undefined;
    if (typeof text === 'string')
      turns.push(userTurn('documents', text, [...base, 'attachments', i, 'extracted_content']));
  }
  return turns;
}

function userTurn(kind: TextKind, content: unknown, keys: Keys, item: Json = {}): Turn {
  return { side: 'user', kind, content, keys, item, at: keys };
}

const roles = new Set(['user', 'assistant', 'model', 'tool', 'function', 'human', 'agent', 'ROLE_USER', 'ROLE_AGENT']);

/** True if a value is a single turn, as it is added to a thread. */
export function isTurn({ role, content, parts }: Json): boolean {
  return typeof role === 'string' && roles.has(role) && (content ?? parts) !== undefined;
}

/** True for `conversation.item.create` of the Realtime API: one turn per message. */
export function isConversationItem({ type, item }: Json): boolean {
  return typeof type === 'string' && type.startsWith('conversation.item.') && isObject(item);
}

/** Members of Gemini Live messages, in both spellings of protobuf JSON. */
const liveMembers = {
  content: ['clientContent', 'client_content'],
  results: ['toolResponse', 'tool_response'],
  input: ['realtimeInput', 'realtime_input'],
} as const;

const ofGroups = [
  [Object.values(liveMembers).flat(), groups.live],
  [turnLists, groups.lists],
  [questions, groups.questions],
  [resultLists, groups.results],
] as const;
for (const [names, group] of ofGroups) for (const name of names) groupOf.set(name, (groupOf.get(name) ?? 0) | group);

/** The turns of a Gemini Live message; undefined for other values. */
export function liveTurns(value: Json, base: Keys): Turn[] | undefined {
  const found = (names: readonly string[]) => {
    const name = names.find((spelling) => isObject(value[spelling]));
    return name === undefined ? undefined : { inner: value[name] as Json, at: [...base, name] };
  };
  const content = found(liveMembers.content);
  if (content !== undefined && Array.isArray(content.inner.turns))
    return content.inner.turns.flatMap((turn, i) => turnOf(turn, [...content.at, 'turns', i]));
  const results = found(liveMembers.results);
  if (results !== undefined) {
    const name = results.inner.functionResponses === undefined ? 'function_responses' : 'functionResponses';
    const list = results.inner[name];
    return (Array.isArray(list) ? list : []).flatMap((answer, i): Turn[] => {
      if (!isObject(answer)) return [];
      const keys = [...results.at, name, i, 'response'];
      return [userTurn('tool_results', answer.response, keys, answer)];
    });
  }
  const input = found(liveMembers.input);
  if (input === undefined || typeof input.inner.text !== 'string') return undefined;
  return [userTurn('prompts', input.inner.text, [...input.at, 'text'])];
}

/** Items with the result of a call: OpenAI's, Google's (`function_result`) and Mistral's (`function.result`). */
const resultItem = /(?:_call_output|[_.]result)$/;

function turnOf(item: unknown, keys: Keys): Turn[] {
  if (typeof item === 'string') return [userTurn('prompts', item, keys)];
  if (!isObject(item)) return [];
  const { type, author } = item;
  const role = plainRole(item.role ?? (isObject(author) ? author.role : undefined));
  const name = typeof type === 'string' ? type : '';
  if (resultItem.test(name)) {
    const member = item.output === undefined ? 'result' : 'output';
    return [userTurn('tool_results', item[member], [...keys, member], item)];
  }
  const content = item.content ?? item.parts ?? item.text;
  const member = item.content !== undefined ? 'content' : item.parts !== undefined ? 'parts' : 'text';
  const turn = { kind: 'prompts', content, keys: [...keys, member], item, at: keys } as const;
  if (role === 'assistant' || role === 'model' || /[_.]call$|^reasoning$|^thought$|^model_output$/.test(name))
    return [{ ...turn, side: 'model' }];
  if (role === 'tool' || role === 'function') return [{ ...turn, side: 'user', kind: 'tool_results' }];
  const isUser = (role === 'user' || role === undefined) && !Array.isArray(item.tools);
  return [{ ...turn, side: isUser ? 'user' : 'other' }];
}

/** A role without A2A's enumeration prefix. */
function plainRole(role: unknown): unknown {
  if (role === 'ROLE_USER' || role === 'human' || role === 'USER') return 'user';
  if (role === 'CHATBOT') return 'assistant';
  if (role === 'TOOL') return 'tool';
  return role === 'ROLE_AGENT' || role === 'agent' ? 'assistant' : role;
}

type Into = { readonly texts: RequestText[]; readonly isNew: boolean };
type Place = { readonly kind: TextKind; readonly depth: number };

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
  const result = resultOf(content);
  if (result !== undefined) {
    collectAll(into, result.value, [...keys, ...result.keys], { kind: 'tool_results', depth: deeper.depth });
    return;
  }
  if (place.kind === 'tool_results' || (place.kind === 'documents' && content.type === undefined)) {
    collectAll(into, content, keys, deeper);
    return;
  }
  const coded = codedText(content);
  if (coded !== undefined) {
    const { text: decoded, key } = coded;
    into.texts.push({ kind: 'documents', text: decoded, keys: [...keys, ...key], isNew: into.isNew });
    return;
  }
  const { type, text, parts, source } = content;
  const kind = type === 'document' || type === 'search_result' ? 'documents' : place.kind;
  if (isObject(source) && source.type !== 'base64' && kind === 'documents') {
    collectAll(into, source, [...keys, 'source'], { ...deeper, kind });
    return;
  }
  if (kind === 'documents') collect(into, content.content, [...keys, 'content'], { ...deeper, kind });
  if (text !== undefined) collect(into, text, [...keys, 'text'], deeper);
  else if (parts !== undefined) collect(into, parts, [...keys, 'parts'], deeper);
}

/** The tool result in a part, and its path. */
function resultOf(part: Json): { readonly value: unknown; readonly keys: Keys } | undefined {
  const { type } = part;
  if (typeof type === 'string' && /(?:^|[_.-])result$/.test(type)) {
    const key = ['content', 'output', 'result'].find((name) => part[name] !== undefined);
    if (key !== undefined) return { value: part[key], keys: [key] };
  }
  for (const key of ['functionResponse', 'function_response', 'toolResult'] as const) {
    if (isObject(part[key])) return { value: part[key], keys: [key] };
  }
  return undefined;
}

const opaque = new Set([
  'data',
  'blob',
  'bytes',
  'raw',
  'image_url',
  'file_data',
  'signature',
  'id',
  'tool_use_id',
  'type',
  'mimeType',
  'mediaType',
  'media_type',
]);

/** True for bytes, ids and types, which no model reads as instructions; a sentence in such a member still counts. */
export function isOpaque(name: string, text: string): boolean {
  return opaque.has(name) && !/[^\x21-\x7e]/.test(text);
}

/** Members of message parts that contain a file. */
const fileMembers = ['inlineData', 'inline_data', 'file', 'resource', 'source'] as const;
const dataUrl = /^data:text\/[\w.+-]+(?:;[^,;]+)*;base64,/;

/** The text of a base64 text file, in any provider's shape; undefined for other parts. */
export function codedText(part: Json): { readonly text: string; readonly key: Keys } | undefined {
  for (const member of [undefined, ...fileMembers]) {
    const file = member === undefined ? part : part[member];
    if (!isObject(file) || file.type === 'text') continue;
    const type = file.mimeType ?? file.mime_type ?? file.media_type;
    for (const key of ['data', 'blob', 'file_data', 'bytes'] as const) {
      const data = file[key];
      if (typeof data !== 'string') continue;
      const head = dataUrl.exec(data)?.[0];
      if (head === undefined && !(typeof type === 'string' && type.startsWith('text/'))) continue;
      const text = decoded(data.slice(head?.length ?? 0));
      if (text !== undefined) return { text, key: member === undefined ? [key] : [member, key] };
    }
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

/** Collects every string of a result except binary data. */
function collectAll(into: Into, value: unknown, keys: Keys, place: Place): void {
  if (typeof value === 'string') {
    if (value.length >= textUnitsMin) into.texts.push({ kind: place.kind, text: value, keys, isNew: into.isNew });
    return;
  }
  if (typeof value !== 'object' || value === null || place.depth > depthMax) return;
  const deeper = { kind: place.kind, depth: place.depth + 1 };
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) collectAll(into, one, [...keys, i], deeper);
    return;
  }
  const members = value as Json;
  const coded = codedText(members);
  if (coded !== undefined)
    into.texts.push({ kind: place.kind, text: coded.text, keys: [...keys, ...coded.key], isNew: into.isNew });
  for (const [key, member] of Object.entries(members)) {
    if (typeof member === 'string' && isOpaque(key, member)) continue;
    collectAll(into, member, [...keys, key], deeper);
  }
}

/** Adds the tools called by an item or message of the model. */
function addCalls(item: Json, called: ToolRef[]): void {
  const push = (name: unknown) => {
    if (typeof name === 'string' && name !== '') called.push(toolRefOf(name));
  };
  const { type, tool_calls: calls, content, parts, name } = item;
  if (typeof type === 'string' && /[_.]call$/.test(type)) push(name ?? type.slice(0, -5));
  for (const call of Array.isArray(calls) ? calls : []) {
    if (isObject(call))
      push((isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : call).name);
  }
  const list = Array.isArray(content) ? content : Array.isArray(parts) ? parts : [];
  for (const part of list) {
    if (!isObject(part)) continue;
    if (part.type === 'tool_use' || part.type === 'server_tool_use' || part.type === 'mcp_tool_use') push(part.name);
    for (const key of ['functionCall', 'function_call', 'toolUse'] as const)
      if (isObject(part[key])) push((part[key] as Json).name);
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
