/** Numbers over time as bars or lines, also as a table for screen readers. The only user of the chart library. */
import uPlot from 'uplot';
import { html, useEffect, useRef, useState, type VNode } from './html.ts';
import { regionOf, useIsDark, usePreferences } from './preferences.ts';

export type ChartSeries = {
  readonly label: string;
  readonly values: readonly number[];
  /** A colour of the theme: `--good`, `--warn`, `--bad`, `--accent`. */
  readonly color: string;
};

export type ChartProps = {
  /** What the chart shows. */
  readonly label: string;
  /** Times in milliseconds, in order. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly kind?: 'stacked' | 'lines';
  readonly heightPx?: number;
};

export function Chart({ label, times, series, kind = 'stacked', heightPx = 220 }: ChartProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const region = regionOf(usePreferences().language);
  const isDark = useIsDark();
  const [pointed, setPointed] = useState<Pointed>();
  const drawn = useRef<{ readonly plot: uPlot; readonly key: string }>(undefined);
  const key = [kind, isDark, region, heightPx, ...series.map((item) => item.label + item.color)].join('|');
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const data = dataOf(times, series, kind);
    if (drawn.current?.key === key) {
      drawn.current.plot.setData(data);
      return;
    }
    drawn.current?.plot.destroy();
    const plot = new uPlot(optionsOf(element, { series, kind, heightPx, region, onPoint: setPointed }), data, element);
    drawn.current = { plot, key };
  }, [times, series, key]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const plot = drawn.current?.plot;
      if (plot !== undefined && element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: heightPx });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.current?.plot.destroy();
      drawn.current = undefined;
    };
  }, [heightPx]);
  const time = new Intl.DateTimeFormat(region, { dateStyle: 'short', timeStyle: 'short' });
  const number = new Intl.NumberFormat(region);
  const shownValue = ({ values }: ChartSeries, index: number) => number.format(values[index] ?? 0);
  return html`<figure class="chart">
    <figcaption>
      <span class="chart-label">${label}</span>
      <ul class="legend">${series.map(
        (item) => html`<li key=${item.label}>
          <span class="legend-mark" style=${{ background: `var(${item.color})` }} aria-hidden="true"></span>${item.label}
        </li>`,
      )}</ul>
    </figcaption>
    <div class="chart-frame" aria-hidden="true">
      <div ref=${place} class="chart-place"></div>
      ${
        pointed &&
        times[pointed.index] !== undefined &&
        html`<${ChartTip}
          ...${pointed}
          at=${time.format(times[pointed.index])}
          series=${series}
          shownValue=${shownValue}
        />`
      }
    </div>
    <div class="unseen">
      <table>
        <caption>${label}</caption>
        <thead><tr><td></td>${series.map((item) => html`<th key=${item.label} scope="col">${item.label}</th>`)}</tr></thead>
        <tbody>${times.slice(-rowsForReaders).map((at, i, shown) => {
          const row = times.length - shown.length + i;
          return html`<tr key=${at}>
            <th scope="row">${time.format(at)}</th>
            ${series.map((item) => html`<td key=${item.label}>${shownValue(item, row)}</td>`)}
          </tr>`;
        })}</tbody>
      </table>
    </div>
  </figure>`;
}

/** The bar under the mouse, and its position as a share of the width. */
type Pointed = { readonly index: number; readonly share: number };

type ChartTipProps = Pointed & {
  readonly at: string;
  readonly series: readonly ChartSeries[];
  readonly shownValue: (series: ChartSeries, index: number) => string;
};

/** The values of a bar, on the side with more room. */
function ChartTip({ index, share, at, series, shownValue }: ChartTipProps): VNode {
  const side = share > 0.5 ? { right: `${(1 - share) * 100 + 2}%` } : { left: `${share * 100 + 2}%` };
  return html`<div class="chart-tip" style=${side}>
    <strong>${at}</strong>
    ${series.map(
      (item) => html`<span key=${item.label}>
        <span class="legend-mark" style=${{ background: `var(${item.color})` }}></span>${item.label}
        <span class="number">${shownValue(item, index)}</span>
      </span>`,
    )}
  </div>`;
}

/** Maximum rows of the table: a screen reader cannot skim a thousand. */
const rowsForReaders = 48;

/**
 * Data for stacked bars, which are drawn over each other: each value is the sum up to it, the tallest drawn first. A value
 * of 0 has no bar, or its colour would shine through at the edges of the bar over it.
 */
function dataOf(
  times: readonly number[],
  series: readonly ChartSeries[],
  kind: 'stacked' | 'lines',
): uPlot.AlignedData {
  const at = times.map((time) => time / 1000);
  if (kind === 'lines') return [at, ...series.map(({ values }) => [...values])];
  const sums = times.map(() => 0);
  const stacked = series.map(({ values }) =>
    sums.map((_, i) => {
      const sum = (sums[i] ?? 0) + (values[i] ?? 0);
      sums[i] = sum;
      return values[i] ? sum : null;
    }),
  );
  return [at, ...stacked.reverse()];
}

function optionsOf(
  element: HTMLElement,
  wish: Required<Pick<ChartProps, 'series' | 'kind' | 'heightPx'>> & {
    readonly region: string;
    readonly onPoint: (pointed: Pointed | undefined) => void;
  },
): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => colorOf(element, name);
  const isStacked = wish.kind === 'stacked';
  const shown = isStacked ? [...wish.series].reverse() : wish.series;
  const axis = {
    stroke: color('--text-quiet'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const compact = new Intl.NumberFormat(wish.region, { notation: 'compact' });
  const bars = uPlot.paths.bars?.({ size: [0.8, 40], gap: 1 });
  return {
    width: Math.max(200, element.clientWidth),
    height: wish.heightPx,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { setScale: false } },
    hooks: {
      setCursor: [
        ({ cursor: { idx: index, left = -1 }, over, width }) => {
          const isOutside = index === null || index === undefined || left < 0;
          wish.onPoint(isOutside ? undefined : { index, share: (over.offsetLeft + left) / width });
        },
      ],
    },
    axes: [
      {
        ...axis,
        size: (_plot, ticks) => (ticks?.some((tick) => tick.includes('\n')) ? 44 : 28),
        space: 76,
        values: (_plot, ticks, _axis, _space, step) => timeTicks(ticks, step, wish.region),
      },
      { ...axis, size: 48, incrs: wholeSteps, values: (_plot, ticks) => ticks.map((tick) => compact.format(tick)) },
    ],
    scales: {
      // Half a bar of padding at both ends.
      x: { range: (plot, min, max) => [min - barSeconds(plot) / 2, max + barSeconds(plot) / 2] },
      y: { range: (_plot, _min, max) => [0, Math.max(max * 1.05, 1)] },
    },
    series: [
      {},
      ...shown.map((one): uPlot.Series => {
        const tone = color(one.color);
        if (!isStacked) return { label: one.label, stroke: tone, width: 2, points: { show: false } };
        return {
          label: one.label,
          stroke: tone,
          fill: tone,
          width: 0,
          points: { show: false },
          ...(bars === undefined ? {} : { paths: bars }),
        };
      }),
    ],
  };
}

/** Axis steps for counts, which are whole numbers. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

/** The time from one bar to the next; 0 for a single one. */
function barSeconds({ data: [times] }: uPlot): number {
  return times === undefined || times.length < 2 ? 0 : (times[1] ?? 0) - (times[0] ?? 0);
}

/** Axis labels, with the date below the first time of a day. */
function timeTicks(ticks: readonly number[], step: number, region: string): string[] {
  const day = new Intl.DateTimeFormat(region, { month: 'short', day: 'numeric' });
  const clock = new Intl.DateTimeFormat(region, { hour: 'numeric', minute: '2-digit' });
  let shown = '';
  return ticks.map((tick) => {
    const today = day.format(tick * 1000);
    if (step >= 86_400) return today;
    const isNew = today !== shown;
    shown = today;
    return `${clock.format(tick * 1000)}${isNew ? `\n${today}` : ''}`;
  });
}

/** A colour of the theme for a canvas, with variables and `light-dark()` resolved by the browser. */
function colorOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
