/** Packets of Socket.IO (protocol 5) in messages of Engine.IO: types, a namespace and a number stand before the JSON. */
import { isJson } from './json-strings.ts';

const prefix = /^\d{1,3}(?:\/[^,[{]*,)?\d*(?=[[{])/;

/** What stands before the JSON of a packet, as `42` or `42/chat,7`; empty for any other text. */
export function packetPrefix(text: string): string {
  const found = prefix.exec(text)?.[0] ?? '';
  return found !== '' && isJson(text.slice(found.length)) ? found : '';
}
