/** Whether a text that may be JSON can be parsed without harm: the parser cannot be stopped when memory ends. */

/** Maximum nesting; deeper documents are rejected, because later steps are recursive. */
export const jsonDepthMax = 200;

/** Shorter texts are parsed without a look at what they would become. */
const weighedMin = 262_144;
/** Lists and objects of a document: the parser takes some sixty bytes for each, and cannot be stopped when memory ends. */
export const containersMax = 2_000_000;

/** What {@link weighJson} finds: `deep` beyond {@link jsonDepthMax} levels, `heavy` beyond the given number of lists and objects. */
export type JsonWeight = 'light' | 'deep' | 'heavy';

/** Looks whether a text that may be JSON can be parsed without harm, in time linear in its length. */
export function weighJson(json: string, containers = containersMax): JsonWeight {
  if (json.length < weighedMin) return 'light';
  let count = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(json, at + 1);
      if (at < 0) break;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > jsonDepthMax) return 'deep';
      if (++count > containers) return 'heavy';
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return 'light';
}

/** Position of the quote that closes the string whose content starts at `from`. */
export function endOfString(json: string, from: number): number {
  let quote = json.indexOf('"', from);
  for (;;) {
    let slashes = 0;
    while (quote - 1 - slashes >= from && json.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote;
    quote = json.indexOf('"', quote + 1);
  }
}
