/** GET /admin/report: the use of AI services in a period. */

import { z } from 'zod';
import { confidences } from '../../../policy/discovery.ts';
import { dayMs } from '../../durations.ts';
import { formatReport, reportFormats, reportTypes } from '../../report/formats.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';
import { invalidField } from '../validate.ts';

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const weekMs = 7 * dayMs;
const counted = { requests: z.int(), subjects: z.int() };
const answer = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  generated_at: z.iso.datetime(),
  totals: z.record(z.string(), z.int()),
  series: z.array(z.object({ at: z.iso.datetime(), allow: z.int(), warn: z.int(), block: z.int() })),
  services: z.array(z.looseObject({ service: z.string(), name: z.string(), category: z.string(), ...counted })),
  subjects: z.array(z.looseObject({ subject: z.string(), requests: z.int() })),
  types: z.array(z.object({ type: z.string(), masked: z.int(), seen: z.int() })),
  unregistered: z.array(z.object({ host: z.string(), confidence: z.enum(confidences).nullable(), ...counted })),
  refusals: z.array(z.object({ rule: z.string(), error: z.string().nullable(), ...counted })),
  report_only: z.array(z.object({ rule: z.string(), action: z.string(), ...counted })),
});

export function reportRoutes(endpoints: Endpoints, { reports }: ApiParts): void {
  endpoints.add({
    method: 'GET',
    group: 'admin',
    access: 'admin',
    path: '/admin/report',
    summary: 'The use of AI services: services, users, personal data masked, unregistered hosts.',
    query: z.strictObject({
      from: moment.optional().describe('A day or a time. Default seven days before `to`.'),
      to: moment.optional().describe('Before this day or time. Default now.'),
      format: z.enum(reportFormats).optional().describe('Default json.'),
      lang: z.enum(['en', 'ja']).optional().describe('Of the format html; default en.'),
    }),
    answer,
    async handle({ query: { from, to, format = 'json', lang }, reply }) {
      const until = to === undefined ? Date.now() : Date.parse(to);
      const since = from === undefined ? until - weekMs : Date.parse(from);
      if (since >= until) throw invalidField('from', 'is not before to');
      const report = await reports.make(since, until);
      if (format === 'json') return report;
      reply.type(reportTypes[format]);
      if (format === 'csv') reply.header('content-disposition', 'attachment; filename="privet-report.csv"');
      else
        reply.header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        );
      return formatReport(report, format, lang);
    },
  });
}
