import { isObject, type WireFormat } from './format.ts';

const part = (literal: string) => `{"text":${literal}}`;

/** Amazon Bedrock: Converse, and other providers' events in binary frames. */
export const bedrock: WireFormat = {
  name: 'bedrock',
  instructions: [
    { path: /\/converse(?:-stream)?$/, key: 'system', create: (literal) => `[${part(literal)}]`, element: part },
  ],
  request: {
    namesTool: 'toolUse toolSpec',
    data: 'content\\[\\]\\.json',
    isBatchLine: ({ modelInput }) => isObject(modelInput),
  },
  framing: {
    mediaTypes: { 'application/vnd.amazon.eventstream': 'event-stream' },
    wrapped: { event: 'chunk', member: 'bytes' },
  },
  texts: { wholeTypes: [/(?:Start|Stop)$/] },
  runs: { indexes: 'contentBlockIndex' },
  ends: { all: [/^messageStop$/], own: [/Stop$/], block: [/^contentBlockStop$/], reasons: 'stopReason' },
  tools: { containers: 'toolUse', pieces: 'input$' },
  reasoning: { isSignedPiece: ({ key, node }) => key === 'text' && node.key === 'reasoningContent' },
};
