/**
 * Packets of Socket.IO (protocol 5) in messages of Engine.IO (protocol 4): the type, number of attachments, namespace and
 * packet number precede the JSON. HTTP long polling joins several of them with 0x1E.
 */
import { isJson } from './json-strings.ts';

const prefix = /^\d{1,2}(?:\d{1,3}-)?(?:\/[^,[{]*,)?\d*(?=[[{])/;
/** Separator of packets in HTTP long polling. */
export const packetSeparator = '\x1e';

/** The prefix of a packet's JSON, such as `42`, `42/chat,7` or `451-`; empty for any other text. */
export function packetPrefix(text: string): string {
  const found = prefix.exec(text)?.[0] ?? '';
  return found !== '' && isJson(text.slice(found.length)) ? found : '';
}

/** The prefix of a packet's JSON, and the JSON; a packet without JSON is all in `rest`. */
export type Packet = { readonly prefix: string; readonly rest: string };

/** The packets of a text, with {@link packetSeparator} between them; undefined if none of them has JSON. */
export function splitPackets(text: string): readonly Packet[] | undefined {
  if (!/^[\db]/.test(text)) return undefined;
  const packets = text.split(packetSeparator).map((packet) => {
    const found = packetPrefix(packet);
    return { prefix: found, rest: packet.slice(found.length) };
  });
  return packets.some((packet) => packet.prefix !== '') ? packets : undefined;
}

/** True for the prefix of a packet that opens a connection, such as `40{"token":"…"}`. */
export function opensConnection(before: string): boolean {
  return /^40(?:\/|$)/.test(before);
}
