/**
 * Masks a document for retrieval: values become `[SRAG:cat=PII,name=EMAIL,id=…]` tokens, so that neither the embedding
 * service nor the vector store learns a value, and equal values stay equal.
 */
import { tooManyDetections } from '../detect/detector.ts';
import { PrivetError } from '../errors.ts';
import { outsideTokens, vaultEntries } from '../mask.ts';
import type { Detection } from '../recognizer.ts';
import { type RestoreOptions, type RestoreResult, restoreText } from '../restore.ts';
import { isTokenType, tokenTypes } from '../tokens/token-types.ts';
import { splitSessionKey, type TokenMap, type TokenVault } from '../vault.ts';
import { type ChunkOptions, checkChunkOptions, chunkSpans, type Span } from './chunk.ts';

/** Searches pieces of a text in order: a `Detector`, or its proxy in another thread. */
export type PieceDetector = { detect(text: string): Detection[] | Promise<Detection[]> };

export type RagIngestOptions = ChunkOptions & {
  /** Names are ignored unless `extraTypes` includes them; a detector without NAME is faster. */
  readonly detector: PieceDetector;
  readonly vault: TokenVault;
  /** Maximum number of detections; more are `body_too_large`. Default no limit. */
  readonly detectionsMax?: number;
  /** A plain id, or the key of a tenant's session; the result has only the id. */
  readonly sessionId: string;
  /** `['name']` also masks names with a space between given and family name; other types are always masked. */
  readonly extraTypes?: readonly string[];
  /** Splits into chunks; default: synchronous `chunkSpans`. */
  readonly spansOf?: (text: string, options: ChunkOptions, whole: readonly Span[]) => Span[] | Promise<Span[]>;
  readonly signal?: AbortSignal;
  /** Called after each piece of at most about 128 KiB with the code units done so far. */
  readonly onProgress?: (doneChars: number, totalChars: number) => void;
};

/**
 * A masked chunk. `start` and `end` are UTF-16 offsets of the original text; `tokens` are distinct. Within a session,
 * the same text gets the same `id`, and no other text gets it.
 */
export type RagChunk = {
  readonly id: string;
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly tokens: string[];
};

/** The result of {@link ragIngest}. `count` is the number of distinct values of a type. */
export type RagIngestResult = {
  readonly sessionId: string;
  readonly chunks: RagChunk[];
  readonly tokenSummary: { type: string; category: string; count: number }[];
  readonly tokenMap: Record<string, string>;
};

/** Code units searched before yielding to other tasks. */
const pieceLength = 131_072;
/** Text before a piece that is searched with it: labels, and the previous line. */
const sightBefore = 512;
/** Lookahead of a piece: the end of a value that starts in it, such as a private key. */
const sightBehind = 8_192;

/**
 * Detects, tokenises and splits a text.
 * @throws PrivetError `invalid_input` for an invalid option; the reason of `signal`; any error of the vault. Tokens
 * reserved before that stay in the session.
 */
export async function ragIngest(text: string, options: RagIngestOptions): Promise<RagIngestResult> {
  const { vault, sessionId, detectionsMax = Number.POSITIVE_INFINITY } = options;
  checkChunkOptions(options);
  const leftOut = typesLeftOut(options.extraTypes ?? []);
  const detections: Detection[] = [];
  const tokens: string[] = [];
  const summary = new Map<string, { type: string; category: string; count: number }>();
  const tokenMap = new Map<string, string>();
  for (let from = 0; from < text.length; ) {
    options.signal?.throwIfAborted();
    const to = Math.max(Math.min(from + pieceLength, text.length), detections.at(-1)?.end ?? 0);
    const found = await detectPiece(text, {
      from,
      to,
      detector: options.detector,
      leftOut,
      after: detections.at(-1)?.end ?? 0,
    });
    if (detections.length + found.length > detectionsMax) throw tooManyDetections(detectionsMax);
    if (found.length > 0) {
      const entries = vaultEntries(text, found).map((entry) => ({ ...entry, category: categoryOf(entry.type) }));
      const reserved = await vault.reserve(sessionId, entries, { format: 'srag' });
      for (const [i, token] of reserved.entries()) {
        const { type, value } = found[i] as Detection;
        detections.push(found[i] as Detection);
        tokens.push(token);
        if (tokenMap.has(token)) continue;
        tokenMap.set(token, value);
        const row = summary.get(type);
        if (row === undefined) summary.set(type, { type, category: categoryOf(type), count: 1 });
        else row.count++;
      }
    }
    from = to;
    options.onProgress?.(from, text.length);
    if (from < text.length) await yieldToEvents();
  }
  const { id } = splitSessionKey(sessionId);
  const { chunkSize, overlap, spansOf = chunkSpans } = options;
  const sizes = { ...(chunkSize === undefined ? {} : { chunkSize }), ...(overlap === undefined ? {} : { overlap }) };
  const spans = await spansOf(text, sizes, detections);
  return {
    sessionId: id,
    chunks: await chunksOf(text, { sessionId: id, spans, detections, tokens }),
    tokenSummary: [...summary.values()],
    tokenMap: Object.fromEntries(tokenMap),
  };
}

