/**
 * Finds tool calls in model responses (documents, stream events, WebSocket messages) and batch results. Supports OpenAI
 * (Chat, Responses, Realtime, Assistants), Anthropic, Gemini, Gemini Live and Interactions, Cohere, Mistral, Ollama,
 * and Bedrock's Converse and ConverseStream.
 */
import { anyOf } from '../patterns.ts';
import { type ToolRef, toolRefOf } from './tool-names.ts';

type Json = Readonly<Record<string, unknown>>;

/** A piece of a call. Pieces of one call share a key. */
export type CallPiece = {
  readonly key: string;
  readonly name?: string;
  /** A piece of the arguments as JSON text, or all of them if the call is complete. */
  readonly arguments?: string;
  /** True if the call is complete. */
  readonly ends?: boolean;
  /** True if the provider has already made the call, so it cannot be blocked. */
  readonly isMade?: boolean;
};

/** The calls of an event. `endsAll`: no call continues after it, or with `of` none whose key starts with that. */
export type AnswerEvent = { readonly pieces: readonly CallPiece[]; readonly endsAll: boolean; readonly of?: string };

/** A call as received so far. */
export type ModelCall = ToolRef & { readonly calledAs: string; readonly arguments: string; readonly isMade: boolean };

const callSign = new RegExp(
  anyOf(String.raw`
    tool_ function toolUse _call partial_json content_block_stop message_stop finish_?reason
    "response\.(?:completed|incomplete|done)" \[DONE\]`),
  'i',
);

/** A cheap check; false for events in which no call starts, continues or ends. */
export function mayHoldCall(text: string): boolean {
  return callSign.test(text);
}

const nothing: AnswerEvent = { pieces: [], endsAll: false };

/** Reads a stream event or a complete response. */
export function readAnswerEvent(value: unknown): AnswerEvent {
  if (!isObject(value)) return nothing;
  const { choices, type, candidates, content, message, response, toolCall, contentBlockIndex, stopReason } = value;
  if (Array.isArray(choices)) return ofChat(choices);
  if (Array.isArray(candidates)) return ofGemini(candidates);
  const name = type ?? value.event_type;
  if (typeof name === 'string') {
    const event = namedEvents.find(([form]) => form.test(name));
    if (event !== undefined) return event[1](value, name);
  }
  if (typeof contentBlockIndex === 'number') return ofConverseEvent(value, `c${contentBlockIndex}`);
  if (isObject(toolCall) && Array.isArray(toolCall.functionCalls)) return ofGeminiLive(toolCall.functionCalls);
  const items = value.output ?? value.outputs ?? value.steps;
  if (Array.isArray(items)) return { pieces: items.flatMap((item, i) => ofItem(item, `o${i}`)), endsAll: true };
  if (Array.isArray(content)) return { pieces: content.flatMap((block, i) => ofBlock(block, `b${i}`)), endsAll: true };
  if (isObject(items) && isObject(items.message)) return ofConverse(items.message);
  if (isObject(message)) return ofMessage(message, value.done === true);
  const calls = keptCalls(value);
  if (calls !== undefined) return ofMessage({ tool_calls: calls }, true);
  if (typeof stopReason === 'string') return { pieces: [], endsAll: true };
  // Code Assist and batch lines wrap the response.
  const inner = response ?? value.result ?? value.body;
  return isObject(inner) ? readWrapped(inner) : nothing;
}

/** Anthropic's batches wrap a message, OpenAI's a response body. */
function readWrapped(inner: Json): AnswerEvent {
  const { message } = inner;
  return readAnswerEvent(isObject(message) && Array.isArray(message.content) ? message : inner);
}

/** Calls listed next to a text: Cohere's, and those that an assistant's run awaits or shows as a step. */
function keptCalls({
  tool_calls: calls,
  required_action: action,
  step_details: step,
  delta,
}: Json): unknown[] | undefined {
  if (Array.isArray(calls)) return calls;
  if (isObject(action) && isObject(action.submit_tool_outputs)) return keptCalls(action.submit_tool_outputs);
  const inner = isObject(step) ? step : delta;
  return isObject(inner) ? keptCalls(inner) : undefined;
}

