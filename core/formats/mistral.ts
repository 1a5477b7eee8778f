import { lastCall, pieceOf, withPieces } from './agents.ts';
import type { WireFormat } from './format.ts';

/** Mistral: thinking as a list of parts, and conversations. */
export const mistral: WireFormat = {
  name: 'mistral',
  runs: { joinedLists: 'thinking' },
  conversation: { maybeTurns: 'inputs', modelTypes: /\.call$/ },
  calls: {
    lists: 'outputs',
    read({ type, output_index: index, tool_call_id: id, name, arguments: args }) {
      if (type === 'conversation.response.done') return lastCall;
      if (type !== 'function.call.delta') return undefined;
      return withPieces(pieceOf(`f${index}:${id}`, { name, arguments: args }, false));
    },
  },
};
