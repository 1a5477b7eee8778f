/**
 * Evaluates detection on the texts of `eval/data/`.
 *
 *   npm run eval                      prints the figures
 *   npm run eval -- --check           fails when a figure is below its floor in eval/floors.json
 *   npm run eval -- --write           writes docs/quality.md and docs/quality-injection.md
 *   npm run eval -- --floors          records floors a little below the current figures
 *   npm run eval -- --misses FILE     writes every wrong answer to a file
 *   npm run eval -- --type NAME,PHONE --misses FILE      only wrong answers of these types
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluate } from './evaluate.ts';
import { belowFloors, type Evaluation, type Figures, figuresOf, pagesOf } from './report.ts';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    write: { type: 'boolean' },
    floors: { type: 'boolean' },
    misses: { type: 'string' },
    type: { type: 'string' },
  },
});
const floorsFile = join(import.meta.dirname, 'floors.json');
const docs = join(import.meta.dirname, '..', 'docs');

const evaluation = evaluate();
const figures = figuresOf(evaluation);
if (values.misses !== undefined) writeFileSync(values.misses, missesOf(evaluation, values.type?.split(',')));
if (values.floors) writeFileSync(floorsFile, `${JSON.stringify(floorsFor(figures), null, 2)}\n`);
if (values.write) {
  for (const [file, page] of Object.entries(pagesOf(evaluation))) writeFileSync(join(docs, file), page);
}
if (values.check) {
  const problems = belowFloors(figures, JSON.parse(readFileSync(floorsFile, 'utf8')) as Figures);
  for (const problem of problems) process.stderr.write(`below its floor: ${problem}\n`);
  process.stdout.write(problems.length === 0 ? `eval: all figures hold\n` : '');
  process.exitCode = problems.length === 0 ? 0 : 1;
} else {
  process.stdout.write(Object.values(pagesOf(evaluation)).join('\n'));
}

/** A margin below the measured figure, so that a change elsewhere that moves one example does not fail the check. */
function floorsFor({ least, most }: Figures): Figures {
  const round = (value: number) => Math.round(value * 1_000) / 1_000;
  return {
    least: Object.fromEntries(Object.entries(least).map(([name, value]) => [name, round(Math.max(0, value - 0.01))])),
    most: Object.fromEntries(Object.entries(most).map(([name, value]) => [name, round(value + 0.005)])),
  };
}

function missesOf({ pii, prompt, sql }: Evaluation, types: readonly string[] | undefined): string {
  const wanted = pii.misses.filter(({ type }) => types === undefined || types.includes(type));
  const lines = wanted
    .sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))
    .map(({ type, kind, id, value, around }) => `${type} ${kind} ${id} ${quote(value)} in ${quote(around)}`);
  if (types !== undefined) return `${lines.join('\n')}\n`;
  const injections = [...prompt.misses, ...sql.misses].map(
    ({ isAttack, id, source, text }) => `INJECTION ${isAttack ? 'missed' : 'flagged'} ${source} ${id} ${quote(text)}`,
  );
  return `${[...lines, ...injections].join('\n')}\n`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text);
}
