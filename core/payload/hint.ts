/** Adds a sentence to the system text that asks the model to keep placeholders. Everything else keeps its bytes. */
import { wireFormats } from '../formats/index.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import { placeOf } from './json-place.ts';
import { jsonEscape, jsonLiteral } from './json-strings.ts';

/** The sentence for the model. */
export const hintSentence =
  'Text in square brackets such as [TYPE-n] is a placeholder; repeat each one exactly as it is written.';

const block = (literal: string) => `{"type":"text","text":${literal}}`;

/** The JSON body with the sentence; undefined if the system text cannot be located. `address` is host and path. */
export function withHint(body: string, address: string, formats: WireFormats = wireFormats): string | undefined {
  const path = address.split('?', 1)[0] as string;
  const shape = formats.instructions.find((shape) => shape.path.test(path));
  if (!shape) return undefined;
  const base = shape.below === undefined ? [] : [shape.below];
  const root = placeOf(body, base);
  if (root === undefined || body[root.start] !== '{') return undefined;
  if (shape.key === 'messages') return withSystemMessage(body);
  for (const key of [shape.key, shape.alternateKey]) {
    if (key === undefined || !placeOf(body, [...base, key])) continue;
    return appended(body, [...base, key], shape.element ?? block);
  }
  return inserted(body, root.start + 1, `"${shape.key}":${shape.create?.(jsonLiteral(hintSentence))}`, '}');
}

function withSystemMessage(body: string): string | undefined {
  const messages = placeOf(body, ['messages']);
  if (!messages || body[messages.start] !== '[') return undefined;
  // Only the first message has the application's instructions; later system messages belong to the conversation.
  const role = placeOf(body, ['messages', 0, 'role']);
  if (role && /^"(?:system|developer)"$/.test(body.slice(role.start, role.end))) {
    const known = appended(body, ['messages', 0, 'content'], block);
    if (known !== undefined) return known;
  }
  return inserted(body, messages.start + 1, `{"role":"system","content":${jsonLiteral(hintSentence)}}`, ']');
}

/** Appends the sentence to a text, a list of texts, or the `parts` of an object. */
function appended(
  body: string,
  keys: readonly (string | number)[],
  element: (literal: string) => string,
): string | undefined {
  const place = placeOf(body, keys);
  if (!place) return undefined;
  const last = place.end - 1;
  switch (body[place.start]) {
    case '"':
      return `${body.slice(0, last)}${jsonEscape(`\n\n${hintSentence}`)}${body.slice(last)}`;
    case '[': {
      const isEmpty = body.slice(place.start + 1, last).trim() === '';
      return `${body.slice(0, last)}${isEmpty ? '' : ','}${element(jsonLiteral(hintSentence))}${body.slice(last)}`;
    }
    case '{':
      return appended(body, [...keys, 'parts'], element);
    default:
      return undefined;
  }
}

/** Inserts a first member or element. */
function inserted(body: string, at: number, raw: string, closing: string): string {
  const isEmpty = body.slice(at).trimStart().startsWith(closing);
  return `${body.slice(0, at)}${raw}${isEmpty ? '' : ','}${body.slice(at)}`;
}
