/** The report as a self-contained page: light and dark, ready to print. All text is escaped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typeLabel } from '../../core/types.ts';
import { wordingIn } from '../../core/wording/names.ts';
import type { Language } from '../portal/words.ts';
import { escapeHtml } from '../proxy/answer/pages.ts';
import { barChart, grouped, timeChart } from './charts.ts';
import type { UsageReport } from './usage.ts';
import { reportWords } from './words.ts';

const styleSheet = join(import.meta.dirname, 'report.css');
const rowsShown = 12;

/** Headings that begin with `#` mark numeric columns. */
type Table = { readonly heads: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] };

export function reportHtml(report: UsageReport, language: Language = 'en'): string {
  const words = reportWords(language);
  const { code, rule } = wordingIn(language);
  const { totals } = report;
  const days = [report.from, new Date(Date.parse(report.to) - 1).toISOString()].map((time) => time.slice(0, 10));
  const period = [...new Set(days)].join(' – ');
  const cards: [string, number][] = [
    [words.requests, totals.requests],
    [words.users, totals.subjects],
    [words.services, totals.services],
    [words.masked, totals.values_masked],
    [words.blocked, totals.blocked],
    [words.confirmed, totals.confirmations],
  ];
  const section = (title: string, content: string) => `<section><h2>${title}</h2>${content}</section>`;
  const tableOf = ({ heads, rows }: Table) => {
    if (rows.length === 0) return `<p>${words.none}</p>`;
    const more = rows.length > rowsShown ? `<p>${words.more(rows.length - rowsShown)}</p>` : '';
    return table({ heads, rows: rows.slice(0, rowsShown) }) + more;
  };
  const services = tableOf({
    heads: [words.service, words.category, `#${words.requests}`, `#${words.users}`, `#${words.maskedHead}`],
    rows: report.services.map((row) => [row.name, code(row.category), row.requests, row.subjects, row.values_masked]),
  });
  const types = report.types
    .slice(0, rowsShown)
    .map(({ type, masked, seen }) => [typeLabel(type, language), masked, seen] as const);
  const users = tableOf({
    heads: [words.user, `#${words.requests}`, `#${words.servicesHead}`, `#${words.maskedHead}`, `#${words.blocked}`],
    rows: report.subjects.map((row) => [row.subject, row.requests, row.services, row.values_masked, row.blocked]),
  });
  const unregistered = tableOf({
    heads: [words.host, words.looksLikeAi, `#${words.requests}`, `#${words.users}`],
    rows: report.unregistered.map((row) => [row.host, code(row.confidence ?? 'no'), row.requests, row.subjects]),
  });
  const refusals = tableOf({
    heads: [words.rule, words.reason, `#${words.requests}`, `#${words.users}`],
    rows: report.refusals.map((row) => [
      rule(row.rule),
      row.error === null ? '–' : code(row.error),
      row.requests,
      row.subjects,
    ]),
  });
  const reportOnly = tableOf({
    heads: [words.rule, words.action, `#${words.requests}`, `#${words.users}`],
    rows: report.report_only.map((row) => [row.rule, code(row.action), row.requests, row.subjects]),
  });
  const made = report.generated_at.slice(0, 16).replace('T', ' ');
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${words.title}, ${escapeHtml(period)}</title><style>${readFileSync(styleSheet, 'utf8')}</style></head><body><main>
<h1>${words.title}</h1><p>${words.period(escapeHtml(period))}</p>
<div class="totals">${cards.map(([label, n]) => `<div><b>${grouped(n)}</b><span>${label}</span></div>`).join('')}</div>
${section(words.overTime, timeChart(report.series, words))}
<div class="two">
${section(words.services, services)}
${section(words.types, types.length === 0 ? `<p>${words.noneFound}</p>` : barChart(types, words))}
${section(words.users, users)}
${section(words.unregistered, unregistered)}
${section(words.blocked, refusals)}
${section(words.reportOnly, reportOnly)}
</div></main><footer>${words.made(escapeHtml(made))}</footer></body></html>`;
}

function table({ heads, rows }: Table): string {
  const head = (text: string) => (text.startsWith('#') ? `<th class="n">${text.slice(1)}</th>` : `<th>${text}</th>`);
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<td class="n">${grouped(value)}</td>` : `<td>${escapeHtml(value)}</td>`;
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`);
  return `<table><thead><tr>${heads.map(head).join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}
