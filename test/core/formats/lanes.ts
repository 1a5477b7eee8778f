import { pieceOf, withPieces } from '../../../core/formats/agents.ts';
import type { WireFormat } from '../../../core/formats/format.ts';
import { isObject } from '../../../core/parsing.ts';

/** A provider that sends utterances in lanes, and calls its tools chores. */
export const lanes: WireFormat = {
  name: 'lanes',
  instructions: [{ path: /\/lanes\/say$/, key: 'briefing', create: (literal) => literal }],
  request: { opaque: 'seal_of_lane', words: 'gait' },
  texts: { pieces: [/^utterance$/], wholeTypes: [/^lane-summary$/] },
  runs: { indexes: 'lane', lastWords: 'over' },
  ends: { own: [/-over$/], flags: 'hasSettled' },
  tools: { deltaNames: 'orders', parsed: 'ord' },
  conversation: { turns: 'utterances', roles: { patron: 'user', pilot: 'model' } },
  offers: {
    lists: 'chores',
    definitions: 'chore',
    servers: [
      {
        name: 'lanes',
        inRequest: 'depots',
        label: 'depot',
        url: ({ gate }) => gate,
        limited: (depot, { names }) => ({ ...depot, only: names }),
      },
    ],
  },
  calls: {
    signs: 'errand',
    callOf: ({ errand }) => (isObject(errand) ? { name: errand.does, arguments: errand.load } : undefined),
    read({ errand, lane }) {
      if (!isObject(errand)) return undefined;
      return withPieces(pieceOf(`lane${lane}`, { name: errand.does, arguments: errand.load }, errand.isDone === true));
    },
    refusal: { member: 'utterances', write: ({ message }) => ({ error: { message, roadblock: 1 } }) },
  },
};
