import { isObject, type WireFormat } from './format.ts';

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
    byteName: /Index$/,
    choices: 'candidates',
    partNumber: 'partIndex',
  },
  inserted: { emptied: 'finishReason' },
};
