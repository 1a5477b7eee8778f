/** The texts of an XML part, by paragraph, because words are often split into several runs ("Hana Mor" + "ita"). */
import { changeOf, isChange, lineReadings, paragraphReadings } from '../readings.ts';
import { unusualPrefixes, usualAttribute, usualName } from './namespaces.ts';
import { cellType, wholeDigits } from './number-cells.ts';
import { type Edit, type Run, separatorRun, type TextGroup } from './text-runs.ts';
import { attributeForm, isCellValue, isFormula } from './xml-attributes.ts';
import { decodeEscapes, decodeXml, withLineFeeds } from './xml-characters.ts';
import { type Markup, markupOf } from './xml-markup.ts';
import {
  baselineOf,
  hasEscapedAttributes,
  htmlRole,
  isBlock,
  isChartValue,
  isEscapedElement,
  isInline,
  isInstruction,
  isMark,
  isNumberProperty,
  isPosition,
  isRun,
  keepsSpace,
  separatorOf,
} from './xml-vocabulary.ts';

export type { Run, TextGroup } from './text-runs.ts';
export { withTexts } from './xml-rewriting.ts';

/** The current paragraph, and the field whose instruction is being read. */
type Block = { readonly runs: Run[]; instruction: Run[] | undefined; baseline: string };

/** A cell with a numeric value: a number, or the index of a shared text. */
type Cell = {
  readonly start: number;
  readonly isNumber: boolean;
  value: string;
  /** Edits for a shared formula (ECMA-376-1 §18.3.1.40): those of the cells that use it. */
  formulas: Edit[];
};

/** An open element. */
type Level = {
  readonly name: string;
  /** The element's own block, or its parent's. */
  readonly block: Block | undefined;
  readonly cell: Cell | undefined;
  /** For another cell's formula: where it is stored. */
  readonly formula: { readonly start: number; readonly among: Edit[] } | undefined;
  /** Edits of the cell's value if the text changes. */
  readonly also: readonly Edit[];
  readonly change: Run['change'];
  readonly changeAt: number | undefined;
};

