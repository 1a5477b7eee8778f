/**
 * Socket.IO packets (protocol 5) in Engine.IO messages (protocol 4): type, number of attachments, namespace and packet
 * number precede the JSON. HTTP long polling joins packets with 0x1E.
 */
import { isJson } from './json-strings.ts';

const prefix = /^\d{1,2}(?:\d{1,3}-)?(?:\/[^,[{]*,)?\d*(?=[[{])/;
/** Separator of packets in HTTP long polling. */
export const packetSeparator = '\x1e';

/** The prefix of a packet's JSON, such as `42`, `42/chat,7` or `451-`; empty for other text. */
export function packetPrefix(text: string): string {
  const found = prefix.exec(text)?.[0] ?? '';
  return found !== '' && isJson(text.slice(found.length)) ? found : '';
}

/** A packet's prefix and JSON; without JSON all of it is in `rest`. */
export type Packet = { readonly prefix: string; readonly rest: string };

/** The packets of a text, separated by {@link packetSeparator}; undefined if none has JSON. */
export function splitPackets(text: string): readonly Packet[] | undefined {
  if (!/^[\db]/.test(text)) return undefined;
  const packets = text.split(packetSeparator).map((packet) => {
    const found = packetPrefix(packet);
    return { prefix: found, rest: packet.slice(found.length) };
  });
  return packets.some((packet) => packet.prefix !== '') ? packets : undefined;
}

/** True for the prefix of a packet that opens a connection: `40{"token":"…"}`. */
export function opensConnection(before: string): boolean {
  return /^40(?:\/|$)/.test(before);
}
