/** Lines to syslog servers: the exact framing, a server that comes and goes, and the real rsyslog. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SyslogOptions, SyslogSink } from '../../../gateway/observe/sinks/syslog-sink.ts';
import { TestAuthority } from '../../support/authority.ts';
import { freePort } from '../../support/free-port.ts';
import { programPath } from '../../support/programs.ts';
import { tempFolder } from '../../support/temp.ts';
import { auditLog, collectLog, event, hostile } from './audit-under-test.ts';

const at = new Date('2026-11-20T09:00:00.250Z');
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A server that splits octet-counted messages. */
class Collector {
  readonly messages: string[] = [];
  readonly sockets = new Set<Socket>();
  readonly errors: string[] = [];
  peer = '';
  #server: Server;

  constructor(tls?: TlsOptions) {
    const serve = (socket: Socket) => {
      this.sockets.add(socket);
      this.peer = String((socket as TLSSocket).getPeerCertificate?.()?.subject?.CN);
      let bytes = Buffer.alloc(0);
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        bytes = Buffer.concat([bytes, chunk]);
        for (;;) {
          const head = /^([1-9][0-9]*) /.exec(bytes.subarray(0, 12).toString('latin1'));
          if (head === null) {
            if (bytes.length > 11) this.errors.push(bytes.toString());
            return;
          }
          const begin = head[0].length;
          const end = begin + Number(head[1]);
          if (bytes.length < end) return;
          this.messages.push(bytes.subarray(begin, end).toString());
          bytes = bytes.subarray(end);
        }
      });
    };
    this.#server = tls === undefined ? createTcpServer(serve) : createTlsServer(tls, serve);
    this.#server.on('tlsClientError', (error) => this.errors.push(String(error)));
  }

  async listen(port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => this.close());
    return (this.#server.address() as AddressInfo).port;
  }

  /** Refuses new connections and cuts existing ones, like a killed process. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
  }

  /** The text after the head of each message. */
  get texts(): string[] {
    return this.messages.map((message) => message.split(' ').slice(7).join(' '));
  }
}

function open(port: number, options: Partial<SyslogOptions> = {}) {
  const { log, events } = collectLog();
  let dropped = 0;
  const sink = new SyslogSink({
    host: '127.0.0.1',
    port,
    facility: 16,
    hostname: 'gw1',
    bufferedBytesMax: 1_000_000,
    log,
    onDropped: (_kind, lines) => {
      dropped += lines;
    },
    times: { retry: 10, retryMax: 50, close: 500 },
    ...options,
  });
  onTestFinished(() => sink.close());
  return { sink, events, dropped: () => dropped };
}

test('RFC 5424 messages, counted in bytes', async () => {
  const collector = new Collector();
  const { sink } = open(await collector.listen());
  sink.write('{"a":"é日🙂"}', at, 6);
  sink.write('CEF:0|é', at, 4);
  await expect.poll(() => collector.messages.length).toBe(2);
  const head = `2026-11-20T09:00:00.250Z gw1 privet ${process.pid} decision -`;
  expect(collector.messages).toEqual([`<134>1 ${head} {"a":"\\u00e9\\u65e5\\ud83d\\ude42"}`, `<132>1 ${head} CEF:0|é`]);
  expect(collector.errors).toEqual([]);
});

test('a hostile event stays one message in every format', async () => {
  const collector = new Collector();
  const url = `syslog+tcp://127.0.0.1:${await collector.listen()}`;
  const sinks = ['privet', 'ecs', 'ocsf', 'cef', 'squid'].map((format) => ({ to: 'syslog', url, format }));
  const audit = auditLog({ sinks });
  audit.write(hostile);
  await expect.poll(() => collector.messages.length).toBe(5);
  for (const message of collector.messages) {
    expect(message).toMatch(/^<134>1 \S+ \S+ privet \d+ decision - (?:\{.*\}|CEF:0\|.*|\d+\.\d+ .*)$/);
  }
  await audit.close();
  expect([collector.messages.length, collector.errors]).toEqual([5, []]);
});

