/** How what a stream is is told by its first bytes, where it comes under another name. */

const line = /^(?:data|event|id|retry)?:/;
const lineStart = /^(?:d(?:a(?:t(?:a)?)?)?|e(?:v(?:e(?:n(?:t)?)?)?)?|i(?:d)?|r(?:e(?:t(?:r(?:y)?)?)?)?)?$/;

/** `0:"…"`, lines of JSON with a name before them: Vercel AI's data stream, chat.mistral.ai. */
export const prefixedLine = /^[0-9a-f]{1,4}:(?:\{["}]|\[[[{"\]\d]|")/;

/** Whether a text begins as a line of server-sent events does; undefined when more of it is needed to tell. */
export function beginsEventStream(text: string): boolean | undefined {
  if (line.test(text)) return true;
  return lineStart.test(text) ? undefined : false;
}

/** Where the first byte of a chunk stands that is no blank of JSON (RFC 8259 §2). */
export function firstPlace(chunk: Uint8Array): number {
  const start = chunk.findIndex((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
  return start < 0 ? chunk.length : start;
}
