import { isObject, type JsonObject } from '../parsing.ts';
import { type AnswerEvent, type Call, lastCall, noCall, openingOf, pieceOf, withPieces } from './agents.ts';
import type { Continued, WireFormat } from './format.ts';

/** OpenAI's Responses and Realtime APIs. */
export const openaiResponses: WireFormat = {
  name: 'openai-responses',
  instructions: [{ path: /\/responses$/, key: 'instructions', create: (literal) => literal }],
  request: {
    words: 'effort truncation background',
    // `fingerprint`: of a program that the model wrote.
    opaque: 'encrypted_content obfuscation',
    ciphertexts: 'fingerprint',
    namesTool: 'input output item',
    data: 'response',
  },
  framing: { firstNames: 'response output' },
  texts: {
    wholeTypes: [/^(?:response|conversation\.item|(?:transcription_)?session)\.(?!(?:.*\.)?delta$)/s],
    wholeMembers: 'response item part',
    starts: [
      {
        type: 'response.output_item.added',
        text: /^item\.(?:arguments|input|code|content\[\]\.(?:text|refusal|transcript)|summary\[\]\.text)$/,
        continued: pieceOfItem,
      },
      { type: 'response.content_part.added', text: /^part\.(?:text|refusal|transcript)$/, continued: pieceOfPart },
      { type: 'response.reasoning_summary_part.added', text: /^part\.text$/, continued: pieceOfPart },
    ],
  },
  runs: {
    indexes: 'output_index content_index summary_index',
    joinedLists: 'summary',
    // The transcripts of several inputs may arrive at the same time.
    itemTypes: /^conversation\.item\./,
    itemCopies: /^conversation\.item\.(?:created|added|done|retrieved)$/,
    // Names of the Realtime API's beta.
    sameFamily: {
      'response.text': 'response.output_text',
      'response.audio_transcript': 'response.output_audio_transcript',
    },
  },
  // The Realtime API may send several responses at the same time.
  ends: { answers: 'response', answerIndex: 'response_id', block: [/^response\.(?:output_item|content_part)\.done$/] },
  tools: {
    deltaTypes: /function_call_arguments|mcp_call_arguments|custom_tool_call_input/,
    parsed: 'r???????.f r???????.m r???????.cu',
    resultTexts: [/^(?:(?:response\.)?output\[\]|item)\.output$/],
  },
  reasoning: { opaqueTypes: 'reasoning.encrypted' },
  offsets: { partNumber: 'content_index' },
  conversation: {
    maybeTurns: 'input',
    rareTurns: 'items',
    maybePrompts: 'input',
    besides: 'instructions previous_response_id',
    // The Realtime API sends one turn per message.
    messages: 'item',
    turnsOf: ({ type, item }) =>
      typeof type === 'string' && type.startsWith('conversation.item.') && isObject(item)
        ? [{ keys: ['item'], item }]
        : undefined,
    modelTypes: /_call$|^reasoning$/,
    resultTypes: /_call_output$/,
    fileData: 'file_data',
    unread: 'file_data',
  },
  offers: {
    types: /^(?:mcp|namespace)/,
    groupTypes: 'namespace',
    listing: { type: 'mcp_list_tools', label: 'server_label' },
    servers: [
      {
        name: 'openai',
        type: 'mcp',
        label: 'server_label',
        url: (server) => server.server_url,
        connector: (server) => server.connector_id ?? server.tunnel_id,
        allowed: ({ allowed_tools: allowed }) => (isObject(allowed) ? allowed.tool_names : allowed),
        asks: true,
        limited: (server, { names, asks }) => ({
          ...server,
          ...(names && { allowed_tools: names }),
          ...(asks && { require_approval: 'always' }),
        }),
      },
    ],
  },
  calls: {
    signs: '_call "response\\.(?:completed|incomplete|done)"',
    callOf,
    lists: 'output',
    read: (event) => (typeof event.type === 'string' ? callsIn(event, event.type) : undefined),
  },
};

/** The last member of a pointer, and the position of its list. */
const place = /(?:\[(\d+)\])?\.?(\w+)$/;

