/** Finds elements by name; a regular expression would rescan a part with unclosed elements repeatedly. */

/** An element's offset, raw attributes and content, which is empty if self-closing. */
export type XmlElement = {
  readonly start: number;
  readonly end: number;
  readonly attributes: string;
  readonly inside: string | undefined;
};

/** The elements with a name in order, not nested; unclosed ones are skipped. Linear time. */
export function* elementsOf(xml: string, name: string): Generator<XmlElement> {
  const opening = new RegExp(`<${name}\\b`, 'g');
  const closing = new RegExp(`</${name}\\s*>`, 'g');
  let tagEnd = -1;
  let close = -1;
  let end = -1;
  for (let match = opening.exec(xml); match !== null; match = opening.exec(xml)) {
    const start = match.index;
    const from = opening.lastIndex;
    if (tagEnd < from) tagEnd = xml.indexOf('>', from);
    if (tagEnd === -1) return;
    if (tagEnd > from && xml[tagEnd - 1] === '/') {
      yield { start, end: tagEnd + 1, attributes: xml.slice(from, tagEnd - 1), inside: undefined };
      opening.lastIndex = tagEnd + 1;
      continue;
    }
    if (close <= tagEnd) {
      closing.lastIndex = tagEnd + 1;
      // If there is none, search only once.
      close = closing.exec(xml)?.index ?? xml.length;
      end = closing.lastIndex;
    }
    if (close === xml.length) continue;
    yield { start, end, attributes: xml.slice(from, tagEnd), inside: xml.slice(tagEnd + 1, close) };
    opening.lastIndex = end;
  }
}
