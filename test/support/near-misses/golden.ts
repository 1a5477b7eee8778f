/**
 * Golden files of near misses: what is found in each sample, and which small edits change that. `node
 * scripts/near-misses.ts` writes them; docs/testing.md explains the format.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { characterEdits, cuts, edited, type Sample, type Variant, wholeEdits } from './edits.ts';

/** A short description of the findings in a text; empty if there are none. */
export type Look = (variant: Variant) => string;

/** Blocks by their first line. */
export type Golden = ReadonlyMap<string, string>;

const root = path.resolve(import.meta.dirname, '../../fixtures/near-misses');
const note = 'Made by node scripts/near-misses.ts, which also makes it anew; docs/testing.md says how to read it.';
const codes = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγδεζηθικλμνξοπρστυφχψω0123456789бгджзилфцчшщъыьэюя',
];
/** In longer texts, this many characters at the start and at the end are edited. */
const editedMax = 48;

/** Three digits without the leading zero. */
export function rounded(score: number): string {
  return String(Math.round(score * 1000) / 1000).replace(/^(-?)0\./, '$1.');
}

/** The same finding, from the edit on or up to it. */
const usualChanges = { '^': '^..>', $: '$..>', '<': '<..^', '>': '<..$' };

/** Assigns a sign to each outcome: `=` unchanged, `.` nothing found, `+` twice, letters for all others. */
class Outcomes {
  readonly #signs = new Map<string, string>();
  readonly #codes = codes.values();
  readonly #context: string;
  /** A list of names without its first word. */
  readonly #names: string;

  constructor(usual: string) {
    this.#context = /‹[^›]*›/.exec(usual)?.[0] ?? '‹=›';
    this.#names = /^[a-z]+ ([^‹]{8,})$/.exec(usual)?.[1] ?? '…';
    this.#signs.set('', '.');
    this.#signs.set(usual, '=');
    if (usual === '') return;
    for (const [sign, change] of Object.entries(usualChanges)) this.#signs.set(`${usual} ${change}`, sign);
    this.#signs.set(`${usual} + ${usual} again`, '+');
  }

  signOf(outcome: string): string {
    const known = this.#signs.get(outcome);
    if (known !== undefined) return known;
    const sign = this.#codes.next().value ?? '?';
    this.#signs.set(outcome, sign);
    return sign;
  }

