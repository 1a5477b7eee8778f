/**
 * What of a request body is a person's text, and the same body with changed texts.
 * Shapes: JSON, lines of JSON, forms, multipart, plain text. No I/O and no provider is named here:
 * every string is text unless {@link isStructural} says why not.
 */
import { PrivetError } from '../errors.ts';
import { type Findings, JsonDocument, type NextText, openText, type TextDocument } from './document.ts';
import { openForm } from './form.ts';
import { openMultipart } from './multipart.ts';
import { isStructural, type UninspectableKind, type UninspectablePart } from './structure.ts';

export { isStructural, type UninspectableKind, type UninspectablePart };

/** Body shapes that {@link parseRequestBody} opens. */
export type TextBodyKind = 'json' | 'ndjson' | 'form' | 'text' | 'multipart';
/** All shapes; `binary` cannot be inspected, `none` is a body without a declared type. */
export type BodyKind = TextBodyKind | 'binary' | 'none';

/** An opened request body. */
export type RequestBody = {
  /** Decoded texts to inspect, in document order. */
  readonly leaves: readonly string[];
  /** Texts that a provider has signed (thinking blocks): never rewritten; refuse the request when they hold PII. */
  readonly sealed: readonly string[];
  /** Images, audio, documents and other binary content, each with its place. */
  readonly uninspectable: readonly UninspectablePart[];
  /**
   * The body with new texts, by position of {@link leaves}; undefined keeps a text.
   * When nothing changes, the same string comes back.
   */
  rewrite(newTexts: readonly (string | undefined)[]): string;
};

/** What is known beside the body. */
export type BodyContext = { readonly contentType?: string; readonly host?: string; readonly path?: string };

/** Shape of a body by its `Content-Type`. */
export function bodyKind(contentType: string | undefined): BodyKind {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (!type) return 'none';
  if (/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq|json-stream)$/.test(type))
    return 'ndjson';
  if (/^(?:application|text)\/(?:x-)?json5?$|\+json$|^application\/(?:reports|csp-report)$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (
    /^text\/|^application\/(?:x-)?(?:xml|javascript|ecmascript|graphql|yaml|toml|sql|csv|sh|tex|latex|python|markdown)$|\+xml$|\+yaml$/.test(
      type,
    )
  ) {
    return 'text';
  }
  return 'binary';
}

/**
 * Opens a body. `multipart` bodies are given with one character per byte, see `bodyText` in body-text.ts.
 * Throws `PrivetError`: `invalid_json` for broken JSON or a broken line of it, `bad_request` for a broken multipart body.
 */
export function parseRequestBody(kind: TextBodyKind, body: string, context: BodyContext = {}): RequestBody {
  const findings: Findings = { leaves: [], sealed: [], uninspectable: [] };
  const document = open(kind, body, context, findings);
  const { leaves, sealed, uninspectable } = findings;
  return {
    leaves,
    sealed,
    uninspectable,
    rewrite(newTexts) {
      let at = 0;
      const next: NextText = () => {
        const text = newTexts[at];
        return text === leaves[at++] ? undefined : text;
      };
      return document.rewrite(next) ?? body;
    },
  };
}

function open(kind: TextBodyKind, body: string, context: BodyContext, findings: Findings): TextDocument {
  switch (kind) {
    case 'json':
      return openJson(body, findings);
    case 'ndjson':
      return new LinesDocument(body, findings);
    case 'form':
      return openForm(body, findings);
    case 'multipart':
      return openMultipart(body, context.contentType ?? '', findings);
    case 'text':
      return openText(body, findings, 0);
    default:
      throw new PrivetError('uninspectable', `A ${String(kind)} body cannot be read as text.`);
  }
}

function openJson(body: string, findings: Findings): TextDocument {
  if (body.trim() === '') return { rewrite: () => undefined };
  // Some clients write a byte order mark, which JSON.parse refuses.
  const mark = body.startsWith('\uFEFF') ? 1 : 0;
  const document = new JsonDocument(mark ? body.slice(1) : body, findings, { level: 0, hasStructure: true });
  if (!mark) return document;
  return {
    rewrite(next) {
      const text = document.rewrite(next);
      return text === undefined ? undefined : `\uFEFF${text}`;
    },
  };
}

/** Lines of JSON; line ends and empty lines stay. */
export class LinesDocument implements TextDocument {
  readonly #pieces: (string | TextDocument)[] = [];
  readonly #raw: string[] = [];

  constructor(body: string, findings: Findings) {
    for (const piece of body.split(/(\r?\n)/)) {
      this.#raw.push(piece);
      this.#pieces.push(piece.trim() === '' ? piece : openJson(piece, findings));
    }
  }

  rewrite(next: NextText): string | undefined {
    let changed = false;
    const lines = this.#pieces.map((piece, at) => {
      const text = typeof piece === 'string' ? undefined : piece.rewrite(next);
      if (text !== undefined) changed = true;
      return text ?? this.#raw[at];
    });
    return changed ? lines.join('') : undefined;
  }
}
