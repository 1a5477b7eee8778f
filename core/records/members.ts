/**
 * Values in an object or element that is named after them: `"passport": {"country": "NZ", "number": "LK112233"}`, the same
 * in YAML, `<driverLicense><state>CO</state><number>…`.
 */
import type { KeywordHit } from '../detect/keywords.ts';

/** How much of an object is read. */
const objectMax = 240;
const names =
  '(?:number|no|num|nr|id|value|val|text|(?:doc(?:ument)?|id|card|plate|serial|identification)[_ ]?(?:no|num|number)|番号|ナンバー)';
const jsonStart = /^["']?\s{0,2}[:=]\s{0,2}\{/;
const yamlStart = /^["']?[ \t]{0,2}:[ \t]{0,2}\r?\n/;
const elementStart = /^(?: [a-z]{1,16}="[^"<>\n]{0,24}"){0,2}>\s{0,16}</i;
const jsonMember = new RegExp(`[{,]\\s{0,16}["']?${names}["']?\\s?[:=]\\s?["']?`, 'i');
const yamlMember = new RegExp(`\\n[ \\t-]{0,24}["']?${names}["']?[ \\t]?[:=][ \\t]{0,4}["']?`, 'i');
const elementMember = new RegExp(`<${names}(?: [a-z]{1,16}="[^"<>\\n]{0,24}")?>\\s{0,4}`, 'i');
/** White space before the first of the members. */
const indentation = /^[^\n]*\n([ \t]*)/;

/** Where the value of the number among the members of the object starts that the label names; -1 without one. */
export function memberStart(shadow: string, { end }: KeywordHit): number {
  const opening = shadow.slice(end, end + 8);
  const c = opening.charCodeAt(0);
  // A quote, a colon, `=`, `>`, a blank; nothing else opens an object.
  if (c !== 0x22 && c !== 0x27 && c !== 0x3a && c !== 0x3d && c !== 0x3e && c !== 0x20) return -1;
  const rest = shadow.slice(end, end + objectMax);
  const [body, member] = jsonStart.test(opening)
    ? [untilBrace(rest), jsonMember]
    : yamlStart.test(opening)
      ? [untilOutdent(rest), yamlMember]
      : elementStart.test(rest)
        ? [untilClosed(rest), elementMember]
        : ['', jsonMember];
  const found = member.exec(body);
  return found === null ? -1 : end + found.index + found[0].length;
}

/** Up to the end of the object, or to one within it. */
function untilBrace(rest: string): string {
  const open = rest.indexOf('{');
  const close = rest.slice(open + 1).search(/[{}]/);
  return close < 0 ? rest : rest.slice(0, open + 1 + close);
}

/** The lines that are indented as the first one is. */
function untilOutdent(rest: string): string {
  const first = rest.indexOf('\n');
  const indent = indentation.exec(rest)?.[1] ?? '';
  for (let end = first; end >= 0; ) {
    const start = end + 1;
    if (!rest.startsWith(indent, start) || !(rest.charCodeAt(start + indent.length) > 0x20)) return rest.slice(0, end);
    end = rest.indexOf('\n', start);
  }
  return rest;
}

/** Up to the end of the first element that holds another. */
function untilClosed(rest: string): string {
  const nested = /<([A-Za-z_]{1,24})[^<>]{0,40}>\s{0,16}<(?!\/)|<\/[^<>]{1,32}>\s{0,16}<\//.exec(rest);
  return nested === null ? rest : rest.slice(0, nested.index);
}
