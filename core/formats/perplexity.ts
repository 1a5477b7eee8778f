import type { WireFormat } from './format.ts';

/** perplexity.ai: blocks in pieces, JSON patches (RFC 6902) of blocks, and copies of the answer. */
export const perplexity: WireFormat = {
  name: 'perplexity',
  texts: { citations: 'search_results' },
  runs: {
    joinedLists: 'chunks',
    joinedStrings: 'chunks',
    elementName: 'intended_usage',
    detail: (node) => (node.member('op') ? node.member('path')?.value : undefined),
    isCopy: ({ node }) => node.key === 'chunks' && node.parent?.member('answer')?.isString === true,
  },
  ends: { all: [/^end_of_stream$/], names: 'end_of_stream' },
  offsets: { sources: 'search_results' },
  conversation: { prompts: 'query_str' },
  inserted: {
    changed(key, value, object) {
      if (key === 'chunk_starting_offset' && typeof value === 'number') return value + 1;
      // The position after the template's: `/chunks/4` → `/chunks/5`.
      if (key === 'path' && object.op === 'add' && typeof value === 'string')
        return value.replace(/\d+$/, (digits) => String(Number(digits) + 1));
      return undefined;
    },
  },
};
