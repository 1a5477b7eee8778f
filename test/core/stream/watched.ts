/** A restorer that records its counts, for the tests of streams. */
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { tokenMap } from './wire-fixtures.ts';

export const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': '<O\'"Hara & \\`\r\n>' });

export const encode = (text: string) => new TextEncoder().encode(text);

export const shown = (bytes: Uint8Array) => Buffer.from(bytes).toString();

export function watched(kind: StreamKind) {
  const counts: unknown[] = [];
  const restorer = new StreamRestorer({ kind, map, onCount: (count) => counts.push(count) });
  return { restorer, counts };
}

export const event = (said: object) => `data: ${JSON.stringify(said)}\n\n`;
