/** `privet report`: the use of AI services, from audit files or the gateway's store. */

import { writeFileSync } from 'node:fs';
import { PrivetError } from '../../core/errors.ts';
import { parseJson } from '../../core/parsing.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { confidenceOver } from '../discovery/confidence.ts';
import { dayMs } from '../durations.ts';
import { savedServices } from '../feeds/saved-services.ts';
import { languages } from '../portal/words.ts';
import { formatReport, reportFormats } from '../report/formats.ts';
import { factsOf, lastPeriod, Reports } from '../report/reports.ts';
import { UsageCounter, type UsageReport } from '../report/usage.ts';
import { readLines } from '../simulation/traffic-file.ts';
import { type Arguments, type CliIo, type Command, UsageError } from './command.ts';
import { configOption, configured } from './configured.ts';
import { withStores } from './store.ts';

export const report: Command = {
  usage: 'report [--from DAY] [--to DAY]',
  help: [
    'Report the use of AI services: services, users, personal data masked, unregistered hosts, refusals.',
    'Default: the last whole week (Monday to Sunday, UTC), from the configured store. With the store memory',
    'give an audit file with --events, or use GET /admin/report of the running gateway.',
  ].join('\n'),
  options: {
    from: { value: 'DAY', help: 'first day like 2026-11-16, or a time' },
    to: { value: 'DAY', help: 'last day like 2026-11-22, or an end time (exclusive)' },
    lang: { value: 'LANGUAGE', help: `of the page: ${languages.join(', ')} (default: report.lang)` },
    format: { value: 'FORMAT', help: `${reportFormats.join(', ')} (default json)` },
    events: {
      value: 'FILE',
      help: 'audit file (JSON lines; .gz is unpacked, - is stdin; repeat for more)',
      isList: true,
    },
    out: { value: 'FILE', help: 'write to a file (default: standard output)' },
    config: configOption,
  },
  words: [0, 0],
  async run(args, io) {
    const format = args.choice('format', reportFormats) ?? 'json';
    const period = periodOf(args);
    const known = knownOf(args, io);
    const language = args.choice('lang', languages) ?? known.config.report.lang;
    const made = args.has('events') ? await fromFiles(args, io, { period, known }) : await fromStore(period, known);
    const text = formatReport(made, format, language);
    const out = args.get('out');
    if (out === undefined) io.stdout.write(text);
    else writeFileSync(out, text, { mode: 0o640 });
    return 0;
  },
};

type Period = { readonly from: number; readonly to: number };
type Known = ReturnType<typeof knownOf>;

/** Whole days: `--to` is the last day of the report. */
function periodOf(args: Arguments): Period {
  const { from, to } = lastPeriod(new Date(), 'week');
  const given = { from: momentOf(args.get('from'), 0), to: momentOf(args.get('to'), dayMs) };
  const period = {
    from: given.from ?? (given.to === undefined ? from : given.to - (to - from)),
    to: given.to ?? (given.from === undefined ? to : Date.now()),
  };
  if (!(period.from < period.to)) throw new UsageError('--from must be before --to');
  return period;
}

function momentOf(text: string | undefined, addedMs: number): number | undefined {
  if (text === undefined) return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const at = Date.parse(text);
  // An invalid day would be parsed as a day of the next month.
  const isThere = !Number.isNaN(at) && (!isDay || new Date(at).toISOString().startsWith(text));
  if (!isThere) throw new UsageError('--from and --to must be days like 2026-11-16 or times like 2026-11-16T09:00:00Z');
  return isDay ? at + addedMs : at;
}

function knownOf(args: Arguments, io: CliIo) {
  const { config, settings } = configured(args, io);
  const { services } = savedServices({ config, dataDir: settings.dataDir });
  return { config, settings, registry: new ServiceRegistry(services) };
}

async function fromFiles(
  args: Arguments,
  io: CliIo,
  { period: { from, to }, known: { registry } }: { readonly period: Period; readonly known: Known },
): Promise<UsageReport> {
  const counter = new UsageCounter({ from, to, facts: factsOf(registry) });
  for (const file of args.all('events')) {
    let [lines, events] = [0, 0];
    for await (const line of readLines(file === '-' ? { stream: io.stdin } : { file })) {
      if (line !== '') lines++;
      const event = eventOf(line);
      if (event === undefined) continue;
      events++;
      counter.add(Date.parse(String(event.ts ?? event.time)), event);
    }
    // Without events, do not report a week without use.
    if (lines > 0 && events === 0)
      throw new PrivetError('invalid_input', `There are no audit events in ${file}.`, {
        hint: 'Give a file in the format privet (log.audit), as JSON lines.',
      });
  }
  return counter.report(new Date());
}

/** A line of a file (`"event":"decision"`), or of `GET /admin/events/export` (`requestId`, `ts` and no name). */
function eventOf(line: string): Record<string, unknown> | undefined {
  const event = parseJson(line) as Record<string, unknown> | null | undefined;
  if (typeof event !== 'object' || event === null) return undefined;
  const isExported = event.event === undefined && event.requestId !== undefined && event.ts !== undefined;
  return isExported || event.event === 'decision' ? event : undefined;
}

async function fromStore({ from, to }: Period, { config, settings, registry }: Known): Promise<UsageReport> {
  if (settings.store === 'memory')
    throw new PrivetError(
      'invalid_input',
      'The store memory exists in the running gateway only and cannot be read from here.',
      { hint: 'Give an audit file with --events, or use GET /admin/report of the gateway.' },
    );
  return withStores(settings, async ({ records, events }, log) => {
    const { records: findings } = await records.list('discovery');
    const reports = new Reports({
      events,
      registry,
      log,
      settings: () => config.report,
      confidenceOf: confidenceOver(findings),
    });
    return reports.make(from, to);
  });
}
