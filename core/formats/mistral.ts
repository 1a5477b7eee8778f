import type { WireFormat } from './format.ts';

/** Mistral: thinking as a list of parts. */
export const mistral: WireFormat = { name: 'mistral', runs: { joinedLists: 'thinking' } };
