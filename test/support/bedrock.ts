/** Responses of Bedrock. */
import { formatFrame, formatHeaders } from '../../core/stream/aws-event-stream.ts';

/** An event of its binary streams: JSON, or bytes as SageMaker sends them. */
export function bedrockFrame(name: string, payload: object): Uint8Array {
  const isBytes = payload instanceof Uint8Array;
  const head = formatHeaders([
    [':event-type', name],
    [':content-type', isBytes ? 'application/octet-stream' : 'application/json'],
    [':message-type', 'event'],
  ]);
  return formatFrame(head, isBytes ? payload : new TextEncoder().encode(JSON.stringify(payload)));
}
