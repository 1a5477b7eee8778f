/**
 * Finds the texts of a request body and writes changed ones back. Shapes: JSON, lines of JSON, forms, multipart, plain
 * text. Every string is text unless {@link isStructural} exempts it.
 */

import { PrivetError } from '../errors.ts';
import { wireFormats } from '../formats/index.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import { anyOf } from '../patterns.ts';
import { isJsonText, LinesDocument, openContent, openFileText, wholeContent, withMark } from './content.ts';
import {
  type Changes,
  type Findings,
  JsonDocument,
  type Seal,
  type TextDocument,
  type UninspectablePart,
} from './document.ts';
import { openForm } from './form.ts';
import { isJson } from './json-strings.ts';
import type { TextLabel } from './labelled.ts';
import type { UninspectableKind } from './media.ts';
import { mediaTypeOf } from './media-type.ts';
import { openMultipart } from './multipart.ts';
import { isStructural } from './structure.ts';

export { isStructural, type Seal, type UninspectableKind, type UninspectablePart };

/** Body shapes that {@link parseRequestBody} opens; `content` is a file whose first bytes show its kind. */
export type TextBodyKind = 'json' | 'ndjson' | 'form' | 'text' | 'multipart' | 'content';
/** All shapes. `framed` (gRPC, Connect, binary event streams) may flow in both directions and is never read whole. */
export type BodyKind = TextBodyKind | 'framed';

/** An opened request body. */
export type RequestBody = {
  /** Decoded texts to inspect, in document order. */
  readonly leaves: readonly string[];
  /** Labels of texts, by position in {@link leaves}: see `detectLabelled`. */
  readonly labels: ReadonlyMap<number, TextLabel> | undefined;
  /** Indexes of texts that adjoin: see `findCutValues`. */
  readonly adjoining: readonly (readonly number[])[] | undefined;
  /** Seals of signed {@link leaves} (thinking blocks), which a provider may reject if changed. */
  readonly seals: ReadonlyMap<number, Seal> | undefined;
  /** The unsigned parts of presigned URLs that the service fetches; never rewritten. */
  readonly sealed: readonly string[];
  /** Images, audio, documents and other binary content, with their paths. */
  readonly uninspectable: readonly UninspectablePart[];
  /**
   * The body with new texts, by position in {@link leaves}, and new bytes or replacement texts of parts, by position in
   * {@link uninspectable}; undefined keeps the original. Returns the same string if nothing changes.
   * @param isTokensOnly the new texts differ from the leaves only by tokens
   */
  rewrite(
    newTexts: readonly (string | undefined)[],
    newParts?: readonly (Uint8Array | undefined)[],
    replacements?: readonly (string | undefined)[],
    isTokensOnly?: boolean,
  ): string;
  /** Tokens that the last {@link rewrite} wrote for JSON numbers and for no string. */
  numbers(): ReadonlySet<string> | undefined;
};

/** Information besides the body. */
export type BodyContext = {
  readonly contentType?: string;
  /** The wire formats to read; default all. */
  readonly formats?: WireFormats;
  /** True if JSON.parse has accepted the body. */
  readonly isValidJson?: boolean;
};

const textSubtypes = anyOf('xml javascript ecmascript graphql yaml toml sql csv sh tex latex python markdown');
const textType = new RegExp(String.raw`^text/|^application/(?:x-)?${textSubtypes}$|\+xml$|\+yaml$`);

/** Shape of a body by its `Content-Type`. */
export function bodyKind(contentType: string | undefined): BodyKind {
  const type = mediaTypeOf(contentType);
  if (type === '') return 'content';
  if (type === 'application/json') return 'json';
  if (/^application\/(?:grpc|connect\+)/.test(type) || wireFormats.mediaTypes.has(type)) return 'framed';
  if (/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq|json-stream)$/.test(type))
    return 'ndjson';
  if (/^(?:application|text)\/(?:x-)?json5?$|\+json$|^application\/(?:x-amz-json-1\.[01]|json\+protobuf)$/.test(type))
    return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (textType.test(type)) return 'text';
  return 'content';
}

/**
 * Opens a body. `multipart` and `content` bodies have one character per byte (`bodyText` in body-text.ts). Throws
 * `PrivetError`: `invalid_json` for broken JSON, or a broken line of it; `bad_request` for a broken multipart body.
 */
export function parseRequestBody(kind: TextBodyKind, body: string, context: BodyContext = {}): RequestBody {
  const findings: Findings = { leaves: [], sealed: [], uninspectable: [], formats: context.formats };
  const document = open(kind, body, context, findings);
  const { leaves, labels, adjoining, seals, sealed, uninspectable } = findings;
  return {
    leaves,
    labels,
    adjoining,
    seals,
    sealed,
    uninspectable,
    rewrite(newTexts, newParts = [], replacements = [], isTokensOnly = false) {
      let at = 0;
      const changes: Changes = {
        text: () => {
          const text = newTexts[at];
          return text === leaves[at++] ? undefined : text;
        },
        part: (index) => newParts[index],
        replacement: (index) => replacements[index],
        isTokensOnly,
      };
      return document.rewrite(changes) ?? body;
    },
    // Not a getter: each literal with one gets its own hidden class, which keeps the body until the next full
    // collection.
    numbers() {
      const { numbers, strings } = findings;
      return numbers && strings ? new Set([...numbers].filter((token) => !strings.has(token))) : numbers;
    },
  };
}

function open(kind: TextBodyKind, body: string, context: BodyContext, findings: Findings): TextDocument {
  switch (kind) {
    case 'json':
      return openJson(body, findings, context.isValidJson);
    case 'ndjson':
      return new LinesDocument(body, findings, (line) => openJson(line, findings));
    case 'form':
      return openForm(body, findings);
    case 'multipart':
      return openMultipart(body, context.contentType ?? '', findings);
    case 'text':
      return openFileText(body, findings, 0);
    case 'content':
      return openContent(
        wholeContent(body),
        {
          pointer: 'body',
          mediaType: context.contentType?.split(';', 1)[0]?.trim(),
          isRequest: context.contentType === undefined,
        },
        findings,
        0,
      );
    default:
      throw new PrivetError('uninspectable', `A ${String(kind)} body cannot be read as text.`);
  }
}

function openJson(body: string, findings: Findings, isValid = false): TextDocument {
  if (body.trim() === '') return { rewrite: () => undefined };
  const open = (json: string): TextDocument => {
    // Some programs declare NDJSON as JSON.
    if (!isValid && json.includes('\n') && !isJson(json) && isJsonText(json))
      return new LinesDocument(json, findings, (line) => openJson(line, findings));
    return new JsonDocument(json, findings, { level: 0, hasStructure: true }, isValid);
  };
  return body.startsWith('\uFEFF') ? withMark(body, open) : open(body);
}
