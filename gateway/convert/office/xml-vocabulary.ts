/** The elements that contain text, whose texts belong together, and that contain numbers and keywords for programs. */

/** Elements whose texts belong together. Phonetic readings of kanji (furigana) are next to words, not part of them. */
const blocks = new Set(
  ['w:p', 'a:p', 'si', 'is', 'text:p', 'text:h', 'text', 'm:oMath'].concat('rPh', 'w:rt', 'text:ruby-text'),
);
/** Elements in which whitespace alone is text. */
const textElements = new Set('w:t w:delText w:instrText w:delInstrText a:t t m:t text:p text:h'.split(' '));
/** Other elements whose text is part of the block. */
const inline = new Set('w:r a:r r m:r tspan textPath a altGlyph tref loext:content-control'.split(' '));
/** OpenDocument has more than fifty inline elements. These are not inline: a footnote mark follows a value. */
const beside = new Set(['text:note-citation', 'text:script']);
const separators: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'w:tab': '\t',
    'w:ptab': '\t',
    'w:br': '\n',
    'w:cr': '\n',
    'w:noBreakHyphen': '-',
    'w:sym': ' ',
    'a:br': '\n',
    'text:tab': '\t',
    'text:line-break': '\n',
    'text:s': ' ',
  }),
);
/** Elements that display a mark, or that may be displayed apart from the surrounding text. */
const marks = new Set(
  'w:footnoteReference w:endnoteReference w:fldChar w:fldSimple text:note text:span tspan textPath a altGlyph tref'.split(
    ' ',
  ),
);
const baselines = /^(?:w:vertAlign|vertAlign|w:position|a:rPr)$/;
const baselineValue = /(?:^|[\s:])(?:val|baseline)\s*=\s*["']([^"']*)/;
/** Positions of floating images and text boxes, and timestamps of comments. */
const positions = /(?:^|:)(?:posOffset|pct(?:Pos[HV]Offset|Width|Height))$|^wp:align$/;
const positionValue = /^(?:-?[\d.]{1,11}|left|right|center|inside|outside|top|bottom)$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[-+][\d:]+)?$/;
/** Elements of workbooks, slides and properties. In other vocabularies `_x0041_` is literal text. */
const escapedElements = /^(?:t|v|author|a:t|(?:vt|cp|dc):.*)$/;
const escapedAttributes = new Set('s tableColumn cacheField filter customFilter dataValidation hyperlink'.split(' '));

const htmlBlocks = new Set(
  (
    'html head title body p div h1 h2 h3 h4 h5 h6 li ul ol dl dt dd table caption thead tbody tfoot tr td th blockquote ' +
    'pre figure figcaption section article header footer nav aside main address form fieldset legend select option ' +
    'textarea button details summary hr script style noscript template iframe text desc metadata'
  ).split(' '),
);

/** True if an element's texts are read as one. */
export function isBlock(element: string): boolean {
  return blocks.has(element);
}

/** True if an element is part of the surrounding block's text. */
export function isInline(element: string): boolean {
  return (
    textElements.has(element) ||
    inline.has(element) ||
    blocks.has(element) ||
    (element.startsWith('text:') && !beside.has(element))
  );
}

/** True if whitespace alone is text in an element. */
export function keepsSpace(element: string): boolean {
  return textElements.has(element) || element === 'text:span' || element === 'text:a';
}

/** The separator that an element without text represents in its block. */
export function separatorOf(element: string): string | undefined {
  return separators.get(element);
}

/** True if the texts before, in and after an element may be displayed apart. */
export function isMark(element: string): boolean {
  return marks.has(element);
}

/** True for a run: a text with its own properties. */
export function isRun(element: string): boolean {
  return element === 'w:r' || element === 'a:r' || element === 'r';
}

/** The vertical alignment set for a run, empty for none; undefined if the element sets nothing. */
export function baselineOf(element: string, inside: string): string | undefined {
  if (!baselines.test(element)) return undefined;
  const value = baselineValue.exec(inside)?.[1] ?? '';
  return value === 'baseline' || value === '0' ? '' : value;
}

/** True for a position or timestamp, in an element without children. */
export function isPosition(element: string, text: string): boolean {
  if (element === 'dc:date') return instant.test(text.trim());
  return positions.test(element) && positionValue.test(text.trim());
}

/** True if an element's text may contain `_xHHHH_` escapes. */
export function isEscapedElement(element: string): boolean {
  return escapedElements.test(element);
}

/** True if an element's attributes may contain such escapes. */
export function hasEscapedAttributes(element: string): boolean {
  return escapedAttributes.has(element);
}

/** True for a chart element with a number or text. */
export function isChartValue(element: string): boolean {
  return element === 'c:v' || element === 'cx:pt';
}

/** True for a property value that is not text. */
export function isNumberProperty(element: string): boolean {
  return /^vt:(?:u?i(?:\d|nt)|r\d|decimal|cy|date|filetime|bool)$/.test(element);
}

/** True for field instructions, which are not part of the paragraph's text. */
export function isInstruction(element: string): boolean {
  return element === 'w:instrText' || element === 'w:delInstrText';
}

/** The role of an HTML element in the surrounding text. Names may have a prefix and any letter case. */
export function htmlRole(element: string): 'block' | 'break' | 'reading' | 'base' | 'inline' {
  const name = element.slice(element.indexOf(':') + 1).toLowerCase();
  if (htmlBlocks.has(name)) return 'block';
  if (name === 'br') return 'break';
  if (name === 'rt' || name === 'rp') return 'reading';
  return name === 'ruby' || name === 'rb' ? 'base' : 'inline';
}
