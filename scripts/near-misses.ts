/**
 * Writes the golden files of near misses (docs/testing.md): `node scripts/near-misses.ts` all, `node
 * scripts/near-misses.ts phone sql` only these.
 */
import { contextTypes } from '../core/recognizers/context-types.ts';
import { recognizers } from '../core/recognizers/index.ts';
import { eventBlocks } from '../test/support/near-misses/events.ts';
import { writeGolden } from '../test/support/near-misses/golden.ts';
import { promptBlocks, promptRuleBlocks, sqlBlocks } from '../test/support/near-misses/injection.ts';
import { letterBlocks } from '../test/support/near-misses/injection-letters.ts';
import { labelBlocks } from '../test/support/near-misses/labels.ts';
import { layoutBlocks } from '../test/support/near-misses/layouts.ts';
import { memberBlocks } from '../test/support/near-misses/members.ts';
import { type Made, recognizerBlocks } from '../test/support/near-misses/recognizers.ts';
import { runBlocks } from '../test/support/near-misses/runs.ts';
import { streamBlocks } from '../test/support/near-misses/streams.ts';
import { structureBlocks } from '../test/support/near-misses/structure.ts';
import { tokenBlocks } from '../test/support/near-misses/tokens.ts';
import { wordBlocks } from '../test/support/near-misses/words.ts';

/** Learned recognizers are tested with properties and texts instead (test/core/context/). */
const learned: ReadonlySet<string> = new Set(contextTypes.map(({ name }) => name));
const formRecognizers = recognizers.filter(({ name }) => !learned.has(name));

const files: Record<string, () => Made[]> = {
  ...Object.fromEntries(
    formRecognizers.map((recognizer) => [`recognizers/${recognizer.name}`, () => recognizerBlocks(recognizer)]),
  ),
  labels: labelBlocks,
  layouts: layoutBlocks,
  members: memberBlocks,
  streams: streamBlocks,
  events: eventBlocks,
  runs: runBlocks,
  tokens: tokenBlocks,
  words: wordBlocks,
  'injection/letters': letterBlocks,
  'injection/prompt-rules': promptRuleBlocks,
  'injection/prompt': promptBlocks,
  'injection/sql': sqlBlocks,
  'injection/structure': structureBlocks,
};
const named = process.argv.slice(2);
for (const [file, blocks] of Object.entries(files))
  if (named.length === 0 || named.includes(file.replace(/^.*\//, '')))
    writeGolden(
      file,
      blocks().map(({ make }) => make()),
    );