/** The event that continues a text of `item`. */
function pieceOfItem({ item, ...event }: JsonObject, pointer: string): Continued {
  const { type, id } = isObject(item) ? item : ({} as JsonObject);
  const [, position, key = ''] = place.exec(pointer) ?? [];
  const list = pointer.startsWith('item.summary') ? 'summary' : type === 'reasoning' ? 'reasoning' : '';
  const index = position === undefined ? {} : { [list === 'summary' ? 'summary_index' : 'content_index']: +position };
  return continuing({ ...event, item_id: id, ...index }, type === 'mcp_call' ? `mcp.${key}` : `${list}.${key}`);
}

/** The event that continues the text of `part`. */
function pieceOfPart({ part, ...event }: JsonObject, pointer: string): Continued {
  const { type } = isObject(part) ? part : ({} as JsonObject);
  const list = 'summary_index' in event ? 'summary' : type === 'reasoning_text' ? 'reasoning' : '';
  return continuing(event, `${list}.${place.exec(pointer)?.[2]}`);
}

/** Types of continuing events, by list and member of the text. */
const pieceTypes: Readonly<Record<string, string>> = {
  '.arguments': 'function_call_arguments',
  'mcp.arguments': 'mcp_call_arguments',
  '.input': 'custom_tool_call_input',
  '.code': 'code_interpreter_call_code',
  '.text': 'output_text',
  '.refusal': 'refusal',
  '.transcript': 'output_audio_transcript',
  'reasoning.text': 'reasoning_text',
  'summary.text': 'reasoning_summary_text',
};

function continuing(event: JsonObject, place: string): Continued {
  const { event_id, response_id, item_id, output_index, content_index, summary_index, sequence_number } = event;
  const indexes = { event_id, response_id, item_id, output_index, content_index, summary_index, sequence_number };
  return { event: { type: `response.${pieceTypes[place]}.delta`, ...indexes, delta: '' }, pointer: 'delta' };
}

/** Calls that the provider makes itself. */
const madeCalls = new Set(
  (
    'mcp mcp_server_tool web_search file_search google_search tool_search code_interpreter code_execution ' +
    'image_generation url_context google_maps retrieval processing'
  ).split(' '),
);

/** The call of an item. Google's Interactions and Mistral have such items, too. */
function callOf(item: JsonObject): Call | undefined {
  const { type } = item;
  if (typeof type !== 'string' || !(/[_.]call$/.test(type) || type === 'mcp_approval_request')) return undefined;
  return {
    name: item.name ?? type.replace(/[_.]call$/, ''),
    arguments: item.arguments ?? item.input ?? item.action ?? item.operation,
    label: item.server_label ?? item.server_name,
    isMade: madeCalls.has(type.replace(/_call$/, '')),
  };
}

/** Events of the Responses and Realtime APIs; a Realtime connection carries several responses with ids. */
function callsIn(event: JsonObject, type: string): AnswerEvent | undefined {
  const { item, response, response_id: responseId } = event;
  const call = isObject(item) ? callOf(item) : undefined;
  // The Realtime API repeats each item of a response as one of the conversation.
  if (type.startsWith('conversation.item.'))
    return call ? withPieces(pieceOf(`${type} ${isObject(item) && item.id}`, call, true)) : noCall;
  if (!type.startsWith('response.')) return undefined;
  const key = `${typeof responseId === 'string' ? `${responseId}:` : ''}o${event.output_index ?? event.item_id ?? ''}`;
  if (type === 'response.output_item.added') return openingOf(key, call);
  if (type === 'response.output_item.done') return call ? withPieces(pieceOf(key, call, true)) : noCall;
  const args = event.arguments ?? event.input;
  if (/_call(?:_arguments|_input)?\.delta$/.test(type) && typeof event.delta === 'string')
    return withPieces({ key, arguments: event.delta });
  if (/_call_(?:arguments|input)\.done$/.test(type))
    return withPieces(pieceOf(key, { name: event.name, arguments: args }, true));
  if (!/^response\.(?:completed|incomplete|failed|done)$/.test(type)) return noCall;
  const { id, output } = isObject(response) ? response : ({} as JsonObject);
  const of = type === 'response.done' && typeof id === 'string' ? `${id}:` : '';
  const pieces = (Array.isArray(output) ? output : []).flatMap((one, i) => {
    const called = isObject(one) ? callOf(one) : undefined;
    return called ? [pieceOf(`${of}o${i}`, called, true)] : [];
  });
  return { ...lastCall, pieces, of };
}
