/**
 * Converts files to text, and rewrites the texts of office documents. Text files are decoded here; packages and PDFs
 * are opened in a worker thread, with limits on size, pages, unpacked bytes and time.
 */
import { sizeText } from '../../config/readable.ts';
import { PrivetError } from '../../core/errors.ts';
import { type JobClient, ThreadPool } from '../threads/thread-pool.ts';
import { legacyText, withJapaneseEscapes } from './encodings.ts';
import { plainJson } from './json-text.ts';
import { compoundFileKind, documentKind, fileText, isNamedText, promisedKind, startsAsPdf, textKind } from './kinds.ts';
import { type DocumentLimits, decodedBytesMax, defaultLimits } from './limits.ts';
import type { Section } from './office/sections.ts';
import type { Span } from './office/text-runs.ts';
import { damaged, encrypted, tooLarge } from './refusals.ts';
import type { Job, JobResult } from './worker.ts';

export type { Section, Span };

/** Metadata of a file, the client that sent it, and limits other than {@link defaultLimits}. */
export type DocumentOptions = JobClient & {
  readonly name?: string;
  readonly contentType?: string;
  readonly limits?: Partial<DocumentLimits>;
};

/** A file as text; `kind` is pdf, docx, xlsx, pptx, odf, epub, csv, md, json, html or txt. */
export type ConvertedDocument = { readonly kind: string; readonly sections: readonly Section[] };

/** Bytes above which a document is heavy. */
const lightBytesMax = 2 * 1024 * 1024;

// Starts no thread before the first document.
const pool = new ThreadPool<Job, JobResult>({
  script: new URL('./worker.ts', import.meta.url),
  timeMs: (job) => job.limits.timeMs,
  isHeavy: ({ bytes }) => bytes.length > lightBytesMax,
  // Growing unpacked data may exist three times. The remainder allows for uncollected garbage.
  bufferBytesMax: ({ bytes, limits }) => {
    const isPdf = documentKind(bytes) === 'pdf';
    return 256 * 2 ** 20 + 3 * (isPdf ? decodedBytesMax(bytes.length, limits) : limits.unpackedBytesMax);
  },
  sentences: {
    tooMany: 'Too many documents are being opened.',
    tooLong: 'The document takes too long to open.',
    tooLarge: 'The document takes too much memory to open.',
    failed: 'The document cannot be opened.',
    hint: 'Send a smaller or simpler document.',
  },
});

/**
 * The text of a file, by page, sheet or slide. Throws PrivetError: `body_too_large` beyond a limit,
 * `unsupported_media_type` for an unsupported kind, `invalid_input` for a damaged or encrypted file, `unavailable` if
 * too many files are waiting.
 */
export async function convertDocument(bytes: Uint8Array, options: DocumentOptions = {}): Promise<ConvertedDocument> {
  const limits = limitsOf(bytes, options);
  const promised = promisedKind(options);
  const found = documentKind(bytes, options);
  // A text file may mention the PDF header in its first lines.
  const isText = found === 'pdf' && isNamedText(options) && !startsAsPdf(bytes) && fileText(bytes) !== undefined;
  const kind = isText ? textKind(options) : found;
  if (kind === 'pdf' || kind === 'package') {
    const result = await pool.run({ task: 'sections', bytes, limits }, jobClient(options)).catch((error: unknown) => {
      // A package named like a document, but without the parts of one.
      const isNone = error instanceof PrivetError && error.code === 'unsupported_media_type';
      throw isNone && promised !== undefined ? broken(promised) : error;
    });
    return { kind: result.kind ?? kind, sections: result.sections ?? [] };
  }
  const compound = compoundFileKind(bytes);
  if (compound === 'encrypted') throw encrypted();
  if (compound === undefined && promised !== undefined) throw broken(promised);
  const text = kind === 'unknown' ? undefined : textOf(bytes, options);
  if (text === undefined) throw unsupported();
  if (text.length > limits.charsMax) throw tooLarge('The document contains too much text.');
  return { kind, sections: [{ text: kind === 'json' ? plainJson(text) : text }] };
}

function textOf(bytes: Uint8Array, options: DocumentOptions): string | undefined {
  const text = fileText(bytes);
  if (text !== undefined) return withJapaneseEscapes(text, bytes);
  if (!isNamedText(options)) return undefined;
  const legacy = legacyText(bytes, /charset="?([\w-]+)/i.exec(options.contentType ?? '')?.[1]);
  if (legacy !== undefined) return legacy;
  throw new PrivetError('invalid_input', 'The encoding of the text cannot be determined.', {
    hint: 'Save the file as UTF-8 and send that.',
  });
}

function broken(kind: string): PrivetError {
  return damaged(`The document is damaged: it is not a ${kind} file.`);
}

/** A document whose texts are inspected one by one. */
export type OpenedDocument = {
  readonly kind: string;
  /** Paragraphs and cells of an office document, pages of a PDF. */
  readonly texts: readonly string[];
  /** Labels known from the texts' position in the document, by index; absent if the preceding text may be the label. */
  readonly labels?: readonly (string | undefined)[];
  /** True for a text that repeats the previous one in another form or with another label; only new findings count. */
  readonly again?: readonly boolean[];
  /** Names of parts that cannot be inspected (embedded objects, programs). */
  readonly opaque: readonly string[];
  /** True for images, and for PDF pages without text, covered by an image, or with undecodable words. */
  readonly hasImages: boolean;
  /**
   * Rewrites the document; undefined keeps a text. Absent for a PDF.
   * @param places the replaced spans of each text, if known; adjacent tokens do not show them
   */
  readonly rewrite?: (
    newTexts: readonly (string | undefined)[],
    places?: readonly (readonly Span[] | undefined)[],
  ) => Promise<Uint8Array>;
};

/** Opens a PDF or an office document. Throws like {@link convertDocument}. */
export async function openDocument(bytes: Uint8Array, options: DocumentOptions = {}): Promise<OpenedDocument> {
  const limits = limitsOf(bytes, options);
  const kind = documentKind(bytes, options);
  if (kind !== 'pdf' && kind !== 'package') throw unsupported();
  const {
    texts = [],
    labels = [],
    again = [],
    opaque = [],
    hasImages = false,
    ...result
  } = await pool.run({ task: 'texts', bytes, limits }, jobClient(options));
  const opened = { kind: result.kind ?? kind, texts, labels, again, opaque, hasImages };
  if (kind === 'pdf') return opened;
  return {
    ...opened,
    rewrite: async (newTexts, places = []) =>
      (await pool.run({ task: 'rewrite', bytes, limits, newTexts, places }, jobClient(options))).bytes ?? bytes,
  };
}

const jobClient = ({ client, gone }: DocumentOptions): JobClient => ({ client, gone });

function limitsOf(bytes: Uint8Array, options: DocumentOptions): DocumentLimits {
  const limits = { ...defaultLimits, ...options.limits };
  if (bytes.length > limits.bytesMax) {
    throw tooLarge(`The document is over the limit of ${sizeText(limits.bytesMax, ' ')}.`);
  }
  return limits;
}

function unsupported(): PrivetError {
  return new PrivetError('unsupported_media_type', 'Files of this kind cannot be opened.', {
    hint: 'Send txt, csv, md, json, html, docx, xlsx, pptx, odt, ods, odp, epub or pdf; save older ones as one of these.',
  });
}
