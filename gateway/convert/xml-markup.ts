/**
 * Where the markup of an XML part stands. Written as a scanner because an expression for it takes cubic time on parts
 * that are broken on purpose; what is no markup (a `<` alone, a tag without its end) is text, so that it is looked at.
 */

/** A tag, or CDATA with its content from `start + 9` to `end - 3`, or what holds no text (comments, declarations). */
export type Markup = {
  readonly start: number;
  readonly end: number;
  readonly kind: 'tag' | 'cdata' | 'other';
  /** Of a tag: its name, whether it closes an element, and what stands between the name and the `>`. */
  readonly name: string;
  readonly closes: boolean;
  readonly inside: string;
};

const tagName = /\/?([^\s/<>"']+)/y;
/** A quote opens a value behind an equals sign only, as the attributes are read; any other is a part of a name. */
const quoteOrEnd = /[<>]|(?<==\s*)["']/g;

/** The markup of a part in order. */
export function* markupOf(xml: string): Generator<Markup> {
  /** Quotes behind which no tag has ended, so that none does that begins within a value and comes to them. */
  const endless = new Set<number>();
  const missing = new Set<string>();
  /** The end of what a mark ends, searched for once where there is none. */
  const endOf = (mark: string, from: number): number => {
    if (missing.has(mark)) return -1;
    const at = xml.indexOf(mark, from);
    if (at === -1) missing.add(mark);
    return at === -1 ? -1 : at + mark.length;
  };
  for (let start = xml.indexOf('<'); start !== -1; ) {
    const other = readOther(xml, start, endOf);
    const found = other ?? readTag(xml, start, endless);
    // A quote without its end: nothing behind it is markup for certain.
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

/** CDATA, comments, instructions and declarations; those without their end go up to the next `>`. */
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

/** The tag that begins at a place; `open` for a quote in it that nothing closes, undefined for what is none. */
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
    // Only from a `<` within a value is this one come to again; if the tag ends after all, nothing is.
    if (next !== -1 && at > next) endless.add(at);
    const close = xml.indexOf(xml[at] as string, at + 1);
    if (close === -1) return 'open';
    quoteOrEnd.lastIndex = close + 1;
  }
}
