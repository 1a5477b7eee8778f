/** Text signed by a provider (thinking blocks), which must be sent back unchanged. */
import { wireFormats } from '../formats/index.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import type { JsonMember } from './json-strings.ts';
import type { Seal } from './text-document.ts';

/** True for a signed text. */
export function isSealed(member: JsonMember, formats = wireFormats): boolean {
  return sealOf(member, formats) !== undefined;
}

/** The seal of a reasoning text; undefined for other text. */
export function sealOf(member: JsonMember, formats: WireFormats): Seal | undefined {
  const { node, key } = member;
  if (key !== 'thinking' && key !== 'text' && key !== 'data' && key !== 'summary') return undefined;
  if (node.isArray || !node.members || node.members.length < 2) return undefined;
  if (formats.reasoning.opaqueTypes.has(node.member('type')?.value ?? ''))
    return { signature: '', pointer: member.pointer, isVerified: true };
  const found = formats.signatureOf(member);
  return found?.signature.isString
    ? { ...found, signature: found.signature.value, pointer: member.pointer }
    : undefined;
}
