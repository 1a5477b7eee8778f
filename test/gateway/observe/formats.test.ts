/** The formats of the audit trail: how each field is mapped, and that no external value can become another field. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AuditEvent, auditFields } from '../../../gateway/observe/audit-event.ts';
import { type FormatName, formatNames, formats } from '../../../gateway/observe/formats/format.ts';
import { anyCharacter } from '../../support/any-text.ts';
import { agentEvent, event, hostile } from './audit-under-test.ts';
import { formatChecks, readCef } from './format-checks.ts';

const written = { at: new Date('2026-11-20T09:00:00.250Z'), version: '1.2.3', hostname: 'gw1' };
const lineOf = (format: FormatName, one: AuditEvent) => formats[format](auditFields(one), written);
const blocked: AuditEvent = {
  ...event,
  kind: 'connect',
  subject: '2001:db8::7',
  clientAddress: '2001:db8::7',
  method: 'CONNECT',
  port: 443,
  action: 'block',
  status: 403,
  error: 'blocked_by_policy',
  piiTypes: undefined,
};

/** An outcome of each kind, and how the formats express it: verb, CEF severity, ECS type, Squid result. */
const outcomeRows: [name: string, one: AuditEvent, act: string, cef: string, ecs: string, squid: string][] = [
  ['allowed', event, 'allow', '1', 'allowed', 'TCP_MISS/200'],
  ['warned', { ...event, action: 'warn' }, 'warn', '3', 'allowed', 'TCP_MISS/200'],
  ['blocked', blocked, 'block', '6', 'denied', 'TCP_DENIED/403'],
  ...(
    [
      ['a PII type that the policy blocks', 'blocked_by_policy', 403, 'block', '6'],
      ['a body that cannot be decoded', 'uninspectable', 403, 'refuse', '5'],
      ['a body over the limit', 'body_too_large', 413, 'refuse', '5'],
      ['the store is unavailable', 'unavailable', 503, 'refuse', '5'],
      ['a refused address', 'egress_refused', 403, 'refuse', '5'],
    ] as const
  ).map(([name, error, status, act, cef]): (typeof outcomeRows)[number] => [
    name,
    { ...event, status, error },
    act,
    cef,
    'denied',
    `TCP_DENIED/${status}`,
  ]),
  [
    'unconfirmed',
    { ...event, action: 'warn', status: 403, error: 'confirmation_required' },
    'refuse',
    '5',
    'denied',
    'TCP_DENIED/403',
  ],
  [
    'a message of a WebSocket',
    { ...event, kind: 'websocket', status: 101, error: 'uninspectable' },
    'refuse',
    '5',
    'denied',
    'TCP_DENIED/101',
  ],
  [
    'a malformed request, whose target is unknown',
    { ...event, action: undefined, host: '', port: 0, status: 400, error: 'bad_request' },
    'refuse',
    '5',
    'denied',
    'TCP_DENIED/400',
  ],
  [
    'no credentials',
    { ...event, action: undefined, status: 407, error: 'proxy_auth_required' },
    'refuse',
    '5',
    'denied',
    'TCP_DENIED/407',
  ],
  [
    'a name that does not resolve',
    { ...event, status: 502, error: 'upstream_failed' },
    'fail',
    '4',
    'allowed',
    'TCP_MISS/502',
  ],
  [
    'a tunnel to such a name',
    { ...blocked, kind: 'tunnel', action: 'allow', status: 502, error: 'upstream_failed' },
    'fail',
    '4',
    'allowed',
    'TCP_TUNNEL/502',
  ],
  [
    'no answer in time',
    { ...event, status: 504, error: 'upstream_timeout' },
    'fail',
    '4',
    'allowed',
    'TCP_MISS_TIMEOUT/504',
  ],
  [
    'an answer that broke off',
    { ...event, status: 200, error: 'upstream_failed' },
    'fail',
    '4',
    'allowed',
    'TCP_MISS_ABORTED/200',
  ],
  ['the client left', { ...event, status: 499 }, 'abort', '1', 'allowed', 'TCP_MISS_ABORTED/499'],
  ['findings in the request of an agent', agentEvent, 'allow', '1', 'allowed', 'TCP_MISS/200'],
  [
    'the maximum number of findings',
    {
      ...agentEvent,
      toolFindings: Array.from({ length: 20 }, (_, i) => ({
        kind: 'poisoned',
        tool: `${'long.example'.repeat(16)}/${i}`,
        place: 'tools[1]',
        answer: 'report',
      })),
    },
    'allow',
    '1',
    'allowed',
    'TCP_MISS/200',
  ],
];

