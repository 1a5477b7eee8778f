/** Elements of one name, where an expression for them would search a part that ends none of them again and again. */

/** Where an element stands, its attributes as they are written, and what is in it: nothing for one that ends itself. */
export type XmlElement = {
  readonly start: number;
  readonly end: number;
  readonly attributes: string;
  readonly inside: string | undefined;
};

/** The elements of a name in order, none within another; one without its end is passed over. Time is linear. */
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
      // Searched for once where there is none.
      close = closing.exec(xml)?.index ?? xml.length;
      end = closing.lastIndex;
    }
    if (close === xml.length) continue;
    yield { start, end, attributes: xml.slice(from, tagEnd), inside: xml.slice(tagEnd + 1, close) };
    opening.lastIndex = end;
  }
}
