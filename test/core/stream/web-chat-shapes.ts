/** The streams of web chat front ends, known and unknown, in the form of provider-shapes.ts. */
import type { ShapeRow } from './provider-shapes.ts';

/** Copilot, ChatGPT, DeepSeek, Perplexity, Grok, and an unknown one. */
export const webChatShapes: readonly ShapeRow[] = [
  {
    name: 'Copilot (messages as lines)',
    kind: 'ndjson',
    open: [{ event: 'startMessage', messageId: 'm' }],
    piece: (text) => ({ event: 'appendText', messageId: 'm', partId: 'p', text }),
    close: () => [
      { event: 'partCompleted', messageId: 'm', partId: 'p' },
      { event: 'done', messageId: 'm' },
    ],
  },
  {
    name: 'chatgpt.com, delta encoding',
    named: 'delta',
    open: [
      'event: delta_encoding\ndata: "v1"\n\n',
      {
        p: '',
        o: 'add',
        v: { message: { id: 'a', content: { content_type: 'text', parts: [''] }, status: 'in_progress' } },
        c: 0,
      },
      { p: '/message/content/parts/0', o: 'append', v: 'x' },
    ],
    piece: (v) => ({ v }),
    close: () => [
      {
        p: '',
        o: 'patch',
        v: [
          { p: '/message/content/parts/0', o: 'append', v: '' },
          { p: '/message/status', o: 'replace', v: 'finished_successfully' },
        ],
      },
      'data: {"type":"message_stream_complete"}\n\n',
      'data: [DONE]\n\n',
    ],
    textOf: (event) => (typeof event.v === 'string' ? event.v : Array.isArray(event.v) ? event.v[0].v : undefined),
  },
  {
    name: 'chat.deepseek.com',
    open: [{ v: { response: { message_id: 2, content: '' } } }, { p: 'response/content', o: 'APPEND', v: 'x' }],
    piece: (v) => ({ v }),
    close: () => [{ p: 'response/status', o: 'SET', v: 'FINISHED' }],
    textOf: (event) => (typeof event.v === 'string' && event.p !== 'response/status' ? event.v : undefined),
  },
  {
    name: 'Perplexity, chunks',
    named: 'message',
    piece: (text, at) => ({
      blocks: [{ intended_usage: 'ask_text', markdown_block: { chunks: [text], chunk_starting_offset: at } }],
    }),
    close: (answer, chunks) => [
      { blocks: [{ intended_usage: 'ask_text', markdown_block: { chunks, answer } }], final: true },
      'event: end_of_stream\ndata: {}\n\n',
    ],
    textOf: (event) => (event.final ? undefined : event.blocks?.[0].markdown_block.chunks.join('')),
  },
  {
    name: 'Perplexity, patches',
    named: 'message',
    piece: (value, at) => ({
      blocks: [
        {
          intended_usage: 'ask_text_0_markdown',
          diff_block: { field: 'markdown_block', patches: [{ op: 'add', path: `/chunks/${at}`, value }] },
        },
      ],
    }),
    close: () => ['event: end_of_stream\ndata: {}\n\n'],
  },
  {
    name: 'grok.com',
    kind: 'ndjson',
    piece: (token) => ({ result: { response: { token, isThinking: false, responseId: 'r' } } }),
    close: (message) => [{ result: { response: { modelResponse: { message, responseId: 'r' } } } }],
  },
  {
    name: 'a provider nobody knows',
    endsSilently: true,
    kind: 'ndjson',
    piece: (chunkText) => ({ kind: 'progress', payload: { chunkText, n: 1 } }),
    close: () => [{ kind: 'end' }],
  },
];
