/** Measures how much of a page is covered by images. A scanned page may also have text, such as a fax header. */
import { type PDFDict, type PDFObject, PDFRawStream, PDFRef } from '@cantoo/pdf-lib';
import { decoded } from './streams.ts';
import { entryOf, inherited, isNamed, listOf, literalEnd, numbersOf, rawEntryOf } from './values.ts';

/** Left, bottom, right and top. */
type Box = readonly [number, number, number, number];
type Matrix = readonly [number, number, number, number, number, number];

const identity: Matrix = [1, 0, 0, 1, 0, 0];
const square: Box = [0, 0, 1, 1];
/** US Letter, the default of readers for a page without a size. */
const letter: Box = [0, 0, 612, 792];
/** Maximum number of boxes; others are ignored. */
const boxesMax = 10_000;
/** About half of the page. */
const coveredMin = 0.45;
const formsDeepMax = 10;
const contentsMax = 100;

/** Reads the pages of one document. */
export class PagePictures {
  /** The boxes painted by a form, by its reference; pages may share forms. */
  readonly #forms = new Map<PDFRef, readonly Box[]>();
  /** The objects painted by page contents, by their references: pages may share contents but not images. */
  readonly #contents = new Map<string, readonly Painted[]>();

  /** True if images cover about half of the page or more. */
  isCovered(page: PDFDict): boolean {
    const media = numbersOf(page, inherited(page, 'MediaBox'));
    const [x0, y0, x1, y1] = moved(isBox(media) ? media : letter, identity);
    let covered = 0;
    const resources = inherited(page, 'Resources');
    for (const [left, bottom, right, top] of this.#boxesOf(this.#pageContents(page), resources, 0)) {
      covered +=
        Math.max(0, Math.min(right, x1) - Math.max(left, x0)) * Math.max(0, Math.min(top, y1) - Math.max(bottom, y0));
    }
    return covered >= coveredMin * (x1 - x0) * (y1 - y0) && covered > 0;
  }

  #pageContents(page: PDFDict): readonly Painted[] {
    const raw = rawEntryOf(page, 'Contents');
    const key = String(raw);
    const known = this.#contents.get(key);
    if (known !== undefined) return known;
    // The parts of contents are read as one (ISO 32000-1 §7.8.2).
    const content = listOf(page, page.context.lookup(raw)).map(textOf).join('\n');
    const items = paintedBy(content);
    if (this.#contents.size === contentsMax) this.#contents.clear();
    this.#contents.set(key, items);
    return items;
  }

  #boxesOf(items: readonly Painted[], resources: PDFObject | undefined, depth: number): Box[] {
    const boxes: Box[] = [];
    for (const { name, matrix } of items) {
      if (boxes.length >= boxesMax) break;
      if (name === undefined) boxes.push(moved(square, matrix));
      else boxes.push(...this.#objectBoxes(resources, name, depth).map((box) => moved(box, matrix)));
    }
    return boxes;
  }

  #objectBoxes(resources: PDFObject | undefined, name: string, depth: number): readonly Box[] {
    const objects = entryOf(resources, 'XObject');
    const raw = rawEntryOf(objects, name);
    const key = raw instanceof PDFRef ? raw : undefined;
    const known = key === undefined ? undefined : this.#forms.get(key);
    if (known !== undefined) return known;
    const object = entryOf(objects, name);
    let boxes: readonly Box[] = [];
    if (!(object instanceof PDFRawStream)) return boxes;
    if (isNamed(object.dict, 'Subtype', ['Image'])) boxes = [square];
    else if (isNamed(object.dict, 'Subtype', ['Form']) && depth < formsDeepMax) {
      // A form that paints itself adds nothing.
      if (key !== undefined) this.#forms.set(key, []);
      const matrix = numbersOf(object.dict, entryOf(object.dict, 'Matrix'));
      const own = entryOf(object.dict, 'Resources') ?? resources;
      const inside = this.#boxesOf(paintedBy(textOf(object)), own, depth + 1);
      boxes = inside.map((box) => moved(box, isMatrix(matrix) ? matrix : identity));
    }
    if (key !== undefined) this.#forms.set(key, boxes);
    return boxes;
  }
}

const spaces = /[\0\t\n\f\r ]+/y;
const token = /\/?[^\0\t\n\f\r ()<>[\]{}/%]*/y;
const lineEnd = /[\r\n]/g;
const imageEnd = /[\0\t\n\f\r ]EI(?![^\0\t\n\f\r ])/g;

/** A painted object (by name) or inline image, and its transformation. */
type Painted = { readonly name?: string; readonly matrix: Matrix };

function paintedBy(content: string): Painted[] {
  if (!content.includes('Do') && !content.includes('BI')) return [];
  const items: Painted[] = [];
  for (const item of painted(content)) if (items.push(item) === boxesMax) break;
  return items;
}

function* painted(content: string): Generator<Painted, void> {
  const saved: Matrix[] = [];
  let matrix = identity;
  let operands: string[] = [];
  for (let i = 0; i < content.length; ) {
    spaces.lastIndex = i;
    if (spaces.test(content)) i = spaces.lastIndex;
    const sign = content[i];
    if (sign === '(') {
      const end = literalEnd(content, i + 1, true);
      if (end === undefined) return;
      i = end + 1;
      continue;
    }
    if (sign === '%') {
      lineEnd.lastIndex = i;
      if (!lineEnd.test(content)) return;
      i = lineEnd.lastIndex;
      continue;
    }
    token.lastIndex = i;
    const word = token.exec(content)?.[0] ?? '';
    i += Math.max(1, word.length);
    if (word === '' || word[0] === '/' || (word >= '+' && word < ':')) {
      operands.push(word);
      continue;
    }
    if (word === 'q' && saved.length < boxesMax) saved.push(matrix);
    else if (word === 'Q') matrix = saved.pop() ?? matrix;
    else if (word === 'cm') {
      const change = operands.slice(-6).map(Number);
      if (isMatrix(change)) matrix = product(change, matrix);
    } else if (word === 'Do') yield { name: operands.at(-1)?.slice(1) ?? '', matrix };
    else if (word === 'ID') {
      yield { matrix };
      imageEnd.lastIndex = i;
      if (!imageEnd.test(content)) return;
      i = imageEnd.lastIndex;
    }
    operands = [];
  }
}

function textOf(stream: unknown): string {
  return (stream instanceof PDFRawStream && decoded(stream)?.toString('latin1')) || '';
}

const isNumbers = (value: unknown, count: number) =>
  Array.isArray(value) && value.length === count && value.every((one) => Number.isFinite(one));
const isBox = (value: unknown): value is Box => isNumbers(value, 4);
const isMatrix = (value: unknown): value is Matrix => isNumbers(value, 6);

/** The matrix that applies `a` and then `b`. */
function product(a: Matrix, b: Matrix): Matrix {
  const [x0, y0] = point(a[0], a[1], b);
  const [x1, y1] = point(a[2], a[3], b);
  const [x2, y2] = point(a[4], a[5], b);
  return [x0 - b[4], y0 - b[5], x1 - b[4], y1 - b[5], x2, y2];
}

function point(x: number, y: number, [a, b, c, d, e, f]: Matrix): readonly [number, number] {
  return [x * a + y * c + e, x * b + y * d + f];
}

/** The bounding box of a transformed box, which may be rotated. */
function moved([x0, y0, x1, y1]: Box, matrix: Matrix): Box {
  const corners = [point(x0, y0, matrix), point(x1, y0, matrix), point(x0, y1, matrix), point(x1, y1, matrix)];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
