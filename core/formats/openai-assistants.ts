import { isObject, type JsonObject } from '../parsing.ts';
import type { WireFormat } from './format.ts';

/** OpenAI's Assistants: threads of messages, and runs that await or show calls. */
export const openaiAssistants: WireFormat = {
  name: 'openai-assistants',
  runs: { idTypes: /^thread\.(?:message|run\.step)\./ },
  texts: {
    starts: [
      {
        type: 'thread.message.created',
        text: /^content\[\]\.text\.value$/,
        continued({ id }, pointer) {
          const part = { index: Number(/\d+/.exec(pointer)?.[0]), type: 'text', text: { value: '' } };
          const event = { id, object: 'thread.message.delta', delta: { content: [part] } };
          return { event, pointer: 'delta.content[0].text.value', name: 'thread.message.delta' };
        },
      },
    ],
  },
  conversation: { turns: 'additional_messages', results: 'tool_outputs' },
  calls: {
    read(event, piecesOf) {
      const calls = listedCalls(event);
      return calls && { pieces: piecesOf(calls, 'm', true), endsAll: true };
    },
  },
};

/** The calls that a run awaits, or that one of its steps shows. */
function listedCalls(event: JsonObject): unknown[] | undefined {
  const { tool_calls: calls, required_action: action, step_details: step, delta } = event;
  if (Array.isArray(calls)) return calls;
  if (isObject(action) && isObject(action.submit_tool_outputs)) return listedCalls(action.submit_tool_outputs);
  const inner = isObject(step) ? step : delta;
  return isObject(inner) ? listedCalls(inner) : undefined;
}
