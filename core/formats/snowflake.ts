import { isObject, type JsonObject } from '../parsing.ts';
import { type AnswerEvent, type CallPiece, type PartReader, pieceOf, type Said } from './agents.ts';
import type { WireFormat } from './format.ts';

/** Snowflake Cortex's own inference: messages and deltas with `content_list`. */
export const snowflake: WireFormat = {
  name: 'snowflake',
  request: { namesTool: 'tool_spec tool_use tool_results', data: 'tool_use\\.input' },
  conversation: { messages: 'messages', turnsOf, resultMembers: 'tool_results' },
  offers: { definitions: 'tool_spec', schemas: 'input_schema' },
  calls: {
    callOf: ({ tool_use: call }) => (isObject(call) ? { name: call.name, arguments: call.input } : undefined),
    read: ({ choices }, piecesOf) => (Array.isArray(choices) ? callsIn(choices, piecesOf) : undefined),
  },
};

/** The turns of messages of which at least one has such a list. */
function turnsOf({ messages }: JsonObject): readonly Said[] | undefined {
  const all = Array.isArray(messages) ? messages : [];
  if (!all.some((one) => isObject(one) && Array.isArray(one.content_list))) return undefined;
  return all.map((item: unknown, i): Said => {
    if (!isObject(item) || !Array.isArray(item.content_list)) return { keys: ['messages', i], item };
    const { role, content_list: content } = item;
    if (role !== 'user') return { keys: ['messages', i], item: { role, content } };
    return { keys: ['messages', i, 'content_list'], item, kind: 'prompts', content };
  });
}

/** Calls in complete messages, or in pieces without an index. Text and the name of another call end one. */
function callsIn(choices: readonly unknown[], piecesOf: PartReader): AnswerEvent | undefined {
  const pieces: CallPiece[] = [];
  for (const [i, choice] of choices.entries()) {
    const { message, delta } = Object(choice) as JsonObject;
    const key = `s${i}`;
    if (isObject(message)) pieces.push(...piecesOf(message.content_list, `${key}:`));
    if (!isObject(delta)) continue;
    const end = { key, ends: true, mayRepeat: true };
    const { content_list: list } = delta;
    const isText = delta.type === 'text' && Array.isArray(list);
    if (isText) pieces.push(end);
    if (delta.type !== 'tool_use') continue;
    for (const part of Array.isArray(list) && list.length > 0 ? list : [delta]) {
      const { name, input } = Object(Object(part).tool_use ?? part) as JsonObject;
      if (name !== undefined) pieces.push(end);
      pieces.push(pieceOf(key, { name, arguments: input }, false));
    }
  }
  return pieces.length === 0 ? undefined : { pieces, endsAll: false };
}
