/**
 * The turns of a conversation in a request to a model, whichever provider's shape they have: what people and tools have
 * said, and which of it is new, that is behind the last turn of the model. Turns of the model that end a request (a
 * beginning that it is to go on from) do not count, since nobody has answered them.
 */
import type { Keys } from './keys.ts';
import { type ToolRef, toolRefOf } from './tool-names.ts';

type Json = Readonly<Record<string, unknown>>;

/** Whose words a text holds; `documents` are files that were attached as text. */
export type TextKind = 'prompts' | 'tool_results' | 'documents';

export type RequestText = {
  readonly kind: TextKind;
  readonly text: string;
  readonly keys: Keys;
  /** Behind the last turn of the model. */
  readonly isNew: boolean;
};

export type Turns = {
  readonly texts: readonly RequestText[];
  /** Tools that the last turn of the model has called. */
  readonly called: readonly ToolRef[];
  /** Lists of tools that the provider has read from MCP servers. */
  readonly listings: readonly { readonly item: Json; readonly keys: Keys }[];
};

type Turn = {
  readonly side: 'user' | 'model' | 'other';
  readonly kind: TextKind;
  readonly content: unknown;
  readonly keys: Keys;
  readonly item: Json;
};

/** Shorter texts are too short to instruct a model. */
const textUnitsMin = 8;
const depthMax = 40;

/** Reads the turns of a request whose members stand at `base`. */
export function readTurns(value: Json, base: Keys): Turns {
  const turns = turnsOf(value, base);
  const boundary = lastModelTurn(turns);
  const texts: RequestText[] = [];
  for (const [i, { side, kind, content, keys }] of turns.entries()) {
    if (side === 'user') collect({ texts, isNew: i > boundary }, content, keys, { kind, depth: 0 });
  }
  const called: ToolRef[] = [];
  // The calls of a turn may be items of their own.
  for (let i = boundary; i >= 0 && turns[i]?.side === 'model'; i--) addCalls((turns[i] as Turn).item, called);
  const listings = turns.flatMap(({ item, keys }) => (item.type === 'mcp_list_tools' ? [{ item, keys }] : []));
  return { texts, called, listings };
}

function lastModelTurn(turns: readonly Turn[]): number {
  let at = turns.length - 1;
  while (at >= 0 && turns[at]?.side !== 'user') at--;
  while (at >= 0 && turns[at]?.side !== 'model') at--;
  return at;
}

function turnsOf(value: Json, base: Keys): Turn[] {
  const { messages, contents, input, prompt, message, item } = value;
  if (isConversationItem(value)) return turnOf(item, [...base, 'item']);
  const live = liveTurns(value, base);
  if (live !== undefined) return live;
  // A2A over plain HTTP.
  if (isObject(message) && Array.isArray(message.parts)) return turnOf(message, [...base, 'message']);
  if (Array.isArray(messages)) return messages.flatMap((one, i) => turnOf(one, [...base, 'messages', i]));
  if (Array.isArray(contents)) return contents.flatMap((one, i) => turnOf(one, [...base, 'contents', i]));
  if (contents !== undefined) return turnOf(isObject(contents) ? contents : { parts: contents }, [...base, 'contents']);
  if (Array.isArray(input)) return input.flatMap((one, i) => turnOf(one, [...base, 'input', i]));
  for (const [name, text] of Object.entries({ input, prompt, message })) {
    if (typeof text === 'string')
      return [{ side: 'user', kind: 'prompts', content: text, keys: [...base, name], item: {} }];
  }
  return [];
}

/** `conversation.item.create` of the Realtime API: one turn a message. */
export function isConversationItem({ type, item }: Json): boolean {
  return typeof type === 'string' && type.startsWith('conversation.item.') && isObject(item);
}

/** Members of the messages of Gemini Live, in both spellings of protocol buffers in JSON. */
const liveMembers = {
  content: ['clientContent', 'client_content'],
  results: ['toolResponse', 'tool_response'],
  input: ['realtimeInput', 'realtime_input'],
} as const;

