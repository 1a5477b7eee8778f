import type { PrivetError } from '../../../core/errors.ts';
import { encodeWebSocketFrame, type WebSocketMessage } from '../../../core/stream/websocket.ts';

/** Drops a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** True if a message of the origin is text, or JSON in a binary message (Gemini Live). */
export function isReadable({ kind, payload }: WebSocketMessage): boolean {
  return kind === 'text' || (kind === 'binary' && beginsJson(payload));
}

/** True if bytes start like JSON, after a byte order mark and some whitespace. */
function beginsJson({ buffer, byteOffset, length }: Uint8Array): boolean {
  const head = Buffer.from(buffer, byteOffset, Math.min(length, 64)).toString('latin1');
  return /^(?:\xef\xbb\xbf)?\s*[[{]/.test(head);
}

/** True if the message may contain a token, all of which start with a bracket. */
export function mayHoldToken({ payload }: WebSocketMessage): boolean {
  return payload.includes(0x5b);
}

/** Close codes (RFC 6455 §7.4.1 and the IANA registry): protocol error, message too big, try again later; else 1008. */
const closeCodes: Readonly<Record<string, number>> = { bad_request: 1002, body_too_large: 1009, unavailable: 1013 };

/** The frame that closes a connection with the reason. */
export function closeFrame({ code, message }: PrivetError): Uint8Array {
  const number = closeCodes[code] ?? 1008;
  const reason = Buffer.from(message, 'utf8').subarray(0, 120);
  return encodeWebSocketFrame('close', Buffer.concat([Buffer.from([number >> 8, number & 0xff]), reason]));
}
