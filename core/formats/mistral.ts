/** Mistral: thinking as a list of parts. */
import type { WireFormat } from './format.ts';

export const mistral: WireFormat = { name: 'mistral', runs: { joinedLists: 'thinking' } };
