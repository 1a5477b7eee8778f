/** Estimates whether a text can be parsed as JSON safely: a parser that runs out of memory cannot be stopped. */

/** Maximum nesting. Deeper documents are rejected, because later steps are recursive. */
export const jsonDepthMax = 200;

/** Shorter texts are parsed without an estimate. */
const weighedMin = 262_144;
/** Capacity of a 448 MiB thread for parsed values with their positions. A unit is about seventy bytes. */
export const jsonWeightMax = 6_000_000;
/** Weight that the main thread parses in about fifty milliseconds; distinct names take longest. */
export const shortJsonWeightMax = 600_000;

const containerWeight = 4;
const valueWeight = 2;
/** Cost of a text, on top of its cost as a value. */
const textWeight = 2;
/** Cost of a name and its text in an object with so many names that the parser stores them in a table. */
const tableNameWeight = 4;
const tableTextWeight = 6;
const tableNamesMin = 1_000;

/** `deep`: nested beyond {@link jsonDepthMax}. `heavy`: beyond the given weight. */
export type JsonWeight = 'light' | 'deep' | 'heavy';

/**
 * Estimates in linear time whether JSON, or lines of JSON, can be parsed safely; errors do not reduce the weight. Texts
 * shorter than `lengthMin` are light.
 */
export function weighJson(json: string, weightMax = jsonWeightMax, lengthMin = weighedMin): JsonWeight {
  return weighJsonTexts([json], weightMax, lengthMin);
}

/** The same for texts parsed one by one, which share the maximum weight. */
export function weighJsonTexts(texts: readonly string[], weightMax: number, lengthMin = weighedMin): JsonWeight {
  if (texts.reduce((length, text) => length + text.length, 0) < lengthMin) return 'light';
  let weight = 0;
  for (const text of texts) {
    const added = weightOf(text, weightMax - weight);
    if (typeof added === 'string') return added;
    weight += added;
  }
  return 'light';
}

function weightOf(json: string, weightMax: number): number | 'deep' | 'heavy' {
  let weight = 0;
  let depth = 0;
  const names = new Int32Array(jsonDepthMax + 1);
  let lineEnd = -1;
  let isBehindText = false;
  let isBehindTableName = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      if (lineEnd < at) lineEnd = endOfLine(json, at);
      // Strings do not continue across a line end.
      const end = endOfString(json, at + 1, lineEnd);
      at = end < 0 ? lineEnd : end;
      weight += isBehindTableName ? textWeight + tableTextWeight : textWeight;
      isBehindText = true;
      isBehindTableName = false;
    } else if (code === 0x2c) {
      weight += valueWeight;
      isBehindTableName = false;
    } else if (code === 0x3a) {
      // The previous string was a name.
      if (isBehindText) weight -= textWeight;
      isBehindText = false;
      names[depth] = (names[depth] as number) + 1;
      isBehindTableName = (names[depth] as number) > tableNamesMin;
      if (isBehindTableName) weight += tableNameWeight;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > jsonDepthMax) return 'deep';
      weight += containerWeight;
      isBehindTableName = false;
      names[depth] = 0;
    } else if ((code === 0x5d || code === 0x7d) && depth > 0) depth--;
    if (weight > weightMax) return 'heavy';
  }
  return weight;
}

/** Offset of the quote that closes the string whose content starts at `from`; -1 if there is none before `to`. */
export function endOfString(json: string, from: number, to = json.length): number {
  let quote = json.indexOf('"', from);
  for (;;) {
    if (quote < 0 || quote > to) return -1;
    let slashes = 0;
    while (quote - 1 - slashes >= from && json.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote;
    quote = json.indexOf('"', quote + 1);
  }
}

function endOfLine(json: string, at: number): number {
  const end = json.indexOf('\n', at);
  return end < 0 ? json.length : end;
}
