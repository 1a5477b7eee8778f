/** Streams of other services and frameworks, in the form of provider-shapes.ts. */
import { apiVariantShapes, done } from './api-variant-shapes.ts';
import { openAiServiceShapes } from './openai-service-shapes.ts';
import { shapesOf } from './provider-shapes.ts';
import { recordedShapes } from './recorded-shapes.ts';

const assistant = { id: 'run-1', type: 'AIMessageChunk', name: null, example: false };

export const serviceShapes = shapesOf([
  ...openAiServiceShapes,
  ...apiVariantShapes,
  ...recordedShapes,
  {
    name: 'Vercel AI, parts of a message',
    open: [{ type: 'start' }, { type: 'start-step' }, { type: 'text-start', id: '0' }],
    piece: (delta) => ({ type: 'text-delta', id: '0', delta }),
    close: () => [{ type: 'text-end', id: '0' }, { type: 'finish-step' }, { type: 'finish' }, done],
  },
  {
    name: 'Vercel AI, input of a tool',
    isJson: true,
    open: [{ type: 'tool-input-start', toolCallId: 'c', toolName: 'f' }],
    piece: (inputTextDelta) => ({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta }),
    close: (input) => [
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'f', input: lenient(input) },
      { type: 'finish' },
      done,
    ],
  },
  {
    name: 'LangServe',
    named: 'data',
    open: ['event: metadata\ndata: {"run_id": "a"}\n\n'],
    piece: (text) => ({ content: text, additional_kwargs: {}, ...assistant }),
    close: () => ['event: end\n\n'],
  },
  {
    name: 'LangGraph, messages',
    named: 'messages',
    open: ['event: metadata\ndata: {"run_id":"a","attempt":1}\n\n'],
    piece: (text) => [
      { content: text, additional_kwargs: {}, response_metadata: {}, ...assistant },
      { langgraph_node: 'agent' },
    ],
    close: () => ['event: end\ndata: {}\n\n'],
  },
  {
    name: 'Dify',
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
  },
  {
    name: 'Coze',
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
  },
  {
    name: 'DuckDuckGo',
    endsSilently: true,
    piece: (message) => ({ role: 'assistant', message, created: 1, id: 'chatcmpl-1', action: 'success', model: 'm' }),
    close: () => ['data: {"action":"success","created":1,"id":"x","model":"m"}\n\n', done],
  },
  {
    name: 'You.com',
    named: 'youChatToken',
    open: ['event: youChatUpdate\ndata: {"msg": "Searching","done": true,"t": 1}\n\n'],
    piece: (youChatToken) => ({ youChatToken }),
    close: () => ['event: done\ndata: I am done.\n\n'],
  },
  {
    name: 'chat.deepseek.com, fragments',
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
  },
  {
    name: 'Poe-like patches (JSON Patch, op append)',
    kind: 'ndjson',
    piece: (value) => ({ type: 'patch', patches: [{ op: 'append', path: '/contentChunks/0/text', value }] }),
    close: () => [{ type: 'end' }],
  },
  {
    name: 'watsonx and others with results',
    named: 'message',
    piece: (generated_text) => ({
      model_id: 'm',
      results: [{ generated_text, generated_token_count: 1, stop_reason: 'not_finished' }],
    }),
    close: () => [
      { model_id: 'm', results: [{ generated_text: '', generated_token_count: 9, stop_reason: 'eos_token' }] },
    ],
  },
  {
    name: 'Gemini Live',
    kind: 'ndjson',
    open: [{ setupComplete: {} }],
    piece: (text) => ({ serverContent: { modelTurn: { parts: [{ text }] } } }),
    close: () => [{ serverContent: { generationComplete: true } }, { serverContent: { turnComplete: true } }],
  },
  {
    name: 'Llama API',
    open: [{ event: { event_type: 'start', delta: { type: 'text', text: '' } } }],
    piece: (text) => ({ event: { event_type: 'progress', delta: { type: 'text', text } } }),
    close: () => [{ event: { event_type: 'complete', delta: { type: 'text', text: '' }, stop_reason: 'stop' } }],
  },
  {
    name: 'Snowflake Cortex',
    endsSilently: true,
    piece: (text) => ({
      id: 'a',
      model: 'm',
      choices: [{ delta: { type: 'text', content: text, content_list: [{ type: 'text', text }], text } }],
      usage: {},
    }),
    close: () => [done],
    textOf: (event) => event.choices?.[0]?.delta?.text,
  },
]);

function lenient(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
