/** How an event stream is told by its first bytes, where it comes under another name. */

const line = /^(?:data|event|id|retry)?:/;
const lineStart = /^(?:d(?:a(?:t(?:a)?)?)?|e(?:v(?:e(?:n(?:t)?)?)?)?|i(?:d)?|r(?:e(?:t(?:r(?:y)?)?)?)?)?$/;

/** Whether a text begins as a line of server-sent events does; undefined when more of it is needed to tell. */
export function beginsEventStream(text: string): boolean | undefined {
  if (line.test(text)) return true;
  return lineStart.test(text) ? undefined : false;
}
