/** Texts of an XML part as groups of runs: produced by the reader (xml-texts.ts) and changed by xml-rewriting.ts. */
import type { AttributeForm } from './xml-attributes.ts';

/** A replacement of raw text at a position of the part. */
export type Edit = { readonly start: number; readonly end: number; readonly raw: string };

/** A span of a text, and its replacement. */
export type Span = { readonly start: number; readonly end: number; readonly text: string };

/** A piece of text at one position of the part. */
export type Run = {
  readonly text: string;
  /** Raw offsets of the text in the part; of the element for a separator, or equal if it cannot be removed. */
  readonly start: number;
  readonly end: number;
  readonly form: 'text' | 'attribute' | 'cdata' | 'raw' | 'number' | 'separator';
  /** Raw offset of the `>` of the opening tag, if `xml:space` may have to be set; else -1. */
  readonly spaceAt: number;
  /**
   * How tokens are written where brackets have a meaning (sheet names, other names, formulas, numbers); `escaped` for a
   * text with `_xHHHH_` in it.
   */
  readonly as: AttributeForm | 'formula' | 'escaped';
  /** Edits that accompany a changed text: the value of its cell, which repeats it. */
  readonly also?: readonly Edit[];
  /** For tracked changes; `passing` was inserted and deleted again. */
  readonly change?: 'deleted' | 'inserted' | 'passing';
  /** Raw offset of the element of that change; absent if no other element can be inserted before it. */
  readonly changeAt?: number;
};

/** One paragraph, cell or attribute: its text and the runs it consists of. */
export type TextGroup = {
  readonly text: string;
  readonly runs: readonly Run[];
  /** For repeated runs: as they were before tracked changes, or with gaps between them. */
  readonly reading?: 'former' | 'apart';
  /** Its label, if known from its position, instead of the preceding text; empty for none. */
  readonly label?: string;
  /** Repeats the previous text in another form or with another label; only additional findings count. */
  readonly again?: boolean;
};

/**
 * A separator at a position of the part; it is preserved, unless it has its own element and is part of a changed value.
 */
export function separatorRun(text: string, end: number, change?: Run['change'], start = end): Run {
  const run: Run = { text, start, end, form: 'separator', spaceAt: -1, as: 'text' };
  return change ? { ...run, change } : run;
}
