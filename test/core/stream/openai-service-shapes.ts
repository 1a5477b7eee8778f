/** The streams of OpenAI's other APIs, in the form of provider-shapes.ts. */
import type { ShapeRow } from './provider-shapes.ts';

const threadMessage = { id: 'msg_1', object: 'thread.message', assistant_id: 'asst_1', run_id: 'run_1' };

/** Assistants, tools of Responses, Realtime, Transcriptions. */
export const openAiServiceShapes: readonly ShapeRow[] = [
  {
    name: 'Assistants, text of a message',
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
    copyOf: (event) => event.content?.[0]?.text.value,
  },
  {
    name: 'Assistants, input of the code interpreter',
    named: 'thread.run.step.delta',
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
    copyOf: (event) => event.step_details?.tool_calls[0].code_interpreter.input,
  },
  {
    name: 'Responses, code of the interpreter',
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
    copyOf: (event) => event.code ?? event.item?.code,
  },
  {
    name: 'Responses, input of a free-form tool',
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
    copyOf: (event) => event.input ?? (event.type === 'response.output_item.done' ? event.item.input : undefined),
  },
  {
    name: 'Responses, arguments of an MCP tool',
    named: true,
    isJson: true,
    piece: (delta) => ({ type: 'response.mcp_call_arguments.delta', item_id: 'mcp_1', output_index: 2, delta }),
    close: (args) => [
      { type: 'response.mcp_call_arguments.done', item_id: 'mcp_1', output_index: 2, arguments: args },
      { type: 'response.output_item.done', output_index: 2, item: { type: 'mcp_call', arguments: args, output: null } },
    ],
    copyOf: (event) => event.arguments ?? event.item?.arguments,
  },
  {
    name: 'Responses, refusal',
    named: true,
    piece: (delta) => ({ type: 'response.refusal.delta', item_id: 'm', output_index: 0, content_index: 0, delta }),
    close: (refusal) => [
      { type: 'response.refusal.done', item_id: 'm', output_index: 0, content_index: 0, refusal },
      { type: 'response.content_part.done', output_index: 0, content_index: 0, part: { type: 'refusal', refusal } },
    ],
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
    copyOf: (event) => event.transcript ?? event.response?.output?.[0].content[0].transcript,
  },
  {
    name: 'Transcriptions, text of a recording',
    piece: (delta) => ({ type: 'transcript.text.delta', delta, logprobs: [] }),
    close: (text) => [{ type: 'transcript.text.done', text, logprobs: [] }],
    copyOf: (event) => event.text,
  },
];
