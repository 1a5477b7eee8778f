import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unpackModel } from '../../core/names/model.ts';
import { NameTagger } from '../../core/names/tagger.ts';
import { readCorpora } from './corpora.ts';
import { ExampleBuilder, type LabelledText } from './examples.ts';
import { exchangeNames } from './exchange-names.ts';
import { makeTexts } from './made-texts.ts';
import { firstSightTexts, spanTexts, writtenTexts } from './marked.ts';
import { emptyTally, figures, tally } from './score.ts';
import { type Recipe, trainChain } from './train-chain.ts';

/**
 * Trains the tagger of names and writes core/names/weights-latin.json and weights-east.json.
 *
 *   npm run train:names -- <folder of raw lists and ner/> <folder of the dictionaries>
 *     [--pasted FILE] [--evaluate] [--no-write] [--only latin|east] [--without a,b]
 *
 * `--pasted FILE` adds pasted texts, JSON Lines with spans. `--evaluate` also trains without each group of sources in
 * turn and prints the results on those unseen sources. Deterministic.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    evaluate: { type: 'boolean' },
    'no-write': { type: 'boolean' },
    without: { type: 'string', multiple: true },
    pasted: { type: 'string' },
    only: { type: 'string' },
  },
});
const [folder, dictionaries] = positionals;
if (folder === undefined || dictionaries === undefined) {
  console.error(
    'usage: npm run train:names -- <folder of raw lists and ner/> <folder of the dictionaries>\n' +
      '  [--pasted FILE] [--evaluate] [--no-write] [--only latin|east] [--without a,b]',
  );
  process.exit(2);
}

/** Sources that are held out together: one per language, so that each language keeps its other sources. */
const groups: readonly string[][] = values.without?.map((list) => list.split(',')) ?? [
  ['en_ewt', 'de_germeval', 'ja_wikipedia', 'es_meddocan', 'zh_gsd', 'sv_talbanken', 'pasted'],
  ['en_btc', 'en_wnut17', 'de_smartdata', 'ja_stockmark', 'pt_bosque', 'ko_klue', 'first-sight'],
  ['en_wikigold', 'fr_europeana', 'fr_fenec', 'nl_europeana', 'da_ddt'],
];

/**
 * Old newspapers with scanning errors and rough labels count less, as do the product's secondary languages, and the written
 * texts, which outnumber the labelled ones in German and Japanese.
 */
const weightOf: Readonly<Record<string, number>> = {
  fr_europeana: 0.3,
  nl_europeana: 0.3,
  hr_set: 0.5,
  sr_set: 0.5,
  sk_snk: 0.5,
  hu_nerkor: 0.5,
  id_nergrit: 0.5,
  fi_turku: 0.5,
  written: 0.5,
  made: 1.5,
  'made-chat': 0.7,
  'made-prose': 1,
};

const started = Date.now();
const say = (line: string): void => console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(4)}s  ${line}`);

const pasted = values.pasted === undefined ? [] : spanTexts(values.pasted);
const corpora = [...readCorpora(join(folder, 'ner')), ...firstSightTexts(), ...writtenTexts(), ...pasted];
const made = makeTexts(folder, dictionaries);
const sources = [...new Set([...corpora, ...made].map(({ source }) => source))];

/** All examples except those of held-out sources, whose names are not used for exchanges either. */
function build(without: readonly string[]): ExampleBuilder {
  const builder = new ExampleBuilder();
  let salt = 1;
  const kept = corpora.filter(({ source }) => !without.includes(source));
  const exchanged = exchangeNames({ folder: folder as string, dictionaries: dictionaries as string }, kept);
  for (const labelled of [...kept, ...exchanged, ...made])
    builder.add(labelled, sources.indexOf(labelled.source), salt++);
  builder.finish();
  say(
    `${kept.length} texts, ${exchanged.length} with other names, ${made.length} made texts; ${builder.latin.tags.length} words, ${builder.east.tags.length} characters`,
  );
  if (without.length > 0) return builder;
  for (const [source, { names, covered }] of builder.coverage)
    say(`${source.padEnd(18)} names ${names}, candidates ${(covered / names).toFixed(3)}`);
  return builder;
}

function train(without: readonly string[]): {
  latin: ReturnType<typeof trainChain>;
  east: ReturnType<typeof trainChain>;
} {
  const builder = build(without);
  // Generated texts resemble business writing; give them weight against the many labelled texts.
  const sourceWeights = sources.map((source) => weightOf[source] ?? (source.startsWith('made') ? 2 : 1));
  const recipe: Recipe = {
    bits: 19,
    epochs: 8,
    rate: 0.15,
    decay: 3e-4,
    countMin: 3,
    prune: { after: 4, below: 0.15 },
    coarseness: 3,
    averaged: 3,
    sourceWeights,
  };
  const epochsOf = (name: string): number => (values.only === undefined || values.only === name ? recipe.epochs : 0);
  return {
    // Tweets need more of the small weights than the other texts.
    latin: trainChain(builder.latin, { ...recipe, epochs: epochsOf('latin'), prune: { after: 4, below: 0.08 } }),
    east: trainChain(builder.east, { ...recipe, epochs: epochsOf('east') }),
  };
}

function measure(tagger: NameTagger, texts: readonly LabelledText[], label: string): void {
  const sum = emptyTally();
  for (const labelled of texts) tally(sum, labelled, tagger.tag(labelled.text));
  say(figures(label, sum));
}

if (!values['no-write']) {
  const models = train([]);
  const out = join(import.meta.dirname, '..', '..', 'core', 'names');
  for (const [name, model] of Object.entries(models)) {
    if (values.only !== undefined && values.only !== name) continue;
    const file = { generated: 'by `npm run train:names`; not edited by hand', ...model };
    writeFileSync(join(out, `weights-${name}.json`), `${JSON.stringify(file, null, 2)}\n`);
  }
  say('weights written');
}
if (values.evaluate || values.without) {
  say('left out in turn:');
  for (const group of groups) {
    const { latin, east } = train(group);
    for (const source of group) {
      const texts = corpora.filter((text) => text.source === source);
      measure(new NameTagger(unpackModel(latin), () => unpackModel(east)), texts, source);
    }
  }
}
