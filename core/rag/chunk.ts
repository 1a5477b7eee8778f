/** Splits a text into chunks at natural pauses: a paragraph, a sentence, a line or a word. */
import { PrivetError } from '../errors.ts';

/** A span of a text in UTF-16 offsets, `end` exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** Options of {@link chunkSpans}, in UTF-16 code units ("characters" of the API). */
export type ChunkOptions = {
  /** Maximum length of a chunk; exceeded only by a span that must not be split. Default 1,000. */
  readonly chunkSize?: number;
  /** Maximum overlap with the previous chunk. Default 100, or a tenth of a smaller chunk size. */
  readonly overlap?: number;
};

/** Bounds of `chunkSize`. */
export const chunkSizeMin = 16;
export const chunkSizeMax = 100_000;
/** Minimum advance from chunk to chunk, as a share of its size: overlaps must not multiply a text. */
const stepShareMin = 0.1;

/**
 * The effective chunk size and overlap.
 * @throws PrivetError `invalid_input` for sizes out of range.
 */
export function checkChunkOptions(options: ChunkOptions): { chunkSize: number; overlap: number } {
  const { chunkSize = 1_000 } = options;
  const { overlap = Math.min(100, Math.floor(chunkSize / 10)) } = options;
  if (!Number.isInteger(chunkSize) || chunkSize < chunkSizeMin || chunkSize > chunkSizeMax) {
    throw new PrivetError('invalid_input', 'chunkSize is out of range.', {
      hint: `Use ${chunkSizeMin} to ${chunkSizeMax} characters.`,
      details: { field: 'chunkSize' },
    });
  }
  if (!Number.isInteger(overlap) || overlap < 0 || overlap > chunkSize * (1 - stepShareMin)) {
    throw new PrivetError('invalid_input', 'overlap is out of range.', {
      hint: 'Use 0 to nine tenths of chunkSize.',
      details: { field: 'overlap' },
    });
  }
  return { chunkSize, overlap };
}

/**
 * The chunks of a text, in order and without gaps; they overlap only by `overlap`.
 * @param whole sorted, disjoint spans that must not be split, because they will be masked
 */
export function chunkSpans(text: string, options: ChunkOptions = {}, whole: readonly Span[] = []): Span[] {
  const { chunkSize, overlap } = checkChunkOptions(options);
  const pauses = pausesOf(text);
  const isAllowed = placesOutside(text, whole);
  const chunks: Span[] = [];
  let start = 0;
  let first = 0;
  while (start < text.length) {
    const previousEnd = chunks.at(-1)?.end ?? 0;
    while (first < pauses.length && (pauses[first] as Pause).at <= start) first++;
    const end = endOf(text, { start, chunkSize, previousEnd, pauses, first, isAllowed });
    chunks.push({ start, end });
    if (end >= text.length) break;
    start = overlap === 0 ? end : overlapStart(text, { end, overlap, after: start, pauses, isAllowed });
  }
  return chunks;
}

const sentenceRank = 1;
const paragraphRank = 2;

/** An offset where a chunk may end: after the whitespace that follows a sentence or paragraph. */
type Pause = { readonly at: number; readonly rank: number };

