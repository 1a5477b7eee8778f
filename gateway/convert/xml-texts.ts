/**
 * The texts of an XML part of an office document, paragraph by paragraph, and the same part with other texts. A person's
 * words are often cut into several runs ("Hana Mor" + "ita"), so a paragraph is read as one text and a change is put
 * back into the runs that it touches; everything else of the part keeps its bytes.
 */
import { findTokens } from '../../core/tokens.ts';
import { unusualPrefixes, usualName } from './namespaces.ts';
import { type AttributeForm, attributeForm, isCellValue, isFormula } from './xml-attributes.ts';
import { markupOf } from './xml-markup.ts';

type Edit = { readonly start: number; readonly end: number; readonly raw: string };

type Run = {
  readonly text: string;
  /** Raw offsets of the text in the part; equal for a separator, which cannot be changed. */
  readonly start: number;
  readonly end: number;
  readonly form: 'text' | 'attribute' | 'cdata' | 'raw' | 'number' | 'separator';
  /** Raw offset of the `>` that ends the opening tag, where white space has to be asked for; -1 where it has not. */
  readonly spaceAt: number;
  /** How tokens are written where brackets have a meaning: in names of sheets, other names, formulas and numbers. */
  readonly as: AttributeForm | 'formula';
  /** Beside a changed text: the value of its cell, which says the same again. */
  readonly also?: readonly Edit[];
};

/** One paragraph, cell or attribute: its text and the runs that it is made of. */
export type TextGroup = { readonly text: string; readonly runs: readonly Run[] };

