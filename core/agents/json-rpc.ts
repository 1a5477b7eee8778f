/**
 * Messages of the Model Context Protocol (JSON-RPC 2.0), revisions 2024-11-05 to 2026-07-28, and of A2A 0.3 and 1.0
 * (a2a-protocol.org), in requests and responses. Recognised by method, whatever the host.
 */

import type { Keys, TextKind } from '../formats/agents.ts';
import { isObject, type JsonObject } from '../parsing.ts';
import { anyOf } from '../patterns.ts';
import { addTexts } from './turns.ts';

/** Members of one message. */
export type RpcMessage = {
  readonly id: unknown;
  readonly method: string | undefined;
  readonly params: JsonObject;
  readonly result: JsonObject | undefined;
  readonly error: JsonObject | undefined;
  readonly keys: Keys;
};

/** A text of a message, and its position. */
export type RpcText = { readonly kind: TextKind; readonly text: string; readonly keys: Keys };

/** A tool in the response to `tools/list`. */
export type ListedTool = { readonly name: string; readonly definition: JsonObject; readonly keys: Keys };

const methodGroups = anyOf(
  'tools resources prompts completion logging sampling roots elicitation tasks subscriptions notifications',
);
const method = new RegExp(`^(?:ping|server/discover|${methodGroups}/.+)$`);

/** Longer batches are not checked. */
export const rpcMessagesMax = 1000;

/**
 * The messages of a body, several in a batch (2025-03-26). `isKnown`: JSON-RPC even without a version. A server answers
 * other elements of a batch with an error and still obeys the messages.
 */
export function readRpc(value: unknown, isKnown = false): readonly RpcMessage[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!isKnown && !list.some((one) => isObject(one) && one.jsonrpc === '2.0')) return undefined;
  const messages: RpcMessage[] = [];
  for (const [i, one] of list.entries()) {
    if (!isObject(one)) continue;
    const keys = Array.isArray(value) ? [i] : [];
    messages.push({
      id: one.id,
      method: typeof one.method === 'string' ? one.method : undefined,
      params: isObject(one.params) ? one.params : {},
      result: isObject(one.result) ? one.result : undefined,
      error: isObject(one.error) ? one.error : undefined,
      keys,
    });
  }
  return messages.length === 0 ? undefined : messages;
}

/** True if a request is MCP rather than other JSON-RPC. `isDeclared`: its headers say so. */
export function isMcpRequest(messages: readonly RpcMessage[], isDeclared: boolean): boolean {
  return messages.some(({ method: name, params }) => {
    if (name === undefined) return isDeclared;
    if (name === 'initialize') return typeof params.protocolVersion === 'string';
    return method.test(name);
  });
}

/** A2A methods: paths in 0.3, operation names in 1.0. MCP has `tasks/get` too. */
const agentMethod = new RegExp(
  `^${anyOf(String.raw`
    message/(?:send|stream) tasks/(?:resubscribe|pushNotificationConfig/\w+) agent/\w+
    Send(?:Streaming)?Message (?:Get|List|Cancel)Tasks? SubscribeToTask
    \w+TaskPushNotificationConfigs? GetExtendedAgentCard`)}$`,
);

/** True if a request is an A2A call. `isDeclared`: its headers say so. */
export function isAgentRequest(messages: readonly RpcMessage[], isDeclared: boolean): boolean {
  return messages.some(({ method: name }) => name !== undefined && (isDeclared || agentMethod.test(name)));
}

/** The texts of an A2A call. */
export function agentTexts({ params, keys }: RpcMessage): RpcText[] {
  const { message } = params;
  return isObject(message) ? textsIn('prompts', message.parts, [...keys, 'params', 'message', 'parts']) : [];
}

/** The client program: from `initialize`, or from every request since 2026-07-28. */
export function clientOf({ params }: RpcMessage): string | undefined {
  const meta = isObject(params._meta) ? params._meta : {};
  const info = params.clientInfo ?? meta['io.modelcontextprotocol/clientInfo'];
  return isObject(info) && typeof info.name === 'string' ? info.name : undefined;
}

/** The tools in a `tools/list` response; undefined for other messages. `isWhole`: there are no further pages. */
export function listedTools({ result, keys }: RpcMessage, isFirstPage = true) {
  const tools = result?.tools;
  if (!Array.isArray(tools)) return undefined;
  const listed = tools.flatMap((tool, i): ListedTool[] =>
    isObject(tool) && typeof tool.name === 'string'
      ? [{ name: tool.name, definition: tool, keys: [...keys, 'result', 'tools', i] }]
      : [],
  );
  const hasMore = result?.nextCursor !== undefined;
  return { tools: listed, keys: [...keys, 'result', 'tools'] as Keys, hasMore, isWhole: isFirstPage && !hasMore };
}

/** Members of a result that no model reads, or that are checked elsewhere. */
const unread = new Set([
  ...['_meta', 'capabilities', 'nextCursor', 'protocolVersion', 'requestState', 'resultType', 'serverInfo', 'tools'],
]);

/** The texts of a message that a model reads: a result, an error, or a server's prompt (sampling). */
export function resultTexts({ method: name, params, result = {}, error, keys }: RpcMessage): RpcText[] {
  const asked = name === 'sampling/createMessage' ? textsIn('tool_results', params, [...keys, 'params']) : [];
  const read = Object.entries(result).filter(([key]) => !unread.has(key) && !(key === 'history' && isTask(result)));
  return [
    ...asked,
    ...textsIn('tool_results', error, [...keys, 'error']),
    ...read.flatMap(([key, value]) => textsIn('tool_results', value, [...keys, 'result', key])),
  ];
}

/** True for an A2A task, whose history repeats earlier messages. */
function isTask(value: object): boolean {
  const { status } = value as JsonObject;
  return isObject(status) && typeof status.state === 'string';
}

function textsIn(kind: TextKind, value: unknown, at: Keys): RpcText[] {
  const texts: RpcText[] = [];
  addTexts((text, keys) => texts.push({ kind, text, keys }), value, at, { isTask });
  return texts;
}

/**
 * The input that a server requests from the user: in its own request, or in a result that awaits input (2026-07-28).
 */
export function elicitationsOf({ method: name, params, result }: RpcMessage): JsonObject[] {
  const inputs: JsonObject[] = name === 'elicitation/create' ? [params] : [];
  const requests = isObject(result?.inputRequests) ? Object.values(result.inputRequests) : [];
  for (const request of requests)
    if (isObject(request) && request.method === 'elicitation/create' && isObject(request.params))
      inputs.push(request.params);
  return inputs;
}

/** JSON-RPC error code for a rejected request; −32000 to −32019 are for implementations. */
const refusedCode = -32_010;

/** The JSON-RPC error response to a message. */
export function rpcError(id: unknown, message: string, reason: string): JsonObject {
  return { jsonrpc: '2.0', id: id ?? null, error: { code: refusedCode, message, data: { reason } } };
}
