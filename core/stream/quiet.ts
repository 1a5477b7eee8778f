/**
 * A scan of an event's raw bytes that decides whether it can be passed on without parsing. A typical event is a few
 * hundred bytes with one word of text, so this scan is most of the cost of a stream.
 */

/**
 * True when no string of the event's JSON contains a character with which a token may start, a backslash that escapes
 * another, anything of a tool call (where a token may lack its brackets, and quotes must be followed from the start),
 * an offset into a text that may have grown, or a delta encoding (where an event depends on the previous one). When in
 * doubt the event is not quiet; data that is not JSON never is.
 */
export function isQuietEvent(bytes: Uint8Array): boolean {
  const length = bytes.length;
  let at = 0;
  // Skip what precedes the document: `event:` lines, `data:`.
  while (at < length && bytes[at] !== 0x7b) {
    const byte = bytes[at] as number;
    if (byte === 0x5b || byte === 0x22) return false;
    at++;
  }
  if (at === length) return false;
  for (; at < length; at++) {
    if (bytes[at] !== 0x22) continue;
    // A string: check its name first.
    at++;
    const first = bytes[at] as number;
    if (
      first >= 0x66
        ? isTelling(bytes, at, first)
        : first === 0x61
          ? bytes[at + 1] === 0x72 && bytes[at + 2] === 0x67 // arg(uments)
          : first === 0x65 && bytes[at + 1] === 0x6e && bytes[at + 2] === 0x64 // end, an offset
    ) {
      return false;
    }
    for (let byte = first; byte !== 0x22; byte = bytes[++at] as number) {
      if (byte < 0x5b) {
        if (byte === 0x26 || byte === 0x25) return false;
      } else if (byte === 0x5b) {
        return false;
      } else if (byte === 0x5c) {
        at++;
        const escaped = bytes[at];
        if (escaped === 0x5c || (escaped === 0x75 && !isHarmlessEscape(bytes, at + 1))) return false;
      } else if (byte >= 0xe3) {
        if (byte === 0xe3 && bytes[at + 1] === 0x80 && isBracketByte(bytes[at + 2])) return false;
        if (byte === 0xef && bytes[at + 1] === 0xbc && bytes[at + 2] === 0xbb) return false;
      }
      if (at >= length) return false;
    }
  }
  return true;
}

/** `"v"`, `"p"`, `"o"`; names and types that belong to tool calls. */
function isTelling(bytes: Uint8Array, at: number, first: number): boolean {
  const second = bytes[at + 1];
  const third = bytes[at + 2];
  if (second === 0x22) return first === 0x76 || first === 0x70 || first === 0x6f;
  // too(l); text_o(ffset)
  if (first === 0x74) return (second === 0x6f && third === 0x6f) || (bytes[at + 4] === 0x5f && bytes[at + 5] === 0x6f);
  if (first === 0x73) return second === 0x74 && third === 0x61 && bytes[at + 3] === 0x72; // star(t), an offset
  // fun(ction); fil(e_citation), at an offset
  if (first === 0x66) return (second === 0x75 && third === 0x6e) || (second === 0x69 && third === 0x6c);
  if (first === 0x70) return second === 0x61 && third === 0x72 && bytes[at + 4] === 0x69; // parti(al_json)
  if (first === 0x69) return second === 0x6e && third === 0x70; // inp(ut), inp(ut_json_delta)
  if (first === 0x72) {
    // response.f(unction_call…), response.m(cp_call…), response.cu(stom_tool_call…)
    if (bytes[at + 8] !== 0x2e) return false;
    return bytes[at + 9] === 0x66 || bytes[at + 9] === 0x6d || (bytes[at + 9] === 0x63 && bytes[at + 10] === 0x75);
  }
  return false;
}

/** False for `\u00xx`, `\u300x`, `\u301x` and `\uffxx`, which include the opening characters. */
function isHarmlessEscape(bytes: Uint8Array, at: number): boolean {
  const a = bytes[at];
  const b = bytes[at + 1];
  if (a === 0x30) return b !== 0x30;
  if (a === 0x33) return b !== 0x30 || (bytes[at + 2] !== 0x30 && bytes[at + 2] !== 0x31);
  return a !== 0x66 && a !== 0x46;
}

function isBracketByte(byte: number | undefined): boolean {
  return byte === 0x8c || byte === 0x90 || byte === 0x94;
}
