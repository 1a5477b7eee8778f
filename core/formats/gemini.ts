import { isObject, type JsonObject } from '../parsing.ts';
import { type AnswerEvent, type CallPiece, type PartReader, pieceOf, type Said, withPieces } from './agents.ts';
import type { WireFormat } from './format.ts';

const part = (literal: string) => `{"text":${literal}}`;
const instruction = {
  key: 'systemInstruction',
  alternateKey: 'system_instruction',
  create: (literal: string) => `{"parts":[${part(literal)}]}`,
  element: part,
} as const;

/** Google's Gemini: the API, Vertex AI, Live, and Code Assist, which wraps requests and responses. */
export const gemini: WireFormat = {
  name: 'gemini',
  instructions: [
    { path: /\/v1internal:(?:stream)?generateContent$/i, below: 'request', ...instruction },
    { path: /:(?:generateContent|streamGenerateContent)$/, ...instruction },
  ],
  request: {
    words: 'finishReason modality responseMimeType allowedFunctionNames allowed_function_names',
    opaque: 'thoughtSignature thought_signature cachedContent cached_content',
    binary: 'imageBytes audioBytes inlineData',
    namesTool: 'function_?[cC]all function_?[dD]eclarations function_?[rR]esponse parts allowedFunctionNames',
    settings: 'instances',
    isBatchLine: ({ request }) => isObject(request) && 'contents' in request,
  },
  framing: {
    // `:streamGenerateContent`, `:serverStreamingPredict`.
    arrayMethod: /:(?:s|serverS)tream[a-zA-Z]+(?:$|\?)/,
    // GenerateContentResponse, and the responses of predict methods.
    arrayNames: 'candidates usageMetadata promptFeedback modelVersion responseId outputs',
    arrayEnvelopes: 'response',
    firstNames: 'candidates outputs',
  },
  texts: {
    maybePieces: [/^(?:response\.)?candidates\[\]\.content\.parts\[\]\.text$/],
    citations: 'grounding\\w*',
    // A last part with only the signature of the preceding thoughts.
    isPlaceholder: ({ value, node }) =>
      value === '' && Boolean(node.member('thoughtSignature') || node.member('thought_signature')),
  },
  runs: {
    joinedLists: 'parts',
    detail(node) {
      const isThought = node.member('thought')?.value === 'true';
      const path = node.member('jsonPath')?.value;
      return isThought && path !== undefined ? `thought|${path}` : isThought ? 'thought' : path;
    },
  },
  ends: {
    answers: 'interaction',
    reasons: 'finishReason',
    noReasons: 'finish_reason_unspecified',
    deepFlags: 'turnComplete generationComplete interrupted',
  },
  tools: {
    containers: 'functionCall',
    pieces: 'partialArgs',
    isLastPiece: ({ key, node }) => key === 'stringValue' && node.member('willContinue')?.value !== 'true',
  },
  reasoning: {
    signatures: 'thoughtSignature thought_signature',
    // The signature covers thoughts that the text only summarises.
    signatureOf({ node }) {
      if (node.member('thought')?.value !== 'true') return undefined;
      const own = node.member('signature');
      const signature = own ?? node.member('thoughtSignature') ?? node.member('thought_signature');
      return signature && { signature, isVerified: own !== undefined };
    },
  },
  offsets: {
    sources: 'segment grounding\\w*',
    bytePath: /^\.(?:response\.)?candidates/,
    byteOffset: /Index$/,
    choices: 'candidates',
    partNumber: 'partIndex',
  },
  inserted: { emptied: 'finishReason' },
  conversation: {
    turns: 'contents',
    prompts: 'contents',
    messages: 'clientContent client_content toolResponse tool_response realtimeInput realtime_input',
    turnsOf: liveTurns,
    roles: { model: 'model' },
    resultMembers: 'functionResponse function_response',
    files: 'inlineData inline_data',
    other: 'systemInstruction system_instruction',
    shown: 'turns functionResponses function_responses',
  },
  offers: {
    nested: 'functionDeclarations function_declarations',
    servers: [
      {
        name: 'gemini',
        inTool: ['mcpServers', 'mcp_servers'],
        label: 'name',
        url({ streamableHttpTransport, streamable_http_transport: transport = streamableHttpTransport }) {
          return isObject(transport) ? transport.url : undefined;
        },
      },
    ],
  },
  calls: {
    signs: 'finishReason',
    callOf({ functionCall, function_call: call = functionCall }) {
      return isObject(call) ? { name: call.name, arguments: call.args ?? call.partialArgs } : undefined;
    },
    read({ candidates, toolCall }, piecesOf) {
      if (Array.isArray(candidates)) return callsIn(candidates, piecesOf);
      // Gemini Live.
      const calls = isObject(toolCall) && toolCall.functionCalls;
      return Array.isArray(calls) ? withPieces(...piecesOf(calls, 'g', true)) : undefined;
    },
    // Clients recognise an error only by its numeric status.
    refusal: { member: 'contents', write: ({ status, message }) => ({ error: { code: 403, status, message } }) },
  },
};

const camelLists = { clientContent: 'turns', toolResponse: 'functionResponses', realtimeInput: 'text' };
const snakeLists = { client_content: 'turns', tool_response: 'function_responses', realtime_input: 'text' };
/** Members of Gemini Live messages, in the spellings of protobuf JSON. */
const liveMembers = [
  ...Object.entries({ ...camelLists, ...snakeLists }),
  ['toolResponse', 'function_responses'],
  ['tool_response', 'functionResponses'],
] as const;

function liveTurns(message: JsonObject): Said[] | undefined {
  const said = liveMembers.flatMap(([outer, inner]): (readonly Said[])[] => {
    const around = message[outer];
    const found = isObject(around) ? around[inner as string] : undefined;
    const keys = [outer as string, inner as string];
    if (typeof found === 'string') return [[{ keys, item: {}, kind: 'prompts', content: found }]];
    if (!Array.isArray(found)) return [];
    if (inner === 'turns') return [found.map((item, i) => ({ keys: [...keys, i], item }))];
    const results = [...found.entries()].filter(([, item]) => isObject(item));
    return [
      results.map(([i, item]) => {
        return { keys: [...keys, i, 'response'], item, kind: 'tool_results', content: item.response };
      }),
    ];
  });
  return said.length === 0 ? undefined : said.flat();
}

/** Calls in the parts of candidates; the arguments of one may arrive in several. */
function callsIn(candidates: readonly unknown[], piecesOf: PartReader): AnswerEvent {
  const pieces: CallPiece[] = [];
  let endsAll = false;
  for (const [c, candidate] of candidates.entries()) {
    if (!isObject(candidate)) continue;
    if (candidate.finishReason !== undefined) endsAll = true;
    const parts = isObject(candidate.content) && Array.isArray(candidate.content.parts) ? candidate.content.parts : [];
    for (const [i, part] of parts.entries()) {
      const call = isObject(part) ? (part.functionCall ?? part.function_call) : undefined;
      if (isObject(call) && (call.willContinue === true || call.partialArgs !== undefined)) {
        const piece = { name: call.name, arguments: call.args ?? call.partialArgs };
        pieces.push(pieceOf(`g${c}`, piece, call.willContinue !== true, true));
      } else pieces.push(...piecesOf([part], `g${c}:${i}:`));
    }
  }
  return { pieces, endsAll };
}
