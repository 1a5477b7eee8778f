import type { WireFormat } from './format.ts';

/** gemini.google.com: length-prefixed documents, each with the text so far. */
export const geminiWeb: WireFormat = {
  name: 'gemini-web',
  framing: { growingDocument: /^\s*\[\s*\[\s*"wrb\.fr"/ },
};
