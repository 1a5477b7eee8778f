import type { WireFormat } from './format.ts';

/** IBM's watsonx: every event has a reason. */
export const watsonx: WireFormat = { name: 'watsonx', ends: { noReasons: 'not_finished' } };
