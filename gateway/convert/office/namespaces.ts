/**
 * Maps a part's namespace prefixes to the usual ones. Programs may choose them freely (Namespaces in XML 1.0 §3): Open
 * XML SDK writes `<x:c>` for Excel's `<c>`, other libraries write `<ns0:p>` for `<w:p>`.
 */

/** The prefixes used in this folder, by the end of the namespace name (transitional, strict, ODF). */
const known: readonly [end: string, prefix: string][] = [
  ['/spreadsheetml/2006/main', ''],
  ['/spreadsheetml/main', ''],
  ['/wordprocessingml/2006/main', 'w:'],
  ['/wordprocessingml/main', 'w:'],
  ['/drawingml/2006/main', 'a:'],
  ['/drawingml/main', 'a:'],
  ['/officeDocument/2006/math', 'm:'],
  ['/officeDocument/math', 'm:'],
  ['/drawingml/2006/chart', 'c:'],
  ['/drawingml/chart', 'c:'],
  ['/drawingml/2006/wordprocessingDrawing', 'wp:'],
  ['/drawingml/wordprocessingDrawing', 'wp:'],
  ['/officeDocument/2006/docPropsVTypes', 'vt:'],
  ['/officeDocument/docPropsVTypes', 'vt:'],
  ['/metadata/core-properties', 'cp:'],
  ['/dc/elements/1.1/', 'dc:'],
  ...['office', 'text', 'table', 'form', 'config'].map((name): [string, string] => [
    `opendocument:xmlns:${name}:1.0`,
    `${name}:`,
  ]),
];
const declaration = /\sxmlns(:[^\s=]+)?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Maps a part's unusual prefixes, as written (`x:`, or empty), to the usual ones. */
export function unusualPrefixes(xml: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, written = '', double, single] of xml.matchAll(declaration)) {
    const prefix = written === '' ? '' : `${written.slice(1)}:`;
    const usual = known.find(([end]) => (double ?? single ?? '').endsWith(end))?.[1];
    if (usual !== undefined && usual !== prefix) found.set(prefix, usual);
  }
  return found;
}

/** An attribute's name with the usual prefix; without a prefix it belongs to no vocabulary (§6.2). */
export function usualAttribute(name: string, prefixes: ReadonlyMap<string, string>): string {
  return name.includes(':') ? usualName(name, prefixes) : name;
}

/** An element's name with the usual prefix. */
export function usualName(name: string, prefixes: ReadonlyMap<string, string>): string {
  if (prefixes.size === 0) return name;
  const at = name.indexOf(':') + 1;
  const usual = prefixes.get(name.slice(0, at));
  return usual === undefined ? name : usual + name.slice(at);
}
