import { isObject } from '../parsing.ts';
import { type AnswerEvent, type CallPiece, pieceOf } from './agents.ts';
import type { WireFormat } from './format.ts';

/** OpenAI's chat completions and completions, including Azure and compatible servers. */
export const openaiChat: WireFormat = {
  name: 'openai-chat',
  instructions: [{ path: /\/(?:chat\/completions|v2\/chat|api\/chat)$/, key: 'messages' }],
  request: {
    words:
      'reasoning_effort service_tier finish_reason tool_choice toolChoice function_call response_format encoding_format ' +
      'detail verbosity voice quality size moderation style',
    // GitHub Copilot sends back reasoning.
    opaque: 'system_fingerprint',
    ciphertexts: 'reasoning_opaque',
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
  offers: { definitions: 'function custom', choosers: 'parallel_tool_calls function_call' },
  calls: {
    signs: 'finish_reason \\[DONE\\]',
    callOf({ function: named, custom }) {
      const call = [named, custom].find(isObject);
      return call && { name: call.name, arguments: call.arguments ?? call.input ?? call.parameters };
    },
    // Some services put their answers into `output`.
    read({ choices, output }) {
      const answers = choices ?? (isObject(output) ? output.choices : undefined);
      return Array.isArray(answers) ? callsIn(answers) : undefined;
    },
  },
};

/** Calls in complete messages, or in pieces. */
function callsIn(choices: readonly unknown[]): AnswerEvent {
  const pieces: CallPiece[] = [];
  let endsAll = false;
  for (const [at, choice] of choices.entries()) {
    if (!isObject(choice)) continue;
    const { index = at, message, finish_reason: reason } = choice;
    const isWhole = isObject(message);
    const delta = isWhole ? message : choice.delta;
    if (reason !== null && reason !== undefined) endsAll = true;
    if (!isObject(delta)) continue;
    const { tool_calls: calls } = delta;
    // One call may stand without its list.
    for (const [i, call] of (Array.isArray(calls) ? calls : [calls]).entries()) {
      if (!isObject(call)) continue;
      const inner = [call.function, call.custom].find(isObject) ?? {};
      const { name, arguments: args = inner.input } = inner;
      pieces.push(pieceOf(`${index}:${call.index ?? i}`, { name, arguments: args }, isWhole));
    }
    const { function_call: legacy } = delta;
    if (isObject(legacy))
      pieces.push(pieceOf(`${index}:f`, { name: legacy.name, arguments: legacy.arguments }, isWhole));
  }
  return { pieces, endsAll };
}
