import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csvCell } from '../../gateway/csv.ts';
import { confidenceOver } from '../../gateway/discovery/confidence.ts';
import { formatReport } from '../../gateway/report/formats.ts';
import { lastPeriod, Reports } from '../../gateway/report/reports.ts';
import { UsageCounter } from '../../gateway/report/usage.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import type { Finding } from '../../policy/discovery-finding.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { runPrivet } from '../support/command.ts';
import { tempFolder } from '../support/temp.ts';
import { silentLog } from './stores/silent-log.ts';

const from = Date.parse('2026-11-16');
const to = Date.parse('2026-11-23');
const at = Date.parse('2026-11-17T10:00:00Z');
const event = {
  subject: 'ann',
  host: 'good.example',
  service: 'good',
  action: 'allow',
  kind: 'request',
  bytesIn: 100,
  rule: 'category approved',
};
const facts = { serviceOf: (id: string) => (id === 'good' ? { name: 'Good <b>', category: 'approved' } : undefined) };

function counted() {
  const counter = new UsageCounter({ from, to, facts });
  counter.add(at, { ...event, masked: 2, piiTypes: { EMAIL: 1, IBAN: 1 } });
  counter.add(at, { ...event, subject: 'bob', piiTypes: { EMAIL: 4 } });
  counter.add(at + 86_400_000, { ...event, action: 'block', rule: 'no "chat"', host: 'bad.example', service: 'bad' });
  counter.add(at, { ...event, host: '=cmd.example', service: undefined, action: 'allow' });
  counter.add(at, {
    ...event,
    action: 'warn',
    error: 'confirmation_required',
    wouldAction: 'block',
    wouldRule: 'trial',
  });
  counter.add(at, { ...event, kind: 'acknowledgement', action: 'warn' });
  for (const outside of [from - 1, to]) counter.add(outside, event);
  counter.add(Number.NaN, event);
  counter.add(at, { host: 'no subject' });
  return counter.report(new Date('2026-11-23T01:00:00Z'));
}

test('events are added up', () => {
  const report = counted();
  expect(report.totals).toEqual({
    requests: 5,
    subjects: 2,
    services: 2,
    warned: 0,
    blocked: 2,
    values_masked: 2,
    confirmations: 1,
  });
  expect(report.services).toEqual([
    {
      service: 'good',
      name: 'Good <b>',
      category: 'approved',
      requests: 3,
      subjects: 2,
      blocked: 1,
      values_masked: 2,
      bytes_up: 300,
    },
    {
      service: 'bad',
      name: 'bad',
      category: 'removed',
      requests: 1,
      subjects: 1,
      blocked: 1,
      values_masked: 0,
      bytes_up: 100,
    },
  ]);
  expect(report.types).toEqual([
    { type: 'EMAIL', masked: 1, seen: 4 },
    { type: 'IBAN', masked: 1, seen: 0 },
  ]);
  expect(report.unregistered).toEqual([{ host: '=cmd.example', confidence: null, requests: 1, subjects: 1 }]);
  expect(report.refusals.map(({ rule, error }) => [rule, error])).toEqual([
    ['category approved', 'confirmation_required'],
    ['no "chat"', 'blocked_by_policy'],
  ]);
  expect(report.report_only).toEqual([{ rule: 'trial', action: 'block', requests: 1, subjects: 1 }]);
  expect(report.series).toHaveLength(7);
  expect(report.series.slice(1, 3)).toEqual([
    { at: '2026-11-17T00:00:00.000Z', allow: 3, warn: 0, block: 1 },
    { at: '2026-11-18T00:00:00.000Z', allow: 0, warn: 0, block: 1 },
  ]);
});

test('names are escaped in the page and cannot become formulas in the table', () => {
  const html = formatReport(counted(), 'html');
  expect(html).toContain('Good &lt;b&gt;');
  expect(html).not.toMatch(/<script|https?:|src=|url\(/);
  const csv = formatReport(counted(), 'csv');
  expect(csv).toContain("unregistered,'=cmd.example,");
  expect(csv).toContain('refused,"no ""chat""",');
  expect(JSON.parse(formatReport(counted(), 'json'))).toEqual(counted());
});

test.each(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])(
  'a cell that begins with %j does not become a formula',
  (sign) => {
    expect(csvCell(`${sign}cmd()`).replaceAll('"', '')).toBe(`'${sign}cmd()`);
  },
);

