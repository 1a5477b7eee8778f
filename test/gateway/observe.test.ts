import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PrivetError } from '../../core/errors.ts';
import { plainField } from '../../gateway/observe/field.ts';
import { createLog } from '../../gateway/observe/log.ts';
import { Metrics } from '../../gateway/observe/metrics.ts';
import { Observer } from '../../gateway/observe/observer.ts';
import { newRecord } from '../../gateway/proxy/request/record.ts';
import { auditLog } from './observe/audit-under-test.ts';

const root = join(import.meta.dirname, '../..');

function collectLog(options: { level?: string; terminal?: boolean } = {}) {
  const lines: string[] = [];
  const { log } = createLog({ level: 'info', ...options, sink: { write: (line) => lines.push(line) } });
  return { log, lines, events: () => lines.map((line) => JSON.parse(line)) };
}

describe('fields', () => {
  test.each<[name: string, input: string, expected: string]>([
    ['plain', 'api.openai.com', 'api.openai.com'],
    ['letters of any script', '日本語 é 🙂', '日本語 é 🙂'],
    ['newline', 'a\r\nb', 'a\\u000d\\u000ab'],
    ['escape sequence', '\u001b[31mred', '\\u001b[31mred'],
    ['C1', 'a\u009bb', 'a\\u009bb'],
    ['Arabic letter mark, which reverses the direction of what follows', 'a\u061cb', 'a\\u061cb'],
    ['bidirectional override', 'a\u202eb', 'a\\u202eb'],
    ['line separator', 'a\u2028b', 'a\\u2028b'],
    ['lone surrogate', 'a\ud800b', 'a\\ud800b'],
    ['too long', 'x'.repeat(60), `${'x'.repeat(50)}…`],
    ['cut in a pair', `${'x'.repeat(49)}🙂`, `${'x'.repeat(49)}\\ud83d…`],
  ])('%s', (_name, input, expected) => {
    expect(plainField(input, 50)).toBe(expected);
  });
});

