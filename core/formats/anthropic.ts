import { anyOf } from '../patterns.ts';
import { isObject, type JsonObject, type WireFormat } from './format.ts';

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
        next: 'content_block_delta',
        continued: ({ index }) => ({
          event: { type: 'content_block_delta', index, delta: { type: 'text_delta', text: '' } },
          pointer: 'delta.text',
        }),
      },
    ],
  },
  runs: { samePath: ['.content_block', '.delta'] },
  ends: { reasons: 'stop_reason' },
  tools: { strings: 'partial_json', parsed: 'par?i' },
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
