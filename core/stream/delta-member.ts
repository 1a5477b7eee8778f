/** Finds the strings of an event that are pieces of texts continued by later events. */
import type { Continued } from '../formats/format.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import { noName } from '../payload/json-path.ts';
import type { JsonMember } from '../payload/json-strings.ts';
import { isSealed } from '../payload/sealed.ts';
import { isOpaqueName, isStructuralMember } from '../payload/structure.ts';
import { type GrowthRule, isPiece, type Run } from './run.ts';
import { type EventScope, isWholeText } from './run-key.ts';
import type { IsInAddress } from './text-run.ts';

// An event with more texts than this contains a list whose texts do not continue.
const listMax = 256;
const deltasMax = 1_024;

/** True if the string may continue in the next event; `before` counts the strings before it in its event. */
export function isDelta(scope: EventScope, member: JsonMember, before: number): boolean {
  if (!member.isString || member.isKey || before >= deltasMax) return false;
  if (before >= listMax && member.path.includes('[]')) return false;
  const { key } = member;
  const { formats } = scope;
  const place = formats.place(member.where);
  if (key === 'type' || key === 'id' || key === 'object' || key === 'model' || key === 'role') return false;
  if (isOpaqueName(key, formats) || place.isSigned || isSealed(member, formats)) return false;
  if (formats.isSignedPiece(member) || isWholeText(scope, member)) return false;
  if (place.isIgnored || member.path.includes(noName) || formats.isPlaceholder(member)) return false;
  return member.value === '' || !isStructuralMember(member, true, formats);
}

/** A piece of a text. `starts`: the run's text starts over. */
export type Delta = {
  readonly member: JsonMember;
  readonly run: Run;
  readonly rule: GrowthRule;
  readonly starts: boolean;
  /** Where a continuing event has its text. */
  readonly pointer: string;
  /** The event that continues a text of one that opens a block. */
  readonly continued?: Continued | undefined;
  readonly isInAddress: IsInAddress | undefined;
};

/** The first and last position of a run among the texts of an event. */
export type RunPlaces = { readonly first: number; readonly last: number };

/** First and last position of each run among the texts of an event. */
export function placesOf(deltas: readonly Delta[]): Map<Run, RunPlaces> {
  const places = new Map<Run, RunPlaces>();
  for (const [at, { run }] of deltas.entries()) places.set(run, { first: places.get(run)?.first ?? at, last: at });
  return places;
}

/** The deltas whose path marks them as pieces. */
export function piecesOf(deltas: readonly Delta[], formats: WireFormats): Delta[] {
  return deltas.length === 1 ? [] : deltas.filter(({ member }) => isPiece(member, formats));
}

/** Pointers of other runs' pieces; a text that each event repeats in full needs no removal. */
export function piecesBeside(run: Run, pieces: readonly Delta[]): string[] {
  return pieces.filter((other) => other.run !== run && !other.run.isCumulative).map(({ member }) => member.pointer);
}
