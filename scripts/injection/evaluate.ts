import type { InjectionRow } from './data.ts';

/** A row with its score from a detector trained without its source. */
export type ScoredRow = {
  readonly row: InjectionRow;
  /** Compared with a threshold; a higher score is more certain. */
  readonly score: number;
};

/** The results for the rows of one source with one label. */
export type SourceFigure = {
  readonly source: string;
  readonly label: 0 | 1;
  readonly rows: number;
  readonly flagged: number;
};

export type InjectionFigures = {
  /** Mean over the sources with attacks, equally weighted. */
  readonly recall: number;
  /** Mean over the sources with harmless texts. */
  readonly falsePositiveRate: number;
  /** Over all Japanese rows with an attack, and over all harmless ones. */
  readonly japanese: { readonly recall: number; readonly falsePositiveRate: number };
  readonly sources: readonly SourceFigure[];
};

/** Sources with fewer rows of a label are excluded from the mean. */
const rowsMin = 15;

/**
 * Counts the texts that `detect` flags. Rows of category "unmarked" contain a planted sentence that looks like any
 * other request; no detector can find them by text alone, so they are excluded.
 * @example evaluateInjection(rows, (row) => detectInjection(row.text).injectionDetected).recall // 0.7
 */
export function evaluateInjection(
  rows: readonly InjectionRow[],
  detect: (row: InjectionRow) => boolean,
): InjectionFigures {
  const figures = new Map<string, { source: string; label: 0 | 1; rows: number; flagged: number }>();
  const japanese = { attacks: 0, found: 0, harmless: 0, wrong: 0 };
  for (const row of rows) {
    if (row.category.includes('unmarked')) continue;
    const flagged = detect(row);
    const key = `${row.source} ${row.label}`;
    let figure = figures.get(key);
    if (figure === undefined) {
      figure = { source: row.source, label: row.label, rows: 0, flagged: 0 };
      figures.set(key, figure);
    }
    figure.rows++;
    if (flagged) figure.flagged++;
    // Decide by script: one source marks English rows as Japanese because of a few symbols.
    if (row.lang === 'ja' && /[\u3040-\u30ff]/.test(row.text)) {
      if (row.label === 1) {
        japanese.attacks++;
        if (flagged) japanese.found++;
      } else {
        japanese.harmless++;
        if (flagged) japanese.wrong++;
      }
    }
  }
  const sources = [...figures.values()];
  const mean = (label: 0 | 1): number => {
    const counted = sources.filter((figure) => figure.label === label && figure.rows >= rowsMin);
    return counted.reduce((sum, { flagged, rows: all }) => sum + flagged / all, 0) / Math.max(1, counted.length);
  };
  return {
    recall: mean(1),
    falsePositiveRate: mean(0),
    japanese: {
      recall: japanese.found / Math.max(1, japanese.attacks),
      falsePositiveRate: japanese.wrong / Math.max(1, japanese.harmless),
    },
    sources,
  };
}

/** Figures with each source's threshold chosen on the others, with a mean false positive rate of `falsePositives`. */
export function evaluateHeldOut(scored: readonly ScoredRow[], falsePositives: number): InjectionFigures {
  const scoreOf = new Map(scored.map(({ row, score }) => [row, score]));
  const rows = scored.map(({ row }) => row);
  const sources = new Set(rows.map(({ source }) => source));
  const thresholds = new Map(
    [...sources].map((source) => [source, thresholdFor(scored, falsePositives, source)] as const),
  );
  return evaluateInjection(
    rows,
    (row) => (scoreOf.get(row) ?? 0) >= (thresholds.get(row.source) ?? Number.POSITIVE_INFINITY),
  );
}

/** The lowest threshold that keeps the mean false positive rate of the sources, except `without`. */
export function thresholdFor(scored: readonly ScoredRow[], falsePositives: number, without?: string): number {
  const harmless = new Map<string, number[]>();
  for (const { row, score } of scored) {
    if (row.label === 1 || row.source === without) continue;
    const scores = harmless.get(row.source) ?? [];
    scores.push(score);
    harmless.set(row.source, scores);
  }
  const counted = [...harmless.values()].filter(({ length }) => length >= rowsMin);
  let low = -10;
  let high = 40;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    const rate =
      counted.reduce((sum, scores) => sum + scores.filter((score) => score >= middle).length / scores.length, 0) /
      Math.max(1, counted.length);
    if (rate > falsePositives) low = middle;
    else high = middle;
  }
  return high;
}

/** The figures as lines of text. */
export function figureLines({ recall, falsePositiveRate, japanese, sources }: InjectionFigures): string[] {
  const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
  return [
    `recall ${percent(recall)}, false positives ${percent(falsePositiveRate)} (means over sources); Japanese ${percent(japanese.recall)} and ${percent(japanese.falsePositiveRate)}`,
    ...sources
      .toSorted((a, b) => b.label - a.label || a.source.localeCompare(b.source))
      .map(
        ({ source, label, rows, flagged }) =>
          `  ${label === 1 ? 'attacks ' : 'harmless'} ${source.padEnd(36)} ${String(flagged).padStart(4)} of ${rows} (${percent(flagged / rows)})`,
      ),
  ];
}
