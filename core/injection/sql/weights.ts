import type { PackedModel } from '../hashed-ngrams.ts';
export const sqlWeights: PackedModel = { bits: 16, scale: 1, bias: -1, data: '' };
