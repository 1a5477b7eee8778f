/** Texts of an XML part as groups of runs: what the reader finds (xml-texts.ts) and what is changed (xml-rewriting.ts). */
import type { AttributeForm } from './xml-attributes.ts';

/** Another raw text for a place of the part. */
export type Edit = { readonly start: number; readonly end: number; readonly raw: string };

/** A part of a text, and what stands there in the new one. */
export type Span = { readonly start: number; readonly end: number; readonly text: string };

/** A piece of text that stands in one place of the part. */
export type Run = {
  readonly text: string;
  /** Raw offsets of the text in the part; of the element for a separator, or equal for one that cannot be taken out. */
  readonly start: number;
  readonly end: number;
  readonly form: 'text' | 'attribute' | 'cdata' | 'raw' | 'number' | 'separator';
  /** Raw offset of the `>` that ends the opening tag, where white space has to be asked for; -1 where it has not. */
  readonly spaceAt: number;
  /**
   * How tokens are written where brackets have a meaning: in names of sheets, other names, formulas and numbers;
   * `escaped` for a text with `_xHHHH_` in it.
   */
  readonly as: AttributeForm | 'formula' | 'escaped';
  /** Beside a changed text: the value of its cell, which says the same again. */
  readonly also?: readonly Edit[];
  /** Of a text with tracked changes; `passing` was inserted and deleted again. */
  readonly change?: 'deleted' | 'inserted' | 'passing';
  /** Raw offset of the element of that change; absent where no other could be put before it. */
  readonly changeAt?: number;
};

/** One paragraph, cell or attribute: its text and the runs that it is made of. */
export type TextGroup = {
  readonly text: string;
  readonly runs: readonly Run[];
  /** Of runs that are read once more: as they were before tracked changes, or with gaps between them. */
  readonly reading?: 'former' | 'apart';
  /** What is known of it by its place, in place of the text before it; empty for nothing. */
  readonly label?: string;
  /** The text before it in another way or with another label: what it adds to that one counts. */
  readonly again?: boolean;
};

/** A separator at a place of the part; it stays, unless it has an element of its own and is a part of a changed value. */
export function separatorRun(text: string, end: number, change?: Run['change'], start = end): Run {
  const run: Run = { text, start, end, form: 'separator', spaceAt: -1, as: 'text' };
  return change ? { ...run, change } : run;
}
