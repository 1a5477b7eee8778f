/** Reads tools, MCP servers and turns from model requests. Recognises the format by its members, not by the host. */
import { type AgentRules, kinds } from '../formats/agent-rules.ts';
import type { Keys, ServerForm } from '../formats/agents.ts';
import { wireFormats } from '../formats/index.ts';
import { isObject, type JsonObject } from '../parsing.ts';
import { serverId, type ToolRef, toolRefOf } from './tool-names.ts';
import { type RequestText, readTurns, type Turns } from './turns.ts';

/** A tool as described to a model. */
export type ToolDefinition = ToolRef & {
  /** Its name in the request. */
  readonly calledAs: string;
  /** The definition in the provider's format, which is pinned and scanned. */
  readonly definition: JsonObject;
  /** The path of its list element. */
  readonly keys: Keys;
  /** True if the provider read it from an MCP server. */
  readonly isListing?: true;
};

/** An MCP server for the provider to connect to. */
export type NamedServer = {
  readonly id: string;
  readonly label: string;
  /** The name of its {@link ServerForm}. */
  readonly form: string;
  readonly keys: Keys;
  /** The `tools` entry that enables it. */
  readonly toolset?: { readonly keys: Keys; readonly value: JsonObject };
  readonly value: JsonObject;
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
  /** The form of errors, see {@link AgentRules.refusalFor}. */
  readonly refusal?: string | undefined;
  /** True if the body exceeds a limit and was not read completely. */
  readonly isCut: boolean;
};

/**
 * Reads a JSON body as a model request; undefined for other bodies. Requests may be wrapped (Code Assist, the Realtime
 * API), and a body may contain several (batches).
 */
export function readModelRequest(value: unknown, { agents } = wireFormats): ModelRequest | undefined {
  const found: Reading = { visits: 0, requests: 0, refusal: undefined, texts: [], called: [], tools: [], servers: [] };
  if (isContainer(value)) readRequests(value, [], found, agents);
  const { visits, requests, ...read } = found;
  const isCut = visits > visitsMax || read.tools.length > toolsMax;
  return requests === 0 && !isCut ? undefined : { ...read, tools: read.tools.slice(0, toolsMax), isCut };
}

type Reading = {
  visits: number;
  requests: number;
  refusal: string | undefined;
  readonly texts: RequestText[];
  readonly called: ToolRef[];
  readonly tools: ToolDefinition[];
  readonly servers: NamedServer[];
};

/** Maximum depth of wrapped requests: `batch.inputConfig.requests.requests[].request` has six levels. */
const wrappedMax = 8;
/** Maximum number of objects and lists that are read: some tens of milliseconds. */
const visitsMax = 50_000;
/** Maximum number of tools that are checked: some tens of milliseconds for new ones. */
export const toolsMax = 1_000;

