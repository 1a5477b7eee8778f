/**
 * A recognizer: one PII type and one way to find it.
 */
import type { KeywordLists } from './detect/keywords.ts';
import type { ScanText } from './detect/scan.ts';

/** A reason for a detection: a feature of the scorer, its weight, and the same in words. */
export type Reason = { readonly feature: string; readonly weight: number; readonly text: string };

/** One piece of personal data in a text. Offsets are UTF-16 code units of the original text, `end` exclusive. */
export type Detection = {
  /** Built-in type such as `EMAIL`, or the label of a dictionary entry. */
  readonly type: string;
  /** The characters `start..end` of the original text. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** 0 to 1: how sure the recognizer is. */
  readonly score: number;
  /** Name of the recognizer, for explanations. */
  readonly recognizer: string;
  /** The context word nearby. */
  readonly context?: string;
  /** True when a check digit or checksum was verified. */
  readonly checksum?: boolean;
  /** With `explain`: the reasons, strongest first. */
  readonly why?: readonly Reason[];
};

/** Finds one PII type. Stateless: the same text gives the same detections. */
export type Recognizer = KeywordLists & {
  readonly type: string;
  /** Cheap pre-test for texts without candidates. Default: the recognizer always runs. */
  trigger?(text: ScanText): boolean;
  /** All hits, sorted by start; they may overlap those of other recognizers. Must run in linear time. */
  find(text: ScanText): Detection[];
};

/** A detection at `start..end` of the text. */
export function detectionAt(
  text: ScanText,
  start: number,
  end: number,
  found: Omit<Detection, 'value' | 'start' | 'end' | 'context' | 'checksum' | 'why'> & {
    readonly context?: string | undefined;
    readonly checksum?: boolean;
  },
): Detection {
  const { type, score, recognizer, context, checksum } = found;
  const detection: { -readonly [K in keyof Detection]: Detection[K] } = {
    type,
    value: text.original.slice(start, end),
    start,
    end,
    score,
    recognizer,
  };
  if (context !== undefined) detection.context = context;
  if (checksum) detection.checksum = checksum;
  return detection;
}

/** The detections in each of several texts; undefined if there are none. */
export type FoundInTexts = readonly (readonly Detection[] | undefined)[];
