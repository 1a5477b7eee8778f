import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AuditReader, trafficOf } from '../../gateway/simulation/audit-traffic.ts';
import { Simulation } from '../../gateway/simulation/simulation.ts';
import type { TrafficReader } from '../../gateway/simulation/traffic.ts';
import { readTraffic, SquidReader } from '../../gateway/simulation/traffic-file.ts';
import { W3cReader } from '../../gateway/simulation/w3c-traffic.ts';
import { Policy } from '../../policy/decide.ts';
import type { PolicyConfig } from '../../policy/decision.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { anyCharacter } from '../support/any-text.ts';
import { tempFolder } from '../support/temp.ts';

const audit = {
  ts: '2026-11-20T09:00:00.000Z',
  event: 'decision',
  requestId: 'a-1',
  subject: 'ann',
  clientAddress: '10.0.0.7',
  kind: 'request',
  host: 'ChatGPT.com',
  port: 443,
  method: 'POST',
  bytesIn: 12,
  groups: ['it'],
};

/** Method, path, size and user of a tunnel. */
const unseen = [undefined, undefined, undefined, undefined];

/** What a reader reports about lines, in short. */
function readAll(reader: TrafficReader, lines: readonly string[]): unknown[] {
  return lines.map((line) => {
    const traffic = reader.read(line);
    if (typeof traffic === 'string') return traffic;
    const { at, subject, host, port, method, path, size, user, from } = traffic;
    return [at.toISOString(), subject, `${host}:${port}`, method, path, size, user, from];
  });
}

describe('lines of logs', () => {
  test.each<[string, Record<string, unknown>, number | undefined]>([
    ['a received body', { bytesIn: 12 }, 12],
    ['none', { bytesIn: 0 }, 0],
    ['refused before its body was read', { bytesIn: 0, action: 'block' }, undefined],
    ['refused for its size', { bytesIn: 0, action: 'allow', error: 'body_too_large' }, undefined],
    ['refused, of a kind without a body', { bytesIn: 0, action: 'block', method: 'GET' }, 0],
    ['an upgrade', { bytesIn: 5, kind: 'websocket', method: 'GET', action: 'block' }, 0],
  ])('the size of a request: %s', (_name, fields, size) => {
    expect(trafficOf({ ...audit, ...fields })?.size).toBe(size);
  });

  test('our own events', () => {
    expect(
      readAll(
        new AuditReader(),
        [
          audit,
          { ...audit, kind: 'tunnel', subject: '10.0.0.7' },
          { ...audit, kind: 'websocket', method: 'GET' },
          { ...audit, kind: 'acknowledgement' },
          { event: 'listening' },
          { ...audit, host: '' },
          { ...audit, ts: 'noon' },
        ].map((event) => JSON.stringify(event)),
      ),
    ).toEqual([
      ['2026-11-20T09:00:00.000Z', 'ann', 'chatgpt.com:443', 'POST', undefined, 12, 'ann', '10.0.0.7'],
      ['2026-11-20T09:00:00.000Z', '10.0.0.7', 'chatgpt.com:443', ...unseen, '10.0.0.7'],
      ['2026-11-20T09:00:00.000Z', 'ann', 'chatgpt.com:443', 'GET', undefined, 0, 'ann', '10.0.0.7'],
      'skip',
      'skip',
      'skip',
      'skip',
    ]);
    expect(readAll(new AuditReader(), ['{"half', '[]x', '7'])).toEqual(['unreadable', 'unreadable', 'unreadable']);
  });

  test('access.log of Squid', () => {
    expect(
      readAll(new SquidReader(), [
        '1763629200.123   5006 10.0.0.7 TCP_TUNNEL/200 6345 CONNECT chatgpt.com:443 - HIER_DIRECT/104.18.32.47 -',
        '1763629200.5       12 10.0.0.8 TCP_MISS/200 512 GET http://user:secret@Example.com/a?b=c bob%20lee HIER_DIRECT/192.0.2.1 text/html',
        '1763629201.000      0 2001:db8::1 TCP_DENIED/403 3900 CONNECT [2001:db8::2]:8443 ann HIER_NONE/- text/html',
        '1763629202.000      0 10.0.0.9 NONE/000 0 NONE error:transaction-end-before-headers - HIER_NONE/- -',
        '1763629202.000      0 10.0.0.9 NONE_NONE/400 0 GET / - HIER_NONE/- -',
        'no line of a log',
      ]),
    ).toEqual([
      ['2025-11-20T09:00:00.123Z', '10.0.0.7', 'chatgpt.com:443', ...unseen, '10.0.0.7'],
      ['2025-11-20T09:00:00.500Z', 'bob lee', 'example.com:80', 'GET', '/a?b=c', 0, 'bob lee', '10.0.0.8'],
      ['2025-11-20T09:00:01.000Z', 'ann', '2001:db8::2:8443', undefined, undefined, undefined, 'ann', '2001:db8::1'],
      'skip',
      'skip',
      'unreadable',
    ]);
  });

  test('W3C extended logs of several proxies', () => {
    expect(
      readAll(new W3cReader(), [
        '#Software: SGOS 7.3',
        '#Fields: date time time-taken c-ip cs-username cs-method cs-uri-scheme cs-host cs-uri-port cs-uri-path cs-uri-query cs-bytes sc-bytes cs(User-Agent)',
        '2026-11-20 09:00:00 12 10.0.0.7 ann CONNECT tcp chatgpt.com 443 / - 600 900 "Mozilla/5.0 (X11)"',
        '2026-11-20 09:00:01 12 10.0.0.8 - POST https api.openai.com 443 /v1/chat ?a=b 1234 900 "say ""hi"" now"',
        'short',
        '#Date: 2026-11-21 00:00:00',
        '#Fields: time c-ip cs-username cs-method cs-uri',
        '10:00:00\t10.0.0.7\t"CORP\\ann"\tGET\thttps://Claude.ai/new?x=1',
        '10:00:01 10.0.0.7 - CONNECT claude.ai:443',
      ]),
    ).toEqual([
      'skip',
      'skip',
      ['2026-11-20T09:00:00.000Z', 'ann', 'chatgpt.com:443', undefined, undefined, undefined, 'ann', '10.0.0.7'],
      [
        '2026-11-20T09:00:01.000Z',
        '10.0.0.8',
        'api.openai.com:443',
        'POST',
        '/v1/chat?a=b',
        1234,
        undefined,
        '10.0.0.8',
      ],
      'unreadable',
      'skip',
      'skip',
      ['2026-11-21T10:00:00.000Z', 'CORP\\ann', 'claude.ai:443', 'GET', '/new?x=1', 0, 'CORP\\ann', '10.0.0.7'],
      ['2026-11-21T10:00:01.000Z', '10.0.0.7', 'claude.ai:443', undefined, undefined, undefined, undefined, '10.0.0.7'],
    ]);
  });

  test('no line ends reading', () => {
    const readers = [new AuditReader(), new SquidReader(), new W3cReader()];
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (line) => {
        for (const reader of readers) reader.read(line);
      }),
    );
  });
});