/** Runs of full stops with their closing brackets and quotes; a run is read once, whatever its length. */
const stops =
  /(?<![.!?])[.!?]+["'”’)\]]*(?![.!?"'”’)\]])(?=\s)|(?<![。！？｡．])[。！？｡．]+[」』）”’)]*(?![とっ。！？｡．」』）”’)])|\n/g;

/**
 * Ends of sentences and paragraphs. A full stop counts before whitespace, except after an initial or a common
 * abbreviation; a Japanese one always counts, except before a quotation that continues the sentence.
 */
function pausesOf(text: string): Pause[] {
  const pauses: Pause[] = [];
  for (const match of text.matchAll(stops)) {
    const stop = match[0];
    const from = stop === '\n' ? match.index : match.index + stop.length;
    // These line breaks were read with the full stop before them.
    if (from < (pauses.at(-1)?.at ?? 0)) continue;
    if (stop === '.' && isAbbreviation(text, match.index)) continue;
    let at = from;
    let breaks = 0;
    for (; isSpace(text.charCodeAt(at)); at++) if (text[at] === '\n') breaks++;
    // A single line break in wrapped text ends a sentence only after a full stop, or before a list or heading.
    if (stop !== '\n' || breaks > 1 || /[-*#|>\d・●■（(]/.test(text[at] ?? '-')) {
      pauses.push({ at, rank: breaks > 1 ? paragraphRank : sentenceRank });
    }
  }
  return pauses;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0xa0 || unit === 0x3000;
}

function isAbbreviation(text: string, dot: number): boolean {
  const before = text.slice(Math.max(0, dot - 8), dot);
  return /(?:^|[\s(.])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|vs|etc|e\.g|i\.e|cf|Fig|approx|Inc|Ltd|Co|Jr|Sr)$/.test(
    before,
  );
}

type EndSearch = {
  readonly start: number;
  readonly chunkSize: number;
  readonly previousEnd: number;
  readonly pauses: readonly Pause[];
  /** The first pause after `start`. */
  readonly first: number;
  readonly isAllowed: (at: number) => number;
};

/** The end of a paragraph in the second half, else of the last sentence, else of a line, a word, or the size itself. */
function endOf(text: string, search: EndSearch): number {
  const { start, chunkSize, previousEnd, pauses, first, isAllowed } = search;
  const limit = start + chunkSize;
  if (limit >= text.length) return text.length;
  // With an overlap, a chunk must extend beyond the previous one.
  const lowest = Math.max(start, previousEnd);
  let sentence = 0;
  let paragraph = 0;
  for (let k = first; k < pauses.length && (pauses[k] as Pause).at <= limit; k++) {
    const { at, rank } = pauses[k] as Pause;
    if (at <= lowest || isAllowed(at) !== at) continue;
    sentence = at;
    if (rank === paragraphRank && at - start >= chunkSize / 2) paragraph = at;
  }
  if (paragraph > 0) return paragraph;
  if (sentence > 0) return sentence;
  const from = Math.max(lowest, start + (chunkSize >> 1));
  const half = text.slice(from, limit);
  for (const separator of ['\n', ' ']) {
    const at = from + half.lastIndexOf(separator) + 1;
    if (at > from && isAllowed(at) === at) return at;
  }
  const before = isAllowed(limit);
  if (before > lowest) return before;
  return Math.min(text.length, wholeEnd(limit, isAllowed));
}

/** The first allowed offset at or after `at`. */
function wholeEnd(at: number, isAllowed: (at: number) => number): number {
  let end = at;
  while (isAllowed(end) !== end) end++;
  return end;
}

type StartSearch = {
  readonly end: number;
  readonly overlap: number;
  readonly after: number;
  readonly pauses: readonly Pause[];
  readonly isAllowed: (at: number) => number;
};

/** Where the next chunk starts: at the first sentence or else word within the overlap, or without overlap. */
function overlapStart(text: string, { end, overlap, after, pauses, isAllowed }: StartSearch): number {
  const from = Math.max(end - overlap, after + 1);
  let low = 0;
  let high = pauses.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pauses[middle] as Pause).at < from) low = middle + 1;
    else high = middle;
  }
  for (let k = low; k < pauses.length && (pauses[k] as Pause).at < end; k++) {
    const { at } = pauses[k] as Pause;
    if (isAllowed(at) === at) return at;
  }
  const word = from - 1 + text.slice(from - 1, end).indexOf(' ') + 1;
  const at = word >= from && word < end ? word : from;
  return isAllowed(at) === at && at < end ? at : end;
}

/** Returns a function that maps increasing offsets to the nearest allowed one at or before each. */
function placesOutside(text: string, whole: readonly Span[]): (at: number) => number {
  let next = 0;
  return (at) => {
    while (next > 0 && (whole[next - 1] as Span).end > at) next--;
    while (next < whole.length && (whole[next] as Span).end <= at) next++;
    const span = whole[next];
    if (span !== undefined && span.start < at) return span.start;
    const unit = text.charCodeAt(at);
    const isInsidePair = unit >= 0xdc00 && unit <= 0xdfff && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    return isInsidePair ? at - 1 : at;
  };
}
