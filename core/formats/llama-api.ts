import { isObject, type JsonObject } from '../parsing.ts';
import { type AnswerEvent, lastCall, noCall, pieceOf, withPieces } from './agents.ts';
import type { WireFormat } from './format.ts';

/** Meta's Llama API: `completion_message`, and events of one kind below `event`. */
export const llamaApi: WireFormat = {
  name: 'llama-api',
  calls: {
    signs: 'stop_reason',
    read({ event, completion_message: message }, piecesOf) {
      if (isObject(message)) return { ...lastCall, pieces: piecesOf(message.tool_calls, 'l', true) };
      return isObject(event) && isObject(event.delta) ? callIn(event, event.delta) : undefined;
    },
  },
};

/** Only the first piece of a call has an id, so it ends the call before it. */
function callIn(
  { stop_reason: reason }: JsonObject,
  { type, id, function: call }: JsonObject,
): AnswerEvent | undefined {
  if (typeof reason === 'string') return lastCall;
  if (type !== 'tool_call' || !isObject(call)) return undefined;
  const piece = pieceOf('l', { name: call.name, arguments: call.arguments }, false);
  if (piece.name === undefined && piece.arguments === undefined) return noCall;
  return typeof id === 'string' && piece.name !== undefined
    ? withPieces({ key: 'l', ends: true, mayRepeat: true }, piece)
    : withPieces(piece);
}
