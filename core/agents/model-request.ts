/**
 * Reads tools, MCP servers and turns from model requests. Supports OpenAI (Chat, Responses, Realtime, Assistants),
 * Anthropic, Gemini, Gemini Live and Interactions, Bedrock's Converse, Cohere, Mistral, Ollama and the services' web
 * pages. Recognises the format by its members, not by the host.
 */
import type { Keys } from './keys.ts';
import { serverId, type ToolRef, toolRefOf } from './tool-names.ts';
import { isConversationItem, isTurn, liveTurns, type RequestText, readTurns, type Turns } from './turns.ts';

export type { RequestText };

type Json = Readonly<Record<string, unknown>>;

/** A tool as described to a model. */
export type ToolDefinition = ToolRef & {
  /** Its name in the request. */
  readonly calledAs: string;
  /** The definition in the provider's format, which is pinned and scanned. */
  readonly definition: Json;
  /** The path of its list element. */
  readonly keys: Keys;
  /** True if the provider read it from an MCP server. */
  readonly isListing?: true;
};

/** An MCP server for the provider to connect to. */
export type NamedServer = {
  readonly id: string;
  readonly label: string;
  /** `anthropic_agents`: the settings of a managed agent. */
  readonly form: 'openai' | 'anthropic' | 'anthropic_agents' | 'gemini' | 'interactions';
  readonly keys: Keys;
  /** The `tools` entry that enables it (Anthropic). */
  readonly toolset?: { readonly keys: Keys; readonly value: Json };
  readonly value: Json;
  /** Tools allowed by the request; default all. */
  readonly allowedTools?: readonly string[];
};

export type ModelRequest = {
  readonly tools: readonly ToolDefinition[];
  readonly servers: readonly NamedServer[];
  /** Tools called in the model's last turn. */
  readonly called: readonly ToolRef[];
  /** Texts of users and tools, in request order. */
  readonly texts: readonly RequestText[];
  /** True for Gemini's format, whose clients expect their own error format. */
  readonly isGemini: boolean;
  /** True if the body exceeds a limit and was not read completely. */
  readonly isCut: boolean;
};

/**
 * Reads a JSON body as a model request; undefined for other bodies. Requests may be wrapped (Code Assist, the Realtime
 * API), and a body may contain several (batches).
 */
export function readModelRequest(value: unknown): ModelRequest | undefined {
  const found: Reading = { visits: 0, requests: 0, isGemini: false, texts: [], called: [], tools: [], servers: [] };
  if (isContainer(value)) readRequests(value, [], found);
  const { visits, requests, ...read } = found;
  const isCut = visits > visitsMax || read.tools.length > toolsMax;
  return requests === 0 && !isCut ? undefined : { ...read, tools: read.tools.slice(0, toolsMax), isCut };
}

type Reading = {
  visits: number;
  requests: number;
  isGemini: boolean;
  readonly texts: RequestText[];
  readonly called: ToolRef[];
  readonly tools: ToolDefinition[];
  readonly servers: NamedServer[];
};

/** Maximum depth of wrapped requests: `batch.inputConfig.requests.requests[].request` of Gemini has six levels. */
const wrappedMax = 8;
/** Maximum number of objects and lists that are read: some tens of milliseconds. */
const visitsMax = 50_000;
/** Maximum number of tools that are checked: some tens of milliseconds for new ones. */
export const toolsMax = 1_000;