  get lines(): string[] {
    return [...this.#signs]
      .filter(([, sign]) => !'.=^$<>+'.includes(sign))
      .map(([outcome, sign]) => `${sign} ${outcome.replaceAll(this.#context, '‹=›').replace(this.#names, '…')}`);
  }
}

const eastAsian = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff]/;
const fullWidth = /[\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/;
const pictures = /[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Two columns for characters that a terminal shows two columns wide, so that signs are aligned below them. */
function columns(char: string): number {
  return [eastAsian, fullWidth, pictures].some((wide) => wide.test(char)) ? 2 : 1;
}

/** The text on one line. */
function shown(text: string): string {
  return text
    .replaceAll('\n', '⏎')
    .replaceAll('\t', '⇥')
    .replace(/[\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, '·')
    .replace(/[\u{e0000}-\u{e007f}\ud800-\udfff]/gu, '·');
}

/** Shortens keys, because hosting services scan for them. */
function withoutKeys(text: string): string {
  return text
    .replaceAll('PRIVATE KEY', 'PRIVATE·KEY')
    .replace(/[A-Za-z0-9+/=_]{12,}/g, (run) => run.slice(0, 6) + '·'.repeat(run.length - 6));
}

const widthMin = 9;
const row = (name: string, signs: string, width = widthMin) => `${name.padEnd(width)}${signs}`.trimEnd();

/** The names of edits with the same effect: `drop kind`, `to .;` for `to .` and `to ;`. */
function joined(names: readonly string[]): string {
  const put = names.flatMap((name) => /^to (.)$/u.exec(name)?.[1] ?? []);
  const others = names.filter((name) => !/^to .$/u.test(name));
  return [...others, ...(put.length > 0 ? [`to ${put.join('')}`] : [])].join(' ');
}

/** How a sample is split and edited. */
export type Edits = {
  /** The pieces of a text that are edited one at a time. */
  readonly pieces: (text: string) => readonly string[];
  /** True if a piece is edited. */
  readonly isEdited: (piece: string) => boolean;
  /** The replacement of a piece, by edit name; undefined if the edit does not apply. */
  readonly edits: Readonly<Record<string, (piece: string) => string | undefined>>;
  /** One sign per piece, whatever its length; all pieces are edited. */
  readonly isCompact?: boolean;
  /** Changes of the whole sample. */
  readonly wholes: (sample: Sample) => Iterable<readonly [name: string, variant: Variant]>;
};

/** Every character, with replacements of the same and of other kinds. */
export const characterwise: Edits = {
  pieces: (text) => Array.from(text),
  isEdited: () => true,
  edits: characterEdits,
  wholes: wholeEdits,
};

type BlockOptions = { readonly kind: '+' | '-'; readonly look: Look; readonly isSecret?: boolean; readonly by?: Edits };

/** The block of a sample: the text, the findings, and below each piece the effect of editing it. */
export function blockOf(sample: Sample, { kind, look, isSecret = false, by = characterwise }: BlockOptions): string {
  const { text } = sample;
  const usual = look(sample);
  const outcomes = new Outcomes(usual);
  const pieces = by.pieces(text);
  const isShown = (i: number) =>
    by.isCompact || pieces.length <= 2 * editedMax || i < editedMax || i >= pieces.length - editedMax;
  /** The edits of each row of signs. */
  const rows = new Map<string, string[]>();

  const addRow = (name: string, variantAt: (piece: string, at: number) => Variant | undefined) => {
    let signs = '';
    let at = 0;
    let isChanged = false;
    pieces.forEach((piece, i) => {
      const variant = isShown(i) && by.isEdited(piece) ? variantAt(piece, at) : undefined;
      const sign = variant === undefined ? ' ' : outcomes.signOf(look(variant));
      if (sign !== ' ' && sign !== '=') isChanged = true;
      const chars = Array.from(piece);
      const wide = chars.reduce((sum, char) => sum + columns(char), 0);
      signs += by.isCompact ? sign : chars.length === 1 ? sign.repeat(wide) : sign.padEnd(wide);
      at += piece.length;
    });
    if (isChanged) rows.set(signs, [...(rows.get(signs) ?? []), name]);
  };
  for (const [name, edit] of Object.entries(by.edits))
    addRow(name, (piece, at) => {
      const put = edit(piece);
      return put === undefined ? undefined : edited(sample, at, piece.length, put);
    });
  for (const [name, cut] of Object.entries(cuts))
    addRow(name, (_piece, at) => (at === 0 ? undefined : cut(sample, at)));

  const labels = [...rows].map(([signs, names]) => [joined(names), signs] as const);
  const width = Math.max(widthMin, ...labels.map(([label]) => label.length + 1));
  const lines = [
    row(kind, shown(isSecret ? withoutKeys(text) : text), width),
    row('=', usual === '' ? 'nothing' : usual, width),
    ...labels.map(([label, signs]) => row(label, signs, width)),
  ];

  const groups = new Map<string, string[]>();
  for (const [name, variant] of by.wholes(sample)) addTo(groups, outcomes.signOf(look(variant)), name);
  if (groups.size > 1) lines.push(...groupLines(groups));
  return [...lines, ...outcomes.lines].join('\n');
}

/** Adds a name to the group with this key. */
export function addTo(groups: Map<string, string[]>, key: string, name: string): void {
  groups.set(key, [...(groups.get(key) ?? []), shown(name)]);
}

/** A line for each group: its outcome and its names. Those of the largest are left out; if nothing changes, all of it. */
export function groupLines(groups: ReadonlyMap<string, readonly string[]>): string[] {
  const most = Math.max(...[...groups.values()].map((names) => names.length));
  const rest = [...groups].find(([, names]) => names.length === most)?.[0];
  return [...groups]
    .filter(([key]) => key !== rest || key !== '=')
    .map(([key, names]) => `${key}: ${key === rest ? 'the others' : names.join('  ')}`);
}

const fileOf = (name: string) => path.join(root, `${name}.txt`);
const firstLine = (block: string) => block.slice(0, `${block}\n`.indexOf('\n'));

/** The blocks of a golden file; none if the file does not exist. */
export function readGolden(name: string): Golden {
  let content = '';
  try {
    content = readFileSync(fileOf(name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return new Map(content.split('\n\n').map((block) => [firstLine(block), block.replace(/\n$/, '')] as const));
}

/** Writes a golden file. */
export function writeGolden(name: string, blocks: readonly string[]): void {
  mkdirSync(path.dirname(fileOf(name)), { recursive: true });
  writeFileSync(fileOf(name), `${[note, ...blocks].join('\n\n')}\n`);
}

/** One of this many blocks is kept. */
const sampledFrom = 6;

/**
 * Selects blocks of what other tests read too, by hash of their names, so that a new one does not change the
 * selection; the first one is always kept.
 */
export function sampled<Block extends { readonly name: string }>(blocks: readonly Block[]): Block[] {
  return blocks.filter(({ name }, i) => i === 0 || hashOf(name) % sampledFrom === 0);
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

/** The golden block, or an instruction if there is none. */
export function goldenOf(golden: Golden, block: string): string {
  return golden.get(firstLine(block)) ?? 'not in the golden file: node scripts/near-misses.ts';
}