/** Elements whose texts belong together. Readings of kanji (furigana) stand beside the words, not within them. */
const blocks = new Set(
  ['w:p', 'a:p', 'si', 'is', 'text:p', 'text:h', 'text', 'm:oMath'].concat('rPh', 'w:rt', 'text:ruby-text'),
);
/** Elements in which white space alone is text. */
const textElements = new Set(
  'w:t w:delText w:instrText w:delInstrText a:t t m:t text:p text:h text:span text:a'.split(' '),
);
const separators: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'w:tab': '\t',
    'w:br': '\n',
    'w:cr': '\n',
    'w:noBreakHyphen': '-',
    'a:br': '\n',
    'text:tab': '\t',
    'text:line-break': '\n',
    'text:s': ' ',
  }),
);
const attribute = /(?<![^\s="'])([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** A cell with a number that is too long for an amount: a card, a telephone or an identity number. */
const numberCell = /<((?:[\w.-]+:)?)c\b([^>]*?)>(?:<\1f\b[^>]*?(?:\/>|>[^<]*<\/\1f>))?<\1v>(\d{9,})<\/\1v><\/\1c>/y;

/** What the value of a cell that is no text may be: a number, a position, an error such as `#N/A`. */
const numeric = /^\s*(?:[-+.\deE]*|#[A-Z\d/?!]+)\s*$/;

/** The texts of a part, in order. Time is linear in its length. */
export function xmlTexts(xml: string): TextGroup[] {
  const groups: Run[][] = [];
  // Attributes, comments and numbers come last: a text stands beside the one that may be its label.
  const asides: Run[][] = [];
  const prefixes = unusualPrefixes(xml);
  const stack: { name: string; group: Run[] | undefined; isNumber: boolean; cell: readonly Edit[] }[] = [];
  let from = 0;
  const openText = (start: number, end: number, form: 'text' | 'cdata', tagEnd: number) => {
    if (start === end) return;
    const parent = stack.at(-1);
    // Numbers, and positions of shared texts.
    if (parent?.name === 'v' && stack.at(-2)?.isNumber && numeric.test(xml.slice(start, end))) return;
    const text = form === 'cdata' ? xml.slice(start, end) : decodeXml(xml.slice(start, end));
    if (text.trim() === '' && !textElements.has(parent?.name ?? '')) return;
    const group = parent?.group;
    const needsSpace = parent?.name === 'w:t' || parent?.name === 't' || parent?.name === 'w:delText';
    const run: Run = {
      text,
      start,
      end,
      form,
      spaceAt: needsSpace && tagEnd === start ? tagEnd - 1 : -1,
      as: isFormula(parent?.name) ? 'formula' : 'text',
      also: parent?.cell ?? [],
    };
    if (group) group.push(run);
    else groups.push([run]);
  };
  for (const { start, end, kind, name: written, closes, inside } of markupOf(xml)) {
    openText(from, start, 'text', from);
    from = end;
    if (kind === 'cdata') openText(start + 9, end - 3, 'cdata', -1);
    if (kind === 'other') openOther(xml, start, end, asides);
    if (kind !== 'tag') continue;
    const name = usualName(written, prefixes);
    if (closes) {
      // A part that closes what it has not opened is read on all the same: every text is still found.
      if (stack.at(-1)?.name === name) stack.pop();
      continue;
    }
    if (name === 'c') openNumber(xml, start, asides);
    const cell = inside.includes('=') ? openAttributes(name, inside, start + 1 + written.length, asides) : [];
    const separator = separators.get(name);
    if (separator !== undefined) {
      const run: Run = { text: separator, start: end, end, form: 'separator', spaceAt: -1, as: 'text' };
      stack.at(-1)?.group?.push(run);
    }
    if (inside.endsWith('/')) continue;
    const own: Run[] | undefined = blocks.has(name) ? [] : undefined;
    if (own) groups.push(own);
    // Without one of its own, an element belongs to the block that it is in.
    const parent = stack.at(-1);
    stack.push({
      name,
      group: own ?? parent?.group,
      isNumber: name === 'c' && !/\bt="str"/.test(inside),
      // A note on a cell says something else than its value.
      cell: cell.length > 0 || name === 'office:annotation' ? cell : (parent?.cell ?? []),
    });
  }
  openText(from, xml.length, 'text', from);
  return [...groups.filter((runs) => runs.length > 0), ...asides].map((runs) => ({
    runs,
    text: runs.length === 1 ? (runs[0]?.text ?? '') : runs.map((run) => run.text).join(''),
  }));
}

/** A text that is no XML, as one group. */
export function plainTexts(source: string, text: string): TextGroup[] {
  return [{ text, runs: [{ text, start: 0, end: source.length, form: 'raw', spaceAt: -1, as: 'text' }] }];
}

/** Comments, instructions and declarations; programs do not show them, but they are sent. */
function openOther(xml: string, start: number, end: number, asides: Run[][]): void {
  const text = xml.slice(start + 2, end - 1);
  if (text.startsWith('xml ') || text.length < 4) return;
  openAside(asides, { text, start: start + 2, end: end - 1, form: 'raw', spaceAt: -1, as: 'text' });
}

/** An empty text in front keeps the one before from being taken for a label. */
function openAside(asides: Run[][], run: Run): void {
  asides.push([], [run]);
}

function openNumber(xml: string, start: number, asides: Run[][]): void {
  numberCell.lastIndex = start;
  const match = numberCell.exec(xml);
  if (match === null || /\bt="(?!n")/.test(match[2] ?? '')) return;
  const end = start + match[0].length;
  openAside(asides, { text: match[3] ?? '', start, end, form: 'number', spaceAt: -1, as: 'text' });
}

/** Opens the attributes of a tag. Returns what to do with the value of a cell when the text in it is changed. */
function openAttributes(element: string, inside: string, offset: number, asides: Run[][]): Edit[] {
  const cell: Edit[] = [];
  const values: Run[] = [];
  for (const match of inside.matchAll(attribute)) {
    const name = match[1] ?? '';
    const raw = match[2] ?? match[3] ?? '';
    const end = offset + match.index + match[0].length - 1;
    const start = end - raw.length;
    if (isCellValue(name)) cell.push({ start: offset + match.index, end: end + 1, raw: '' });
    if (name.endsWith(':value-type')) cell.push({ start, end, raw: 'string' });
    const as = attributeForm(element, name, raw);
    if (as === undefined) continue;
    const run: Run = { text: decodeXml(raw), start, end, form: 'attribute', spaceAt: -1, as };
    if (as === 'cell-value') values.push({ ...run, start: offset + match.index, end: end + 1 });
    else openAside(asides, run);
  }
  // A type alone, as that of a column, has no value that it could belong to.
  const edits = cell.some(({ raw }) => raw === '') ? cell : [];
  for (const value of values) {
    openAside(asides, { ...value, also: edits.filter(({ start }) => start !== value.start) });
  }
  return edits;
}

/** The part with new texts, by position of the groups; undefined keeps a text. */
export function withTexts(
  xml: string,
  groups: readonly TextGroup[],
  newTexts: readonly (string | undefined)[],
): string {
  const edits: Edit[] = [];
  for (const [i, group] of groups.entries()) {
    const text = newTexts[i];
    if (text === undefined || text === group.text) continue;
    for (const [run, newText] of changedRuns(group, text)) {
      if (run.spaceAt >= 0 && newText !== newText.trim() && !hasSpace(xml, run.spaceAt)) {
        edits.push({ start: run.spaceAt, end: run.spaceAt, raw: ' xml:space="preserve"' });
      }
      edits.push({ start: run.start, end: run.end, raw: rawText(xml, run, newText) }, ...(run.also ?? []));
    }
  }
  // Where a value is both changed and taken out, it is changed. The digits of a number cell are a text of their own as
  // well; the edit of the whole cell comes before theirs and holds them.
  edits.sort((a, b) => a.start - b.start || a.end - b.end || b.raw.length - a.raw.length);
  let result = '';
  let from = 0;
  for (const edit of edits) {
    if (edit.start < from) continue;
    result += xml.slice(from, edit.start) + edit.raw;
    from = edit.end;
  }
  return result + xml.slice(from);
}

/** A new text as it stands in the part. */
function rawText(xml: string, run: Run, newText: string): string {
  if (run.as === 'number') return '0';
  const changed = withReferences(run.as, newText);
  if (run.form === 'raw') return changed;
  if (run.form === 'cdata') return changed.replaceAll(']]>', ']]]]><![CDATA[>');
  const encoded = encodeXml(changed);
  if (run.form === 'attribute') {
    const quoted = encoded.replaceAll('"', '&quot;').replaceAll("'", '&apos;');
    return run.as === 'cell-value' ? `office:string-value="${quoted}"` : quoted;
  }
  if (run.form !== 'number') return encoded;
  const [, p = '', attributesRaw = ''] = /^<((?:[\w.-]+:)?)c\b([^>]*?)>/.exec(xml.slice(run.start, run.end)) ?? [];
  const kept = attributesRaw.replace(/(?<!\s)\s+t="[^"]*"/, '');
  return `<${p}c${kept} t="inlineStr"><${p}is><${p}t>${encoded}</${p}t></${p}is></${p}c>`;
}

/**
 * Tokens as they may stand in names of sheets, which hold no brackets, and in other names, which hold only letters,
 * digits and underscores. In a formula what stands in quotes is a text or a sheet, what stands before a `!` is a sheet.
 */
function withReferences(as: Run['as'], text: string): string {
  if (as !== 'sheet' && as !== 'name' && as !== 'formula') return text;
  let result = '';
  let from = 0;
  for (const { start, end } of findTokens(text)) {
    const token = text.slice(start, end);
    const sheet = token.replaceAll('[', '(').replaceAll(']', ')');
    result += text.slice(from, start);
    const isQuoted = /["']/.test(result.replaceAll(/"[^"]*"|'[^']*'/g, ''));
    if (as === 'sheet' || isQuoted) result += sheet;
    else if (as === 'formula' && text[end] === '!') result += `'${sheet}'`;
    else result += token.replaceAll(/\W/g, '_');
    from = end;
  }
  return result + text.slice(from);
}

function hasSpace(xml: string, tagEnd: number): boolean {
  return /\bxml:space\s*=/.test(xml.slice(xml.lastIndexOf('<', tagEnd), tagEnd));
}

/** The new texts of the runs of a group; together they are the new text of the group (without its separators). */
function changedRuns(group: TextGroup, newText: string): [Run, string][] {
  const only = group.runs[0];
  if (group.runs.length === 1 && only) return [[only, newText]];
  const replacements = replacedSpans(group.text, newText);
  const changed: [Run, string][] = [];
  let runStart = 0;
  let first = 0;
  const placed = new Set<number>();
  for (const run of group.runs) {
    const runEnd = runStart + run.text.length;
    let text = '';
    let at = runStart;
    let isChanged = false;
    while ((replacements[first]?.end ?? Number.POSITIVE_INFINITY) <= runStart) first++;
    for (let i = first; i < replacements.length; i++) {
      const span = replacements[i] as Span;
      if (span.start >= runEnd) break;
      if (run.form === 'separator') continue;
      text += group.text.slice(at, Math.max(at, span.start));
      if (!placed.has(i)) text += span.text;
      placed.add(i);
      at = Math.max(at, Math.min(runEnd, span.end));
      isChanged = true;
    }
    if (isChanged) changed.push([run, text + group.text.slice(at, runEnd)]);
    runStart = runEnd;
  }
  return changed;
}

type Span = { readonly start: number; readonly end: number; readonly text: string };

/** Which spans of the old text were replaced: what stands between the tokens of the new text is found in the old one. */
function replacedSpans(oldText: string, newText: string): Span[] {
  let prefix = 0;
  while (prefix < oldText.length && prefix < newText.length && oldText[prefix] === newText[prefix]) prefix++;
  let suffix = 0;
  const suffixMax = Math.min(oldText.length, newText.length) - prefix;
  while (suffix < suffixMax && oldText.at(-1 - suffix) === newText.at(-1 - suffix)) suffix++;
  const whole: Span = {
    start: prefix,
    end: oldText.length - suffix,
    text: newText.slice(prefix, newText.length - suffix),
  };
  const spans: Span[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const token of findTokens(newText)) {
    const between = newText.slice(newAt, token.start);
    const found = newAt === 0 ? (oldText.startsWith(between) ? 0 : -1) : oldText.indexOf(between, oldAt);
    if (found < 0) return [whole];
    const last = spans.at(-1);
    if (last) spans[spans.length - 1] = { ...last, end: found };
    oldAt = found + between.length;
    newAt = token.end;
    spans.push({ start: oldAt, end: oldAt, text: newText.slice(token.start, token.end) });
  }
  const tail = newText.slice(newAt);
  const last = spans.at(-1);
  if (!last || !oldText.endsWith(tail) || oldText.length - tail.length < last.start) return [whole];
  spans[spans.length - 1] = { ...last, end: oldText.length - tail.length };
  return spans.filter((span) => oldText.slice(span.start, span.end) !== span.text);
}

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

/** Characters and character references as text; an unknown entity stays as it is. */
export function decodeXml(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities.get(name) ?? whole;
      const code = Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function encodeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
