/** Texts within a text: what is found when one is opened, and how changed ones are put back. */
import type { WireFormats } from '../formats/wire-formats.ts';
import { isLabel, type TextLabel } from './labelled.ts';
import type { UninspectableKind } from './media.ts';

/** A part of a body that cannot be read as text: where it stands (`messages[0].content[1].image_url.url`) and what it is. */
export type UninspectablePart = {
  readonly kind: UninspectableKind;
  readonly pointer: string;
  readonly mediaType?: string;
  readonly fileName?: string;
  /** Its content; absent for what has none that could be opened (token ids). */
  readonly bytes?: () => Uint8Array;
  /** It stands where any text may stand, so that another one can be put in its place: in the results of tools. */
  readonly isReplaceable?: boolean;
};

/** What is found while documents are opened. */
export type Findings = {
  /** Texts to inspect, in document order. */
  readonly leaves: string[];
  /** What is known of a text by its place, by position of {@link leaves}. */
  labels?: Map<number, TextLabel>;
  /** Which {@link leaves} a provider has signed, by position. */
  seals?: Map<number, Seal>;
  /** What of presigned URLs is no part of their signature: it can be inspected but not rewritten. */
  readonly sealed: string[];
  readonly uninspectable: UninspectablePart[];
  /** The wire formats that are read; default all. */
  readonly formats?: WireFormats | undefined;
};

/** What is known of a text of reasoning that stands beside a signature. */
export type Seal = {
  /** Empty where the text itself is opaque to everybody but the provider. */
  readonly signature: string;
  readonly pointer: string;
  /** The provider rejects another text. Other signatures stand for thoughts that the text only sums up. */
  readonly isVerified: boolean;
};

/** What is new in a body. */
export type Changes = {
  /** Takes the new text of the next leaf; undefined when it did not change. */
  readonly text: () => string | undefined;
  /** New bytes of a part, by its position in {@link Findings.uninspectable}; undefined when they did not change. */
  readonly part: (index: number) => Uint8Array | undefined;
  /** The text in place of a part that is {@link UninspectablePart.isReplaceable}; undefined where it stays. */
  readonly replacement?: (index: number) => string | undefined;
};

/** An opened text. `rewrite` takes one text per leaf, in order; undefined when nothing changed. */
export interface TextDocument {
  rewrite(changes: Changes): string | undefined;
}

const plainText: TextDocument = { rewrite: (changes) => changes.text() };

/** Takes the whole text as one leaf. */
export function openPlain(text: string, findings: Findings): TextDocument {
  findings.leaves.push(text);
  return plainText;
}

/** Keeps the name of a text that is one leaf as it is. */
export function noteLabel(findings: Findings, at: number, name: string, value: string, isData: boolean): void {
  if (findings.leaves.length !== at + 1 || findings.leaves[at] !== value || !isLabel(name, value, isData)) return;
  findings.labels ??= new Map();
  findings.labels.set(at, name);
}

/** A piece of a text as it came, opened where there is something to look at. */
export type Piece = { readonly raw: string; readonly document: TextDocument | undefined };

/** The pieces in a row with what is new in them; undefined when nothing changed. */
export function rewritePieces(pieces: readonly Piece[], changes: Changes): string | undefined {
  let changed = false;
  const texts = pieces.map(({ raw, document }) => {
    const text = document?.rewrite(changes);
    if (text !== undefined) changed = true;
    return text ?? raw;
  });
  return changed ? texts.join('') : undefined;
}