test('lines written while the server is unavailable wait in order, and arrive', async () => {
  const port = await freePort();
  const { sink, events, dropped } = open(port);
  for (let i = 0; i < 2_000; i++) sink.write(String(i), at, 6);
  await expect.poll(() => events().length).toBe(1);
  const collector = new Collector();
  await collector.listen(port);
  await expect.poll(() => collector.texts.length).toBe(2_000);
  expect(collector.texts.map(Number)).toEqual(Array.from({ length: 2_000 }, (_, i) => i));
  expect(dropped()).toBe(0);
  expect(events().map(({ event }) => event)).toEqual(['audit_sink_away', 'audit_sink_back']);
});

test('nothing is lost when the server is cut off again and again', async () => {
  const port = await freePort();
  const seen = new Set<number>();
  const { sink, dropped } = open(port);
  let sent = 0;
  for (let round = 0; round < 6; round++) {
    const collector = new Collector();
    await collector.listen(port);
    for (let i = 0; i < 40; i++) {
      for (let n = 0; n < 5; n++) sink.write(String(sent++), at, 6);
      await sleep(2);
    }
    await collector.close();
    for (const text of collector.texts) seen.add(Number(text));
    for (let n = 0; n < 20; n++) sink.write(String(sent++), at, 6);
  }
  const last = new Collector();
  await last.listen(port);
  await expect.poll(() => last.texts.includes(String(sent - 1))).toBe(true);
  for (const text of last.texts) seen.add(Number(text));
  expect([...Array(sent).keys()].filter((n) => !seen.has(n))).toEqual([]);
  expect(dropped()).toBe(0);
});

test('new lines over the buffer are dropped and counted; memory is bounded', async () => {
  const { sink, dropped } = open(await freePort(), { bufferedBytesMax: 10_000 });
  for (let i = 0; i < 1_000; i++) sink.write('x'.repeat(100), at, 6);
  expect(dropped()).toBeGreaterThan(900);
  const before = dropped();
  await sink.close();
  expect(dropped()).toBe(1_000);
  expect(before).toBeLessThan(1_000);
});

