/** Our own format: the fields under their own names, as JSON. */
import type { Format } from './format.ts';

/** `{"ts":…,"event":"decision",…}` */
export const privetLine: Format = (fields, { at }) =>
  `{"ts":"${at.toISOString()}","event":"decision",${JSON.stringify(fields).slice(1)}`;
