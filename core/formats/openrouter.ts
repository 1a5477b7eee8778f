import type { WireFormat } from './format.ts';

/** What OpenRouter and LiteLLM add to chat completions: reasoning that is sent back, signed in part. */
export const openrouter: WireFormat = {
  name: 'openrouter',
  reasoning: { signedMembers: 'reasoning_details thinking_blocks' },
};
