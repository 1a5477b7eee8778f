import { isObject, type JsonObject } from '../parsing.ts';
import { type AnswerEvent, type CallPiece, pieceOf, type Said } from './agents.ts';
import type { WireFormat } from './format.ts';

/** Tencent's Hunyuan: chat completions whose members all begin with a capital. */
export const hunyuan: WireFormat = {
  name: 'hunyuan',
  request: { words: 'Model Role Type ToolChoice FinishReason', data: 'Arguments' },
  framing: { firstNames: 'Choices Created Response' },
  texts: { pieces: [/^Choices\[\]\.Delta\.(?:Reasoning)?Content$/] },
  ends: { reasons: 'FinishReason' },
  tools: { containers: 'Arguments', pieces: 'Arguments$', parsed: 'Arg Fun' },
  inserted: { emptied: 'FinishReason' },
  conversation: {
    messages: 'Messages',
    turnsOf,
    besides: 'Model Tools Stream',
    other: 'Content Contents Text',
    unread: 'Id Type ImageUrl',
    shown: 'Arguments Description Parameters Response Role',
  },
  offers: { lists: 'Tools', definitions: 'Function', schemas: 'Parameters', choosers: 'Tools ToolChoice CustomTool' },
  calls: {
    signs: 'FinishReason',
    wrappers: 'Response',
    read: ({ Choices: choices }) => (Array.isArray(choices) ? callsIn(choices) : undefined),
  },
};

const list = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

function turnsOf({ Messages: messages }: JsonObject): readonly Said[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  return messages.filter(isObject).flatMap((item, i): Said[] => {
    const { Role: role, Content: content, Contents: contents, ToolCalls: calls } = item;
    if (role === 'assistant') {
      const called = list(calls).map(({ Function: call }) => ({ name: Object(call).Name }));
      return [{ keys: ['Messages', i], item: { role, content: content ?? '', tool_calls: called } }];
    }
    if (role !== 'user' && role !== 'tool') return [];
    const kind = role === 'tool' ? 'tool_results' : 'prompts';
    const parts = list(contents).map(({ Text: text }, part): Said => {
      return { keys: ['Messages', i, 'Contents', part, 'Text'], item, kind, content: text };
    });
    return [{ keys: ['Messages', i, 'Content'], item, kind, content }, ...parts];
  });
}

/** Calls in complete messages, or in pieces. */
function callsIn(choices: readonly unknown[]): AnswerEvent {
  const pieces: CallPiece[] = [];
  let endsAll = false;
  for (const [at, choice] of choices.filter(isObject).entries()) {
    const { Index: index = at, Message: message, Delta: delta, FinishReason: reason } = choice;
    if (typeof reason === 'string' && reason !== '') endsAll = true;
    const isWhole = isObject(message);
    const said = isWhole ? message : delta;
    for (const [i, call] of list(Object(said).ToolCalls).entries()) {
      const { Name: name, Arguments: args } = Object(call.Function) as JsonObject;
      pieces.push(pieceOf(`${index}:${call.Index ?? i}`, { name, arguments: args }, isWhole));
    }
  }
  return { pieces, endsAll };
}
