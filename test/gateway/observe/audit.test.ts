/** The audit trail as a whole: where events go, and how changed settings apply. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../support/temp.ts';
import { auditLog, auditSettings, collectLog, event } from './audit-under-test.ts';

const folder = tempFolder('audit');
const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);

test('without a sink, events go to the log', () => {
  const { log, events } = collectLog();
  auditLog({}, { log }).write(event);
  expect(events()[0]).toMatchObject({ ...event, event: 'decision', durationMs: 1.23, level: 'info' });
});

test('external text is limited and escaped there', () => {
  const { log, events, lines } = collectLog();
  const audit = auditLog({}, { log });
  audit.write({ ...event, host: 'h'.repeat(10_000), subject: 'eve\n{"event":"decision"}\u202e', method: 'X\u009b' });
  expect(lines[0]?.length).toBeLessThan(1_500);
  expect(events()[0]).toMatchObject({ subject: 'eve\\u000a{"event":"decision"}\\u202e', method: 'X\\u009b' });
});

test('a type for every entry of a large dictionary does not cause a large event', () => {
  const { log, events } = collectLog();
  const piiTypes = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`LABEL${i}`, 2]));
  auditLog({}, { log }).write({ ...event, piiTypes });
  expect(Object.keys(events()[0].piiTypes)).toHaveLength(61);
  expect(events()[0].piiTypes).toMatchObject({ LABEL0: 2, OTHER: 2 * 4_940 });
});

test('several sinks at once, each in its format, and nothing in the log', async () => {
  const { log, lines } = collectLog();
  const out: string[] = [];
  const [a, b] = [join(folder, 'a.log'), join(folder, 'b.log')];
  const sinks = [
    { to: 'file', path: b, format: 'ecs' },
    { to: 'stdout', format: 'squid' },
  ];
  const audit = auditLog({ file: a, sinks }, { log, stdout: (line) => out.push(line) });
  for (let i = 0; i < 1000; i++) audit.write({ ...event, requestId: `r-${i}` });
  await audit.close();
  const written = linesOf(a).map((line) => JSON.parse(line));
  expect(written).toHaveLength(1000);
  expect(Object.keys(written[0])).toEqual([
    ...['ts', 'event', 'requestId', 'subject', 'clientAddress', 'host', 'service', 'category', 'action', 'inspect'],
    ...['rule', 'reason', 'method', 'status', 'bytesIn', 'bytesOut', 'durationMs', 'intercepted', 'piiTypes'],
  ]);
  expect(JSON.parse(linesOf(b)[999] ?? '').event.id).toBe('r-999');
  expect(out).toHaveLength(1000);
  expect(out[0]).toMatch(
    / TCP_MISS\/200 20 POST https:\/\/api\.openai\.com\/ alice HIER_DIRECT\/api\.openai\.com -\n$/,
  );
  expect(lines).toEqual([]);
});

test('new settings apply without losing earlier events', async () => {
  const [a, b] = [join(folder, 'before.log'), join(folder, 'after.log')];
  const { log, events } = collectLog();
  const audit = auditLog({ file: a }, { log });
  audit.write({ ...event, requestId: 'one' });
  audit.prepare({ log: { audit: auditSettings({ file: b }) } })();
  audit.write({ ...event, requestId: 'two' });
  expect(() => audit.prepare({ log: { audit: auditSettings({ file: join(folder, 'none/c.log') }) } })()).toThrow(
    /cannot be opened \(ENOENT\)/,
  );
  audit.write({ ...event, requestId: 'three' });
  await expect.poll(() => linesOf(a).length).toBe(1);
  audit.prepare({ log: { audit: auditSettings({}) } })();
  audit.write({ ...event, requestId: 'four' });
  await expect.poll(() => linesOf(b).map((line) => JSON.parse(line).requestId)).toEqual(['two', 'three']);
  expect(events().map(({ requestId }) => requestId)).toEqual(['four']);
  await audit.close();
});

test.each<[name: string, section: Record<string, unknown>, says: RegExp]>([
  ['an unknown kind of sink', { sinks: [{ to: 'kafka' }] }, /needs a target: file, stdout or syslog/],
  ['an unknown format', { sinks: [{ to: 'stdout', format: 'esc' }] }, /did you mean \\"ecs\\"/],
  ['an address with another scheme', { syslog: 'udp://siem.example:514' }, /must be an address like syslog\+tls/],
  ['an address with a path', { syslog: 'syslog+tls://siem.example:6514/x' }, /host and a port only/],
  ['a rotation without a reason', { sinks: [{ to: 'file', path: 'a', rotate: { keep: 3 } }] }, /needs size, every/],
  ['an unknown key', { sinks: [{ to: 'file', path: 'a', rotat: {} }] }, /did you mean \\"rotate\\"/],
])('%s is refused', (_name, section, says) => {
  expect(() => auditSettings(section)).toThrow(says);
});
