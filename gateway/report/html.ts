/** The report as a self-contained page: charts as SVG, light and dark, ready to print. All text is escaped. */
import { typeLabel } from '../../core/types.ts';
import { dayMs } from '../durations.ts';
import type { Language } from '../portal/words.ts';
import { escapeHtml } from '../proxy/answer/pages.ts';
import type { UsageReport } from './usage.ts';
import { type ReportWords, reportWords } from './words.ts';

const style = `
:root{color-scheme:light dark;--bg:#fff;--text:#1d2b22;--soft:#5b6b60;--line:#dbe3dc;--allow:#0b6b64;--warn:#b7791f;--block:#b3261e;--bar:#cfe3d6}
@media(prefers-color-scheme:dark){:root{--bg:#121814;--text:#e6eee8;--soft:#9fb0a5;--line:#2d3931;--allow:#7cc598;--warn:#e3b15a;--block:#ff8a80;--bar:#274233}}
@media print{:root{--bg:#fff;--text:#111;--soft:#555;--line:#ccc;--allow:#0b6b64;--warn:#b7791f;--block:#b3261e;--bar:#dde9e0}section{break-inside:avoid}body{padding:0}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1040px;padding:32px;background:var(--bg);color:var(--text);
font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans JP",sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact}
h1{font-size:1.6rem;margin:0 0 2px}h2{font-size:1.02rem;margin:26px 0 8px}p{margin:0;color:var(--soft)}
.totals{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:10px;margin:20px 0 4px}
.totals div{border:1px solid var(--line);border-radius:10px;padding:10px 14px}.totals b{display:block;font-size:1.5rem;line-height:1.2}.totals span{color:var(--soft);font-size:.85rem}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(340px,1fr));gap:0 32px}
table{border-collapse:collapse;width:100%;font-size:.88rem}th{text-align:left;font-weight:600;color:var(--soft);border-bottom:1px solid var(--line);padding:4px 8px 4px 0}
td{border-bottom:1px solid var(--line);padding:4px 8px 4px 0;overflow-wrap:anywhere}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
@media(max-width:480px){body{padding:18px 14px}table{font-size:.78rem}th,td,td.n{padding-right:5px}}
svg{display:block;width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--soft)}.key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:.85rem;color:var(--soft)}
.key span{white-space:nowrap}.key i{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:5px}footer{margin-top:28px;color:var(--soft);font-size:.82rem}`;

const rowsShown = 12;

/** The page. */
export function reportHtml(report: UsageReport, language: Language = 'en'): string {
  const words = reportWords(language);
  const named = (code: string) => words.codes[code] ?? spelled(code);
  const ruleName = (rule: string) => words.codes[rule] ?? rule;
  const tableOf = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
    table(heads, rows, words);
  const { totals } = report;
  const until = new Date(Date.parse(report.to) - 1).toISOString();
  const period =
    report.from.slice(0, 10) === until.slice(0, 10)
      ? report.from.slice(0, 10)
      : `${report.from.slice(0, 10)} – ${until.slice(0, 10)}`;
  const cards: [string, number][] = [
    [words.requests, totals.requests],
    [words.users, totals.subjects],
    [words.services, totals.services],
    [words.masked, totals.values_masked],
    [words.blocked, totals.blocked],
    [words.confirmed, totals.confirmations],
  ];
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${words.title}, ${escapeHtml(period)}</title><style>${style}</style></head><body><main>
<h1>${words.title}</h1><p>${escapeHtml(period)} (UTC)</p>
<div class="totals">${cards.map(([label, value]) => `<div><b>${n(value)}</b><span>${label}</span></div>`).join('')}</div>
<section><h2>${words.overTime}</h2>${timeChart(report.series, words)}</section>
<div class="two">
<section><h2>${words.services}</h2>${tableOf(
    [words.service, words.category, `#${words.requests}`, `#${words.users}`, `#${words.maskedHead}`],
    report.services.map((row) => [row.name, named(row.category), row.requests, row.subjects, row.values_masked]),
  )}</section>
<section><h2>${words.types}</h2>${barChart(
    report.types.map(({ type, masked, seen }) => [typeLabel(type, language), masked, seen]),
    words,
  )}</section>
<section><h2>${words.users}</h2>${tableOf(
    [words.user, `#${words.requests}`, `#${words.servicesHead}`, `#${words.maskedHead}`, `#${words.blocked}`],
    report.subjects.map((row) => [row.subject, row.requests, row.services, row.values_masked, row.blocked]),
  )}</section>
<section><h2>${words.unregistered}</h2>${tableOf(
    [words.host, words.looksLikeAi, `#${words.requests}`, `#${words.users}`],
    report.unregistered.map((row) => [row.host, ruleName(row.confidence ?? 'no'), row.requests, row.subjects]),
  )}</section>
<section><h2>${words.blocked}</h2>${tableOf(
    [words.rule, words.reason, `#${words.requests}`, `#${words.users}`],
    report.refusals.map((row) => [ruleName(row.rule), named(row.error ?? 'policy'), row.requests, row.subjects]),
  )}</section>
<section><h2>${words.reportOnly}</h2>${tableOf(
    [words.rule, words.action, `#${words.requests}`, `#${words.users}`],
    report.report_only.map((row) => [row.rule, named(row.action), row.requests, row.subjects]),
  )}</section>
</div></main><footer>${words.made(escapeHtml(report.generated_at))}</footer></body></html>`;
}

/** `confirmation_required` → `Confirmation required` */
const spelled = (code: string) => `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;

const n = (value: number) => value.toLocaleString('en');

/** Headings that begin with `#` mark numeric columns. */
function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[], words: ReportWords): string {
  if (rows.length === 0) return `<p>${words.none}</p>`;
  const head = heads
    .map((text) => (text.startsWith('#') ? `<th class="n">${text.slice(1)}</th>` : `<th>${text}</th>`))
    .join('');
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<td class="n">${n(value)}</td>` : `<td>${escapeHtml(value)}</td>`;
  const body = rows
    .slice(0, rowsShown)
    .map((row) => `<tr>${row.map(cell).join('')}</tr>`)
    .join('');
  const more = rows.length > rowsShown ? `<p>${words.more(rows.length - rowsShown)}</p>` : '';
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>${more}`;
}