type Reader = (value: Json, name: string) => AnswerEvent;

/** Events with `type`, or with `event_type` (Google's Interactions). */
const namedEvents: readonly (readonly [form: RegExp, read: Reader])[] = [
  [/^response\./, ofResponsesEvent],
  [/^conversation\.item\./, ({ item }, name) => ofConversationItem(item, name)],
  [/^(?:content_block|message)_/, ofAnthropicEvent],
  [/^step\./, ofStep],
  [/^tool-call-/, ofCohereEvent],
  [/^function\.call\.delta$/, (value) => ({ pieces: [ofMistralPiece(value)], endsAll: false })],
  [/^(?:conversation\.response\.done|message-end|interaction\.completed)$/, () => ({ pieces: [], endsAll: true })],
];

/** Google's Interactions: a step starts, its arguments arrive in pieces, it ends. */
function ofStep({ index, step, delta }: Json, name: string): AnswerEvent {
  const key = `s${String(index)}`;
  if (name === 'step.stop') return { pieces: [{ key, ends: true }], endsAll: false };
  if (name === 'step.start' && isObject(step)) {
    const given = hasMembers(step.arguments) ? step.arguments : undefined;
    return { pieces: ofItem({ ...step, arguments: given }, key, false), endsAll: false };
  }
  const more = isObject(delta) && delta.type === 'arguments_delta' ? delta.arguments : undefined;
  return typeof more === 'string' ? { pieces: [{ key, arguments: more }], endsAll: false } : nothing;
}

function ofCohereEvent({ index, delta }: Json, name: string): AnswerEvent {
  const key = `t${String(index)}`;
  if (name === 'tool-call-end') return { pieces: [{ key, ends: true }], endsAll: false };
  const call = isObject(delta) && isObject(delta.message) ? delta.message.tool_calls : undefined;
  const inner = isObject(call) && isObject(call.function) ? call.function : {};
  return { pieces: [pieceOf(key, inner.name, inner.arguments, false)], endsAll: false };
}

function ofMistralPiece({ output_index: index, tool_call_id: id, name, arguments: given }: Json): CallPiece {
  return pieceOf(`f${String(index)}:${String(id)}`, name, given, false);
}

function ofChat(choices: readonly unknown[]): AnswerEvent {
  const pieces: CallPiece[] = [];
  let endsAll = false;
  for (const [at, choice] of choices.entries()) {
    if (!isObject(choice)) continue;
    const index = choice.index ?? at;
    const isWhole = isObject(choice.message);
    const delta = isWhole ? choice.message : choice.delta;
    if (choice.finish_reason !== null && choice.finish_reason !== undefined) endsAll = true;
    if (!isObject(delta)) continue;
    const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    for (const [i, call] of calls.entries()) {
      if (!isObject(call)) continue;
      const key = `${String(index)}:${String(call.index ?? i)}`;
      const inner = isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : {};
      pieces.push(pieceOf(key, inner.name, inner.arguments ?? inner.input, isWhole));
    }
    const legacy = delta.function_call;
    if (isObject(legacy)) pieces.push(pieceOf(`${String(index)}:f`, legacy.name, legacy.arguments, isWhole));
  }
  return { pieces, endsAll };
}

/** Events of the Responses and Realtime APIs; a Realtime connection carries several responses with ids. */
function ofResponsesEvent(value: Json, type: string): AnswerEvent {
  const of = typeof value.response_id === 'string' ? `${value.response_id}:` : '';
  const key = `${of}o${String(value.output_index ?? value.item_id ?? '')}`;
  if (type === 'response.output_item.added') return { pieces: ofItem(value.item, key, false), endsAll: false };
  if (type === 'response.output_item.done') return { pieces: ofItem(value.item, key), endsAll: false };
  if (/_call(?:_arguments|_input)?\.delta$/.test(type) && typeof value.delta === 'string')
    return { pieces: [{ key, arguments: value.delta }], endsAll: false };
  if (/_call_(?:arguments|input)\.done$/.test(type))
    return { pieces: [pieceOf(key, value.name, value.arguments ?? value.input, true)], endsAll: false };
  if (!/^response\.(?:completed|incomplete|failed|done)$/.test(type)) return nothing;
  const { response } = value;
  const id = type === 'response.done' && isObject(response) && typeof response.id === 'string' ? `${response.id}:` : '';
  const output = isObject(response) && Array.isArray(response.output) ? response.output : [];
  return { pieces: output.flatMap((item, i) => ofItem(item, `${id}o${i}`)), endsAll: true, of: id };
}

