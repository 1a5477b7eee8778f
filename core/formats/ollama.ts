import { isObject } from '../parsing.ts';
import type { WireFormat } from './format.ts';

export const ollama: WireFormat = {
  name: 'ollama',
  instructions: [{ path: /\/api\/generate$/, key: 'system', create: (literal) => literal }],
  request: { words: 'keep_alive' },
  ends: { reasons: 'done_reason' },
  inserted: { emptied: 'done_reason' },
  calls: {
    // A message with complete calls; Cohere's and those of batches, too.
    read({ message, done }, piecesOf) {
      if (!isObject(message)) return undefined;
      const pieces = [...piecesOf(message.tool_calls, 'm', true), ...piecesOf(message.content, 'm:')];
      return { pieces, endsAll: done === true };
    },
  },
};