function readRequests(value: object, base: Keys, into: Reading): void {
  if (base.length > wrappedMax || ++into.visits > visitsMax) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isContainer(value[i])) readRequests(value[i], [...base, i], into);
    return;
  }
  const request = value as Json;
  const isRequest = isModelShape(request);
  if (isRequest) readAt(request, base, into);
  for (const name in request) {
    const inner = request[name];
    if (isContainer(inner) && !(isRequest && ownMembers.has(name))) readRequests(inner, [...base, name], into);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Members of a request that are not searched for wrapped requests. */
const ownMembers = new Set(
  (
    'messages contents content parts input inputs prompt message items item additional_messages chat_history tools functions ' +
    'toolConfig mcp_servers documents tool_outputs tool_results metadata response_format text clientContent client_content ' +
    'toolResponse tool_response realtimeInput realtime_input systemInstruction system_instruction system instructions'
  ).split(' '),
);

const lists = ['messages', 'contents', 'additional_messages', 'tool_outputs', 'tool_results'] as const;
/** Siblings of `message` and `input` that show the purpose of the text. */
const besides = (
  'model modelName tools chat_history documents stream agent agent_id preamble conversation_id instructions ' +
  'previous_response_id'
).split(' ');
/** Members that hold nothing but a prompt. */
const prompts = ['inputText', 'query_str'] as const;

function isModelShape(value: Json): boolean {
  const { contents, input, inputs, items, prompt, message, tools, functions, toolConfig } = value;
  if (lists.some((name) => Array.isArray(value[name])) || isObject(contents) || typeof contents === 'string')
    return true;
  if (prompts.some((name) => typeof value[name] === 'string')) return true;
  if (typeof prompt === 'string' || (Array.isArray(prompt) && typeof prompt[0] === 'string')) return true;
  if ([input, inputs].some((list) => Array.isArray(list) && list.some(isObject))) return true;
  if (isObject(message) && Array.isArray(message.parts)) return true;
  if (isTurn(value) || isConversationItem(value) || liveTurns(value, []) !== undefined) return true;
  if (typeof inputs === 'string' || (Array.isArray(items) && items.some((item) => isObject(item) && isTurn(item))))
    return true;
  const isAsked = typeof message === 'string' || typeof input === 'string' || isObject(input);
  if (isAsked && besides.some((name) => value[name] !== undefined)) return true;
  const offered = [tools, functions, isObject(toolConfig) ? toolConfig.tools : undefined, value.mcp_servers];
  return offered.some((list) => Array.isArray(list) && list.some((tool) => isObject(tool) && isOffered(tool)));
}

/** True if a list element looks like a tool or server offered to a model. */
function isOffered(tool: Json): boolean {
  const { type, name, url } = tool;
  const inner = [tool.function, tool.custom, tool.toolSpec, tool.mcpServers, tool.mcp_servers];
  if (inner.some(isObject) || inner.some(Array.isArray)) return true;
  if (Array.isArray(tool.functionDeclarations ?? tool.function_declarations)) return true;
  if (typeof type === 'string') return typeof name === 'string' || /^(?:mcp|namespace|function)/.test(type);
  const schema = tool.parameters ?? tool.input_schema ?? tool.inputSchema ?? tool.parameter_definitions;
  return typeof name === 'string' && (schema !== undefined || typeof url === 'string');
}

function readAt(value: Json, base: Keys, into: Reading): void {
  const turns: Turns = readTurns(value, base);
  const found: Found = { tools: [], servers: [], toolsets: [] };
  for (const key of ['tools', 'functions'] as const) readList(value[key], [...base, key], found);
  const config = value.toolConfig;
  if (isObject(config)) readList(config.tools, [...base, 'toolConfig', 'tools'], found);
  const form = value.messages === undefined ? 'anthropic_agents' : 'anthropic';
  readAnthropicServers(value.mcp_servers, [...base, 'mcp_servers'], form, found);
  for (const { keys, value: set } of found.toolsets)
    readListing({ server_label: set.mcp_server_name, tools: set.tools }, keys, found);
  for (const { item, keys } of turns.listings)
    if (item.type === 'mcp_list_tools') readListing(item, keys, found);
    else readList(item.tools, [...keys, 'tools'], found);
  into.requests++;
  into.isGemini ||= value.contents !== undefined;
  for (const text of turns.texts) into.texts.push(text);
  into.called.push(...turns.called);
  into.tools.push(...found.tools);
  into.servers.push(...found.servers);
}

type Found = {
  readonly tools: ToolDefinition[];
  readonly servers: NamedServer[];
  readonly toolsets: { keys: Keys; value: Json }[];
};

function readList(list: unknown, keys: Keys, found: Found): void {
  if (!Array.isArray(list)) return;
  for (const [i, tool] of list.entries()) if (isObject(tool)) readTool(tool, [...keys, i], found);
}

function readTool(tool: Json, keys: Keys, found: Found): void {
  const { type } = tool;
  if (type === 'mcp') {
    addOpenAiServer(tool, keys, found);
    return;
  }
  if (type === 'mcp_server') {
    found.servers.push(interactionServer(tool, keys));
    return;
  }
  if (type === 'mcp_toolset') return void found.toolsets.push({ keys, value: tool });
  if (type === 'namespace') {
    readList(tool.tools, [...keys, 'tools'], found);
    return;
  }
  const servers = tool.mcpServers ?? tool.mcp_servers;
  if (Array.isArray(servers))
    readGeminiServers(servers, [...keys, tool.mcpServers ? 'mcpServers' : 'mcp_servers'], found);
  for (const key of ['functionDeclarations', 'function_declarations'] as const) {
    if (Array.isArray(tool[key])) readList(tool[key], [...keys, key], found);
  }
  const inner = [tool.function, tool.custom, tool.toolSpec].find(isObject);
  const definition = inner ?? tool;
  const name = definition.name ?? (typeof type === 'string' && type !== 'function' ? type : undefined);
  if (typeof name === 'string') add(found, name, definition, keys);
}

function add(found: Found, calledAs: string, definition: Json, keys: Keys): void {
  found.tools.push({ ...toolRefOf(calledAs), calledAs, definition, keys });
}

/** Tools that the provider read from a server, as repeated in the conversation. */
function readListing(item: Json, keys: Keys, found: Found): void {
  if (!Array.isArray(item.tools)) return;
  const label = String(item.server_label ?? '');
  const server = found.servers.find((known) => known.label === label)?.id ?? label.toLowerCase();
  for (const [i, tool] of item.tools.entries()) {
    if (!isObject(tool) || typeof tool.name !== 'string') continue;
    found.tools.push({
      server,
      name: tool.name,
      calledAs: tool.name,
      definition: tool,
      keys: [...keys, 'tools', i],
      isListing: true,
    });
  }
}

function addOpenAiServer(tool: Json, keys: Keys, found: Found): void {
  const label = textOf(tool.server_label) ?? '';
  const connector = textOf(tool.connector_id) ?? textOf(tool.tunnel_id);
  const id = serverId({ url: textOf(tool.server_url), connector, label });
  const allowed = Array.isArray(tool.allowed_tools)
    ? tool.allowed_tools
    : isObject(tool.allowed_tools)
      ? tool.allowed_tools.tool_names
      : undefined;
  found.servers.push({
    id: id ?? label,
    label,
    form: 'openai',
    keys,
    value: tool,
    ...(Array.isArray(allowed) ? { allowedTools: allowed.filter((name) => typeof name === 'string') } : {}),
  });
}

/** A server of Google's Interactions API, with nested lists of the allowed tools. */
function interactionServer(tool: Json, keys: Keys): NamedServer {
  const label = textOf(tool.name) ?? '';
  const allowed = (Array.isArray(tool.allowed_tools) ? tool.allowed_tools : []).flatMap((set) =>
    isObject(set) && Array.isArray(set.tools) ? set.tools.filter((name) => typeof name === 'string') : [],
  );
  const id = serverId({ url: textOf(tool.url), label }) ?? label;
  const server = { id, label, form: 'interactions', keys, value: tool } as const;
  return allowed.length === 0 ? server : { ...server, allowedTools: allowed };
}

function readAnthropicServers(list: unknown, keys: Keys, form: NamedServer['form'], found: Found): void {
  if (!Array.isArray(list)) return;
  for (const [i, server] of list.entries()) {
    if (!isObject(server)) continue;
    const label = textOf(server.name) ?? '';
    const toolset = found.toolsets.find(({ value }) => value.mcp_server_name === label);
    const configuration = isObject(server.tool_configuration) ? server.tool_configuration : {};
    const allowed = configuration.allowed_tools;
    found.servers.push({
      id: serverId({ url: textOf(server.url), label }) ?? label,
      label,
      form,
      keys: [...keys, i],
      value: server,
      ...(toolset === undefined ? {} : { toolset }),
      ...(Array.isArray(allowed) ? { allowedTools: allowed.filter((name) => typeof name === 'string') } : {}),
    });
  }
}

function readGeminiServers(list: readonly unknown[], keys: Keys, found: Found): void {
  for (const [i, server] of list.entries()) {
    if (!isObject(server)) continue;
    const label = textOf(server.name) ?? '';
    const transport = server.streamableHttpTransport ?? server.streamable_http_transport;
    const url = isObject(transport) ? textOf(transport.url) : undefined;
    found.servers.push({
      id: serverId({ url, label }) ?? label,
      label,
      form: 'gemini',
      keys: [...keys, i],
      value: server,
    });
  }
}

/** True for an object with members. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
