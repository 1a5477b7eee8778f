/** Texts of an XML part as groups of runs, read by xml-texts.ts and changed by xml-rewriting.ts. */
import type { AttributeForm } from './xml-attributes.ts';

/** A replacement of raw text at an offset of the part. */
export type Edit = { readonly start: number; readonly end: number; readonly raw: string };

/** A span of a text, and its replacement. */
export type Span = { readonly start: number; readonly end: number; readonly text: string };

/** A piece of text at an offset of the part. */
export type Run = {
  readonly text: string;
  /** Raw offsets of the text; for a separator those of its element, or equal if it cannot be removed. */
  readonly start: number;
  readonly end: number;
  readonly form: 'text' | 'attribute' | 'cdata' | 'raw' | 'number' | 'separator';
  /** Raw offset of the opening tag's `>`, if `xml:space` may have to be set; else -1. */
  readonly spaceAt: number;
  /** How tokens are written where brackets have a meaning (names, formulas); `escaped`: with `_xHHHH_` escapes. */
  readonly as: AttributeForm | 'formula' | 'escaped';
  /** Edits that accompany a changed text, such as the cell value that repeats it. */
  readonly also?: readonly Edit[];
  /** The tracked change; `passing` text was inserted and deleted again. */
  readonly change?: 'deleted' | 'inserted' | 'passing';
  /** Raw offset of the change's element; absent if no element can be inserted before it. */
  readonly changeAt?: number;
};

/** A paragraph, cell or attribute: its text and runs. */
export type TextGroup = {
  readonly text: string;
  readonly runs: readonly Run[];
  /** For repeated runs: as before tracked changes, or with gaps between runs. */
  readonly reading?: 'former' | 'apart';
  /** The label, if known from the position; empty for none. By default the preceding text is the label. */
  readonly label?: string;
  /** True if it repeats the previous text in another form or with another label; only new findings count. */
  readonly again?: boolean;
};

/** A separator at an offset of the part; preserved unless it is an element within a changed value. */
export function separatorRun(text: string, end: number, change?: Run['change'], start = end): Run {
  const run: Run = { text, start, end, form: 'separator', spaceAt: -1, as: 'text' };
  return change ? { ...run, change } : run;
}
