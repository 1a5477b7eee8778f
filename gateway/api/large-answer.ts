/** Large responses, serialized in parts so that other requests run in between. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** Length of a part in characters; serializing and encoding one takes about a millisecond. */
const partUnits = 256 * 1024;

/** Sends a value as JSON, in parts. */
export function sendInParts(reply: FastifyReply, value: object): FastifyReply {
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(Readable.from(partsOf(value), { objectMode: false }));
}

async function* partsOf(value: object): AsyncGenerator<Buffer, void> {
  let part = '';
  for (const piece of jsonPieces(value)) {
    part += piece;
    if (part.length < partUnits) continue;
    yield Buffer.from(part);
    part = '';
    await setImmediate();
  }
  yield Buffer.from(part);
}

/** The JSON of a value, as `JSON.stringify` writes it: each member and element, and long strings in pieces. */
export function* jsonPieces(value: unknown, depth = 0): Generator<string, void> {
  const json = hasToJson(value) ? value.toJSON() : value;
  if (typeof json === 'string' && json.length > partUnits) yield* stringPieces(json);
  else if (depth < 2 && Array.isArray(json)) {
    yield '[';
    for (const [i, element] of json.entries()) {
      if (i > 0) yield ',';
      yield* jsonPieces(element, depth + 1);
    }
    yield ']';
  } else if (depth === 0 && typeof json === 'object' && json !== null) {
    const members = Object.entries(json).filter(([, member]) => member !== undefined);
    for (const [i, [name, member]] of members.entries()) {
      yield `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      yield* jsonPieces(member, depth + 1);
    }
    yield members.length === 0 ? '{}' : '}';
  } else yield JSON.stringify(json) ?? 'null';
}

function* stringPieces(text: string): Generator<string, void> {
  yield '"';
  for (let from = 0; from < text.length; ) {
    let end = Math.min(from + partUnits, text.length);
    // A lone surrogate would be escaped.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && end < text.length) end++;
    yield JSON.stringify(text.slice(from, end)).slice(1, -1);
    from = end;
  }
  yield '"';
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}
