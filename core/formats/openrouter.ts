import type { WireFormat } from './format.ts';

/** Additions of OpenRouter and LiteLLM to chat completions: reasoning that is sent back, partly signed. */
export const openrouter: WireFormat = {
  name: 'openrouter',
  request: { ciphertexts: 'thought_signatures' },
  reasoning: { signedMembers: 'reasoning_details thinking_blocks' },
};