const attribute = /(?<![^\s="'])([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** A cell value that is not text: a number, an index, or an error such as `#N/A`. */
const numeric = /^(?:[-+.\deE]*|#[A-Z\d/?!]+)$/;

/**
 * The texts of a part, in order. Linear time.
 * @param isHtml true if its name is that of a page; by default its first element decides
 */
export function xmlTexts(xml: string, isHtml = false): TextGroup[] {
  const reader = new TextReader(xml, isHtml || hasHtmlRoot(xml));
  let from = 0;
  let tagEnd = -1;
  for (const markup of markupOf(xml)) {
    reader.text(from, markup.start, 'text', tagEnd);
    from = markup.end;
    tagEnd = -1;
    if (markup.kind === 'cdata') reader.text(markup.start + 9, markup.end - 3, 'cdata', -1);
    else if (markup.kind === 'other') reader.other(markup.start, markup.end);
    else if (markup.closes) reader.close(markup);
    else {
      reader.open(markup);
      if (!markup.inside.endsWith('/')) tagEnd = markup.end;
    }
  }
  reader.text(from, xml.length, 'text', tagEnd);
  return reader.groups();
}

/** A text that is not XML, as one group. */
export function plainTexts(source: string, text: string): TextGroup[] {
  return [{ text, runs: [{ text, start: 0, end: source.length, form: 'raw', spaceAt: -1, as: 'text' }] }];
}

function hasHtmlRoot(xml: string): boolean {
  for (const { kind, name } of markupOf(xml)) {
    if (kind === 'tag') return /^(?:[^:]*:)?html$/i.test(name);
  }
  return false;
}

/** Reads the markup of a part from start to end. */
class TextReader {
  readonly #xml: string;
  readonly #isHtml: boolean;
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #stack: Level[] = [];
  readonly #groups: Run[][] = [];
  // Attributes, comments and numbers come last, so that a text stays adjacent to its possible label.
  readonly #asides: Run[][] = [];
  /** For an HTML page: the current line, and a phonetic reading of kanji. */
  #line: Run[] | undefined;
  #reading: Run[] | undefined;
  /** Shared formulas by number: the edits of their users. */
  readonly #formulas = new Map<string, Edit[]>();
  /** Vertical alignment of the run (super- or subscript); empty for none. */
  #baseline = '';

  constructor(xml: string, isHtml: boolean) {
    this.#xml = xml;
    this.#isHtml = isHtml;
    this.#prefixes = unusualPrefixes(xml);
  }

  /** Reads text between two tags, or in CDATA; `tagEnd` is the end of the preceding opening tag. */
  text(start: number, end: number, form: 'text' | 'cdata', tagEnd: number): void {
    if (start === end) return;
    const level = this.#stack.at(-1);
    const name = level?.name ?? '';
    const raw = this.#xml.slice(start, end);
    const cell = name === 'v' ? this.#stack.at(-2)?.cell : undefined;
    if (cell && numeric.test(raw.trim())) {
      cell.value += raw;
      return;
    }
    if (isPosition(name, raw)) return;
    if (isHeaderOrFooter(name)) {
      this.#groups.push(headerRuns(raw, start, form));
      return;
    }
    const as = isFormula(name) ? 'formula' : isEscapedElement(name) ? 'escaped' : 'text';
    const source = as === 'escaped' ? withLineFeeds(raw) : raw;
    const plain = form === 'cdata' ? source : decodeXml(source);
    const written = as === 'escaped' ? decodeEscapes(plain) : plain;
    const text = isChartValue(name) ? (wholeDigits(written) ?? written) : written;
    if (text.trim() === '' && !this.#isHtml && !keepsSpace(name)) return;
    const needsSpace = tagEnd === start && (name === 'w:t' || name === 't' || name === 'w:delText');
    const { change, changeAt } = level ?? {};
    const also = isNumberProperty(name) && tagEnd === start ? this.#retyped(start, end) : level?.also;
    const run: Run = { text, start, end, form, spaceAt: needsSpace ? tagEnd - 1 : -1, as, also: also ?? [] };
    if (change === undefined) this.#add(run);
    else this.#add(changeAt === undefined ? { ...run, change } : { ...run, change, changeAt });
  }

  /** Changes a property's type to text if its value is no longer a number. */
  #retyped(start: number, end: number): Edit[] {
    const at = this.#xml.lastIndexOf('<', start) + 1;
    const [name = ''] = /^[^\s>]*/.exec(this.#xml.slice(at, start)) ?? [];
    if (!this.#xml.startsWith(`</${name}`, end)) return [];
    const raw = `${name.slice(0, name.indexOf(':') + 1)}lpwstr`;
    return [at, end + 2].map((from) => ({ start: from, end: from + name.length, raw }));
  }

  /** Adds a text to its group. */
  #add(run: Run): void {
    if (this.#isHtml) {
      this.#line ??= this.#newGroup();
      (this.#reading ?? this.#line).push(run);
      return;
    }
    const { name = '', block } = this.#stack.at(-1) ?? {};
    if (!block) {
      this.#groups.push([run]);
    } else if (isInstruction(name)) {
      if (block.instruction) block.instruction.push(run);
      else {
        block.instruction = [run];
        this.#asides.push([], block.instruction);
      }
    } else if (isInline(name)) {
      block.instruction = undefined;
      // A footnote mark follows a value.
      if (block.baseline !== this.#baseline) block.runs.push(separatorRun('', run.start, run.change));
      block.baseline = this.#baseline;
      block.runs.push(run);
    } else {
      this.#aside(run);
    }
  }

  /** Reads comments, instructions and declarations, which are sent although programs do not display them. */
  other(start: number, end: number): void {
    const text = this.#xml.slice(start + 2, end - 1);
    if (text.startsWith('xml ') || text.length < 4) return;
    this.#aside({ text, start: start + 2, end: end - 1, form: 'raw', spaceAt: -1, as: 'text' });
  }

  open({ start, end, name: written, inside }: Markup): void {
    const name = usualName(written, this.#prefixes);
    const edits = inside.includes('=') ? this.#attributes(name, inside, start + 1 + written.length) : [];
    if (this.#isHtml) {
      this.#turn(name, start, end, inside.endsWith('/'));
      return;
    }
    if (isRun(name)) this.#baseline = '';
    else this.#baseline = baselineOf(name, inside) ?? this.#baseline;
    const parent = this.#stack.at(-1);
    if (isMark(name)) parent?.block?.runs.push(separatorRun('', end, parent.change));
    const separator = separatorOf(name);
    if (separator !== undefined) {
      const from = inside.endsWith('/') ? start : end;
      parent?.block?.runs.push(separatorRun(separator, end, parent.change, from));
    }
    if ((separator !== undefined || name === 'w:fldChar') && parent?.block) parent.block.instruction = undefined;
    const formula = name === 'f' ? this.#sharedFormula(inside, parent?.cell) : undefined;
    if (inside.endsWith('/')) {
      formula?.push({ start, end, raw: '' });
      return;
    }
    const own: Block | undefined = isBlock(name) ? { runs: [], instruction: undefined, baseline: '' } : undefined;
    if (own) this.#groups.push(own.runs);
    const change = changeOf(name, parent?.change);
    const type = name === 'c' ? cellType(inside) : 'str';
    this.#stack.push({
      name,
      // An element without its own block belongs to its parent's.
      block: own ?? parent?.block,
      cell: type === 'str' ? undefined : { start, isNumber: type === 'n', value: '', formulas: [] },
      formula: formula && { start, among: formula },
      // A note on a cell does not repeat its value.
      also: edits.length > 0 || name === 'office:annotation' ? edits : (parent?.also ?? []),
      change,
      changeAt: own ? undefined : (parent?.changeAt ?? (isChange(name) && written.includes(':') ? start : undefined)),
    });
  }

  close({ end, name: written }: Markup): void {
    const name = usualName(written, this.#prefixes);
    if (this.#isHtml) {
      this.#turn(name, end, end, true);
      return;
    }
    const level = this.#stack.at(-1);
    // Mismatched closing tags do not stop reading, so every text is found.
    if (level?.name !== name) return;
    this.#stack.pop();
    if (isMark(name)) level.block?.runs.push(separatorRun('', end, level.change));
    if (level.formula) level.formula.among.push({ start: level.formula.start, end, raw: '' });
    const digits = level.cell?.isNumber ? wholeDigits(level.cell.value) : undefined;
    if (level.cell === undefined || digits === undefined) return;
    const { start, formulas: also } = level.cell;
    this.#aside({ text: digits, start, end, form: 'number', spaceAt: -1, as: 'text', also });
  }

  /** Where a cell's formula is stored, if it belongs to another cell and may become text. */
  #sharedFormula(inside: string, cell: Cell | undefined): Edit[] | undefined {
    if (!inside.includes('shared')) return undefined;
    const of: Record<string, string> = Object.fromEntries(
      Array.from(inside.matchAll(attribute), ([, name, a, b]) => [name, a ?? b ?? '']),
    );
    if (of.t !== 'shared' || of.si === undefined) return undefined;
    if (of.ref === undefined) return this.#formulas.get(of.si);
    if (cell) this.#formulas.set(of.si, cell.formulas);
    return undefined;
  }

  /** Reads a tag of an HTML page, which may never be closed: every block starts and ends a line. */
  #turn(name: string, start: number, end: number, closes: boolean): void {
    const role = htmlRole(name);
    if (role === 'inline') return;
    if (role === 'break') {
      (this.#reading ?? this.#line)?.push(separatorRun('\n', end, undefined, closes ? start : end));
      return;
    }
    this.#reading = undefined;
    if (role === 'block') this.#line = undefined;
    if (role === 'reading' && !closes) this.#reading = this.#newGroup();
  }

  #newGroup(): Run[] {
    const runs: Run[] = [];
    this.#groups.push(runs);
    return runs;
  }

  /** Adds a text after an empty one, so that the previous text is not read as its label. */
  #aside(run: Run): void {
    this.#asides.push([], [run]);
  }

  /** Reads the attributes of a tag; returns the edits of the cell's value if its text changes. */
  #attributes(element: string, inside: string, offset: number): Edit[] {
    const cell: Edit[] = [];
    const values: Run[] = [];
    for (const match of inside.matchAll(attribute)) {
      const name = usualAttribute(match[1] ?? '', this.#prefixes);
      const raw = match[2] ?? match[3] ?? '';
      const end = offset + match.index + match[0].length - 1;
      const start = end - raw.length;
      if (isCellValue(name)) cell.push({ start: offset + match.index, end: end + 1, raw: '' });
      if (name.endsWith(':value-type')) cell.push({ start, end, raw: 'string' });
      const form = attributeForm(element, name, raw);
      if (form === undefined) continue;
      const as = form === 'text' && hasEscapedAttributes(element) ? 'escaped' : form;
      const written = as === 'escaped' ? decodeEscapes(decodeXml(withLineFeeds(raw))) : decodeXml(raw);
      const text = as === 'number' || as === 'cell-value' ? (wholeDigits(written) ?? written) : written;
      const run: Run = { text, start, end, form: 'attribute', spaceAt: -1, as };
      if (as === 'cell-value') values.push({ ...run, start: offset + match.index, end: end + 1 });
      else this.#aside(run);
    }
    // A type without a value, such as that of a column.
    const edits = cell.some(({ raw }) => raw === '') ? cell : [];
    for (const value of values) {
      this.#aside({ ...value, also: edits.filter(({ start }) => start !== value.start) });
    }
    return edits;
  }

  /** All groups: current texts, asides, and other groups repeated in another form. */
  groups(): TextGroup[] {
    const now: TextGroup[] = [];
    const again: TextGroup[] = [];
    for (const runs of this.#groups) {
      const { current, others } = this.#isHtml ? lineReadings(runs) : paragraphReadings(runs);
      if (current.length > 0) now.push(groupOf(current));
      for (const { runs: other, reading } of others) again.push(groupOf([]), { ...groupOf(other), reading });
    }
    return [...now, ...this.#asides.map(groupOf), ...again];
  }
}

function groupOf(runs: readonly Run[]): TextGroup {
  return { runs, text: runs.length === 1 ? (runs[0]?.text ?? '') : runs.map((run) => run.text).join('') };
}

const quote = '(?:"|&quot;|&#34;|&#x22;)';
const code = (ampersand: string) =>
  new RegExp(
    `${ampersand}(?:(?<two>${ampersand})|${quote}[^"&]*${quote}|\\d{1,3}|K[\\da-f]{6}|K\\d\\d[-+]\\d{3}|P[-+]\\d+|(?<place>[LCR])|[A-Z])`,
    'gi',
  );
const codes = { text: code('&(?:amp|#38|#x26);'), cdata: code('&') };

/** True for a header or footer, of a sheet or chart. */
function isHeaderOrFooter(element: string): boolean {
  return /^(?:c:)?(?:odd|even|first)(?:Header|Footer)$/.test(element);
}

/** The runs of a header at this offset; the codes that separate them are preserved. */
function headerRuns(raw: string, start: number, form: 'text' | 'cdata'): Run[] {
  const runs: Run[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to === from) return;
    const piece = withLineFeeds(raw.slice(from, to));
    const text = decodeEscapes(form === 'cdata' ? piece : decodeXml(piece));
    runs.push({ text, start: start + from, end: start + to, form, spaceAt: -1, as: 'escaped' });
  };
  for (const match of raw.matchAll(codes[form])) {
    if (match.groups?.two !== undefined) continue;
    add(match.index);
    from = match.index + match[0].length;
    runs.push(separatorRun(match.groups?.place === undefined ? ' ' : '\n', start + from));
  }
  add(raw.length);
  return runs;
}