describe('log', () => {
  test('lines are JSON with time, level and fields', () => {
    const { log, events } = collectLog();
    log.info({ event: 'listening', listener: 'proxy', host: '127.0.0.1', port: 3128 }, 'listening');
    log.debug({ event: 'hidden' });
    expect(events()).toEqual([
      {
        level: 'info',
        ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        event: 'listening',
        listener: 'proxy',
        host: '127.0.0.1',
        port: 3128,
        msg: 'listening',
      },
    ]);
  });

  const secret = 'alice@example.com';
  const quoting = (): Error => {
    try {
      JSON.parse(`{"a": ${secret}`);
      throw new Error('not reached');
    } catch (error) {
      return error as Error;
    }
  };

  test.each<[name: string, error: unknown]>([
    ['JSON.parse', quoting()],
    ['several lines', new Error(`first\n    at ${secret} (x:1:1)`)],
    ['as a cause', new PrivetError('invalid_json', 'The body is not JSON.', { cause: quoting() })],
    ['thrown text', secret],
  ])('errors do not quote their input: %s', (_name, error) => {
    const { log, lines } = collectLog();
    log.error({ event: 'fault', error }, 'failed');
    if (error instanceof Error) log.error(error);
    if (error instanceof Error) log.error(error, 'failed');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(/alice@|example\.com/);
  });

  test('our own and system errors keep their message', () => {
    const { log, events } = collectLog();
    log.error({ error: new PrivetError('conflict', 'The name is taken.') });
    log.error({
      error: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    });
    const [ours, system] = events();
    expect(ours.error).toEqual({ name: 'PrivetError', code: 'conflict', message: 'The name is taken.' });
    expect(system.error).toMatchObject({ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' });
    expect(system.error.stack).toContain('observe.test.ts');
  });

  test('a terminal gets readable lines without control characters', () => {
    const { log, lines } = collectLog({ terminal: true });
    log.warn({ event: 'listening', host: 'a\u001b[2Jb', port: 1 }, 'listening');
    expect(lines.join('')).toMatch(/^\d\d:\d\d:\d\d warn {2}listening host=a\\u001b\[2Jb port=1\n$/);
  });

  test('nothing is lost at process.exit, even with a slow reader', async () => {
    const program = `
      import { createLog } from './gateway/observe/log.ts';
      const { log } = createLog({ level: 'info' });
      for (let i = 0; i < 20_000; i++) log.info({ event: 'n', i }, 'line');
      process.exit(3);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: root });
    const exited = once(child, 'exit');
    let text = '';
    for await (const piece of child.stdout) {
      text += piece;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await exited)[0]).toBe(3);
    const lines = text.trim().split('\n');
    expect(lines.length).toBe(20_000);
    expect(JSON.parse(lines.at(-1) as string).i).toBe(19_999);
  });

  test('a stdout reader that does not read costs limited memory, and losses are counted', async () => {
    const program = `
      import { createLog } from './gateway/observe/log.ts';
      const logging = createLog({ level: 'info' });
      let dropped = 0;
      logging.onDropped(() => dropped++);
      const text = 'x'.repeat(100_000);
      for (let i = 0; i < 400; i++) {
        logging.log.info({ event: 'n', text }, 'line');
        if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      process.stderr.write(String(dropped));
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: root });
    child.stdout.pause();
    let dropped = '';
    child.stderr.on('data', (chunk) => {
      dropped += chunk;
    });
    await once(child, 'exit');
    expect(Number(dropped)).toBeGreaterThan(200);
    expect(Number(dropped)).toBeLessThan(300);
  });
});

describe('metrics', () => {
  const lineOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start));

  test('all metrics of the contract are exposed', async () => {
    const text = await new Metrics({ caNotAfter: () => new Date(1_000) }).expose();
    for (const name of [
      ...['requests_total', 'decisions_total', 'pii_detected_total', 'pii_masked_total', 'tokens_restored_total'],
      ...['tokens_unresolved_total', 'blocked_total', 'tunnel_bytes_total', 'connections', 'leaf_certs_total'],
      ...['tls_client_rejects_total', 'upstream_errors_total', 'overhead_seconds', 'injection_detected_total'],
      ...['store_errors_total', 'config_reloads_total'],
    ]) {
      expect(text).toContain(`# TYPE privet_${name} `);
    }
    expect(lineOf(text, 'privet_ca_not_after_seconds')).toBe('privet_ca_not_after_seconds 1');
    expect(lineOf(text, 'privet_tokens_restored_total')).toBe('privet_tokens_restored_total 0');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('process_resident_memory_bytes');
  });

  test('series for alerts exist before their first event, because an increase needs two values', async () => {
    const text = await new Metrics({ defaults: false }).expose();
    const rules = readFileSync(join(import.meta.dirname, '../../deploy/prometheus/alerts.yaml'), 'utf8');
    const single = [...rules.matchAll(/increase\((privet_\w+(?:\{\w+="\w+"\})?)\[\w+\]\) > 0/g)].map(
      ([, series]) => series,
    );
    expect(single).toEqual(['privet_config_reloads_total{result="failed"}', 'privet_audit_dropped_total']);
    expect(text).toContain('privet_config_reloads_total{result="failed"} 0\n');
    for (const sink of ['stdout', 'file', 'syslog', 'store'])
      expect(text).toContain(`privet_audit_dropped_total{sink="${sink}"} 0\n`);
  });

  test('counts add up over several scrapes, and two instances are separate', async () => {
    const metrics = new Metrics({ defaults: false });
    const hits = metrics.leafCerts.with('hit');
    hits.value++;
    await metrics.expose();
    hits.value += 2;
    metrics.connections.with('tunnel').value += 5;
    metrics.connections.with('tunnel').value -= 3;
    metrics.observeMask(2);
    const text = await metrics.expose();
    expect(lineOf(text, 'privet_leaf_certs_total')).toBe('privet_leaf_certs_total{result="hit"} 3');
    expect(lineOf(text, 'privet_connections')).toBe('privet_connections{kind="tunnel"} 2');
    expect(lineOf(text, 'privet_overhead_seconds_bucket{le="0.0025"')).toMatch(/step="mask"} 1$/);
    expect(lineOf(text, 'privet_overhead_seconds_sum')).toMatch(/ 0\.002$/);
    expect(await new Metrics({ defaults: false }).expose()).not.toContain('result="hit"');
  });

  test('label sets are bounded', async () => {
    const metrics = new Metrics({ defaults: false });
    for (let i = 0; i < 2_000; i++) metrics.piiMasked.with(`T${i}`).value++;
    const text = await metrics.expose();
    expect(text.split('\n').filter((line) => line.startsWith('privet_pii_masked_total{')).length).toBe(501);
    expect(lineOf(text, 'privet_pii_masked_total{type="other"}')).toBe('privet_pii_masked_total{type="other"} 1500');
  });

  test('the observer counts a request and passes it to the audit trail', async () => {
    const { log, events } = collectLog();
    const metrics = new Metrics({ defaults: false });
    const observer = new Observer({ metrics, audit: auditLog({}, { log }), log });
    const record = newRecord('request', { address: '192.0.2.1', subject: 'alice' }, 'POST', 'api.openai.com', 443);
    Object.assign(record, { status: 200, piiTypes: { EMAIL: 2, IBAN: 1 }, masked: 3, restored: 2, unresolved: 1 });
    record.maskMs = 1;
    record.decision = { action: 'allow', inspect: 'mask', rule: 'r', ruleKind: 'rule', reason: 'rule "r"' };
    observer.finished(record, 12.5);
    const blocked = newRecord('connect', record.client, 'CONNECT', 'blocked.example', 443);
    Object.assign(blocked, { status: 403, error: 'blocked_by_policy' });
    blocked.decision = { action: 'block', inspect: 'mask', rule: 's', ruleKind: 'service', reason: 'x' };
    observer.finished(blocked, 1);
    const failed = newRecord('request', record.client, 'GET', 'api.openai.com', 443);
    Object.assign(failed, { status: 502, error: 'upstream_certificate' });
    observer.finished(failed, 1);
    const refused = newRecord('connect', record.client, 'CONNECT', '10.0.0.1', 443);
    Object.assign(refused, { status: 403, error: 'egress_refused' });
    observer.finished(refused, 1);
    const tunnel = newRecord('tunnel', record.client, 'CONNECT', 'a.example', 443);
    Object.assign(tunnel, { status: 200, bytesIn: 7, bytesOut: 9 });
    observer.finished(tunnel, 1);
    observer.tlsClientReject({ host: 'api.openai.com', client: record.client, code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' });
    observer.connection('tunnel', 1);
    const text = await metrics.expose();
    for (const line of [
      'privet_requests_total{action="allow",inspect="mask",category="none",status_class="2xx"} 1',
      'privet_decisions_total{action="block",rule_kind="service"} 1',
      'privet_pii_detected_total{type="EMAIL",mode="mask"} 2',
      'privet_pii_masked_total{type="IBAN"} 1',
      'privet_tokens_restored_total 2',
      'privet_tokens_unresolved_total 1',
      'privet_blocked_total{reason="policy_service"} 1',
      'privet_blocked_total{reason="egress_refused"} 1',
      'privet_upstream_errors_total{reason="certificate"} 1',
      'privet_tunnel_bytes_total{direction="down"} 9',
      'privet_tls_client_rejects_total 1',
      'privet_connections{kind="tunnel"} 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(events()[0]).toMatchObject({
      event: 'decision',
      subject: 'alice',
      host: 'api.openai.com',
      action: 'allow',
      piiTypes: { EMAIL: 2, IBAN: 1 },
      durationMs: 12.5,
    });
    expect(events().at(-1)).toMatchObject({ event: 'tls_client_reject', code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' });
    expect(events().at(-1)?.msg).toMatch(/does not trust the CA/);
    observer.tlsClientReject({ host: 'api.openai.com', client: record.client, code: 'ERR_SSL_NO_SHARED_CIPHER' });
    expect(events().at(-1)?.msg).toBe('the TLS handshake with the client failed');
  });
});
