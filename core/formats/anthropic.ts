import { isObject, type JsonObject } from '../parsing.ts';
import { anyOf } from '../patterns.ts';
import {
  type AnswerEvent,
  type Call,
  type Limits,
  lastCall,
  noCall,
  openingOf,
  type ServerForm,
  withPieces,
} from './agents.ts';
import type { WireFormat } from './format.ts';

const server = {
  inRequest: 'mcp_servers',
  label: 'name',
  url: ({ url }) => url,
  allowed: ({ tool_configuration: configuration }) => isObject(configuration) && configuration.allowed_tools,
} as const satisfies Partial<ServerForm>;
const toolset = { type: 'mcp_toolset', label: 'mcp_server_name' };
const messageServers: ServerForm = {
  ...server,
  name: 'anthropic',
  isFor: ({ messages }) => messages !== undefined,
  limited: (entry, { names }) => ({
    ...entry,
    tool_configuration: { ...(entry.tool_configuration as JsonObject), enabled: true, allowed_tools: names },
  }),
  toolset: { ...toolset, limited: (set, limits) => withConfigs(set, configsOf(set, limits)) },
};
/** Managed agents list the settings of tools, messages have them by name; only those of agents know about approval. */
const agentServers: ServerForm = {
  ...server,
  name: 'anthropic-agents',
  isFor: ({ messages }) => messages === undefined,
  asks: true,
  toolset: {
    ...toolset,
    limited(set, limits) {
      const { base, configs } = configsOf(set, limits);
      const ask = limits.asks ? { permission_policy: { type: 'always_ask' } } : {};
      const list = Object.entries(configs).map(([name, config]) => ({ ...config, ...ask, name }));
      return withConfigs(set, { base: { ...base, ...ask }, configs: list });
    },
  },
};

/** Anthropic's Messages API, including other clouds, and the older completions. */
export const anthropic: WireFormat = {
  name: 'anthropic',
  instructions: [
    {
      path: new RegExp(
        anyOf(String.raw`
          /messages(?:/count_tokens)?$
          /publishers/anthropic/.*:(?:stream)?rawPredict$
          /model/[^/]*anthropic\.[^/]*/invoke`),
        'i',
      ),
      key: 'system',
      create: (literal) => literal,
    },
  ],
  request: {
    words: 'stop_reason anthropic_version',
    opaque: 'encrypted_index',
    ciphertexts: 'encrypted_stdout',
    settings: 'partial_json',
    isBatchLine: (line) => 'custom_id' in line && isObject(line.params),
  },
  texts: {
    pieces: [/^completion$|^content_block\.text$/],
    wholeMembers: 'content_block',
    starts: [
      {
        type: 'content_block_start',
        text: /^content_block\.text$/,
        continued: ({ index }) => ({
          event: { type: 'content_block_delta', index, delta: { type: 'text_delta', text: '' } },
          pointer: 'delta.text',
        }),
      },
    ],
  },
  ends: { reasons: 'stop_reason' },
  tools: {
    strings: 'partial_json',
    parsed: 'par?i',
    resultTexts: [/^(?:content\[\]|content_block)\.content\[\]\.text$/],
  },
  reasoning: {
    opaqueTypes: 'redacted_thinking',
    isSignedPiece: ({ key, node }) => key === 'thinking' && node.member('type')?.value === 'thinking_delta',
  },
  offsets: {
    documents: {
      type: 'char_location',
      start: 'start_char_index',
      end: 'end_char_index',
      number: 'document_index',
      textsOf: documentsIn,
    },
  },
  inserted: { emptied: 'stop_reason' },
  // claude.ai reads attached files in the browser.
  conversation: {
    documents: 'attachments',
    documentTypes: 'document search_result',
    files: 'source',
    unread: 'tool_use_id',
  },
  offers: { schemas: 'input_schema', servers: [messageServers, agentServers] },
  calls: {
    signs: 'partial_json content_block_stop message_stop',
    callOf,
    lists: 'content',
    read: (event) => (typeof event.type === 'string' ? callsIn(event, event.type) : undefined),
  },
};

type Block = {
  readonly type?: unknown;
  readonly source?: { readonly type?: unknown; readonly data?: unknown };
  readonly content?: unknown;
};

/** The documents of a request, numbered over all messages, including tool results. */
function documentsIn({ messages }: JsonObject): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  const walk = (blocks: unknown) => {
    for (const block of Array.isArray(blocks) ? (blocks as readonly (Block | null)[]) : []) {
      const { type, source, content } = block ?? {};
      if (type === 'document') {
        found.push(source?.type === 'text' && typeof source.data === 'string' ? source.data : undefined);
      } else if (type === 'tool_result') walk(content);
    }
  };
  for (const message of Array.isArray(messages) ? messages : []) walk((message as Block | null)?.content);
  return found;
}

type Configs = Readonly<Record<string, object>>;

/** The settings of a toolset's tools, by name, and those of all others. */
function configsOf({ configs: given, default_config: base }: JsonObject, { names = [], except }: Limits) {
  const before: Configs = Array.isArray(given)
    ? Object.fromEntries(given.map((one: { readonly name: string }) => [one.name, one]))
    : ((given ?? {}) as Configs);
  const isOpen = except !== undefined;
  const named = (except ?? names).map((name) => [name, { ...before[name], enabled: !isOpen }]);
  return {
    base: { ...(base as object), ...(isOpen ? {} : { enabled: false }) },
    configs: { ...(isOpen ? before : {}), ...Object.fromEntries(named) } as Configs,
  };
}

function withConfigs(set: JsonObject, { base, configs }: { readonly base: object; readonly configs: object }) {
  return { ...set, ...(Object.keys(base).length === 0 ? {} : { default_config: base }), configs };
}

/** The call in a content block. */
function callOf({ type, name, input, server_name: label }: JsonObject): Call | undefined {
  if (type === 'tool_use') return { name, arguments: input };
  if (type === 'server_tool_use') return { name, arguments: input, isMade: true };
  return type === 'mcp_tool_use' ? { name, arguments: input, isMade: true, label } : undefined;
}

function callsIn({ index, content_block: block, delta }: JsonObject, type: string): AnswerEvent | undefined {
  const key = `b${index}`;
  if (type === 'content_block_start') return openingOf(key, isObject(block) ? callOf(block) : undefined);
  if (type === 'content_block_stop') return withPieces({ key, ends: true });
  if (type === 'message_stop') return lastCall;
  if (type === 'content_block_delta' && isObject(delta) && typeof delta.partial_json === 'string')
    return withPieces({ key, arguments: delta.partial_json });
  return /^(?:content_block|message)_/.test(type) ? noCall : undefined;
}
