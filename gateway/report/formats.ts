/** Formats of the usage report. */
import { csvCell } from '../csv.ts';
import type { Language } from '../portal/words.ts';
import { reportHtml } from './html.ts';
import type { UsageReport } from './usage.ts';

export const reportFormats = ['json', 'csv', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export const reportTypes: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** The whole report as text; only the page has a language. */
export function formatReport(report: UsageReport, format: ReportFormat, language?: Language): string {
  if (format === 'html') return reportHtml(report, language);
  return format === 'csv' ? reportCsv(report) : `${JSON.stringify(report, null, 2)}\n`;
}

/** All lists in one table (RFC 4180): the list, the name in it, and the counts, so that a spreadsheet can filter it. */
function reportCsv(report: UsageReport): string {
  const rows: (string | number)[][] = [
    ['section', 'name', 'detail', 'requests', 'subjects', 'blocked', 'values_masked'],
  ];
  const { totals } = report;
  rows.push([
    'total',
    `${report.from} to ${report.to}`,
    '',
    totals.requests,
    totals.subjects,
    totals.blocked,
    totals.values_masked,
  ]);
  for (const point of report.series)
    rows.push(['time', point.at, '', point.allow + point.warn + point.block, '', point.block, '']);
  for (const row of report.services)
    rows.push(['service', row.name, row.category, row.requests, row.subjects, row.blocked, row.values_masked]);
  for (const row of report.subjects)
    rows.push(['subject', row.subject, `${row.services} services`, row.requests, 1, row.blocked, row.values_masked]);
  for (const row of report.types) rows.push(['type', row.type, `${row.seen} seen`, '', '', '', row.masked]);
  for (const row of report.unregistered)
    rows.push(['unregistered', row.host, row.confidence ?? '', row.requests, row.subjects, '', '']);
  for (const row of report.refusals)
    rows.push(['refused', row.rule, row.error ?? '', row.requests, row.subjects, '', '']);
  for (const row of report.report_only)
    rows.push(['report_only', row.rule, row.action, row.requests, row.subjects, '', '']);
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}
