import type { PackedModel } from './hashed-ngrams.ts';
export const promptWeights: PackedModel = { bits: 17, scale: 1, bias: 0, data: '' };
