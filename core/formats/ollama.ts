import type { WireFormat } from './format.ts';

export const ollama: WireFormat = {
  name: 'ollama',
  instructions: [{ path: /\/api\/generate$/, key: 'system', create: (literal) => literal }],
  request: { words: 'keep_alive' },
  ends: { reasons: 'done_reason' },
  inserted: { emptied: 'done_reason' },
};
