/**
 * Finds the markup of an XML part with a scanner: a regular expression takes cubic time on maliciously broken parts.
 * Anything else (a lone `<`, an unclosed tag) is text and will be inspected.
 */

/** A tag, CDATA with its content from `start + 9` to `end - 3`, or markup without text (comments, declarations). */
export type Markup = {
  readonly start: number;
  readonly end: number;
  readonly kind: 'tag' | 'cdata' | 'other';
  /** For a tag: its name, whether it closes an element, and the text between the name and the `>`. */
  readonly name: string;
  readonly closes: boolean;
  readonly inside: string;
};

const tagName = /\/?([^\s/<>"']+)/y;
/** A quote opens a value only after an equals sign; otherwise it is part of a name. */
const quoteOrEnd = /[<>]|(?<==\s*)["']/g;

/** The markup of a part in order. */
export function* markupOf(xml: string): Generator<Markup> {
  /** Quotes after which no tag ends, and therefore none that reaches them from within a value. */
  const endless = new Set<number>();
  const missing = new Set<string>();
  /** The end of a construct; if there is none, search only once. */
  const endOf = (mark: string, from: number): number => {
    if (missing.has(mark)) return -1;
    const at = xml.indexOf(mark, from);
    if (at === -1) missing.add(mark);
    return at === -1 ? -1 : at + mark.length;
  };
  for (let start = xml.indexOf('<'); start !== -1; ) {
    const special = readOther(xml, start, endOf);
    const found = special ?? readTag(xml, start, endless);
    // Unclosed quote: nothing after it is certain to be markup.
    if (found === 'open') return;
    if (found === undefined) {
      start = xml.indexOf('<', start + 1);
    } else {
      yield found;
      start = xml.indexOf('<', found.end);
    }
  }
}

type EndOf = (mark: string, from: number) => number;

/** CDATA, comments, instructions and declarations; unclosed ones extend to the next `>`. */
function readOther(xml: string, start: number, endOf: EndOf): Markup | undefined {
  const next = xml[start + 1];
  if (next !== '!' && next !== '?') return undefined;
  const isCdata = xml.startsWith('<![CDATA[', start);
  let end = -1;
  if (isCdata) end = endOf(']]>', start + 9);
  else if (xml.startsWith('<!--', start)) end = endOf('-->', start + 4);
  else if (next === '?') end = endOf('?>', start + 2);
  const kind = isCdata && end !== -1 ? 'cdata' : 'other';
  if (end === -1) end = endOf('>', start);
  return end === -1 ? undefined : { start, end, kind, name: '', closes: false, inside: '' };
}

/** The tag at an offset; `open` for an unclosed quote in it, undefined if it is not a tag. */
function readTag(xml: string, start: number, endless: Set<number>): Markup | 'open' | undefined {
  tagName.lastIndex = start + 1;
  const name = tagName.exec(xml)?.[1];
  if (name === undefined) return undefined;
  const from = tagName.lastIndex;
  const next = xml.indexOf('<', from);
  for (quoteOrEnd.lastIndex = from; ; ) {
    const at = quoteOrEnd.exec(xml)?.index;
    if (at === undefined || xml[at] === '<') return undefined;
    if (xml[at] === '>') {
      const closes = xml[start + 1] === '/';
      return { start, end: at + 1, kind: 'tag', name, closes, inside: xml.slice(from, at) };
    }
    if (endless.has(at)) return undefined;
    // This offset is only reached again from a `<` within a value; if the tag ends after all, nothing changes.
    if (next !== -1 && at > next) endless.add(at);
    const close = xml.indexOf(xml[at] as string, at + 1);
    if (close === -1) return 'open';
    quoteOrEnd.lastIndex = close + 1;
  }
}
