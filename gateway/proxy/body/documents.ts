/** Documents in request bodies (PDF and office files): extracts their texts and writes masked ones back. */
import { PrivetError } from '../../../core/errors.ts';
import type { RequestBody, UninspectableKind, UninspectablePart } from '../../../core/payload/request.ts';
import { type DocumentOptions, type OpenedDocument, openDocument, type Span } from '../../convert/index.ts';
import { openLegacyText } from '../../convert/office/legacy-file.ts';
import type { JobClient } from '../../threads/thread-pool.ts';

/** The `masking.uninspectable` section: how content that is not text is handled, by kind. */
export type UninspectablePolicy = Readonly<Record<UninspectableKind | 'signed', string>>;

/** An opened document, with the index of its part and of its first text among all texts. */
export type BodyDocument = { readonly part: number; readonly firstText: number; readonly document: OpenedDocument };

/** The opened documents, and the replacements for omitted parts, by part index. */
export type OpenedParts = {
  readonly documents: readonly BodyDocument[];
  readonly notes: readonly (string | undefined)[] | undefined;
};

/**
 * Opens the documents of a body where the policy is `extract`. Throws `uninspectable` for content that the policy
 * rejects and for documents that cannot be opened, and `body_too_large`.
 */
export async function openDocuments(
  parsed: RequestBody,
  policy: UninspectablePolicy,
  bytesMax: number,
  { client, gone }: JobClient,
): Promise<OpenedParts> {
  let notes: (string | undefined)[] | undefined;
  const leaveOut = (part: number, { kind }: UninspectablePart) => {
    notes ??= [];
    notes[part] = `(Content of kind ${kind} was left out here: it could not be inspected.)`;
  };
  const legacy = new Map<number, OpenedDocument>();
  for (const [index, part] of parsed.uninspectable.entries()) {
    const { kind } = part;
    const text = isCalledText(part) && part.bytes ? openLegacyText(part.bytes()) : undefined;
    if (text !== undefined) legacy.set(index, text);
    if (text !== undefined || policy[kind] === 'allow') continue;
    if (policy[kind] === 'omit' && part.isReplaceable) {
      leaveOut(index, part);
      continue;
    }
    if (kind === 'document' && policy.document === 'extract') continue;
    const at = placeOf(part);
    throw new PrivetError('uninspectable', `Step inspect: content of kind ${kind}${at} is not sent to this service.`, {
      hint: `Leave it out, or set masking.uninspectable.${kind}.`,
    });
  }
  const documents: BodyDocument[] = [];
  let firstText = parsed.leaves.length;
  for (const [part, opaque] of parsed.uninspectable.entries()) {
    const { kind, bytes } = opaque;
    const text = legacy.get(part);
    if (text !== undefined) {
      documents.push({ part, firstText, document: text });
      firstText += text.texts.length;
      continue;
    }
    if (kind !== 'document' || policy.document !== 'extract') continue;
    const what = `a document${placeOf(opaque)}`;
    if (!bytes) throw new PrivetError('uninspectable', `Step open: ${what} cannot be read.`);
    const document = await open(bytes, what, { limits: { bytesMax }, client, gone }).catch((error) => {
      // Treated as plain bytes.
      if (!opaque.isReplaceable || policy.binary !== 'omit' || error.code !== 'uninspectable') throw error;
      leaveOut(part, opaque);
    });
    if (document === undefined) continue;
    if (document.opaque.length > 0 && policy.binary !== 'allow') {
      throw new PrivetError('uninspectable', `Step open: ${what} contains an object or a program, which is not sent.`);
    }
    if (document.hasImages && policy.image !== 'allow') {
      throw new PrivetError('uninspectable', `Step open: ${what} has pictures, which are not sent to this service.`);
    }
    documents.push({ part, firstText, document });
    firstText += document.texts.length;
  }
  return { documents, notes };
}

const textName = /\.(?:txt|text|csv|tsv|md|markdown|log|json|jsonl|xml|html?|ya?ml|vcf|ics|srt|vtt|ini|sql)$/i;

/** True for a part that is text by its name, or else by its type: bytes can be decoded in many encodings. */
function isCalledText({ fileName, mediaType }: UninspectablePart): boolean {
  return fileName === undefined ? mediaType?.startsWith('text/') === true : textName.test(fileName);
}

const placeMax = 200;

/** The path of a part, shown to the user whose request is rejected. */
function placeOf({ pointer }: UninspectablePart): string {
  return /^(?:body|data:)?$/.test(pointer) ? '' : ` at ${pointer.slice(0, placeMax)}`;
}

async function open(bytes: () => Uint8Array, what: string, options: DocumentOptions): Promise<OpenedDocument> {
  try {
    return await openDocument(bytes(), options);
  } catch (error) {
    if (!(error instanceof PrivetError)) {
      throw new PrivetError('uninspectable', `Step open: ${what} cannot be read.`, { cause: error });
    }
    if (error.code === 'unavailable' || error.code === 'body_too_large') throw error;
    throw new PrivetError('uninspectable', `Step open: ${what} cannot be read. ${error.message}`, { cause: error });
  }
}

/** New bytes of changed documents, by part index. Throws `uninspectable` for PII in a read-only document. */
export async function rewriteDocuments(
  documents: readonly BodyDocument[],
  newTexts: readonly (string | undefined)[],
  places: readonly (readonly Span[] | undefined)[],
): Promise<(Uint8Array | undefined)[]> {
  const parts: (Uint8Array | undefined)[] = [];
  for (const { part, firstText, document } of documents) {
    const end = firstText + document.texts.length;
    const own = newTexts.slice(firstText, end);
    if (own.some((text) => text !== undefined)) {
      parts[part] = await document.rewrite?.(own, places.slice(firstText, end));
    }
  }
  return parts;
}

/** The positions of the tokens in each text, in reservation order. */
export function tokensAt(
  found: readonly (readonly { readonly start: number; readonly end: number }[] | undefined)[],
  tokens: readonly string[],
): (readonly Span[] | undefined)[] {
  let next = 0;
  return Array.from(found, (hits) => hits?.map(({ start, end }) => ({ start, end, text: tokens[next++] ?? '' })));
}

/** Throws `uninspectable` if a read-only document contains PII, with types and counts. */
export function refuseFixed(
  documents: readonly BodyDocument[],
  found: readonly (readonly { readonly type: string }[] | undefined)[],
): void {
  for (const { firstText, document } of documents) {
    if (document.rewrite) continue;
    const types: Record<string, number> = {};
    for (const hits of found.slice(firstText, firstText + document.texts.length)) {
      for (const { type } of hits ?? []) types[type] = (types[type] ?? 0) + 1;
    }
    const names = Object.entries(types).map(([type, count]) => `${type} (${count})`);
    if (names.length === 0) continue;
    throw new PrivetError(
      'uninspectable',
      `Step rewrite: a ${document.kind.toUpperCase()} document contains ${names.join(', ')} and cannot be masked.`,
      { hint: 'Send the text itself or an office document, or remove the data.', details: { types } },
    );
  }
}
