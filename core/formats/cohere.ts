import { isObject, type JsonObject } from '../parsing.ts';
import { lastCall, pieceOf, withPieces } from './agents.ts';
import type { WireFormat } from './format.ts';

/** Cohere's chat: version 2, and version 1 as NDJSON. */
export const cohere: WireFormat = {
  name: 'cohere',
  instructions: [{ path: /cohere[^/]*\/v1\/chat$/, key: 'preamble', create: (literal) => literal }],
  request: {
    words: 'input_type truncate',
    data: 'call\\.parameters content\\[\\]\\.document\\.data (?:documents|[a-z_]*references)\\[\\]\\.data',
  },
  texts: {
    starts: [
      {
        type: 'content-start',
        text: /^delta\.message\.content\.(?:text|thinking)$/,
        continued: (event, pointer) => ({ event: { ...event, type: 'content-delta' }, pointer }),
      },
      {
        type: 'tool-call-start',
        text: /^delta\.message\.tool_calls\.function\.arguments$/,
        continued: (event, pointer) => ({ event: { ...event, type: 'tool-call-delta' }, pointer }),
      },
    ],
  },
  ends: { all: [/^stream-end$/] },
  // Version 1; its complete calls have objects.
  tools: { strings: 'tool_call_delta\\.parameters' },
  // `index` numbers the citations themselves.
  offsets: { numberedTypes: /^citation-/ },
  conversation: {
    rareTurns: 'chat_history',
    besides: 'chat_history documents preamble',
    results: 'tool_results',
    documents: 'documents',
    roles: { USER: 'user', CHATBOT: 'model', TOOL: 'tool' },
  },
  offers: { schemas: 'parameter_definitions' },
  calls: {
    read({ type, index, delta, tool_call_delta: piece }) {
      if (isObject(piece))
        return withPieces(pieceOf(`t${piece.index}`, { name: piece.name, arguments: piece.parameters }, false));
      if (type === 'message-end') return lastCall;
      if (typeof type !== 'string' || !type.startsWith('tool-call-')) return undefined;
      if (type === 'tool-call-end') return withPieces({ key: `t${index}`, ends: true });
      const call = isObject(delta) && isObject(delta.message) ? delta.message.tool_calls : undefined;
      const { name, arguments: args } = isObject(call) && isObject(call.function) ? call.function : ({} as JsonObject);
      return withPieces(pieceOf(`t${index}`, { name, arguments: args }, false));
    },
  },
};