/** The Realtime API repeats each response item as a conversation item. */
function ofConversationItem(item: unknown, type: string): AnswerEvent {
  const key = isObject(item) ? `${type} ${String(item.id)}` : type;
  return { pieces: ofItem(item, key), endsAll: false };
}

/** Calls that the provider makes itself. */
const madeCalls = new Set(
  (
    'mcp mcp_server_tool web_search file_search google_search tool_search code_interpreter code_execution ' +
    'image_generation url_context google_maps retrieval processing'
  ).split(' '),
);

/** An output item of the Responses API, or a step of Google's Interactions. */
function ofItem(item: unknown, key: string, isWhole = true): CallPiece[] {
  if (!isObject(item) || typeof item.type !== 'string') return [];
  const { type } = item;
  const isCall = /[_.]call$/.test(type) || type === 'mcp_approval_request';
  if (!isCall) return [];
  const isMade = madeCalls.has(type.replace(/_call$/, ''));
  const label = [item.server_label, item.server_name].find((name) => typeof name === 'string');
  const own = typeof item.name === 'string' ? item.name : type.slice(0, -'_call'.length);
  const name = label === undefined ? own : `mcp__${label}__${own}`;
  const piece = pieceOf(key, name, item.arguments ?? item.input ?? item.action ?? item.operation, isWhole);
  return [isMade ? { ...piece, isMade } : piece];
}

function ofAnthropicEvent(value: Json, type: string): AnswerEvent {
  const key = `b${String(value.index)}`;
  if (type === 'content_block_start') return { pieces: ofBlock(value.content_block, key, false), endsAll: false };
  if (type === 'content_block_stop') return { pieces: [{ key, ends: true }], endsAll: false };
  if (type === 'message_stop') return { pieces: [], endsAll: true };
  const { delta } = value;
  if (type === 'content_block_delta' && isObject(delta) && typeof delta.partial_json === 'string')
    return { pieces: [{ key, arguments: delta.partial_json }], endsAll: false };
  return nothing;
}

/** An Anthropic content block. */
function ofBlock(block: unknown, key: string, isWhole = true): CallPiece[] {
  if (!isObject(block) || !/^(?:server_|mcp_)?tool_use$/.test(String(block.type))) return [];
  const isMade = block.type !== 'tool_use';
  const name = block.type === 'mcp_tool_use' ? `mcp__${String(block.server_name)}__${String(block.name)}` : block.name;
  const input = isWhole || hasMembers(block.input) ? block.input : undefined;
  const piece = pieceOf(key, name, input, isWhole);
  return [isMade ? { ...piece, isMade } : piece];
}

function ofGemini(candidates: readonly unknown[]): AnswerEvent {
  const pieces: CallPiece[] = [];
  let endsAll = false;
  for (const [c, candidate] of candidates.entries()) {
    if (!isObject(candidate)) continue;
    if (candidate.finishReason !== undefined) endsAll = true;
    const parts = isObject(candidate.content) && Array.isArray(candidate.content.parts) ? candidate.content.parts : [];
    for (const [i, part] of parts.entries()) {
      const call = isObject(part) ? (part.functionCall ?? part.function_call) : undefined;
      if (!isObject(call)) continue;
      const goesOn = call.willContinue === true;
      const inPieces = goesOn || call.partialArgs !== undefined;
      const key = inPieces ? `g${c}` : `g${c}:${i}:${String(call.id ?? call.name)}`;
      pieces.push(pieceOf(key, call.name, call.args ?? call.partialArgs, !goesOn));
    }
  }
  return { pieces, endsAll };
}

/** Messages with complete calls, of Ollama, Cohere and assistants. */
function ofMessage(message: Json, isDone: boolean): AnswerEvent {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const pieces = calls.flatMap((call, i): CallPiece[] => {
    if (!isObject(call)) return [];
    const inner = isObject(call.function) ? call.function : call;
    return [pieceOf(`m${i}:${String(inner.name)}`, inner.name, inner.arguments ?? inner.parameters, true)];
  });
  return { pieces, endsAll: isDone };
}

