import { isObject, type JsonObject } from '../parsing.ts';
import { decodedBase64 } from '../payload/base64.ts';
import { type AnswerEvent, lastCall, noCall, type PartReader, pieceOf, withPieces } from './agents.ts';
import type { WireFormat } from './format.ts';

const part = (literal: string) => `{"text":${literal}}`;

/** Amazon Bedrock: Converse, and other providers' events in binary frames. */
export const bedrock: WireFormat = {
  name: 'bedrock',
  instructions: [
    { path: /\/converse(?:-stream)?$/, key: 'system', create: (literal) => `[${part(literal)}]`, element: part },
  ],
  request: {
    ciphertexts: 'redactedContent',
    namesTool: 'toolUse toolSpec',
    data: 'content\\[\\]\\.json',
    isBatchLine: ({ modelInput }) => isObject(modelInput),
  },
  framing: {
    mediaTypes: { 'application/vnd.amazon.eventstream': 'event-stream' },
    wrapped: { event: 'chunk', member: 'bytes' },
  },
  texts: {
    wholeTypes: [/(?:Start|Stop)$/],
    starts: [
      {
        type: 'contentBlockStart',
        text: /^start\.toolUse\.input$/,
        continued: ({ contentBlockIndex }) => ({
          event: { contentBlockIndex, delta: { toolUse: { input: '' } } },
          pointer: 'delta.toolUse.input',
          name: 'contentBlockDelta',
        }),
      },
    ],
  },
  runs: { indexes: 'contentBlockIndex' },
  ends: { all: [/^messageStop$/], own: [/Stop$/], block: [/^contentBlockStop$/], reasons: 'stopReason' },
  tools: { containers: 'toolUse', pieces: 'input$' },
  reasoning: { isSignedPiece: ({ key, node }) => key === 'text' && node.key === 'reasoningContent' },
  offsets: {
    sources: 'generatedResponsePart retrievedReferences',
    documents: { type: 'documentChar', start: 'start', end: 'end', number: 'documentIndex', textsOf: documentsIn },
  },
  conversation: { prompts: 'inputText', resultMembers: 'toolResult', fileData: 'bytes', unread: 'bytes' },
  offers: { containers: 'toolConfig', definitions: 'toolSpec', schemas: 'inputSchema' },
  calls: {
    signs: 'toolUse messageStop functionInvocationInput',
    callOf: ({ toolUse: call }) => (isObject(call) ? { name: call.name, arguments: call.input } : undefined),
    read: callsIn,
  },
};

/** The documents of a Converse request, numbered over all messages; undefined for those without text. */
function documentsIn({ messages }: JsonObject): (string | undefined)[] {
  const blocks = list(messages).flatMap((message) => list(Object(message).content));
  return blocks.flatMap((block) => {
    const { document } = Object(block);
    if (!isObject(document)) return [];
    const { text, bytes } = Object(document.source);
    const decoded = typeof bytes === 'string' ? decodedBase64(bytes) : undefined;
    if (decoded !== undefined) return [new TextDecoder().decode(Uint8Array.from(decoded, (c) => c.charCodeAt(0)))];
    return [typeof text === 'string' ? text : undefined];
  });
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Calls of Converse, of ConverseStream's events, which are named in their frames or by a member around them, and those
 * that an agent leaves to its client.
 */
function callsIn(event: JsonObject, piecesOf: PartReader): AnswerEvent | undefined {
  const { contentBlockStart, contentBlockDelta, contentBlockStop, messageStop, invocationInputs } = event;
  const inner = contentBlockStart ?? contentBlockDelta ?? contentBlockStop ?? messageStop;
  if (isObject(inner)) return callsIn(inner, piecesOf);
  if (Array.isArray(invocationInputs)) {
    const left = invocationInputs.map((input) => Object(Object(input).functionInvocationInput));
    const pieces = left.map(({ function: name, parameters }, i) =>
      pieceOf(`i${i}`, { name, arguments: parameters }, true),
    );
    return { ...lastCall, pieces };
  }
  const { contentBlockIndex: index, start, delta, output, stopReason } = event;
  if (typeof index === 'number') {
    const key = `c${index}`;
    const [begun, more] = [start, delta].map((part) => (isObject(part) ? part.toolUse : undefined));
    if (isObject(begun)) return withPieces(pieceOf(key, { name: begun.name, arguments: undefined }, false));
    if (isObject(more)) return withPieces(pieceOf(key, { name: undefined, arguments: more.input }, false));
    return start === undefined && delta === undefined ? withPieces({ key, ends: true }) : noCall;
  }
  if (isObject(output) && isObject(output.message))
    return { ...lastCall, pieces: piecesOf(output.message.content, 'c') };
  return typeof stopReason === 'string' ? lastCall : undefined;
}
