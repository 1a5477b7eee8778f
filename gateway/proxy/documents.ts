/**
 * Documents in request bodies (PDF and office files): their texts beside those of the body, and the parts with masked
 * texts in them.
 */
import { PrivetError } from '../../core/errors.ts';
import type { RequestBody, UninspectableKind } from '../../core/payload/request.ts';
import { type OpenedDocument, openDocument, type Span } from '../convert/index.ts';

/** The `masking.uninspectable` section: what happens to content that is no text, by kind. */
export type UninspectablePolicy = Readonly<Record<UninspectableKind | 'signed', string>>;

/** An opened document of a body: the position of its part, and where its texts begin among all texts. */
export type BodyDocument = { readonly part: number; readonly firstText: number; readonly document: OpenedDocument };

/**
 * Opens the documents of a body where the policy is `extract`. Throws `uninspectable` for content that the policy does
 * not let through and for documents that cannot be opened, and `body_too_large`.
 */
export async function openDocuments(
  parsed: RequestBody,
  policy: UninspectablePolicy,
  bytesMax: number,
): Promise<BodyDocument[]> {
  for (const { kind } of parsed.uninspectable) {
    if (policy[kind] === 'allow' || (kind === 'document' && policy.document === 'extract')) continue;
    throw new PrivetError('uninspectable', `Step inspect: content of kind ${kind} is not sent to this service.`);
  }
  const documents: BodyDocument[] = [];
  let firstText = parsed.leaves.length;
  for (const [part, { kind, bytes }] of parsed.uninspectable.entries()) {
    if (kind !== 'document' || policy.document !== 'extract') continue;
    if (!bytes) throw new PrivetError('uninspectable', 'Step open: a document of the body cannot be read.');
    const document = await open(bytes, bytesMax);
    if (document.opaque.length > 0 && policy.binary !== 'allow') {
      throw new PrivetError('uninspectable', 'Step open: a document holds an object or a program, which is not sent.');
    }
    if (document.hasImages && policy.image !== 'allow') {
      throw new PrivetError(
        'uninspectable',
        'Step open: a document holds pictures, which are not sent to this service.',
      );
    }
    documents.push({ part, firstText, document });
    firstText += document.texts.length;
  }
  return documents;
}

async function open(bytes: () => Uint8Array, bytesMax: number): Promise<OpenedDocument> {
  try {
    return await openDocument(bytes(), { limits: { bytesMax } });
  } catch (error) {
    if (!(error instanceof PrivetError)) {
      throw new PrivetError('uninspectable', 'Step open: a document of the body cannot be read.', { cause: error });
    }
    if (error.code === 'unavailable' || error.code === 'body_too_large') throw error;
    throw new PrivetError('uninspectable', `Step open: ${error.message}`, { cause: error });
  }
}

/**
 * The new bytes of the parts whose documents changed, by position of the part.
 * Throws `uninspectable` with the types that were found when a document that cannot be rewritten holds some.
 */
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

/** Which tokens stand where, by text, in the order in which they were reserved. */
export function tokensAt(
  found: readonly (readonly { readonly start: number; readonly end: number }[] | undefined)[],
  tokens: readonly string[],
): (readonly Span[] | undefined)[] {
  let next = 0;
  return Array.from(found, (hits) => hits?.map(({ start, end }) => ({ start, end, text: tokens[next++] ?? '' })));
}

/** Throws `uninspectable` when a document that cannot be rewritten holds personal data; says which types and how many. */
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
      `Step rewrite: a ${document.kind.toUpperCase()} document holds ${names.join(', ')} and cannot be masked.`,
      { hint: 'Send the text itself or an office document, or remove the data.', details: { types } },
    );
  }
}
