/** The charts of the report: bars in SVG, stretched to the width of the page, with labels next to them in HTML. */
import { dayMs } from '../durations.ts';
import { escapeHtml } from '../proxy/answer/pages.ts';
import type { UsageReport } from './usage.ts';
import type { ReportWords } from './words.ts';

/** Numbers look the same in all languages of the report. */
export const grouped = (value: number): string => value.toLocaleString('en');

/** Stacked bars, one per step. */
export function timeChart(series: UsageReport['series'], words: ReportWords): string {
  const kinds = [
    ['allow', words.allowed],
    ['warn', words.warned],
    ['block', words.isBlocked],
  ] as const;
  const most = roundedUp(Math.max(1, ...series.map(({ allow, warn, block }) => allow + warn + block)));
  const bars = series.map((point, i) => {
    let top = 100;
    const parts = kinds.map(([kind]) => {
      const height = (point[kind] / most) * 100;
      top -= height;
      return rect(kind, { x: i + 0.1, y: top, width: 0.8, height });
    });
    const counts = kinds.map(([kind, label]) => `${label} ${grouped(point[kind])}`).join(', ');
    return `<g><title>${escapeHtml(point.at.slice(0, 16).replace('T', ' '))}: ${counts}</title>${parts.join('')}</g>`;
  });
  const [first, second] = series.map(({ at }) => Date.parse(at));
  const isHourly = first !== undefined && second !== undefined && second - first < dayMs;
  const every = Math.max(1, Math.ceil(series.length / 10));
  const days = series.map(({ at }, i) => {
    const left = (((i + 0.5) / series.length) * 100).toFixed(1);
    const text = isHourly ? at.slice(11, 16) : at.slice(5, 10);
    return i % every === 0 ? `<span style="--at:${left}%">${text}</span>` : '';
  });
  const lines = [0, 50, 100].map(
    (y) => `<path d="M0 ${y}H${series.length}" stroke="var(--line)" vector-effect="non-scaling-stroke"/>`,
  );
  const scale = [most, most / 2, 0].map((value) => `<span class="n">${grouped(value)}</span>`);
  return `<div class="time"><div class="scale">${scale.join('')}</div>
${stretched([series.length, 100], words.overTime, [...lines, ...bars])}
<div class="days">${days.join('')}</div></div>${key(kinds)}`;
}

/** The top of a scale: an even number with at most two digits that are not zero. */
function roundedUp(value: number): number {
  const step = Math.max(2, 2 * 10 ** (Math.floor(Math.log10(value)) - 1));
  return Math.ceil(value / step) * step;
}

/** Horizontal bars: masked in full colour, then what was only seen. */
export function barChart(
  rows: readonly (readonly [label: string, masked: number, seen: number])[],
  words: ReportWords,
): string {
  const most = Math.max(1, ...rows.map(([, masked, seen]) => masked + seen));
  const bars = rows.map(([label, masked, seen]) => {
    const parts = [
      rect('allow', { x: 0, y: 0, width: masked, height: 1 }),
      rect('seen', { x: masked, y: 0, width: seen, height: 1 }),
    ];
    const total = `${words.isMasked} ${grouped(masked)}, ${words.seen} ${grouped(seen)}`;
    return `<li><span>${escapeHtml(label)}</span>${stretched([most, 1], total, parts)}
<span class="n">${grouped(masked + seen)}</span></li>`;
  });
  const kinds = [
    ['allow', words.isMasked],
    ['seen', words.seen],
  ] as const;
  return `<ul class="bars">${bars.join('')}</ul>${key(kinds)}`;
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

function rect(kind: string, { x, y, width, height }: Box): string {
  if (width <= 0 || height <= 0) return '';
  const [left, top, wide, tall] = [x, y, width, height].map((value) => Number(value.toFixed(2)));
  return `<rect class="${kind}" x="${left}" y="${top}" width="${wide}" height="${tall}"/>`;
}

function stretched([width, height]: readonly [number, number], label: string, parts: readonly string[]): string {
  const size = `viewBox="0 0 ${Math.max(1, width)} ${height}" preserveAspectRatio="none"`;
  return `<svg ${size} role="img" aria-label="${escapeHtml(label)}">${parts.join('')}</svg>`;
}

function key(kinds: readonly (readonly [kind: string, label: string])[]): string {
  return `<div class="key">${kinds.map(([kind, label]) => `<span><i class="${kind}"></i>${label}</span>`).join('')}</div>`;
}
