/** gemini.google.com: documents after their lengths, each with the text so far. */
import type { WireFormat } from './format.ts';

export const geminiWeb: WireFormat = {
  name: 'gemini-web',
  framing: { growingDocument: /^\s*\[\s*\[\s*"wrb\.fr"/ },
};