async function hostsOf(
  text: string | readonly string[],
  format?: 'squid',
): Promise<{ hosts: string[]; lines: number; unreadable: number }> {
  const hosts: string[] = [];
  async function* chunks() {
    for (const chunk of typeof text === 'string' ? [text] : text) yield chunk;
  }
  const read = await readTraffic({
    source: { stream: chunks() },
    take: ({ host }) => hosts.push(host),
    ...(format === undefined ? {} : { format }),
  });
  return { hosts, lines: read.lines, unreadable: read.unreadable };
}
const squidLine = (host: string) =>
  `1763629200.123 5006 10.0.0.7 TCP_TUNNEL/200 6345 CONNECT ${host}:443 - HIER_DIRECT/- -`;

test('a 407 does not count as use', () => {
  const challenge = '1763629200.123 0 10.0.0.7 TCP_DENIED/407 3900 CONNECT a.example:443 - HIER_NONE/- text/html';
  expect(readAll(new SquidReader(), [challenge])).toEqual(['skip']);
  const w3c = ['#Fields: date time c-ip cs-method cs-host sc-status', '2026-11-20 09:00:00 10.0.0.7 GET a.example 407'];
  expect(readAll(new W3cReader(), w3c)).toEqual(['skip', 'skip']);
  expect(trafficOf({ ...audit, kind: 'connect', error: 'proxy_auth_required' })).toBeUndefined();
});