test('a server that does not read delays nothing, and its missed lines are sent to the next', async () => {
  const stuck = createTcpServer((socket) => {
    socket.pause();
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    setTimeout(() => socket.resetAndDestroy(), 300);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => stuck.listen(port, '127.0.0.1', resolve));
  const { sink, dropped } = open(port, { bufferedBytesMax: 40_000_000 });
  for (let i = 0; i < 20_000; i++) sink.write(`${i} ${'x'.repeat(1_000)}`, at, 6);
  await sleep(200);
  await new Promise<void>((resolve) => {
    stuck.close(() => resolve());
  });
  const collector = new Collector();
  await collector.listen(port);
  await expect.poll(() => collector.messages.length).toBe(20_000);
  expect(dropped()).toBe(0);
});

describe('TLS', () => {
  const authority = new TestAuthority();
  const server = authority.issue({ names: ['localhost', '127.0.0.1'] });
  const folder = tempFolder('syslog');
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  test('the server is verified, and receives our certificate', async () => {
    const collector = new Collector({ ...server, ca: authority.pem, requestCert: true, rejectUnauthorized: true });
    const port = await collector.listen();
    const client = authority.issue({ names: ['gateway'], person: { name: 'gateway' } });
    const files = {
      ca_file: authority.file,
      cert_file: write('client.pem', client.cert),
      key_file: write('client-key.pem', client.key),
    };
    const audit = auditLog({
      sinks: [{ to: 'syslog', url: `syslog+tls://localhost:${port}`, format: 'ecs', ...files }],
    });
    audit.write(event);
    await expect.poll(() => collector.messages.length).toBe(1);
    expect(collector.peer).toBe('gateway');
    await audit.close();
  });

  test.each<[name: string, certificate: TlsOptions, ca: string | undefined]>([
    ['of an unknown authority', server, undefined],
    ['for another name', authority.issue({ names: ['other.example'] }), authority.pem],
    [
      'that has expired',
      authority.issue({ names: ['127.0.0.1'], notAfter: new Date(Date.now() - 60_000) }),
      authority.pem,
    ],
  ])('nothing is sent to a server with a certificate %s', async (_name, certificate, ca) => {
    const collector = new Collector(certificate);
    const { sink, events } = open(await collector.listen(), { tls: () => (ca === undefined ? {} : { ca }) });
    sink.write('secret', at, 6);
    await expect.poll(() => events().length).toBeGreaterThan(0);
    await sleep(50);
    expect(events()[0]).toMatchObject({
      event: 'audit_sink_away',
      error: { code: expect.stringMatching(/CERT|ALTNAME|VERIFY/) },
    });
    expect(collector.messages).toEqual([]);
  });

  test('a renewed certificate applies from the next connection on', async () => {
    const collector = new Collector(server);
    const ca = write('renewed.pem', new TestAuthority().pem);
    const { sink, events } = open(await collector.listen(), { tls: () => ({ ca: readFileSync(ca) }) });
    sink.write('event', at, 6);
    await expect.poll(() => events().length).toBe(1);
    rmSync(ca);
    await sleep(50);
    write('renewed.pem', authority.pem);
    await expect.poll(() => collector.texts).toEqual(['event']);
    expect(events().map(({ event }) => event)).toEqual(['audit_sink_away', 'audit_sink_back']);
  });

  test('a missing file is reported in one sentence', () => {
    const sink = { to: 'syslog', url: 'syslog+tls://127.0.0.1:1', ca_file: join(folder, 'none.pem') };
    expect(() => auditLog({ sinks: [sink] })).toThrow(/none\.pem of log\.audit cannot be read \(ENOENT\)/);
  });

  test('rsyslog receives every event over TLS, even if killed in between', async () => {
    const port = await freePort();
    const out = join(folder, 'messages');
    const config = write(
      'rsyslog.conf',
      `global(workDirectory="${folder}" maxMessageSize="64k" defaultNetstreamDriver="gtls"
  defaultNetstreamDriverCAFile="${authority.file}" defaultNetstreamDriverCertFile="${write('s.pem', server.cert)}"
  defaultNetstreamDriverKeyFile="${write('s-key.pem', server.key)}")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" port="${port}" address="127.0.0.1")
template(name="out" type="string" string="%pri% %hostname% %app-name% %procid% %msgid% %structured-data%|%msg%\\n")
action(type="omfile" file="${out}" template="out" flushOnTXEnd="on")
`,
    );
    const start = (): ChildProcess =>
      spawn(programPath('rsyslogd'), ['-n', '-f', config, '-i', join(folder, 'pid')], { stdio: 'ignore' });
    let child = start();
    onTestFinished(() => void child.kill('SIGKILL'));
    const audit = auditLog({
      sinks: [{ to: 'syslog', url: `syslog+tls://127.0.0.1:${port}`, ca_file: authority.file }],
    });
    const count = 600;
    for (let i = 0; i < count; i++) {
      audit.write({ ...(i % 7 === 0 ? hostile : event), requestId: `r${i}` });
      await sleep(2);
      if (i !== 250) continue;
      await expect.poll(() => existsSync(out)).toBe(true);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      setTimeout(() => {
        child = start();
      }, 300);
    }
    // The message that rsyslog was writing when it was killed is cut off, directly followed by the next one, and
    // arrives again in full.
    const head = new RegExp(`134 \\S+ privet ${process.pid} decision -\\|`);
    const messages = () => (existsSync(out) ? readFileSync(out, 'utf8').split(head).slice(1) : []);
    const isWhole = (message: string) => message.endsWith('}\n');
    const ids = () =>
      new Set(
        messages()
          .filter(isWhole)
          .map((message) => /"requestId":"(\w+)"/.exec(message)?.[1]),
      );
    await expect.poll(() => ids().size).toBe(count);
    const written = readFileSync(out, 'utf8');
    expect(written.slice(0, head.exec(written)?.index)).toBe('');
    expect(messages().filter((message) => !isWhole(message)).length).toBeLessThan(2);
    for (const message of messages().filter(isWhole)) {
      expect(JSON.parse(message)).toMatchObject({ event: 'decision', clientAddress: '192.0.2.1' });
    }
    await audit.close();
  });
});
