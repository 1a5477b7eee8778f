import { isObject, type JsonObject } from '../parsing.ts';
import { type AnswerEvent, lastCall, noCall, openingOf, pieceOf, withPieces } from './agents.ts';
import type { Continued, WireFormat } from './format.ts';
import { openaiResponses } from './openai-responses.ts';

/** Google's Interactions, whose steps are like the items of OpenAI's Responses. */
export const interactions: WireFormat = {
  name: 'interactions',
  texts: {
    starts: [
      { type: 'content.start', text: /^content\.text$/, continued: ({ content, ...event }) => piece(event, content) },
      { type: 'step.start', text: /^step\.text$/, continued: ({ step, ...event }) => piece(event, step) },
    ],
  },
  // Annotations count bytes, as all of Google's do, in the spelling of others that count characters.
  offsets: { bytePath: /^\.delta$/, byteOffset: /^(?:interaction\.)?(?:steps|outputs)\[\]\..*_index$/ },
  conversation: { modelTypes: /^(?:thought|model_output)$/ },
  offers: {
    servers: [
      {
        name: 'interactions',
        type: 'mcp_server',
        label: 'name',
        url: ({ url }) => url,
        allowed: ({ allowed_tools: sets }) => namesIn(sets),
        limited: (server, { names }) => ({ ...server, allowed_tools: [{ tools: names }] }),
      },
    ],
  },
  calls: {
    lists: 'outputs steps',
    read: (event) => (typeof event.event_type === 'string' ? callsIn(event, event.event_type) : undefined),
    refusal: { member: 'event_type', write: (error) => ({ event_type: 'error', error }) },
  },
};

/** The event that continues the text of a content or step. */
function piece({ event_type: type, event_id, index }: JsonObject, started: unknown): Continued {
  const delta = { type: isObject(started) ? started.type : 'text', text: '' };
  return {
    event: { event_type: String(type).replace('start', 'delta'), event_id, index, delta },
    pointer: 'delta.text',
  };
}

/** The names in lists of allowed tools; undefined without any. */
function namesIn(sets: unknown): unknown[] | undefined {
  const names = (Array.isArray(sets) ? sets : []).flatMap((set) =>
    isObject(set) && Array.isArray(set.tools) ? set.tools : [],
  );
  return names.length === 0 ? undefined : names;
}

/** A step starts, its arguments arrive in pieces, it ends. */
function callsIn({ index, step, delta }: JsonObject, type: string): AnswerEvent | undefined {
  const key = `s${index}`;
  if (/^interaction\.completed?$/.test(type)) return lastCall;
  // Before there were steps, a call came at once.
  if (type === 'content.delta' && isObject(delta)) {
    const call = openaiResponses.calls?.callOf?.(delta);
    return call ? withPieces(pieceOf(key, call, true)) : noCall;
  }
  if (type === 'step.stop') return withPieces({ key, ends: true });
  if (type === 'step.start' && isObject(step)) return openingOf(key, openaiResponses.calls?.callOf?.(step));
  const more = isObject(delta) && delta.type === 'arguments_delta' ? delta.arguments : undefined;
  if (typeof more === 'string') return withPieces({ key, arguments: more });
  return type.startsWith('step.') ? noCall : undefined;
}
