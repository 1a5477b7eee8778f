import type { WireFormats } from '../formats/wire-formats.ts';
import { isLabel, type TextLabel } from './labelled.ts';
import type { UninspectableKind } from './media.ts';

/** A part of a body that is not text: its path (`messages[0].content[1].image_url.url`) and its kind. */
export type UninspectablePart = {
  readonly kind: UninspectableKind;
  readonly pointer: string;
  readonly mediaType?: string;
  readonly fileName?: string;
  /** Its content; absent if there is none to open (token ids). */
  readonly bytes?: () => Uint8Array;
  /** True if a text may replace it, as in tool results. */
  readonly isReplaceable?: boolean;
};

/** Results collected while documents are opened. */
export type Findings = {
  /** Texts to inspect, in document order. */
  readonly leaves: string[];
  /** Labels of texts, by position in {@link leaves}. */
  labels?: Map<number, TextLabel>;
  /** Indexes of adjoining {@link leaves}: see `findCutValues`. */
  adjoining?: number[][];
  /** Seals of signed texts, by position in {@link leaves}. */
  seals?: Map<number, Seal>;
  /** The unsigned parts of presigned URLs; inspected, never rewritten. */
  readonly sealed: string[];
  readonly uninspectable: UninspectablePart[];
  /** Tokens written for JSON numbers; known once the body is rewritten. */
  numbers?: Set<string>;
  /** The same for complete strings. */
  strings?: Set<string>;
  /** The wire formats to read; default all. */
  readonly formats?: WireFormats | undefined;
};

/** The signature next to a reasoning text. */
export type Seal = {
  /** Empty if only the provider can read the text. */
  readonly signature: string;
  readonly pointer: string;
  /** True if the provider rejects a changed text. Other signatures belong to thoughts that the text only summarises. */
  readonly isVerified: boolean;
};

/** The changes to a body. */
export type Changes = {
  /** The new text of the next leaf; undefined if unchanged. */
  readonly text: () => string | undefined;
  /** New bytes of a part, by position in {@link Findings.uninspectable}; undefined if unchanged. */
  readonly part: (index: number) => Uint8Array | undefined;
  /** The text that replaces an {@link UninspectablePart.isReplaceable} part; undefined keeps the part. */
  readonly replacement?: (index: number) => string | undefined;
  /** True if new texts differ from the old ones only by tokens. */
  readonly isTokensOnly?: boolean | undefined;
};

/** An opened text. `rewrite` consumes one text per leaf, in order; returns undefined if nothing changed. */
export interface TextDocument {
  rewrite(changes: Changes): string | undefined;
}

/** A text that is one leaf. */
export const plainText: TextDocument = { rewrite: (changes) => changes.text() };

/** Opens the whole text as one leaf. */
export function openPlain(text: string, findings: Findings): TextDocument {
  findings.leaves.push(text);
  return plainText;
}

/** Labels a text that became exactly one leaf. */
export function noteLabel(findings: Findings, at: number, name: string, value: string, isData: boolean): void {
  if (findings.leaves.length !== at + 1 || findings.leaves[at] !== value || !isLabel(name, value, isData)) return;
  findings.labels ??= new Map();
  findings.labels.set(at, name);
}

/** A piece of a text; `document` if it has texts to inspect. */
export type Piece = { readonly raw: string; readonly document: TextDocument | undefined };

/** Joins the pieces with their changes; undefined if nothing changed. */
export function rewritePieces(pieces: readonly Piece[], changes: Changes): string | undefined {
  let changed = false;
  const texts = pieces.map(({ raw, document }) => {
    const text = document?.rewrite(changes);
    if (text !== undefined) changed = true;
    return text ?? raw;
  });
  return changed ? texts.join('') : undefined;
}