function ofConverse(message: Json): AnswerEvent {
  const blocks = Array.isArray(message.content) ? message.content : [];
  const pieces = blocks.flatMap((block, i): CallPiece[] => {
    const call = isObject(block) ? block.toolUse : undefined;
    return isObject(call) ? [pieceOf(`c${i}`, call.name, call.input, true)] : [];
  });
  return { pieces, endsAll: true };
}

/** A ConverseStream event, named in its frame. */
function ofConverseEvent({ start, delta }: Json, key: string): AnswerEvent {
  const [begun, more] = [start, delta].map((part) => (isObject(part) ? part.toolUse : undefined));
  if (isObject(begun)) return { pieces: [pieceOf(key, begun.name, undefined, false)], endsAll: false };
  if (isObject(more)) return { pieces: [pieceOf(key, undefined, more.input, false)], endsAll: false };
  return start === undefined && delta === undefined ? { pieces: [{ key, ends: true }], endsAll: false } : nothing;
}

function ofGeminiLive(calls: readonly unknown[]): AnswerEvent {
  const pieces = calls.flatMap((call, i): CallPiece[] =>
    isObject(call) ? [pieceOf(`g${i}:${String(call.id ?? call.name)}`, call.name, call.args, true)] : [],
  );
  return { pieces, endsAll: false };
}

function pieceOf(key: string, name: unknown, args: unknown, ends: boolean): CallPiece {
  const text = args === undefined || args === null ? undefined : typeof args === 'string' ? args : JSON.stringify(args);
  return {
    key,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(text === undefined ? {} : { arguments: text }),
    ...(ends ? { ends } : {}),
  };
}

/** Joins the pieces of calls; returns each call once, when it is complete. */
export class OpenCalls {
  readonly #open = new Map<string, { name: string; text: string; isMade: boolean }>();
  readonly #ended = new Set<string>();

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Total length of the arguments, in characters. */
  get size(): number {
    let size = 0;
    for (const { text } of this.#open.values()) size += text.length;
    return size;
  }

  /** Calls whose name starts in these pieces. */
  begun(pieces: readonly CallPiece[]): ModelCall[] {
    return pieces.flatMap(({ key, name, isMade = false }) => {
      if (name === undefined || this.#ended.has(key)) return [];
      const known = this.#open.get(key);
      return known === undefined || known.name === '' ? [callOf(name, '', isMade)] : [];
    });
  }

  /** Adds an event's pieces; returns the calls that it completes. */
  add({ pieces, endsAll, of = '' }: AnswerEvent): ModelCall[] {
    const whole: ModelCall[] = [];
    for (const { key, name, arguments: text, ends = false, isMade = false } of pieces) {
      if (this.#ended.has(key)) continue;
      let call = this.#open.get(key);
      if (call === undefined) {
        if (name === undefined && text === undefined) continue;
        call = { name: '', text: '', isMade };
        this.#open.set(key, call);
      }
      // Names arrive complete, or are repeated at the end of the item.
      if (name !== undefined && call.name === '') call.name = name;
      if (text !== undefined) call.text = ends && text.length >= call.text.length ? text : call.text + text;
      if (ends) whole.push(this.#end(key));
    }
    if (endsAll) {
      for (const key of [...this.#open.keys()]) if (key.startsWith(of)) whole.push(this.#end(key));
      // The next response on the connection numbers its calls from the start.
      this.#ended.clear();
    }
    return whole;
  }

  #end(key: string): ModelCall {
    const { name, text, isMade } = this.#open.get(key) ?? { name: '', text: '', isMade: false };
    this.#open.delete(key);
    // Gemini and Ollama send several calls under one name.
    if (!key.startsWith('g') && !key.startsWith('m')) this.#ended.add(key);
    return callOf(name, text, isMade);
  }
}

function callOf(calledAs: string, text: string, isMade: boolean): ModelCall {
  return { ...toolRefOf(calledAs), calledAs, arguments: text, isMade };
}

function hasMembers(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