test('in Japanese, only names stay as they are', () => {
  const html = formatReport(counted(), 'html', 'ja');
  expect(html).toContain('<html lang="ja">');
  expect(html).toContain('<p>2026-11-16 – 2026-11-22（UTC）</p>');
  const shown = html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, ' ');
  expect(shown).toContain('AI サービスの利用状況');
  expect(shown).not.toMatch(/request|user|service|mask|block|categor|approved|polic|allow|confirm|made/i);
});

test('a period without events gives a report too', () => {
  const report = new UsageCounter({ from, to, facts }).report(new Date(to));
  expect(report.totals.requests).toBe(0);
  expect(formatReport(report, 'html')).toContain('None.');
});

test('memory stays bounded', () => {
  const counter = new UsageCounter({ from, to, facts });
  for (let i = 0; i < 20_000; i++)
    counter.add(at, { ...event, subject: `s${i}`, host: `h${i}.example`, service: '', rule: `r${i}`, action: 'block' });
  const { totals, unregistered, subjects, refusals } = counter.report(new Date(to));
  expect([totals.requests, totals.subjects, unregistered.length, subjects.length]).toEqual([20_000, 10_000, 50, 50]);
  expect(refusals[0]).toEqual({ rule: '(others)', error: null, requests: 15_000, subjects: 10_000 });
});

describe('on schedule', () => {
  test.each<['day' | 'week', string, string]>([
    ['day', '2026-11-20T00:00:00Z', 'privet-day-2026-11-19'],
    ['day', '2026-11-20T23:59:59Z', 'privet-day-2026-11-19'],
    ['week', '2026-11-23T00:00:00Z', 'privet-week-2026-11-16'],
    ['week', '2026-11-22T23:00:00Z', 'privet-week-2026-11-09'],
  ])('%s at %s', (every, now, name) => {
    expect(lastPeriod(new Date(now), every).name).toBe(name);
  });

  test('each period is written once, and old reports are deleted', async () => {
    const dir = join(tempFolder('reports'), 'new');
    const stores = openMemoryStores({ ttlMs: 0 });
    await stores.events.append([{ at, subject: 'ann', service: 'good', action: 'allow', fields: event }]);
    let now = new Date('2026-11-18T00:10:00Z');
    const reports = new Reports({
      events: stores.events,
      registry: new ServiceRegistry(),
      log: silentLog,
      settings: () => ({ every: 'day', dir, formats: ['json', 'html'], lang: 'ja', keep: 2 }),
      now: () => now,
    });
    expect(await reports.writeDue()).toEqual(['privet-day-2026-11-17.json', 'privet-day-2026-11-17.html']);
    expect(await reports.writeDue()).toEqual([]);
    const written = JSON.parse(readFileSync(join(dir, 'privet-day-2026-11-17.json'), 'utf8')) as { totals: unknown };
    expect(written.totals).toMatchObject({ requests: 1, subjects: 1 });
    expect(readFileSync(join(dir, 'privet-day-2026-11-17.html'), 'utf8')).toContain('AI サービスの利用状況');
    writeFileSync(join(dir, 'notes.json'), '{}');
    mkdirSync(join(dir, 'privet-day-2026-11-01.other'));
    for (const day of ['19', '20']) {
      now = new Date(`2026-11-${day}T00:10:00Z`);
      await reports.writeDue();
    }
    expect(readdirSync(dir).sort()).toEqual([
      'notes.json',
      'privet-day-2026-11-01.other',
      'privet-day-2026-11-18.html',
      'privet-day-2026-11-18.json',
      'privet-day-2026-11-19.html',
      'privet-day-2026-11-19.json',
    ]);
    await stores.close();
  });
});

test('requests stopped by Privet count as refused; undecided ones are not counted', () => {
  const counter = new UsageCounter({ from, to, facts });
  for (const error of ['egress_refused', 'port_refused', 'misdirected_request', 'too_many_requests', 'upstream_failed'])
    counter.add(at, { ...event, error });
  // A browser first tries without a password: that counts neither as a user nor as use of the host.
  const { action: _action, service: _service, ...undecided } = event;
  counter.add(at, { ...undecided, subject: '10.0.0.9', kind: 'connect', error: 'proxy_auth_required' });
  const { totals, series, subjects, unregistered } = counter.report(new Date(to));
  expect(totals).toMatchObject({ requests: 5, blocked: 4, subjects: 1 });
  expect(series.map(({ allow, block }) => [allow, block])).toContainEqual([1, 4]);
  expect([subjects.map(({ subject }) => subject), unregistered]).toEqual([['ann'], []]);
});

