/**
 * Assigns the strings of an event to runs of text, and finds which runs an event ends (sections 2.2 and 2.4 of the wire
 * format reference).
 */
import type { JsonMember, JsonNode } from '../payload/json-strings.ts';
import { isFirstPiece } from './start-events.ts';

/**
 * Index fields of an event, most reliable first. Ids alone are not reliable: one provider changes them at every event.
 */
const indexFields = [
  'output_index',
  'content_index',
  'summary_index',
  'contentBlockIndex',
  'toolCallId',
  'messageId',
  'partId',
  'response_id',
] as const;

/** What an event says about itself. */
export type EventScope = {
  readonly root: JsonNode;
  /** `type` or `event` of the document, or the event's name if that is more specific. */
  readonly type: string;
  /** The type without its last word: `x.delta` and `x.done` are one family. */
  readonly family: string;
  readonly indexes: readonly string[];
};

/** Parts of Vercel AI's UI message stream, of which several may be open: only their id distinguishes them. */
const partTypes = /^(?:text|reasoning|tool-input)-(?:start|delta|end)$/;
// Copilot's events that continue a text, and those that repeat it.
const replacement = 'replaceText';
const continuation = 'appendText';

// AG-UI uses capitals.
const lastWord = /[._-](?:delta|done|start|stop|end|added|completed|incomplete|failed|START|CONTENT|ARGS|CHUNK|END)$/;

/** Reads the scope of an event from the members of its document. */
export function scopeOf(members: readonly JsonMember[], name: string | undefined): EventScope | undefined {
  const first = members[0];
  if (!first) return undefined;
  let root = first.node;
  while (root.parent?.parent) root = root.parent;
  const declared = root.member('type') ?? root.member('event') ?? root.member('event_type');
  // The type of a message ("answer") is less specific than a name such as `conversation.message.delta`.
  const isNamed = name !== undefined && lastWord.test(name) && !(declared?.isString && lastWord.test(declared.value));
  const type = declared?.isString && !isNamed ? declared.value : (name ?? '');
  const indexes: string[] = [];
  // Without a type, `index` counts events (llama.cpp, TGI), not blocks.
  const index = declared?.isString ? root.member('index') : undefined;
  if (index) indexes.push(`index=${index.value}`);
  for (const field of indexFields) {
    const member = root.member(field);
    if (member) indexes.push(`${field}=${member.value}`);
  }
  const id = partTypes.test(type) ? root.member('id') : undefined;
  if (id) indexes.push(`id=${id.value}`);
  const family = type === replacement ? continuation : type.replace(lastWord, '');
  return { root, type, family, indexes };
}

/** Path of a container, with array positions replaced by the index that the element states. */
export function keyedPath(node: JsonNode): string {
  if (!node.parent) return '';
  const parent = keyedPath(node.parent);
  if (node.position < 0) return node.key === '' ? parent : `${parent}.${node.key}`;
  const index = node.member('index');
  if (index && !index.isString) return `${parent}[${index.value}]`;
  const usage = node.member('intended_usage');
  if (usage) return `${parent}[${node.position}:${usage.value}]`;
  // The parts of one event continue each other in one run.
  return /^(?:parts|content|chunks|messages|thinking|summary)$/.test(node.parent.key)
    ? `${parent}[]`
    : `${parent}[${node.position}]`;
}

/** Suffix of the key of a run that one event contains in full, split into pieces: a copy of earlier pieces. */
export const copyMark = '|copy';

/** True for the last piece of an argument that arrives in pieces (Gemini's `partialArgs`). */
export function isLastPiece(member: JsonMember): boolean {
  return member.key === 'stringValue' && member.node.member('willContinue')?.value !== 'true';
}

/** True for the text of an event that replaces the run's earlier text. */
export function isReplacement(scope: EventScope): boolean {
  return scope.type === replacement;
}

/** True for a piece of reasoning whose signature comes at the end: the client sends it back unchanged. */
export function isSignedPiece({ key, node }: JsonMember): boolean {
  if (key === 'thinking') return node.member('type')?.value === 'thinking_delta';
  return key === 'text' && node.key === 'reasoningContent';
}

/** True for a piece of tool arguments that only the event's type identifies as such. */
export function isToolPiece({ type }: EventScope, { key }: JsonMember): boolean {
  return key === 'delta' ? toolTypes.test(type) : key === 'inputTextDelta' || key === 'argsTextDelta';
}

const toolTypes =
  /function_call_arguments|mcp_call_arguments|custom_tool_call_input|^tool-input-delta$|^TOOL_CALL_(?:ARGS|CHUNK)$/;

/** Key of the run of one string. */
export function runKey(scope: EventScope, member: JsonMember): string {
  const { node } = member;
  const base = keyedPath(node).replace(/^\.content_block$/, '.delta');
  const place = member.position < 0 ? `.${member.key}` : node.key === 'chunks' ? '[]' : `[${member.position}]`;
  let key = `${scope.family}|${scope.indexes.join()}|${base}${place}`;
  if (node.members && node.members.length > 1) {
    if (node.member('thought')?.value === 'true') key += '|thought';
    const detail = node.member('jsonPath') ?? (node.member('op') ? node.member('path') : undefined);
    if (detail) key += `|${detail.value.replaceAll(/\d+/g, '*')}`;
  }
  if (node.key === 'chunks' && node.parent?.member('answer')?.isString) key += copyMark;
  return key;
}

