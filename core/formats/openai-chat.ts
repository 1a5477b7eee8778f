import { isObject, type WireFormat } from './format.ts';

/** OpenAI's chat completions and completions, including Azure and compatible servers. */
export const openaiChat: WireFormat = {
  name: 'openai-chat',
  instructions: [{ path: /\/(?:chat\/completions|v2\/chat|api\/chat)$/, key: 'messages' }],
  request: {
    words:
      'reasoning_effort service_tier finish_reason tool_choice toolChoice function_call response_format encoding_format ' +
      'detail verbosity voice quality size moderation style',
    opaque: 'system_fingerprint',
    binary: 'b64_json file_data contentBytes',
    namesTool: 'functions? tool_calls toolCalls tool_choice toolChoice json_schema custom',
    data: 'arguments',
    credentials: [/(?:^|\.)data_?[sS]ources\[\]\.parameters\.authentication\..+$/],
    isBatchLine: (line) => 'custom_id' in line && isObject(line.body),
  },
  framing: {
    firstNames: 'choices object model delta usage',
    opening: /"choices"\s*:\s*\[\s*\{\s*"(?:index|delta|message)"/,
    terminator: '[DONE]',
  },
  texts: {
    pieces: [/^choices\[\]\.text$/],
    maybePieces: [/(?:^|\.)(?:reasoning_content|refusal)$/],
    ignored: [/logprobs/],
    citations: 'annotations? url_citation',
  },
  ends: { reasons: 'finish_reason' },
  tools: { containers: 'arguments function_call', pieces: 'arguments$', parsed: 'fil t???_o' },
  offsets: {
    sources: 'annotations?',
    tokenLists: 'text_offset',
    indexTypes: 'file_citation file_path',
    choices: 'choices',
  },
  inserted: {
    dropped: 'x_groq annotations prompt_filter_results content_filter_results',
    emptied: 'finish_reason',
  },
};
