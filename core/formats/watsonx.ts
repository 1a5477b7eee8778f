/** IBM's watsonx: a reason stands in every event. */
import type { WireFormat } from './format.ts';

export const watsonx: WireFormat = { name: 'watsonx', ends: { noReasons: 'not_finished' } };