test('hosts that look like AI come first, by discovery confidence', () => {
  const finding = (signals: Finding['signals'], more: Partial<Finding> = {}): Finding => ({
    hosts: [],
    signals,
    requests: 1,
    subjects: [1],
    days: ['2026-11-17'],
    bytesUp: 0,
    firstSeen: '2026-11-17T10:00:00Z',
    lastSeen: '2026-11-17T10:00:00Z',
    state: 'open',
    ...more,
  });
  const confidenceOf = confidenceOver(
    new Map([
      ['some.example', finding({ 'body-chat': 1 })],
      ['sure.example', finding({ 'body-chat': 1, 'path-model-api': 1, 'answer-usage': 1, 'header-sdk': 1 })],
      ['no.example', finding({ 'body-chat': 1 }, { state: 'dismissed' })],
    ]),
  );
  const counter = new UsageCounter({ from, to, facts: { ...facts, confidenceOf } });
  for (const host of ['plain.example', 'no.example', 'some.example', 'api.sure.example'])
    for (let i = 0; i < (host === 'plain.example' ? 9 : 1); i++) counter.add(at, { ...event, service: '', host });
  const report = counter.report(new Date(to));
  const rows = report.unregistered.map(({ host, confidence }) => [host, confidence]);
  expect(rows).toEqual([
    ['api.sure.example', 'high'],
    ['some.example', expect.stringMatching(/^(?:low|medium)$/)],
    ['plain.example', null],
    ['no.example', null],
  ]);
  expect(formatReport(report, 'html')).toContain('<td>High</td>');
  expect(formatReport(report, 'csv')).toContain('unregistered,api.sure.example,high,1,1');
});

test.each<[what: string, line: object]>([
  ['of a file', { event: 'decision', ts: '2026-11-17T10:00:00Z', requestId: 'r', ...event }],
  ['of the export of the API', { id: 'e', ts: '2026-11-17T10:00:00Z', requestId: 'r', ...event }],
])('privet report reads events %s', async (what, line) => {
  const file = join(tempFolder('report-of'), 'events.jsonl');
  writeFileSync(file, `${JSON.stringify(line)}\n{"event":"started","ts":"2026-11-17T10:00:00Z","requestId":"r"}\n`);
  const args = ['report', '--from', '2026-11-16', '--to', '2026-11-22', '--events', file];
  const { code, out } = await runPrivet(args, { PROXY_DATA_DIR: tempFolder('report-data') });
  expect(code, what).toBe(0);
  const { series } = JSON.parse(out) as { series: { at: string; allow: number }[] };
  expect(series.filter(({ allow }) => allow > 0)).toMatchObject([{ at: '2026-11-17T00:00:00.000Z', allow: 1 }]);
});

describe('privet report', () => {
  const folder = tempFolder('report');
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  test.each<[string, string[], RegExp]>([
    ['with the store memory', [], /--events, or use GET \/admin\/report of the gateway\.\n$/],
    ['a log of something else', ['--events', file('squid', '1763629200.123 0 10.0.0.7 x\n')], /no audit events/],
    [
      'a packed file that is damaged',
      ['--events', file('bad.gz', Buffer.from([31, 139, 9, 9]))],
      /damaged or truncated/,
    ],
    ['a missing file', ['--events', join(folder, 'none')], /ENOENT.*file name/],
  ])('%s: says what to do', async (_name, args, said) => {
    expect(await reported(args)).toEqual([1, expect.stringMatching(said)]);
  });

  test('the page has the language of --lang, else of the configuration', async () => {
    const config = file('ja.yaml', 'report: { lang: ja }\n');
    const page = ['--events', file('events', ''), '--format', 'html'];
    const title = /<html lang="(\w\w)">.*<h1>(.*?)<\/h1>/s;
    const titleOf = async (more: string[]) => title.exec(String((await reported([...page, ...more]))[1]))?.slice(1);
    expect(await titleOf([])).toEqual(['en', 'Use of AI services']);
    expect(await titleOf(['--lang', 'ja'])).toEqual(['ja', 'AI サービスの利用状況']);
    expect(await titleOf(['--config', config])).toEqual(['ja', 'AI サービスの利用状況']);
    expect(await titleOf(['--config', config, '--lang', 'en'])).toEqual(['en', 'Use of AI services']);
    expect(await reported(['--lang', 'fr'])).toEqual([2, expect.stringContaining('--lang must be one of en, ja')]);
  });

  /** The exit code and all output. */
  async function reported(args: readonly string[]): Promise<[number, string]> {
    const { code, out, err } = await runPrivet(['report', ...args], { PROXY_DATA_DIR: join(folder, 'data') });
    return [code, out + err];
  }
});
