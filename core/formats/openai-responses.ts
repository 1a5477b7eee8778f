import type { WireFormat } from './format.ts';

/** OpenAI's Responses and Realtime APIs. */
export const openaiResponses: WireFormat = {
  name: 'openai-responses',
  instructions: [{ path: /\/responses$/, key: 'instructions', create: (literal) => literal }],
  request: {
    words: 'effort truncation background',
    opaque: 'encrypted_content obfuscation',
    namesTool: 'input output item',
    data: 'response',
  },
  framing: { firstNames: 'response output' },
  texts: {
    wholeTypes: [/^response\.(?!(?:.*\.)?delta$)/s],
    wholeMembers: 'response item part',
  },
  runs: { indexes: 'output_index content_index summary_index', joinedLists: 'summary' },
  ends: { answers: 'response', block: [/^response\.(?:output_item|content_part)\.done$/] },
  tools: {
    deltaTypes: /function_call_arguments|mcp_call_arguments|custom_tool_call_input/,
    parsed: 'r???????.f r???????.m r???????.cu',
  },
  reasoning: { opaqueTypes: 'reasoning.encrypted' },
  offsets: { partNumber: 'content_index' },
};
