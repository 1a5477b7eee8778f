/** Creates the configured sinks. */

import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { readableCertificatesOf } from '../../../certs/formats.ts';
import type { KeyPath } from '../../../config/document.ts';
import type { Fault } from '../../../config/fault.ts';
import { whyUnreadable } from '../../../config/problem.ts';
import type { Config } from '../../../config/schema.ts';
import { PrivetError } from '../../../core/errors.ts';
import { type FormatName, formats } from '../formats/format.ts';
import type { Format } from '../formats/line.ts';
import type { Log } from '../log.ts';
import { FileSink, whyNotAppended } from './file-sink.ts';
import type { OnDropped, Sink } from './sink.ts';
import { SyslogSink } from './syslog-sink.ts';

/** The section `log.audit`. */
export type AuditSettings = Config['log']['audit'];

export type SinkParts = {
  readonly log: Log;
  readonly stdout: (line: string) => void;
  readonly onDropped: OnDropped;
  readonly hostname: string;
};

type Settings = AuditSettings['sinks'][number];
const syslogBytesMax = 16 * 1024 * 1024;
const facilities: Readonly<Record<string, number>> = {
  user: 1,
  daemon: 3,
  auth: 4,
  authpriv: 10,
  audit: 13,
  ...Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`local${n}`, 16 + n])),
};

/** The sinks in the order of the settings. @throws PrivetError `unavailable` when a file cannot be opened or read. */
export function openSinks({ file, syslog, sinks }: AuditSettings, parts: SinkParts): Outlet[] {
  const wanted: Settings[] = [
    ...(file === null ? [] : [{ to: 'file', path: file, format: 'privet', rotate: null } as const]),
    ...(syslog === null ? [] : [{ to: 'syslog', url: syslog, ...syslogDefaults } as const]),
    ...sinks,
  ];
  const opened: Outlet[] = [];
  try {
    for (const one of wanted) opened.push({ sink: open(one, parts), format: formats[one.format] });
    return opened;
  } catch (error) {
    for (const { sink } of opened) void sink.close();
    throw error;
  }
}

/** Finds what would make {@link openSinks} fail, without creating a file or connection. */
export function sinkFaults({ file, sinks }: AuditSettings): Fault[] {
  const found: [path: KeyPath, message: string | undefined][] = file === null ? [] : [[['file'], whyNotAppended(file)]];
  for (const [i, sink] of sinks.entries()) {
    if (sink.to === 'file') found.push([['sinks', i, 'path'], whyNotAppended(sink.path)]);
    if (sink.to === 'syslog')
      for (const [key, pem] of pemFiles(sink)) found.push([['sinks', i, key], whyUnreadable(pem)]);
  }
  return found.flatMap(([path, message]) =>
    message === undefined ? [] : [{ path: ['log', 'audit', ...path], message }],
  );
}

/** Certificates that can be read but not used: events would wait for a connection that is never established. */
export function sinkWarnings({ sinks }: AuditSettings): Fault[] {
  return sinks.flatMap((sink, i): Fault[] => {
    if (sink.to !== 'syslog' || pemFiles(sink).some(([, file]) => whyUnreadable(file) !== undefined)) return [];
    try {
      tls.createSecureContext(pemsOf(sink));
      if (sink.ca_file === null || readableCertificatesOf(readFileSync(sink.ca_file, 'utf8')).length > 0) return [];
      const message = `${sink.ca_file} contains no PEM certificate; nothing can be sent`;
      return [{ path: ['log', 'audit', 'sinks', i, 'ca_file'], message }];
    } catch {
      const message = 'a certificate or key is damaged, or they do not match; nothing can be sent';
      return [{ path: ['log', 'audit', 'sinks', i], message }];
    }
  });
}

const syslogDefaults = {
  format: 'privet' as FormatName,
  facility: 'local0' as const,
  ca_file: null,
  cert_file: null,
  key_file: null,
  buffer: syslogBytesMax,
};

function open(settings: Settings, parts: SinkParts): Sink {
  const { log, onDropped, hostname } = parts;
  switch (settings.to) {
    case 'file': {
      const { path, rotate } = settings;
      return new FileSink({ path, log, onDropped, ...(rotate === null ? {} : { rotate }) });
    }
    case 'stdout':
      // Among the lines of the log, whose buffer limits them.
      return { write: (line) => parts.stdout(`${line}\n`), reopen() {}, async close() {} };
    case 'syslog': {
      const { url, facility, buffer } = settings;
      const { host, port, isTls } = syslogAddress(url);
      // At start-up a missing file is a configuration error; later it only prevents the connection.
      pemsOf(settings);
      return new SyslogSink({
        host,
        port,
        facility: facilities[facility] ?? 16,
        hostname,
        bufferedBytesMax: buffer,
        log,
        onDropped,
        ...(isTls ? { tls: () => pemsOf(settings) } : {}),
      });
    }
  }
}

/** `syslog+tls://host:6514`, `syslog+tcp://host:601`; the default ports are those of RFC 5425 and RFC 6587. */
function syslogAddress(url: string): { host: string; port: number; isTls: boolean } {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'syslog+tls:';
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (isTls ? 6514 : 601) : Number(port), isTls };
}

type SyslogSettings = Extract<Settings, { to: 'syslog' }>;

/** The files of a sink, by key. */
function pemFiles(settings: Pick<SyslogSettings, `${'ca' | 'cert' | 'key'}_file`>): [key: string, file: string][] {
  return (['ca_file', 'cert_file', 'key_file'] as const).flatMap((key): [string, string][] => {
    const file = settings[key];
    return file === null ? [] : [[key, file]];
  });
}

/** As TLS options: `ca`, `cert` and `key`. */
function pemsOf(settings: Parameters<typeof pemFiles>[0]): Record<string, string> {
  return Object.fromEntries(pemFiles(settings).map(([key, file]) => [key.replace('_file', ''), readPem(file)]));
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new PrivetError('unavailable', `The file ${file} of log.audit cannot be read (${code}).`, { cause: error });
  }
}

export type Outlet = { readonly sink: Sink; readonly format: Format };
