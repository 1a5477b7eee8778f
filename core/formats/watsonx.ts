import type { WireFormat } from './format.ts';

/** IBM's watsonx, whose events all have a reason. */
export const watsonx: WireFormat = { name: 'watsonx', ends: { noReasons: 'not_finished' } };