/** Stacked bars, one per step. */
function timeChart(series: UsageReport['series'], words: ReportWords): string {
  const [width, height, left, bottom] = [980, 190, 52, 22];
  const most = Math.max(1, ...series.map(({ allow, warn, block }) => allow + warn + block));
  const step = (width - left) / Math.max(1, series.length);
  const scale = (height - bottom - 10) / most;
  const bars = series.map(({ at, allow, warn, block }, i) => {
    let top = height - bottom;
    const parts = (
      [
        ['allow', allow],
        ['warn', warn],
        ['block', block],
      ] as const
    ).map(([what, count]) => {
      const tall = count * scale;
      top -= tall;
      return count === 0 ? '' : rect(left + i * step + step * 0.1, top, step * 0.8, tall, what);
    });
    return `<g><title>${escapeHtml(at.slice(0, 16).replace('T', ' '))}: ${words.allowed} ${n(allow)}, ${words.warned} ${n(warn)}, ${words.refused} ${n(block)}</title>${parts.join('')}</g>`;
  });
  const every = Math.max(1, Math.ceil(series.length / 10));
  const isHourly = series.length > 1 && Date.parse(series[1]?.at ?? '') - Date.parse(series[0]?.at ?? '') < dayMs;
  const labels = series.map(({ at }, i) => {
    const text = isHourly ? at.slice(11, 16) : at.slice(5, 10);
    return i % every === 0
      ? `<text x="${(left + i * step + step / 2).toFixed(1)}" y="${height - 6}" text-anchor="middle">${text}</text>`
      : '';
  });
  const lines = [0, 0.5, 1].map((share) => {
    const y = height - bottom - share * most * scale;
    return `<line x1="${left}" x2="${width}" y1="${y}" y2="${y}" stroke="var(--line)"/><text x="${left - 6}" y="${y + 4}" text-anchor="end">${n(Math.round(most * share))}</text>`;
  });
  const key = (
    [
      ['allow', words.allowed],
      ['warn', words.warned],
      ['block', words.refused],
    ] as const
  )
    .map(([what, label]) => `<span><i style="background:var(--${what})"></i>${label}</span>`)
    .join('');
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${words.overTime}">${lines.join('')}${bars.join('')}${labels.join('')}</svg><div class="key">${key}</div>`;
}

/** Horizontal bars: masked in full colour, followed by seen. */
function barChart(
  rows: readonly (readonly [label: string, masked: number, seen: number])[],
  words: ReportWords,
): string {
  if (rows.length === 0) return `<p>${words.noneFound}</p>`;
  const shown = rows.slice(0, rowsShown);
  const [width, line, left, right] = [510, 24, 240, 50];
  const most = Math.max(1, ...shown.map(([, masked, seen]) => masked + seen));
  const scale = (width - left - right) / most;
  const bars = shown.map(([label, masked, seen], i) => {
    const y = i * line + 4;
    const end = left + (masked + seen) * scale;
    return `<text x="${left - 8}" y="${y + 12}" text-anchor="end">${escapeHtml(label.length > 36 ? `${label.slice(0, 35)}…` : label)}</text>${rect(left, y, masked * scale, 15, 'allow')}${rect(left + masked * scale, y, seen * scale, 15, 'bar')}<text x="${(end + 6).toFixed(1)}" y="${y + 12}">${n(masked + seen)}</text>`;
  });
  return `<svg viewBox="0 0 ${width} ${shown.length * line + 4}" role="img" aria-label="${words.types}">${bars.join('')}</svg><div class="key"><span><i style="background:var(--allow)"></i>${words.isMasked}</span><span><i style="background:var(--bar)"></i>${words.seen}</span></div>`;
}

function rect(x: number, y: number, width: number, height: number, colour: string): string {
  return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0, width).toFixed(1)}" height="${Math.max(0, height).toFixed(1)}" fill="var(--${colour})" rx="1.5"/>`;
}
