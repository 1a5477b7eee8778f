/** Streams whose form is known from recordings of other projects, in the form of provider-shapes.ts. */
import { done } from './api-variant-shapes.ts';
import type { ShapeRow } from './provider-shapes.ts';
import type { Event } from './wire-fixtures.ts';

/** An event of a model in the frames of Bedrock. */
const chunk = (event: Event) => ({ ':event-type': 'chunk', bytes: base64(JSON.stringify(event)), p: 'abcdef' });
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Tools and agents of OpenAI, Anthropic, Bedrock, Gemini, xAI, Cohere, Groq and others. */
export const recordedShapes: readonly ShapeRow[] = [
  {
    name: 'Responses, diff of a patch',
    named: true,
    open: [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: {
          id: 'apc_1',
          type: 'apply_patch_call',
          call_id: 'c',
          operation: { type: 'create_file', diff: '', path: 'a.md' },
        },
      },
    ],
    piece: (delta) => ({
      type: 'response.apply_patch_call_operation_diff.delta',
      item_id: 'apc_1',
      output_index: 0,
      delta,
      obfuscation: 'wsWQt8Nr5nwWBf7',
    }),
    close: (diff) => [
      { type: 'response.apply_patch_call_operation_diff.done', item_id: 'apc_1', output_index: 0, diff },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { id: 'apc_1', type: 'apply_patch_call', operation: { type: 'create_file', diff, path: 'a.md' } },
      },
    ],
    copyOf: (event) => event.diff ?? (event.type.endsWith('done') ? event.item?.operation.diff : undefined),
  },
  {
    name: 'Responses, command of a shell',
    named: true,
    open: [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'sh_1', type: 'shell_call', action: { commands: [] } },
      },
      { type: 'response.shell_call_command.added', output_index: 0, command_index: 0, command: '' },
    ],
    piece: (delta) => ({
      type: 'response.shell_call_command.delta',
      output_index: 0,
      command_index: 0,
      delta,
      obfuscation: 'MqLFIoYeoXYWld',
    }),
    close: (command) => [
      { type: 'response.shell_call_command.done', output_index: 0, command_index: 0, command },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { id: 'sh_1', type: 'shell_call', action: { commands: [command] } },
      },
    ],
    copyOf: (event) => event.command || event.item?.action.commands[0],
  },
  {
    name: 'Responses, output of a shell',
    named: true,
    piece: (stdout) => ({
      type: 'response.shell_call_output_content.delta',
      item_id: 'sho_1',
      output_index: 1,
      command_index: 0,
      delta: { stdout, stderr: '' },
    }),
    close: (stdout) => [
      {
        type: 'response.shell_call_output_content.done',
        item_id: 'sho_1',
        output_index: 1,
        command_index: 0,
        output: [{ stdout, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ],
    copyOf: (event) => event.output?.[0].stdout,
  },
  {
    name: 'Responses with other ids in each event (GitHub Copilot)',
    piece: (delta, at) => ({
      content_index: 0,
      delta,
      item_id: `opaque-${at}`,
      logprobs: [],
      output_index: 1,
      type: 'response.output_text.delta',
    }),
    close: (text) => [
      { content_index: 0, item_id: 'opaque-x', logprobs: [], output_index: 1, text, type: 'response.output_text.done' },
      {
        response: { id: 'opaque-y', output: [{ content: [{ text, type: 'output_text' }] }] },
        type: 'response.completed',
      },
    ],
    copyOf: (event) => event.text ?? event.response?.output[0].content[0].text,
  },
  {
    name: 'Messages, summary of compaction',
    named: true,
    open: [{ type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: '' } }],
    piece: (content) => ({ type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content } }),
    close: () => [{ type: 'content_block_stop', index: 0 }, { type: 'message_stop' }],
  },
  {
    name: 'chat completions with a channel (gpt-oss)',
    open: [{ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }], x_groq: { id: 'req_1', seed: 1 } }],
    piece: (reasoning) => ({
      id: 'x',
      choices: [{ index: 0, delta: { reasoning, channel: 'analysis' }, logprobs: null, finish_reason: null }],
    }),
    close: () => [{ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: { usage: {} } }, done],
  },
  {
    name: 'chat completions and text (Together)',
    piece: (text) => ({
      id: 'x',
      object: 'chat.completion.chunk',
      choices: [
        {
          index: 0,
          text,
          logprobs: null,
          finish_reason: null,
          seed: null,
          delta: { token_id: 578, role: 'assistant', content: text, tool_calls: null },
        },
      ],
      usage: null,
    }),
    close: () => [
      { id: 'x', choices: [{ index: 0, text: '', finish_reason: 'stop', delta: { role: 'assistant', content: '' } }] },
      done,
    ],
    textOf: (event) => event.choices?.[0]?.delta?.content,
  },
  {
    name: 'Cohere v1, parameters of a tool',
    kind: 'ndjson',
    isJson: true,
    open: [
      { is_finished: false, event_type: 'stream-start', generation_id: 'g' },
      { is_finished: false, event_type: 'tool-calls-chunk', text: 'I will use a tool.' },
      { is_finished: false, event_type: 'tool-calls-chunk', tool_call_delta: { index: 0, name: 'f' } },
    ],
    piece: (parameters) => ({
      is_finished: false,
      event_type: 'tool-calls-chunk',
      tool_call_delta: { index: 0, parameters },
    }),
    close: (parameters) => [
      {
        is_finished: false,
        event_type: 'tool-calls-generation',
        tool_calls: [{ name: 'f', parameters: lenient(parameters) }],
      },
      {
        is_finished: true,
        event_type: 'stream-end',
        response: { tool_calls: [{ name: 'f', parameters: lenient(parameters) }] },
        finish_reason: 'COMPLETE',
      },
    ],
  },
  {
    name: 'Cohere v1, plan for tools',
    kind: 'ndjson',
    piece: (text) => ({ is_finished: false, event_type: 'tool-calls-chunk', text }),
    close: (text) => [
      { is_finished: false, event_type: 'tool-calls-generation', text, tool_calls: [{ name: 'f', parameters: {} }] },
      { is_finished: true, event_type: 'stream-end', response: { text }, finish_reason: 'COMPLETE' },
    ],
    textOf: (event) => (event.event_type === 'tool-calls-chunk' ? event.text : undefined),
    copyOf: (event) => event.response?.text ?? (event.event_type === 'tool-calls-generation' ? event.text : undefined),
  },
  {
    name: 'Interactions of Gemini, steps',
    open: [
      { index: 0, step: { type: 'thought' }, event_type: 'step.start' },
      { index: 0, delta: { signature: 'CiQBDDnWx5A', type: 'thought_signature' }, event_type: 'step.delta' },
      { index: 0, event_type: 'step.stop' },
      { index: 1, step: { type: 'model_output' }, event_type: 'step.start' },
    ],
    piece: (text) => ({ index: 1, delta: { text, type: 'text' }, event_type: 'step.delta' }),
    close: () => [
      { index: 1, event_type: 'step.stop' },
      { interaction: { id: 'v1_x', status: 'completed', object: 'interaction' }, event_type: 'interaction.completed' },
    ],
  },
  {
    name: 'Interactions of Gemini, arguments',
    isJson: true,
    open: [
      {
        index: 1,
        step: { id: 'x', signature: '', type: 'function_call', name: 'f', arguments: {} },
        event_type: 'step.start',
      },
    ],
    piece: (text) => ({ index: 1, delta: { arguments: text, type: 'arguments_delta' }, event_type: 'step.delta' }),
    close: () => [{ index: 1, event_type: 'step.stop' }],
  },
  {
    name: 'Gemini Live, translation',
    kind: 'ndjson',
    open: [{ setupComplete: {} }, { serverContent: { inputTranscription: { text: 'Hi', languageCode: 'en' } } }],
    piece: (text) => ({ serverContent: { outputTranscription: { text, languageCode: 'es' } } }),
    close: () => [{ serverContent: { turnComplete: true } }],
    textOf: (event) => event.serverContent?.outputTranscription?.text,
  },
  {
    name: 'Bedrock, events of Nova with a block for each piece',
    kind: 'event-stream',
    piece: (text, at) => chunk({ contentBlockDelta: { delta: { text }, contentBlockIndex: at } }),
    close: () => [chunk({ messageStop: { stopReason: 'end_turn' } }), chunk({ metadata: { usage: {} } })],
    textOf: (event) => event.contentBlockDelta?.delta.text,
  },
  {
    name: 'Bedrock, events of Titan',
    kind: 'event-stream',
    piece: (outputText) =>
      chunk({
        outputText,
        index: 0,
        totalOutputTextTokenCount: null,
        completionReason: null,
        inputTextTokenCount: null,
      }),
    close: () => [
      chunk({
        outputText: '',
        index: 0,
        totalOutputTextTokenCount: 9,
        completionReason: 'FINISH',
        'amazon-bedrock-invocationMetrics': {},
      }),
    ],
    textOf: (event) => event.outputText,
  },
  {
    name: 'Bedrock, events of Llama',
    kind: 'event-stream',
    piece: (generation) =>
      chunk({ generation, prompt_token_count: null, generation_token_count: 3, stop_reason: null }),
    close: () => [chunk({ generation: '', prompt_token_count: null, generation_token_count: 9, stop_reason: 'stop' })],
    textOf: (event) => event.generation,
  },
  {
    name: 'Bedrock, result of a tool',
    kind: 'event-stream',
    named: 'contentBlockDelta',
    piece: (text) => ({ contentBlockIndex: 1, delta: { toolResult: [{ text }] }, p: 'abcd' }),
    close: () => [{ ':event-type': 'contentBlockStop', contentBlockIndex: 1 }],
  },
  {
    name: 'Amazon Q',
    kind: 'event-stream',
    named: 'assistantResponseEvent',
    piece: (content) => ({ content }),
    close: () => [{ ':event-type': 'messageMetadataEvent', conversationId: 'c' }],
    endsSilently: true,
  },
  {
    name: 'Bedrock, knowledge bases',
    kind: 'event-stream',
    named: 'output',
    piece: (text) => ({ text }),
    close: () => [{ ':event-type': 'guardrail', action: 'NONE' }],
    endsSilently: true,
  },
  {
    name: 'DashScope, pieces',
    named: 'result',
    piece: (content) => ({
      output: { choices: [{ message: { content, role: 'assistant' }, finish_reason: 'null' }] },
      usage: { total_tokens: 1 },
      request_id: 'r',
    }),
    close: () => [
      {
        output: { choices: [{ message: { content: '', role: 'assistant' }, finish_reason: 'stop' }] },
        request_id: 'r',
      },
    ],
  },
  {
    name: 'Hunyuan',
    piece: (Content) => ({
      Note: 'n',
      Choices: [{ Delta: { Role: 'assistant', Content }, FinishReason: '' }],
      Created: 1,
      Id: 'x',
      Usage: {},
    }),
    close: () => [
      { Note: 'n', Choices: [{ Delta: { Role: 'assistant', Content: '' }, FinishReason: 'stop' }], Id: 'x' },
      done,
    ],
    endsSilently: true,
  },
  {
    name: 'Spark',
    kind: 'ndjson',
    piece: (content, seq) => ({
      header: { code: 0, sid: 's', status: 1 },
      payload: { choices: { status: 1, seq, text: [{ content, index: 0, role: 'assistant' }] } },
    }),
    close: () => [
      {
        header: { code: 0, sid: 's', status: 2 },
        payload: { choices: { status: 2, seq: 9, text: [{ content: '', index: 0 }] }, usage: {} },
      },
    ],
    endsSilently: true,
  },
  {
    name: 'ElevenLabs agents',
    kind: 'ndjson',
    piece: (text) => ({ type: 'agent_chat_response_part', text_response_part: { type: 'delta', text } }),
    close: (agent_response) => [
      { type: 'agent_chat_response_part', text_response_part: { type: 'stop', text: '' } },
      { type: 'agent_response', agent_response_event: { agent_response } },
    ],
    copyOf: (event) => event.agent_response_event?.agent_response,
    endsSilently: true,
  },
];

function lenient(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
