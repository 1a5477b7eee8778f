import type { WireFormat } from './format.ts';

/** IBM's watsonx: a reason stands in every event. */
export const watsonx: WireFormat = { name: 'watsonx', ends: { noReasons: 'not_finished' } };
