/** Responses of Bedrock. */
import { formatFrame, formatHeaders } from '../../core/stream/aws-event-stream.ts';

/** An event of its binary streams. */
export function bedrockFrame(name: string, payload: object): Uint8Array {
  const head = formatHeaders([
    [':event-type', name],
    [':content-type', 'application/json'],
    [':message-type', 'event'],
  ]);
  return formatFrame(head, new TextEncoder().encode(JSON.stringify(payload)));
}
