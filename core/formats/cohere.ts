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
        next: 'content-delta',
      },
      {
        type: 'tool-call-start',
        text: /^delta\.message\.tool_calls\.function\.arguments$/,
        next: 'tool-call-delta',
      },
    ],
  },
  ends: { all: [/^stream-end$/] },
  // `index` numbers the citations themselves.
  offsets: { numberedTypes: /^citation-/ },
};