describe.each(outcomeRows)('outcome: %s', (_name, one, act, cef, ecs, squid) => {
  test.each(formatNames)('%s follows its specification', (format) => {
    expect(formatChecks[format](lineOf(format, one))).toEqual([]);
  });

  test('all formats agree', () => {
    const { head, pairs } = readCef(lineOf('cef', one));
    expect([head[4], pairs.act, head[6]]).toEqual([act, act, cef]);
    const document = JSON.parse(lineOf('ecs', one));
    const isSuccess = act === 'allow' || act === 'warn';
    expect(document.event).toMatchObject({
      action: act,
      type: ['access', ecs],
      outcome: isSuccess ? 'success' : 'failure',
    });
    const isDenied = ecs === 'denied';
    expect(JSON.parse(lineOf('ocsf', one))).toMatchObject({
      action_id: isDenied ? 2 : 1,
      disposition_id: isDenied ? 2 : 1,
      status_id: isSuccess ? 1 : 2,
    });
    const fields = lineOf('squid', one).trim().split(/ +/);
    const isReached = !isDenied && !/\/50[24]$/.test(squid);
    expect([fields[3], fields[8]?.startsWith('HIER_DIRECT/')]).toEqual([squid, isReached]);
  });
});

describe.each(formatNames)('%s', (format) => {
  test('a hostile event is one line without control characters', () => {
    for (const one of [hostile, { ...hostile, action: undefined, status: 0 }]) {
      expect(lineOf(format, one)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
    }
  });

  test('an event contains no undefined, null or NaN for missing values', () => {
    expect(lineOf(format, { ...blocked, rule: undefined, reason: undefined, service: undefined })).not.toMatch(
      /undefined|null|NaN/,
    );
  });
});

test('ECS', () => {
  const document = JSON.parse(lineOf('ecs', { ...event, port: 443, masked: 2 }));
  expect(document).toEqual({
    '@timestamp': '2026-11-20T09:00:00.250Z',
    ecs: { version: '8.17.0' },
    message: 'allow POST api.openai.com',
    event: {
      id: 'r-1',
      kind: 'event',
      category: ['network', 'web'],
      type: ['access', 'allowed'],
      action: 'allow',
      outcome: 'success',
      reason: 'OpenAI API is in category approved',
      duration: 1_230_000,
      start: '2026-11-20T09:00:00.248Z',
      end: '2026-11-20T09:00:00.250Z',
      module: 'privet',
      dataset: 'privet.audit',
    },
    observer: { vendor: 'Privet', product: 'Privet', type: 'proxy', version: '1.2.3', hostname: 'gw1' },
    source: { address: '192.0.2.1', ip: '192.0.2.1' },
    destination: { address: 'api.openai.com', domain: 'api.openai.com', port: 443 },
    url: { domain: 'api.openai.com', port: 443 },
    http: { request: { id: 'r-1', method: 'POST', bytes: 10 }, response: { status_code: 200, bytes: 20 } },
    user: { name: 'alice' },
    rule: { name: 'category approved' },
    related: { hosts: ['api.openai.com'], ip: ['192.0.2.1'], user: ['alice'] },
    privet: {
      service: 'openai-api',
      category: 'approved',
      inspect: 'mask',
      intercepted: true,
      pii_types: { EMAIL: 2 },
      masked: 2,
    },
  });
  const refused = JSON.parse(lineOf('ecs', blocked));
  expect(refused).toMatchObject({
    event: { type: ['access', 'denied'], outcome: 'failure', action: 'block' },
    source: { ip: '2001:db8::7' },
    error: { code: 'blocked_by_policy' },
  });
  expect(refused.user).toBeUndefined();
  expect(JSON.parse(lineOf('ecs', hostile)).user.name).toContain('eve\\u000a<134>1');
});

/** Required attributes of HTTP Activity in OCSF 1.5: those of the base event, of `metadata` and of the objects used. */
test('OCSF', () => {
  const rows: [event: AuditEvent, activity: number, severity: number, action: number, status: number][] = [
    [event, 6, 1, 1, 1],
    [{ ...event, action: 'warn', method: 'GET' }, 3, 2, 1, 1],
    [blocked, 1, 3, 2, 2],
    [{ ...event, method: 'PROPFIND' }, 99, 1, 1, 1],
    [{ ...event, status: 502, error: 'upstream_failed', method: 'PATCH' }, 9, 2, 1, 2],
    [{ ...event, method: 'constructor' }, 99, 1, 1, 1],
    [hostile, 99, 1, 1, 1],
  ];
  for (const [one, activity, severity, action, status] of rows) {
    const document = JSON.parse(lineOf('ocsf', one));
    expect(document).toMatchObject({
      activity_id: activity,
      category_uid: 4,
      class_uid: 4002,
      type_uid: 400_200 + activity,
      severity_id: severity,
      status_id: status,
      action_id: action,
      disposition_id: action,
      time: written.at.getTime(),
      metadata: {
        version: '1.9.0',
        product: { name: 'Privet', vendor_name: 'Privet', version: '1.2.3' },
        profiles: ['host', 'security_control'],
      },
      device: { type_id: 0, hostname: 'gw1' },
      http_request: { url: { hostname: expect.any(String), url_string: expect.any(String) } },
      http_response: { code: one.status },
      src_endpoint: { ip: one.clientAddress },
    });
    expect(Number.isInteger(document.duration) && Number.isInteger(document.start_time)).toBe(true);
  }
  expect(JSON.parse(lineOf('ocsf', event))).toMatchObject({
    actor: { user: { name: 'alice' } },
    activity_name: 'Post',
    traffic: { bytes_out: 10, bytes_in: 20, bytes: 30 },
    unmapped: { pii_types: { EMAIL: 2 } },
  });
  expect(JSON.parse(lineOf('ocsf', blocked)).actor).toBeUndefined();
});

test('OCSF has its own fields for findings in agent requests', () => {
  const document = JSON.parse(lineOf('ocsf', agentEvent));
  expect(document).toMatchObject({
    metadata: { profiles: ['host', 'security_control', 'ai_operation'] },
    message_context: { application: { name: 'claude-cli' }, service: { name: 'openai-api' } },
    is_alert: true,
    risk_level_id: 4,
    risk_details:
      'injection in tool_results at messages[2].content: prompt_injection, role_override; ' +
      'not_allowed: github/delete_repo at tools[1]; poisoned: docs.example/read at tools[2].description',
    attacks: [
      {
        technique: { uid: 'AML.T0051', name: 'LLM Prompt Injection' },
        sub_technique: { uid: 'AML.T0051.001', name: 'Indirect' },
      },
    ],
    authorizations: [{ decision: 'strip', policy: { name: 'no deletion' } }],
  });
  expect(document.unmapped).not.toHaveProperty('agent');
  expect(document.unmapped).not.toHaveProperty('injection');
});

test('CEF', () => {
  expect(lineOf('cef', event)).toBe(
    'CEF:0|Privet|Privet|1.2.3|allow|request allowed|1|rt=1795165200250 dvchost=gw1 externalId=r-1 src=192.0.2.1 ' +
      'suser=alice dhost=api.openai.com requestMethod=POST act=allow outcome=200 in=10 out=20 ' +
      'msg=OpenAI API is in category approved cs1=openai-api cs1Label=service cs2=approved cs2Label=category ' +
      'cs3=category approved cs3Label=rule cs4=mask cs4Label=inspect cs5=EMAIL:2 cs5Label=piiTypes cn3=1 cn3Label=durationMs',
  );
  expect(readCef(lineOf('cef', blocked))).toMatchObject({
    head: ['CEF:0', 'Privet', 'Privet', '1.2.3', 'block', 'request blocked', '6'],
    pairs: { c6a2: '2001:db8::7', c6a2Label: 'Source IPv6 Address', reason: 'blocked_by_policy', dpt: '443' },
  });
  const { head, pairs } = readCef(lineOf('cef', hostile));
  const fields = auditFields(hostile);
  expect(head).toHaveLength(7);
  expect(pairs).toMatchObject({
    src: '192.0.2.1',
    act: 'allow',
    suser: fields.subject,
    dhost: fields.host,
    requestMethod: fields.method,
    cs3: fields.rule,
    msg: fields.reason,
  });
});

test('Squid', () => {
  const rows: [event: AuditEvent, line: string][] = [
    [
      event,
      '1795165200.250      1 192.0.2.1 TCP_MISS/200 20 POST https://api.openai.com/ alice HIER_DIRECT/api.openai.com -',
    ],
    [blocked, '1795165200.250      1 2001:db8::7 TCP_DENIED/403 20 CONNECT api.openai.com:443 - HIER_NONE/- -'],
    [
      {
        ...event,
        kind: 'tunnel',
        method: 'CONNECT',
        host: '2001:db8::1',
        port: 8443,
        subject: '太 郎%',
        durationMs: 12345678,
      },
      '1795165200.250 12345678 192.0.2.1 TCP_TUNNEL/200 20 CONNECT [2001:db8::1]:8443 %E5%A4%AA%20%E9%83%8E%25 HIER_DIRECT/[2001:db8::1] -',
    ],
    [
      { ...event, intercepted: false, port: 80, status: 502, error: 'upstream_failed' },
      '1795165200.250      1 192.0.2.1 TCP_MISS/502 20 POST http://api.openai.com/ alice HIER_NONE/- -',
    ],
  ];
  for (const [one, line] of rows) expect(lineOf('squid', one)).toBe(line);
  expect(lineOf('squid', hostile).trim().split(/ +/)).toHaveLength(10);
});

test('our own format equals JSON.stringify of the fields, for every event', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 40 });
  const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
  const count = fc.nat(1_000);
  const events = fc.record({
    ...{ requestId: text, subject: text, clientAddress: text, host: text, method: text },
    ...{ kind: maybe(text), service: maybe(text), category: maybe(text), action: maybe(text), inspect: maybe(text) },
    ...{ rule: maybe(text), reason: maybe(text), error: maybe(text), justification: maybe(text) },
    ...{ wouldAction: maybe(text), wouldRule: maybe(text), groups: maybe(fc.array(text, { maxLength: 3 })) },
    ...{ port: maybe(count), masked: maybe(count), restored: maybe(count), unresolved: maybe(count) },
    ...{ status: count, bytesIn: count, bytesOut: count, intercepted: fc.boolean() },
    durationMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
    piiTypes: maybe(fc.dictionary(text, count, { maxKeys: 3 })),
  });
  fc.assert(
    fc.property(events, (one) => {
      const fields = auditFields(one as AuditEvent);
      const expected = JSON.stringify({ ts: written.at.toISOString(), event: 'decision', ...fields });
      expect(formats.privet(fields, written)).toBe(expected);
    }),
    { numRuns: Number(process.env.RUNS ?? 300) },
  );
});
