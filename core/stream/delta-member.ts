/** Which strings of an event are pieces of texts that the next events go on with. */
import { isSealed } from '../payload/document.ts';
import { noName } from '../payload/json-path.ts';
import type { JsonMember } from '../payload/json-strings.ts';
import { isSignedReasoning } from '../payload/response.ts';
import { isOpaqueName, isStructuralMember } from '../payload/structure.ts';
import { type EventScope, isSignedPiece, isWholeText } from './run-key.ts';

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