/** The `cat` of a token: BUSINESS for companies, CUSTOM for dictionary labels, otherwise PII. */
function categoryOf(type: string): string {
  if (type === 'COMPANY_NAME_JP') return 'BUSINESS';
  return isTokenType(type) ? 'PII' : 'CUSTOM';
}

/** Names are not masked in documents unless requested, because people search for them. */
function typesLeftOut(extraTypes: readonly string[]): ReadonlySet<string> {
  const leftOut = new Set(['NAME']);
  for (const [i, extra] of extraTypes.entries()) {
    const type = extra.toUpperCase();
    if (!isTokenType(type)) {
      throw new PrivetError('invalid_input', `extraTypes[${i}] is not a known type.`, {
        hint: `Use name; the other types are masked anyway: ${tokenTypes.filter((t) => t !== 'NAME').join(', ')}.`,
        details: { field: `extraTypes[${i}]` },
      });
    }
    leftOut.delete(type);
  }
  return leftOut;
}

type Piece = {
  readonly from: number;
  readonly to: number;
  /** End of the previous piece's last detection. */
  readonly after: number;
  readonly detector: PieceDetector;
  readonly leftOut: ReadonlySet<string>;
};

/** True for a name without a space, which is not masked in documents: people search for single words. */
function isNameInOneWord({ type, value }: Detection): boolean {
  return type === 'NAME' && !/\S\s+\S/.test(value);
}

/** The detections that start in a piece, with offsets of the complete text. */
async function detectPiece(text: string, { from, to, after, detector, leftOut }: Piece): Promise<Detection[]> {
  const seenFrom = Math.max(0, from - sightBefore);
  const seen = text.slice(seenFrom, to + sightBehind);
  const found: Detection[] = [];
  for (const detection of outsideTokens(seen, await detector.detect(seen))) {
    const start = detection.start + seenFrom;
    if (start < from || start < after || start >= to) continue;
    // The caller's own dictionary words count whatever their label.
    const isOwn = detection.recognizer === 'dictionary';
    if (!isOwn && (leftOut.has(detection.type) || isNameInOneWord(detection))) continue;
    found.push({ ...detection, start, end: detection.end + seenFrom });
  }
  return found;
}

type Masked = {
  readonly sessionId: string;
  readonly spans: readonly Span[];
  readonly detections: readonly Detection[];
  readonly tokens: readonly string[];
};

/** Chunks assembled per step. */
const chunksAtOnce = 500;

async function chunksOf(text: string, { sessionId, spans, detections, tokens }: Masked): Promise<RagChunk[]> {
  let first = 0;
  const document = new Digest();
  const chunks: Omit<RagChunk, 'id'>[] = [];
  for (const { start, end } of spans) {
    if (chunks.length % chunksAtOnce === chunksAtOnce - 1) await yieldToEvents();
    // An overlap may go back before the detections used by the previous chunk.
    while (first > 0 && (detections[first - 1] as Detection).start >= start) first--;
    while (first < detections.length && (detections[first] as Detection).start < start) first++;
    let masked = '';
    let done = start;
    const used = new Set<string>();
    for (; first < detections.length && (detections[first] as Detection).end <= end; first++) {
      const detection = detections[first] as Detection;
      masked += text.slice(done, detection.start) + tokens[first];
      used.add(tokens[first] as string);
      done = detection.end;
    }
    masked += text.slice(done, end);
    document.add(masked);
    chunks.push({ index: chunks.length, text: masked, start, end, tokens: [...used] });
  }
  return chunks.map((chunk) => ({ id: `${sessionId}-${document.text}-${chunk.index}`, ...chunk }));
}

/** A 64-bit hash (two FNV-1a) of masked text only: short values could be guessed from a hash of originals. */
class Digest {
  #first = 0x811c9dc5;
  #second = 0x6b43a9b5;

  add(text: string): void {
    let first = this.#first;
    let second = this.#second;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x85ebca6b);
    }
    this.#first = Math.imul(first ^ 0x10000, 0x01000193);
    this.#second = Math.imul(second ^ 0x10000, 0x85ebca6b);
  }

  get text(): string {
    return [this.#first, this.#second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** Yields to timers and sockets; awaiting a promise would not. */
function yieldToEvents(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Replaces every known token, in any spelling that a model may use, except inside link addresses. */
export function ragResolve(
  text: string,
  map: TokenMap,
  options: Pick<RestoreOptions, 'lengthMax'> = {},
): RestoreResult {
  return restoreText(text, map, options);
}
