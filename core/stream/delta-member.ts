/** Which strings of an event are pieces of texts that the next events go on with. */
import { isSealed } from '../payload/document.ts';
import { noName } from '../payload/json-path.ts';
import type { JsonMember } from '../payload/json-strings.ts';
import { isSignedReasoning } from '../payload/response.ts';
import { isOpaqueName, isStructuralMember } from '../payload/structure.ts';
import { type GrowthRule, isPiece, type Run } from './run.ts';
import { type EventScope, isSignedPiece, isWholeText } from './run-key.ts';
import type { IsInAddress } from './text-run.ts';

// An event with more texts than this holds a list, of which none goes on in the next event.
const listMax = 256;
const deltasMax = 1_024;

/** True for a string that may go on in the next event, behind so many others of its event. */
export function isDelta(scope: EventScope, member: JsonMember, before: number): boolean {
  if (!member.isString || member.isKey || before >= deltasMax) return false;
  if (before >= listMax && member.path.includes('[]')) return false;
  const { key, node } = member;
  if (key === 'type' || key === 'id' || key === 'object' || key === 'model' || key === 'role') return false;
  if (isOpaqueName(key) || isSealed(member) || isSignedReasoning(member) || isSignedPiece(member)) return false;
  if (isWholeText(scope, member)) return false;
  const { path } = member;
  if (path.includes('logprobs') || path.startsWith('usage') || path.includes(noName)) return false;
  if (member.value === '' && (node.member('thoughtSignature') || node.member('thought_signature'))) return false;
  return member.value === '' || !isStructuralMember(member, true);
}

/** A piece of a text in an event. `starts`: the text of its run begins anew. */
export type Delta = {
  readonly member: JsonMember;
  readonly run: Run;
  readonly rule: GrowthRule;
  readonly starts: boolean;
  /** Where an event that goes on with the text has it. */
  readonly pointer: string;
  readonly isInAddress: IsInAddress | undefined;
};

/** The first and the last place of a run among the texts of an event. */
export type RunPlaces = { readonly first: number; readonly last: number };

/** Where in an event the texts of each run stand. */
export function placesOf(deltas: readonly Delta[]): Map<Run, RunPlaces> {
  const places = new Map<Run, RunPlaces>();
  for (const [at, { run }] of deltas.entries()) places.set(run, { first: places.get(run)?.first ?? at, last: at });
  return places;
}

/** Those that are pieces by their place. */
export function piecesOf(deltas: readonly Delta[]): Delta[] {
  return deltas.length === 1 ? [] : deltas.filter(({ member }) => isPiece(member));
}

/** The places of the pieces of other runs; a text that is said whole in each event is right in the next one too. */
export function piecesBeside(run: Run, pieces: readonly Delta[]): string[] {
  return pieces.filter((other) => other.run !== run && !other.run.isCumulative).map(({ member }) => member.pointer);
}
