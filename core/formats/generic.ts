import { anyOf } from '../patterns.ts';
import type { WireFormat } from './format.ts';

/** Conventions of many services, including compatible servers and web apps. */
export const generic: WireFormat = {
  name: 'generic',
  request: {
    words:
      'model type role object status event op mode format language mime_type mimeType media_type mediaType content_type ' +
      'purpose ttl phase execution strict scope visibility action timezone version locale output_format',
    opaque: 'signature',
    binary: 'data audio image images image_data blob',
    namesTool: 'tools? content',
    data: 'inputs? args result outputs metadata (?:[a-z]+_)?variables [a-z]*[aA]ttributes labels',
    settings: 'params',
    results: 'output',
  },
  framing: { firstNames: 'message messages type id event data content role result error' },
  texts: {
    pieces: [/(?:^|\.)deltas?(?:\.|$)/, /^(?:response|content|text|message\.content)$/],
    maybePieces: [/(?:^|\.)(?:thinking|reasoning)$/],
    wholeTypes: [
      new RegExp(
        `[._-]${anyOf('done completed added created in_progress incomplete failed start started stop end error queued')}$`,
      ),
      /^error$/,
    ],
    wholePaths: [/^error\./],
    ignored: [/^usage/],
    citations: 'citations?',
  },
  runs: {
    indexes: 'messageId response_id',
    lastWords: 'delta done start stop end added completed incomplete failed',
    joinedLists: 'content messages',
  },
  ends: {
    all: [/^(?:error|done|end|close|finish|complete|final|message[_-](?:stop|end))$/],
    answers: 'run chat turn',
    own: [/[._-](?:done|stop|end|completed|incomplete|failed)$/],
    names: 'done end close',
    noReasons: 'null none',
    flags: 'done stop final is_final is_finished finished isFinal isFinished is_end isEnd end',
  },
  tools: { containers: 'args input', parsed: 'arg end too star fun inp' },
  reasoning: {
    signatures: 'signature',
    signatureOf({ key, node }) {
      const signature = node.member('signature');
      if (signature === undefined) return undefined;
      const isReasoning =
        key === 'thinking' ||
        /^(?:thinking|reasoning)/.test(node.member('type')?.value ?? '') ||
        /reasoning|thought/i.test(node.path);
      return isReasoning ? { signature, isVerified: true } : undefined;
    },
  },
  offsets: { sources: 'citations? references sources' },
  inserted: { dropped: 'usage citations', emptied: 'logprobs' },
  conversation: {
    turns: 'messages',
    prompts: 'prompt',
    maybePrompts: 'message',
    besides: 'model modelName tools stream agent agent_id conversation_id',
    roles: { user: 'user', human: 'user', assistant: 'model', agent: 'model', tool: 'tool', function: 'tool' },
    resultTypes: /(?:^|[_.-])result$/,
    files: 'file',
    fileData: 'data',
    unread: 'data raw image_url signature id type mimeType mediaType media_type',
    other: 'content parts metadata response_format text system instructions',
    shown:
      'output response request body result params arguments title description properties annotations enum default ' +
      'examples name session setup status history',
  },
  offers: { lists: 'tools functions', schemas: 'parameters', types: /^function/, choosers: 'tool_choice tools' },
  calls: { signs: 'tool_ function', wrappers: 'response result body' },
};
