import type { WireFormat } from './format.ts';

/** chatgpt.com, and chat.deepseek.com, which patches documents in the same way. */
export const chatgptWeb: WireFormat = {
  name: 'chatgpt-web',
  framing: {
    firstNames: 'v p o',
    nested: {
      members: 'encoded_item body',
      scopes: 'topic_id conversation_id response_id websocket_request_id',
    },
  },
  texts: { cumulative: [/message\.content\.parts\[\]$/], citations: 'content_references' },
  ends: {
    all: [/^message_stream_complete$/],
    isEnd: ({ key, value, isString }) => isString && key === 'status' && value.startsWith('finished'),
  },
  tools: { parsed: 'v" p" o"' },
  patches: {
    announcement: 'delta_encoding',
    texts: /(?:^|\/)(?:(?:thinking_)?content|text|summary|parts\/\d+)$/,
    lists: /(?:^|\/)(?:fragments|thoughts|parts)$/,
    status: /(?:^|\/)status$/,
    document: /^v\.response\.(?:message_id$|fragments\b)/,
  },
};
