import type { WireFormat } from './format.ts';

/** Vercel's AI SDK: the parts of its UI message stream, several of which may be open. */
export const vercel: WireFormat = {
  name: 'vercel',
  request: { ciphertexts: 'reasoningEncryptedContent redactedData' },
  texts: { wholeTypes: [/^(?:tool-(?:input|output)-(?:available|error)|data-(?!.*delta$).*)$/i] },
  // Only their ids distinguish open parts.
  runs: { idTypes: /^(?:text|reasoning|tool-input)-(?:start|delta|end)$/ },
  tools: { deltaTypes: /^tool-input-delta$/, deltaNames: 'inputTextDelta argsTextDelta' },
};