describe('files', () => {
  test('any cut into chunks reads the same', async () => {
    const text = ['a.example', 'b.example', 'ü.example', 'c.example'].map(squidLine).join('\r\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, i) => text.slice(at[i], end));
        expect((await hostsOf(chunks)).hosts).toEqual(['a.example', 'b.example', 'xn--tda.example', 'c.example']);
      }),
    );
  });

  test('an endless line is skipped, and what follows is read', async () => {
    const endless = Array.from({ length: 40 }, () => 'x'.repeat(100_000));
    const { hosts } = await hostsOf([`${squidLine('a.example')}\n`, ...endless, `\n${squidLine('b.example')}\n`]);
    expect(hosts).toEqual(['a.example', 'b.example']);
  });

  test('a compressed file', async () => {
    for (const name of ['access.log.gz', 'access.log.1']) {
      const file = join(tempFolder('simulation'), name);
      writeFileSync(file, gzipSync(`${squidLine('a.example')}\n${squidLine('b.example')}\n`));
      const hosts: string[] = [];
      await readTraffic({ source: { file }, take: ({ host }) => hosts.push(host) });
      expect(hosts).toEqual(['a.example', 'b.example']);
    }
    const cut = join(tempFolder('simulation'), 'cut.gz');
    writeFileSync(cut, gzipSync(squidLine('a.example')).subarray(0, 40));
    await expect(readTraffic({ source: { file: cut }, take: () => {} })).rejects.toMatchObject({
      hint: expect.stringContaining('truncated'),
    });
  });

  test('a file that is not a log is refused, an empty one is not', async () => {
    await expect(hostsOf('hello\nworld\n')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(hostsOf('#Fields: c-ip\n'.replace('#', ''), 'squid')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await hostsOf('')).toEqual({ hosts: [], lines: 0, unreadable: 0 });
    await expect(readTraffic({ source: { file: '/nowhere/x.log' }, take: () => {} })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

describe('differences', () => {
  const registry = new ServiceRegistry();
  registry.add({ service_name: 'Good', domain: 'good.example', category: 'approved' });
  registry.add({ service_name: 'Seen', domain: 'seen.example', category: 'monitoring' });
  const base: PolicyConfig = {
    unknown: 'allow',
    inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
    bypass: [],
    rules: [],
  };
  const simulate = (after: Partial<PolicyConfig>) =>
    new Simulation({
      before: new Policy({ registry, config: base }),
      after: new Policy({ registry, config: { ...base, ...after } }),
      groupsOf: (user) => (user === 'ann' ? ['legal'] : undefined),
    });
  const at = new Date('2026-11-20T09:00:00Z');
  const inside = (host: string, subject: string, more = {}) => ({
    at,
    subject,
    user: subject,
    host,
    port: 443,
    method: 'POST',
    size: 10,
    ...more,
  });

  test('are counted by old and new decision', () => {
    const simulation = simulate({
      coach: true,
      rules: [
        { name: 'legal', when: { groups: ['legal'], hosts: ['good.example'] }, then: { action: 'block' } },
        { name: 'same', when: { hosts: ['plain.example'] }, then: { action: 'allow' } },
        { name: 'large', when: { upload_over: 1_000 }, then: { action: 'block' } },
      ],
    });
    for (const subject of ['ann', 'bob', 'ann']) simulation.add(inside('good.example', subject));
    for (const host of ['seen.example', 'a.seen.example']) simulation.add(inside(host, 'bob'));
    simulation.add(inside('plain.example', 'bob'));
    simulation.add(inside('plain.example', 'bob', { size: 2_000 }));
    simulation.add(inside('other.example', 'bob', { size: 2_000 }));
    const example = { at: at.toISOString() };
    expect(simulation.result()).toEqual({
      events: 8,
      changed: 5,
      undecided: 0,
      diffs: [
        {
          before: { action: 'allow', inspect: 'mask', rule: 'category approved' },
          after: { action: 'block', inspect: 'none', rule: 'legal' },
          count: 2,
          subjects: 1,
          examples: [{ host: 'good.example', subject: 'ann', ...example }],
        },
        {
          before: { action: 'warn', inspect: 'audit', rule: 'category monitoring' },
          after: { action: 'warn', inspect: 'audit', rule: 'category monitoring', coach: true },
          count: 2,
          subjects: 1,
          examples: [
            { host: 'seen.example', subject: 'bob', ...example },
            { host: 'a.seen.example', subject: 'bob', ...example },
          ],
        },
        {
          before: { action: 'allow', inspect: 'tunnel', rule: 'policy.unknown' },
          after: { action: 'block', inspect: 'none', rule: 'large' },
          count: 1,
          subjects: 1,
          examples: [{ host: 'other.example', subject: 'bob', ...example }],
        },
      ],
    });
  });

  test('a path rule leaves requests without a path undecided, and changes a tunnel', () => {
    const simulation = simulate({
      rules: [{ name: 'p', when: { hosts: ['plain.example'], paths: ['/x'] }, then: { action: 'block' } }],
    });
    simulation.add(inside('plain.example', 'ann'));
    simulation.add(inside('plain.example', 'ann', { path: '/x/y' }));
    simulation.add({ at, subject: 'ann', host: 'plain.example', port: 443 });
    const { undecided, changed, diffs } = simulation.result();
    expect([undecided, changed, diffs.map(({ after }) => after.rule)]).toEqual([1, 2, ['p', 'by path or method']]);
  });
});