/** Which runs an event ends. */
export type Ending = {
  readonly all: boolean;
  /** Runs below these keyed paths. */
  readonly paths: readonly string[];
  /** Runs with these keys. */
  readonly keys?: readonly string[];
  /** Runs of this family (any if undefined) whose indexes include those of the event. */
  readonly scope?: { readonly family: string | undefined; readonly indexes: readonly string[] };
};

const allTypes =
  /^(?:message[_-]stop|message[_-]end|messageStop|error|done|stream-end|end_of_stream|message_stream_complete|RUN_FINISHED|RUN_ERROR|end|close|finish|complete|final|(?:\w+\.)*(?:response|interaction|run|chat|turn)\.(?:completed?|incomplete|failed|done|error|cancelled|expired))$/;
const oneTypes = /(?:[._-](?:done|stop|end|completed|incomplete|failed|END)|Completed|Stop)$/;
const itemTypes = /^(?:response\.(?:output_item|content_part)\.done|partCompleted|contentBlockStop)$/;
const finishKeys = /^(?:finish_reason|finishReason|stop_reason|stopReason|done_reason)$/;
// Values of a finish reason that mean "not finished" (watsonx, Vertex).
const noReason = /^(?:|null|none|not_finished|FINISH_REASON_UNSPECIFIED)$/i;
const rootFlags = /^(?:done|stop|final|is_final|is_finished|finished|isFinal|isFinished|is_end|isEnd|end)$/;
const turnFlags = /^(?:turnComplete|generationComplete|interrupted)$/;

/** True for an event name that ends everything, whatever its data. */
export function isEndName(name: string | undefined): boolean {
  return name !== undefined && allTypes.test(name);
}

/** What ends with an event; undefined when nothing does. */
export function endingOf(scope: EventScope, members: readonly JsonMember[]): Ending | undefined {
  let all = allTypes.test(scope.type);
  const paths: string[] = [];
  for (const member of members) {
    if (member.isKey || member.key === '') continue;
    if (!member.isString) {
      if (member.value !== 'true') continue;
      if (member.node === scope.root ? rootFlags.test(member.key) : turnFlags.test(member.key)) all = true;
    } else if (finishKeys.test(member.key)) {
      if (noReason.test(member.value)) continue;
      const element = elementOf(member.node);
      if (element) paths.push(keyedPath(element));
      else all = true;
    } else if (member.key === 'generated_text' && member.node === scope.root) {
      all = true;
    } else if (member.key === 'status' && member.value.startsWith('finished')) {
      all = true;
    } else if (
      member.value !== '' &&
      (member.node === scope.root ? member.key : rootKey(member.node, scope)) === 'error'
    ) {
      all = true;
    }
  }
  // A SignalR record that completes a call.
  const record = scope.root.member('type');
  if (record && !record.isString && /^[23]$/.test(record.value) && scope.root.member('invocationId')) all = true;
  const one = !all && oneTypes.test(scope.type);
  if (!all && paths.length === 0 && !one) return undefined;
  if (!one) return { all, paths };
  return {
    all,
    paths,
    scope: { family: itemTypes.test(scope.type) ? undefined : scope.family, indexes: scope.indexes },
  };
}

/** Name of the document's member that is this node. */
function rootKey(node: JsonNode, scope: EventScope): string | undefined {
  return node.parent === scope.root ? node.key : undefined;
}

/** The nearest array element that contains a node, including itself. */
function elementOf(node: JsonNode): JsonNode | undefined {
  for (let at: JsonNode | undefined = node; at; at = at.parent) if (at.position >= 0) return at;
  return undefined;
}

const fullTypes =
  /(?:[._-](?:done|completed|added|created|in_progress|incomplete|failed|start|started|stop|end|error|queued)|Start|Stop|Completed)$|^(?:error|titleUpdate|suggestedFollowups)$/;

/** Events of AG-UI and parts of Vercel AI that contain a state, a result or a value of an application. */
const wholeTypes =
  /^(?:(?:STATE|ACTIVITY)_DELTA|[A-Z]+_SNAPSHOT|TOOL_CALL_RESULT|tool-(?:input|output)-(?:available|error)|data-(?!.*delta$).*)$/i;

const citation =
  /(?:^|\.)(?:citations?|annotations?|search_results|url_citation|grounding\w*|content_references)(?:\[\])*(?:\.|$)/;

/** True when a string of an event is complete in itself: a copy of earlier text, or part of a complete object. */
export function isWholeText(scope: EventScope, member: JsonMember): boolean {
  const { type } = scope;
  if (isFirstPiece(type, member)) return false;
  if (fullTypes.test(type) || wholeTypes.test(type)) return true;
  if (type.startsWith('response.') && !type.endsWith('.delta')) return true;
  const { path } = member;
  if (citation.test(path)) return true;
  if (/^error\.|^generated_text$/.test(path)) return true;
  if (type !== '' && /^(?:response|item|part|content_block)\./.test(path)) return true;
  return /(?:^|\.)(?:arguments|args|input|functionCall|function_call|toolUse)(?:\[\])*\.(?!partialArgs|arguments$|input$|writeAtCursor$)/.test(
    path,
  );
}
