/** Streams of known APIs as other services send them, in the form of provider-shapes.ts. */
import type { ShapeRow } from './provider-shapes.ts';
import type { Event } from './wire-fixtures.ts';

const chunk = (delta: Event, more: Event = {}) => ({
  id: 'gen-1',
  object: 'chat.completion.chunk',
  created: 1790000000,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const interaction = { id: 'v1_x', status: 'in_progress', object: 'interaction', model: 'gemini-x' };

/** The common end of many streams. */
export const done = 'data: [DONE]\n\n';

/** Chat completions of other providers, Messages, Conversations, Interactions, tool plans. */
export const apiVariantShapes: readonly ShapeRow[] = [
  {
    name: 'chat completions, padded (Mistral)',
    open: [chunk({ role: 'assistant', content: '' })],
    piece: (text) => ({ ...chunk({ content: text }), p: 'abcdefghij'.slice(0, 1 + (text.length % 9)) }),
    close: () => [{ ...chunk({ content: '' }, { finish_reason: 'stop' }), usage: { total_tokens: 3 }, p: 'abc' }, done],
  },
  {
    name: 'chat completions, reasoning (OpenRouter, Groq)',
    open: [': OPENROUTER PROCESSING\n\n', chunk({ role: 'assistant', content: '', reasoning: null })],
    piece: (reasoning) => ({
      provider: 'x',
      ...chunk({ role: 'assistant', content: '', reasoning }, { native_finish_reason: null, logprobs: null }),
    }),
    close: () => [
      chunk({ role: 'assistant', content: 'ok', reasoning: null }),
      chunk({ role: 'assistant', content: '' }, { finish_reason: 'stop', native_finish_reason: 'completed' }),
      done,
    ],
  },
  {
    name: 'chat completions, whole message at the end (MiniMax)',
    piece: (text) => chunk({ content: text, role: 'assistant', name: 'MM', audio_content: '' }),
    close: (text) => [
      {
        id: 'gen-1',
        object: 'chat.completion',
        choices: [{ finish_reason: 'stop', index: 0, message: { content: text, role: 'assistant' } }],
      },
      done,
    ],
    copyOf: (event) => event.choices?.[0]?.message?.content,
  },
  {
    name: 'chat completions, text so far beside the piece (Perplexity)',
    piece: (text) => chunk({ role: 'assistant', content: text }, { message: { role: 'assistant', content: '' } }),
    close: (text) => [
      {
        ...chunk(
          { role: 'assistant', content: '' },
          { finish_reason: 'stop', message: { role: 'assistant', content: text } },
        ),
        citations: ['https://a.example'],
      },
      done,
    ],
    copyOf: (event) => (event.citations ? event.choices?.[0]?.message.content : undefined),
  },
  {
    name: 'chat completions, tool call without index',
    isJson: true,
    open: [chunk({ tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }] })],
    piece: (text) => chunk({ tool_calls: [{ function: { arguments: text } }] }),
    close: () => [chunk({}, { finish_reason: 'tool_calls' }), done],
  },
  {
    name: 'chat completions, context of Azure data',
    open: [
      chunk(
        { role: 'assistant', context: { citations: [{ content: 'x', title: null }], intent: '["a"]' } },
        { end_turn: false },
      ),
    ],
    piece: (text) =>
      chunk({ content: text }, { end_turn: false, content_filter_results: { hate: { filtered: false } } }),
    close: () => [chunk({}, { end_turn: true, finish_reason: 'stop' }), done],
  },
  {
    name: 'Messages, padded, after a search',
    named: true,
    open: [
      { type: 'message_start', message: { id: 'msg_1', content: [], usage: {} } },
      'event: ping\ndata: {"type": "ping"}\n\n',
      {
        type: 'content_block_start',
        index: 0,
        content_block: {
          type: 'web_search_tool_result',
          tool_use_id: 's',
          content: [
            {
              type: 'web_search_result',
              title: 't',
              url: 'https://a.example',
              encrypted_content: 'EqgfCioIARgBIiQ3YTAw',
            },
          ],
        },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { citations: [], type: 'text', text: '' } },
      {
        type: 'content_block_delta',
        index: 1,
        delta: {
          type: 'citations_delta',
          citation: {
            type: 'web_search_result_location',
            cited_text: 'words',
            url: 'https://a.example',
            title: 't',
            encrypted_index: 'Eo8BCioI',
          },
        },
      },
    ],
    piece: (text) => ({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } }),
    close: () => [
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ],
  },
  {
    name: 'Conversations of Mistral',
    named: true,
    open: [{ type: 'conversation.response.started', conversation_id: 'conv_1' }],
    piece: (text, at) => ({
      type: 'message.output.delta',
      created_at: `2026-01-01T00:00:0${at % 10}Z`,
      output_index: 0,
      id: 'msg_1',
      content_index: 0,
      model: 'm',
      role: 'assistant',
      content: text,
    }),
    close: () => [{ type: 'conversation.response.done', created_at: '2026-01-01T00:00:09Z', usage: {} }],
  },
  {
    name: 'Conversations of Mistral, arguments of a function',
    named: true,
    isJson: true,
    piece: (text) => ({
      type: 'function.call.delta',
      output_index: 1,
      id: 'fc_1',
      name: 'f',
      tool_call_id: 'x',
      arguments: text,
    }),
    close: () => [{ type: 'conversation.response.done', usage: {} }],
  },
  {
    name: 'Interactions of Gemini',
    named: 'content.delta',
    open: [
      `event: interaction.start\ndata: ${JSON.stringify({ interaction, event_type: 'interaction.start', event_id: 'a' })}\n\n`,
      `event: content.start\ndata: ${JSON.stringify({ index: 0, content: { type: 'text' }, event_type: 'content.start', event_id: 'b' })}\n\n`,
    ],
    piece: (text, at) => ({ index: 0, delta: { type: 'text', text }, event_type: 'content.delta', event_id: `c${at}` }),
    close: (text) => [
      `event: content.stop\ndata: ${JSON.stringify({ index: 0, event_type: 'content.stop', event_id: 'd' })}\n\n`,
      `event: interaction.complete\ndata: ${JSON.stringify({ interaction: { ...interaction, status: 'completed', outputs: [{ type: 'text', text }] }, event_type: 'interaction.complete' })}\n\n`,
      'event: done\ndata: [DONE]\n\n',
    ],
    copyOf: (event) => event.interaction?.outputs?.[0].text,
  },
  {
    name: 'Interactions of Gemini, no end of the content',
    piece: (text) => ({ event_type: 'content.delta', index: 0, delta: { type: 'text', text } }),
    close: () => [{ event_type: 'interaction.complete', interaction: { ...interaction, status: 'completed' } }],
  },
  {
    name: 'Gemini, thinking before the text',
    open: [{ candidates: [{ content: { parts: [{ text: 'Let me see', thought: true }], role: 'model' }, index: 0 }] }],
    piece: (text) => ({
      candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }],
      usageMetadata: { promptTokenCount: 3, thoughtsTokenCount: 40 },
      responseId: 'x',
    }),
    close: () => [
      {
        candidates: [
          {
            content: { parts: [{ text: '', thoughtSignature: 'CpQBAdHtim9x' }], role: 'model' },
            finishReason: 'STOP',
            index: 0,
          },
        ],
      },
    ],
    textOf: (event) =>
      event.candidates?.[0].content.parts
        .filter((part: Event) => !part.thought)
        .map((part: Event) => part.text)
        .join(''),
  },
  {
    name: 'Cohere, plan for tools',
    named: true,
    open: [{ type: 'message-start', id: 'x', delta: { message: { role: 'assistant', content: [], tool_plan: '' } } }],
    piece: (text) => ({ type: 'tool-plan-delta', delta: { message: { tool_plan: text } } }),
    close: () => [
      {
        type: 'tool-call-start',
        index: 0,
        delta: { message: { tool_calls: { id: 'f0', type: 'function', function: { name: 'f', arguments: '' } } } },
      },
      { type: 'tool-call-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage: {} } },
    ],
  },
];
