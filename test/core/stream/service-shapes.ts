/** Streams of further services and frameworks, in the form of provider-shapes.ts. */
import type { Shape } from './provider-shapes.ts';
import type { Event } from './wire-fixtures.ts';

const chunk = (delta: Event, more: Event = {}) => ({
  id: 'gen-1',
  object: 'chat.completion.chunk',
  created: 1790000000,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const content = (event: Event) => event.choices?.[0]?.delta?.content;
const done = 'data: [DONE]\n\n';
const threadMessage = { id: 'msg_1', object: 'thread.message', assistant_id: 'asst_1', run_id: 'run_1' };
const interaction = { id: 'v1_x', status: 'in_progress', object: 'interaction', model: 'gemini-x' };
const assistant = { id: 'run-1', type: 'AIMessageChunk', name: null, example: false };

export const serviceShapes: readonly Shape[] = [
  {
    name: 'Assistants, text of a message',
    kind: 'sse',
    named: 'thread.message.delta',
    open: [`event: thread.message.created\ndata: ${JSON.stringify({ ...threadMessage, content: [] })}\n\n`],
    piece: (value) => ({
      id: 'msg_1',
      object: 'thread.message.delta',
      delta: { content: [{ index: 0, type: 'text', text: { value, annotations: [] } }] },
    }),
    close: (value) => [
      `event: thread.message.completed\ndata: ${JSON.stringify({
        ...threadMessage,
        status: 'completed',
        content: [{ type: 'text', text: { value, annotations: [] } }],
      })}\n\n`,
      'event: done\ndata: [DONE]\n\n',
    ],
    textOf: (event) => event.delta?.content[0].text.value,
    copyOf: (event) => event.content?.[0]?.text.value,
  },
  {
    name: 'Assistants, input of the code interpreter',
    kind: 'sse',
    named: 'thread.run.step.delta',
    open: [],
    piece: (input) => ({
      id: 'step_1',
      object: 'thread.run.step.delta',
      delta: {
        step_details: {
          type: 'tool_calls',
          tool_calls: [{ index: 0, type: 'code_interpreter', code_interpreter: { input } }],
        },
      },
    }),
    close: (input) => [
      `event: thread.run.step.completed\ndata: ${JSON.stringify({
        id: 'step_1',
        object: 'thread.run.step',
        step_details: { type: 'tool_calls', tool_calls: [{ id: 'call_1', code_interpreter: { input, outputs: [] } }] },
      })}\n\n`,
      'event: done\ndata: [DONE]\n\n',
    ],
    textOf: (event) => event.delta?.step_details.tool_calls[0].code_interpreter.input,
    copyOf: (event) => event.step_details?.tool_calls[0].code_interpreter.input,
  },
  {
    name: 'Responses, code of the interpreter',
    kind: 'sse',
    named: true,
    open: [{ type: 'response.code_interpreter_call.in_progress', output_index: 1, item_id: 'ci_1' }],
    piece: (delta) => ({ type: 'response.code_interpreter_call_code.delta', item_id: 'ci_1', output_index: 1, delta }),
    close: (code) => [
      { type: 'response.code_interpreter_call_code.done', item_id: 'ci_1', output_index: 1, code },
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: { type: 'code_interpreter_call', code, outputs: [] },
      },
      { type: 'response.completed', response: { output: [] } },
    ],
    textOf: (event) => event.delta,
    copyOf: (event) => event.code ?? event.item?.code,
  },
  {
    name: 'Responses, input of a free-form tool',
    kind: 'sse',
    named: true,
    open: [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'custom_tool_call', input: '', name: 'apply_patch' },
      },
    ],
    piece: (delta) => ({ type: 'response.custom_tool_call_input.delta', item_id: 'ctc_1', output_index: 0, delta }),
    close: (input) => [
      { type: 'response.custom_tool_call_input.done', item_id: 'ctc_1', output_index: 0, input },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'custom_tool_call', input, name: 'apply_patch' },
      },
    ],
    textOf: (event) => event.delta,
    copyOf: (event) => event.input ?? (event.type === 'response.output_item.done' ? event.item.input : undefined),
  },
  {
    name: 'Responses, arguments of an MCP tool',
    kind: 'sse',
    named: true,
    isJson: true,
    open: [],
    piece: (delta) => ({ type: 'response.mcp_call_arguments.delta', item_id: 'mcp_1', output_index: 2, delta }),
    close: (args) => [
      { type: 'response.mcp_call_arguments.done', item_id: 'mcp_1', output_index: 2, arguments: args },
      { type: 'response.output_item.done', output_index: 2, item: { type: 'mcp_call', arguments: args, output: null } },
    ],
    textOf: (event) => event.delta,
    copyOf: (event) => event.arguments ?? event.item?.arguments,
  },
  {
    name: 'Responses, refusal',
    kind: 'sse',
    named: true,
    open: [],
    piece: (delta) => ({ type: 'response.refusal.delta', item_id: 'm', output_index: 0, content_index: 0, delta }),
    close: (refusal) => [
      { type: 'response.refusal.done', item_id: 'm', output_index: 0, content_index: 0, refusal },
      { type: 'response.content_part.done', output_index: 0, content_index: 0, part: { type: 'refusal', refusal } },
    ],
    textOf: (event) => event.delta,
    copyOf: (event) => event.refusal ?? event.part?.refusal,
  },
  {
    name: 'Realtime, transcript of the answer',
    kind: 'ndjson',
    open: [{ type: 'response.created', response: { id: 'r' } }],
    piece: (delta) => ({
      type: 'response.output_audio_transcript.delta',
      event_id: `event_${delta.length}`,
      response_id: 'r',
      output_index: 0,
      content_index: 0,
      delta,
    }),
    close: (transcript) => [
      {
        type: 'response.output_audio_transcript.done',
        response_id: 'r',
        output_index: 0,
        content_index: 0,
        transcript,
      },
      { type: 'response.done', response: { output: [{ content: [{ type: 'audio', transcript }] }] } },
    ],
    textOf: (event) => event.delta,
    copyOf: (event) => event.transcript ?? event.response?.output?.[0].content[0].transcript,
  },
  {
    name: 'Transcriptions, text of a recording',
    kind: 'sse',
    open: [],
    piece: (delta) => ({ type: 'transcript.text.delta', delta, logprobs: [] }),
    close: (text) => [{ type: 'transcript.text.done', text, logprobs: [] }],
    textOf: (event) => event.delta,
    copyOf: (event) => event.text,
  },
  {
    name: 'chat completions, padded (Mistral)',
    kind: 'sse',
    open: [chunk({ role: 'assistant', content: '' })],
    piece: (text) => ({ ...chunk({ content: text }), p: 'abcdefghij'.slice(0, 1 + (text.length % 9)) }),
    close: () => [{ ...chunk({ content: '' }, { finish_reason: 'stop' }), usage: { total_tokens: 3 }, p: 'abc' }, done],
    textOf: content,
  },
  {
    name: 'chat completions, reasoning (OpenRouter, Groq)',
    kind: 'sse',
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
    textOf: (event) => event.choices?.[0]?.delta?.reasoning ?? undefined,
  },
  {
    name: 'chat completions, whole message at the end (MiniMax)',
    kind: 'sse',
    open: [],
    piece: (text) => chunk({ content: text, role: 'assistant', name: 'MM', audio_content: '' }),
    close: (text) => [
      {
        id: 'gen-1',
        object: 'chat.completion',
        choices: [{ finish_reason: 'stop', index: 0, message: { content: text, role: 'assistant' } }],
      },
      done,
    ],
    textOf: content,
    copyOf: (event) => event.choices?.[0]?.message?.content,
  },
  {
    name: 'chat completions, text so far beside the piece (Perplexity)',
    kind: 'sse',
    open: [],
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
    textOf: content,
    copyOf: (event) => (event.citations ? event.choices?.[0]?.message.content : undefined),
  },
  {
    name: 'chat completions, tool call without index',
    kind: 'sse',
    isJson: true,
    open: [chunk({ tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }] })],
    piece: (text) => chunk({ tool_calls: [{ function: { arguments: text } }] }),
    close: () => [chunk({}, { finish_reason: 'tool_calls' }), done],
    textOf: (event) => event.choices?.[0]?.delta?.tool_calls?.[0].function.arguments,
  },
  {
    name: 'chat completions, context of Azure data',
    kind: 'sse',
    open: [
      chunk(
        { role: 'assistant', context: { citations: [{ content: 'x', title: null }], intent: '["a"]' } },
        { end_turn: false },
      ),
    ],
    piece: (text) =>
      chunk({ content: text }, { end_turn: false, content_filter_results: { hate: { filtered: false } } }),
    close: () => [chunk({}, { end_turn: true, finish_reason: 'stop' }), done],
    textOf: content,
  },
  {
    name: 'Messages, padded, after a search',
    kind: 'sse',
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
    textOf: (event) => (event.type === 'content_block_delta' ? event.delta.text : undefined),
  },
  {
    name: 'Conversations of Mistral',
    kind: 'sse',
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
    textOf: (event) => event.content,
  },
  {
    name: 'Conversations of Mistral, arguments of a function',
    kind: 'sse',
    named: true,
    isJson: true,
    open: [],
    piece: (text) => ({
      type: 'function.call.delta',
      output_index: 1,
      id: 'fc_1',
      name: 'f',
      tool_call_id: 'x',
      arguments: text,
    }),
    close: () => [{ type: 'conversation.response.done', usage: {} }],
    textOf: (event) => event.arguments,
  },
  {
    name: 'Interactions of Gemini',
    kind: 'sse',
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
    textOf: (event) => event.delta?.text,
    copyOf: (event) => event.interaction?.outputs?.[0].text,
  },
  {
    name: 'Interactions of Gemini, no end of the content',
    kind: 'sse',
    open: [],
    piece: (text) => ({ event_type: 'content.delta', index: 0, delta: { type: 'text', text } }),
    close: () => [{ event_type: 'interaction.complete', interaction: { ...interaction, status: 'completed' } }],
    textOf: (event) => event.delta?.text,
  },
  {
    name: 'Gemini, thinking before the text',
    kind: 'sse',
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
    kind: 'sse',
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
    textOf: (event) => (event.type === 'tool-plan-delta' ? event.delta.message.tool_plan : undefined),
  },
  {
    name: 'Vercel AI, parts of a message',
    kind: 'sse',
    open: [{ type: 'start' }, { type: 'start-step' }, { type: 'text-start', id: '0' }],
    piece: (delta) => ({ type: 'text-delta', id: '0', delta }),
    close: () => [{ type: 'text-end', id: '0' }, { type: 'finish-step' }, { type: 'finish' }, done],
    textOf: (event) => event.delta,
  },
  {
    name: 'Vercel AI, input of a tool',
    kind: 'sse',
    isJson: true,
    open: [{ type: 'tool-input-start', toolCallId: 'c', toolName: 'f' }],
    piece: (inputTextDelta) => ({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta }),
    close: (input) => [
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'f', input: lenient(input) },
      { type: 'finish' },
      done,
    ],
    textOf: (event) => event.inputTextDelta,
  },
  {
    name: 'LangServe',
    kind: 'sse',
    named: 'data',
    open: ['event: metadata\ndata: {"run_id": "a"}\n\n'],
    piece: (text) => ({ content: text, additional_kwargs: {}, ...assistant }),
    close: () => ['event: end\n\n'],
    textOf: (event) => event.content,
  },
  {
    name: 'LangGraph, messages',
    kind: 'sse',
    named: 'messages',
    open: ['event: metadata\ndata: {"run_id":"a","attempt":1}\n\n'],
    piece: (text) => [
      { content: text, additional_kwargs: {}, response_metadata: {}, ...assistant },
      { langgraph_node: 'agent' },
    ],
    close: () => ['event: end\ndata: {}\n\n'],
    textOf: (event) => (Array.isArray(event) ? event[0].content : undefined),
  },
  {
    name: 'Dify',
    kind: 'sse',
    open: ['event: ping\n\n'],
    piece: (answer) => ({
      event: 'message',
      task_id: 't',
      message_id: 'm',
      conversation_id: 'c',
      answer,
      created_at: 1,
    }),
    close: () => [{ event: 'message_end', task_id: 't', message_id: 'm', metadata: { usage: {} } }],
    textOf: (event) => event.answer,
  },
  {
    name: 'Coze',
    kind: 'sse',
    named: 'conversation.message.delta',
    open: ['event:conversation.chat.created\ndata:{"id":"7","status":"created"}\n\n'],
    piece: (text) => ({
      id: 'm',
      conversation_id: 'c',
      role: 'assistant',
      type: 'answer',
      content: text,
      content_type: 'text',
      chat_id: '7',
    }),
    close: (text) => [
      `event:conversation.message.completed\ndata:${JSON.stringify({ id: 'm', role: 'assistant', type: 'answer', content: text, status: 'x' })}\n\n`,
      'event:conversation.chat.completed\ndata:{"id":"7","status":"completed"}\n\n',
      'event:done\ndata:"[DONE]"\n\n',
    ],
    textOf: (event) => (event.chat_id ? event.content : undefined),
    copyOf: (event) => (event.status === 'x' ? event.content : undefined),
  },
  {
    name: 'ERNIE',
    kind: 'sse',
    open: [],
    piece: (result, sentence_id) => ({
      id: 'as-1',
      object: 'chat.completion',
      created: 1,
      sentence_id,
      is_end: false,
      is_truncated: false,
      result,
    }),
    close: () => [{ id: 'as-1', object: 'chat.completion', sentence_id: 99, is_end: true, result: '', usage: {} }],
    textOf: (event) => event.result,
  },
  {
    name: 'DuckDuckGo',
    endsSilently: true,
    kind: 'sse',
    open: [],
    piece: (message) => ({ role: 'assistant', message, created: 1, id: 'chatcmpl-1', action: 'success', model: 'm' }),
    close: () => ['data: {"action":"success","created":1,"id":"x","model":"m"}\n\n', done],
    textOf: (event) => event.message,
  },
  {
    name: 'You.com',
    kind: 'sse',
    named: 'youChatToken',
    open: ['event: youChatUpdate\ndata: {"msg": "Searching","done": true,"t": 1}\n\n'],
    piece: (youChatToken) => ({ youChatToken }),
    close: () => ['event: done\ndata: I am done.\n\n'],
    textOf: (event) => event.youChatToken,
  },
  {
    name: 'chat.deepseek.com, fragments',
    kind: 'sse',
    open: [
      'event: ready\ndata: {"request_message_id":1,"response_message_id":2}\n\n',
      { v: { response: { message_id: 2, status: 'WIP', fragments: [{ id: 1, type: 'THINK', content: 'Hm' }] } } },
      { p: 'response/fragments/-1/content', o: 'APPEND', v: ' so' },
      { v: ' far' },
      {
        p: 'response',
        o: 'BATCH',
        v: [{ p: 'fragments', o: 'APPEND', v: [{ id: 2, type: 'RESPONSE', content: '' }] }],
      },
    ],
    piece: (v, at) => (at === 0 ? { p: 'response/fragments/-1/content', o: 'APPEND', v } : { v }),
    close: () => [
      {
        p: 'response',
        o: 'BATCH',
        v: [
          { p: 'accumulated_token_usage', v: 23 },
          { p: 'quasi_status', v: 'FINISHED' },
        ],
      },
      'event: close\ndata: {"click_behavior":"none"}\n\n',
    ],
    textOf: (event) => (typeof event.v === 'string' ? event.v : undefined),
  },
  {
    name: 'Poe-like patches (JSON Patch, op append)',
    kind: 'ndjson',
    open: [],
    piece: (value) => ({ type: 'patch', patches: [{ op: 'append', path: '/contentChunks/0/text', value }] }),
    close: () => [{ type: 'end' }],
    textOf: (event) => event.patches?.[0].value,
  },
  {
    name: 'watsonx and others with results',
    kind: 'sse',
    named: 'message',
    open: [],
    piece: (generated_text) => ({
      model_id: 'm',
      results: [{ generated_text, generated_token_count: 1, stop_reason: 'not_finished' }],
    }),
    close: () => [
      { model_id: 'm', results: [{ generated_text: '', generated_token_count: 9, stop_reason: 'eos_token' }] },
    ],
    textOf: (event) => event.results?.[0].generated_text,
  },
  {
    name: 'Gemini Live',
    kind: 'ndjson',
    open: [{ setupComplete: {} }],
    piece: (text) => ({ serverContent: { modelTurn: { parts: [{ text }] } } }),
    close: () => [{ serverContent: { generationComplete: true } }, { serverContent: { turnComplete: true } }],
    textOf: (event) => event.serverContent?.modelTurn?.parts[0].text,
  },
  {
    name: 'Llama API',
    kind: 'sse',
    open: [{ event: { event_type: 'start', delta: { type: 'text', text: '' } } }],
    piece: (text) => ({ event: { event_type: 'progress', delta: { type: 'text', text } } }),
    close: () => [{ event: { event_type: 'complete', delta: { type: 'text', text: '' }, stop_reason: 'stop' } }],
    textOf: (event) => event.event?.delta.text,
  },
  {
    name: 'Snowflake Cortex',
    endsSilently: true,
    kind: 'sse',
    open: [],
    piece: (text) => ({
      id: 'a',
      model: 'm',
      choices: [{ delta: { type: 'text', content: text, content_list: [{ type: 'text', text }], text } }],
      usage: {},
    }),
    close: () => [done],
    textOf: (event) => event.choices?.[0]?.delta?.text,
  },
];

function lenient(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
