/** The streams of OpenAI's APIs, which many other providers use too, in the form of provider-shapes.ts. */
import type { ShapeRow } from './provider-shapes.ts';
import type { Event } from './wire-fixtures.ts';

/** One chunk of a chat completion. */
export const chunk = (delta: Event, finish: string | null = null, index = 0) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1790000000,
  model: 'm',
  choices: [{ index, delta, logprobs: null, finish_reason: finish }],
});
const usage = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage: { total_tokens: 9 } };

/** The chunks after the last piece of a chat completion. */
export const chatClose = () => [chunk({}, 'stop'), usage, 'data: [DONE]\n\n'];
const call = (fields: Event) => chunk({ tool_calls: [{ index: 0, ...fields }] });
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };

/** Chat completions, completions, Responses. */
export const openAiShapes: readonly ShapeRow[] = [
  {
    name: 'chat completions',
    open: [chunk({ role: 'assistant', content: '', refusal: null })],
    piece: (content) => chunk({ content }),
    close: chatClose,
  },
  {
    name: 'chat completions with comments and content filters',
    open: [': OPENROUTER PROCESSING\n\n', { choices: [], prompt_filter_results: [{ prompt_index: 0 }] }],
    piece: (content) => ({ ...chunk({ content }), obfuscation: 'a8Xk[', x_groq: { id: 'r' } }),
    close: chatClose,
  },
  {
    name: 'chat completions, last piece with the reason to finish',
    piece: (content) => chunk({ content }),
    close: () => [chunk({ content: '' }, 'stop')],
  },
  {
    name: 'chat completions, reasoning beside text',
    open: [chunk({ reasoning_content: 'hm ' })],
    piece: (content, at) => chunk(at % 2 ? { content, reasoning_content: 'x' } : { content }),
    close: chatClose,
  },
  {
    name: 'chat completions, transcript of audio',
    open: [chunk({ audio: { id: 'audio_1', transcript: '' } })],
    piece: (transcript) => chunk({ audio: { transcript, data: 'UklGRiQAAABXQVZF' } }),
    close: chatClose,
  },
  {
    name: 'chat completions, arguments of a tool',
    isJson: true,
    open: [call({ id: 'call_1', type: 'function', function: { name: 'send_mail', arguments: '' } })],
    piece: (text) => call({ function: { arguments: text } }),
    close: () => [chunk({}, 'tool_calls'), 'data: [DONE]\n\n'],
  },
  {
    name: 'chat completions, arguments of a function (old)',
    isJson: true,
    open: [chunk({ function_call: { name: 'send_mail', arguments: '' } })],
    piece: (text) => chunk({ function_call: { arguments: text } }),
    close: () => [chunk({}, 'function_call')],
  },
  {
    name: 'completions',
    piece: (text) => ({
      object: 'text_completion',
      choices: [{ index: 0, text, logprobs: null, finish_reason: null }],
    }),
    close: () => [{ choices: [{ index: 0, text: '', finish_reason: 'stop' }] }, 'data: [DONE]\n\n'],
  },
  {
    name: 'Responses',
    named: true,
    open: [
      { type: 'response.created', response: { id: 'resp_1', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { id: 'msg_1', type: 'message', content: [] } },
      { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '' } },
    ],
    piece: (delta, at) => ({
      type: 'response.output_text.delta',
      ...place,
      // One provider changes the id with every event.
      item_id: `msg_${at}`,
      delta,
      logprobs: [],
      obfuscation: 'x7Q',
    }),
    close: (text) => [
      { type: 'response.output_text.done', ...place, text },
      { type: 'response.content_part.done', ...place, part: { type: 'output_text', text } },
      {
        type: 'response.completed',
        response: { id: 'resp_1', output: [{ content: [{ type: 'output_text', text }] }] },
      },
    ],
  },
  {
    name: 'Responses, arguments of a function',
    named: true,
    isJson: true,
    open: [{ type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', arguments: '' } }],
    piece: (delta) => ({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta }),
    close: (text) => [
      { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 1, arguments: text },
      { type: 'response.completed', response: { output: [] } },
    ],
  },
  {
    name: 'Responses, summary of reasoning',
    named: true,
    piece: (delta) => ({ type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta }),
    close: (text) => [
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text },
      { type: 'response.completed', response: { output: [] } },
    ],
  },
];