function readRequests(value: object, base: Keys, into: Reading, rules: AgentRules): void {
  if (base.length > wrappedMax || ++into.visits > visitsMax) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isContainer(value[i])) readRequests(value[i], [...base, i], into, rules);
    return;
  }
  const request = value as JsonObject;
  const isRequest = rules.isRequest(request);
  if (isRequest) readAt(request, base, into, rules);
  for (const name in request) {
    const inner = request[name];
    if (isContainer(inner) && !(isRequest && rules.own.has(name))) readRequests(inner, [...base, name], into, rules);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readAt(value: JsonObject, base: Keys, into: Reading, rules: AgentRules): void {
  const bits = rules.kindsIn(value);
  const turns: Turns = readTurns(value, base, bits, rules);
  const found: Found = { rules, tools: [], servers: [], toolsets: [] };
  if (bits & kinds.tools) readOffers(value, base, found);
  for (const { keys, value: set, label } of found.toolsets) readListing(set.tools, set[label], keys, found);
  for (const { item, keys } of turns.listings) {
    const listing = rules.offered.listing.find(({ type }) => type === item.type);
    if (listing !== undefined) readListing(item.tools, item[listing.label], keys, found);
    else readList(item.tools, [...keys, 'tools'], found);
  }
  into.requests++;
  into.refusal ??= rules.refusalFor(value);
  for (const text of turns.texts) into.texts.push(text);
  into.called.push(...turns.called);
  into.tools.push(...found.tools);
  into.servers.push(...found.servers);
}

function readOffers(value: JsonObject, base: Keys, found: Found): void {
  const { lists, containers, servers } = found.rules.offered;
  for (const key of lists) readList(value[key], [...base, key], found);
  for (const key of containers) {
    const container = value[key];
    if (isObject(container)) readList(container.tools, [...base, key, 'tools'], found);
  }
  for (const form of servers) {
    const { inRequest: name } = form;
    if (name !== undefined && form.isFor?.(value) !== false) readServers(value[name], form, [...base, name], found);
  }
}

type Found = {
  readonly rules: AgentRules;
  readonly tools: ToolDefinition[];
  readonly servers: NamedServer[];
  readonly toolsets: (NonNullable<NamedServer['toolset']> & { readonly label: string })[];
};

function readList(list: unknown, keys: Keys, found: Found): void {
  if (!Array.isArray(list)) return;
  for (const [i, tool] of list.entries()) if (isObject(tool)) readTool(tool, [...keys, i], found);
}

function readTool(tool: JsonObject, keys: Keys, found: Found): void {
  const { type } = tool;
  const { rules } = found;
  if (type !== undefined && rules.offered.groupTypes.includes(type as string)) {
    readList(tool.tools, [...keys, 'tools'], found);
    return;
  }
  const server = rules.serverTypes.get(type);
  if (server !== undefined) {
    addServer(tool, server, keys, found);
    return;
  }
  const label = rules.toolsetLabels.get(type);
  if (label !== undefined) {
    found.toolsets.push({ keys, value: tool, label });
    return;
  }
  let definition = tool;
  for (const name in tool) {
    const kind = rules.toolMembers.get(name);
    if (kind === undefined) continue;
    const member = tool[name];
    if (kind === 'tools') readList(member, [...keys, name], found);
    else if (kind !== 'definition') readServers(member, kind, [...keys, name], found);
    else if (isObject(member)) definition = member;
  }
  const calledAs =
    definition.name ?? definition.Name ?? (typeof type === 'string' && type !== 'function' ? type : undefined);
  if (typeof calledAs === 'string') found.tools.push({ ...toolRefOf(calledAs), calledAs, definition, keys });
}

/** Tools that the provider read from a server, as repeated in the conversation. */
function readListing(list: unknown, label: unknown, keys: Keys, found: Found): void {
  if (!Array.isArray(list)) return;
  const named = String(label ?? '');
  const server = found.servers.find((known) => known.label === named)?.id ?? named.toLowerCase();
  for (const [i, tool] of list.entries()) {
    if (!isObject(tool) || typeof tool.name !== 'string') continue;
    const { name } = tool;
    found.tools.push({ server, name, calledAs: name, definition: tool, keys: [...keys, 'tools', i], isListing: true });
  }
}

function readServers(list: unknown, form: ServerForm, keys: Keys, found: Found): void {
  if (!Array.isArray(list)) return;
  for (const [i, server] of list.entries()) if (isObject(server)) addServer(server, form, [...keys, i], found);
}

function addServer(value: JsonObject, form: ServerForm, keys: Keys, found: Found): void {
  const label = textOf(value[form.label]) ?? '';
  const toolset = found.toolsets.find((set) => form.toolset !== undefined && set.value[set.label] === label);
  const allowed = form.allowed?.(value);
  found.servers.push({
    id: serverId({ url: textOf(form.url(value)), connector: textOf(form.connector?.(value)), label }) ?? label,
    label,
    form: form.name,
    keys,
    value,
    ...(toolset && { toolset: { keys: toolset.keys, value: toolset.value } }),
    ...(Array.isArray(allowed) && { allowedTools: allowed.filter((name) => typeof name === 'string') }),
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
