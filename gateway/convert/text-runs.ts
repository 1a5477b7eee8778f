/** Texts of an XML part as groups of runs: what the reader finds (xml-texts.ts) and what is changed (xml-rewriting.ts). */
import type { AttributeForm } from './xml-attributes.ts';

/** Another raw text for a place of the part. */
export type Edit = { readonly start: number; readonly end: number; readonly raw: string };

/** A piece of text that stands in one place of the part. */
export type Run = {
  readonly text: string;
  /** Raw offsets of the text in the part; equal for a separator, which cannot be changed. */
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
};

/** One paragraph, cell or attribute: its text and the runs that it is made of. */
export type TextGroup = {
  readonly text: string;
  readonly runs: readonly Run[];
  /** Of runs that are read once more: as they were before tracked changes, or with gaps between them. */
  readonly reading?: 'former' | 'apart';
};

/** A separator at a place of the part, which stays as it is. */
export function separatorRun(text: string, at: number, change?: Run['change']): Run {
  const run: Run = { text, start: at, end: at, form: 'separator', spaceAt: -1, as: 'text' };
  return change ? { ...run, change } : run;
}