/** The turns of a message of Gemini Live; undefined for any other value. */
export function liveTurns(value: Json, base: Keys): Turn[] | undefined {
  const found = (names: readonly string[]) => {
    const name = names.find((one) => isObject(value[one]));
    return name === undefined ? undefined : { inner: value[name] as Json, at: [...base, name] };
  };
  const content = found(liveMembers.content);
  if (content !== undefined && Array.isArray(content.inner.turns))
    return content.inner.turns.flatMap((one, i) => turnOf(one, [...content.at, 'turns', i]));
  const results = found(liveMembers.results);
  if (results !== undefined) {
    const name = results.inner.functionResponses === undefined ? 'function_responses' : 'functionResponses';
    const list = results.inner[name];
    return (Array.isArray(list) ? list : []).flatMap((one, i): Turn[] => {
      if (!isObject(one)) return [];
      const keys = [...results.at, name, i, 'response'];
      return [{ side: 'user', kind: 'tool_results', content: one.response, keys, item: one }];
    });
  }
  const input = found(liveMembers.input);
  if (input === undefined || typeof input.inner.text !== 'string') return undefined;
  return [{ side: 'user', kind: 'prompts', content: input.inner.text, keys: [...input.at, 'text'], item: {} }];
}

function turnOf(item: unknown, keys: Keys): Turn[] {
  if (typeof item === 'string') return [{ side: 'user', kind: 'prompts', content: item, keys, item: {} }];
  if (!isObject(item)) return [];
  const { type, author } = item;
  const role = plainRole(item.role ?? (isObject(author) ? author.role : undefined));
  const name = typeof type === 'string' ? type : '';
  if (/_call_output$/.test(name)) {
    return [{ side: 'user', kind: 'tool_results', content: item.output, keys: [...keys, 'output'], item }];
  }
  const content = item.content ?? item.parts;
  const at: Keys = [...keys, item.content === undefined ? 'parts' : 'content'];
  if (role === 'assistant' || role === 'model' || /_call$|^reasoning$/.test(name))
    return [{ side: 'model', kind: 'prompts', content, keys: at, item }];
  if (role === 'tool' || role === 'function') return [{ side: 'user', kind: 'tool_results', content, keys: at, item }];
  const isUser = role === 'user' || role === undefined;
  return [{ side: isUser && name !== 'mcp_list_tools' ? 'user' : 'other', kind: 'prompts', content, keys: at, item }];
}

/** A2A writes roles as the names of an enumeration. */
function plainRole(role: unknown): unknown {
  if (role === 'ROLE_USER') return 'user';
  return role === 'ROLE_AGENT' || role === 'agent' ? 'assistant' : role;
}

type Into = { readonly texts: RequestText[]; readonly isNew: boolean };
type Place = { readonly kind: TextKind; readonly depth: number };

/** Texts of the content of a turn: a string, a list of parts, or one part. */
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
  if (place.kind === 'tool_results') {
    collectAll(into, content, keys, deeper);
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

/** The result of a tool in a part, and where it stands in it. */
function resultOf(part: Json): { readonly value: unknown; readonly keys: Keys } | undefined {
  const { type } = part;
  if (type === 'tool_result' || type === 'mcp_tool_result' || type === 'tool-result')
    return { value: part.content ?? part.output, keys: [part.content === undefined ? 'output' : 'content'] };
  for (const key of ['functionResponse', 'function_response', 'toolResult'] as const) {
    const inner = part[key];
    if (!isObject(inner)) continue;
    const name = inner.response === undefined ? 'content' : 'response';
    return { value: inner[name], keys: [key, name] };
  }
  return undefined;
}

const opaque = new Set([
  'data',
  'image_url',
  'file_data',
  'signature',
  'id',
  'tool_use_id',
  'type',
  'mimeType',
  'media_type',
]);

/** Every string of a result, whatever its shape; binary data left out. */
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
  const isText = members.type === 'text' || place.kind === 'documents';
  for (const [key, one] of Object.entries(members)) {
    if (typeof one === 'string' && opaque.has(key) && !(isText && key === 'data')) continue;
    collectAll(into, one, [...keys, key], deeper);
  }
}

/** The tools that an item or message of the model calls. */
function addCalls(item: Json, called: ToolRef[]): void {
  const push = (name: unknown) => {
    if (typeof name === 'string' && name !== '') called.push(toolRefOf(name));
  };
  const { type, tool_calls: calls, content, parts, name } = item;
  if (typeof type === 'string' && /_call$/.test(type)) push(name ?? type.slice(0, -5));
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
