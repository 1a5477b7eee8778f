/** Makes the sinks that the configuration asks for. */
import { readFileSync } from 'node:fs';
import type { Config } from '../../../config/schema.ts';
import { PrivetError } from '../../../core/errors.ts';
import type { Outlet } from '../audit.ts';
import { type FormatName, formats } from '../formats/format.ts';
import type { Log } from '../log.ts';
import { FileSink } from './file-sink.ts';
import type { OnDropped, Sink } from './sink.ts';
import { SyslogSink } from './syslog-sink.ts';

/** The section `log.audit`. */
export type AuditSettings = Config['log']['audit'];

/** What sinks work with. */
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
      return new StdoutSink(parts.stdout);
    case 'syslog': {
      const { url, facility, ca_file: ca, cert_file: cert, key_file: key, buffer } = settings;
      const { host, port, isTls } = syslogAddress(url);
      const pem = (name: string, file: string | null) => (file === null ? {} : { [name]: readPem(file) });
      const tls = () => ({ ...pem('ca', ca), ...pem('cert', cert), ...pem('key', key) });
      // A file that is not there is a fault of the configuration; later ones only keep the connection away.
      tls();
      return new SyslogSink({
        host,
        port,
        facility: facilities[facility] ?? 16,
        hostname,
        bufferedBytesMax: buffer,
        log,
        onDropped,
        ...(isTls ? { tls } : {}),
      });
    }
  }
}

/** `syslog+tls://host:6514`, `syslog+tcp://host:601`; without a port those of RFC 5425 and RFC 6587. */
function syslogAddress(url: string): { host: string; port: number; isTls: boolean } {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'syslog+tls:';
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (isTls ? 6514 : 601) : Number(port), isTls };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new PrivetError('unavailable', `The file ${file} of log.audit cannot be read (${code}).`, { cause: error });
  }
}

/** Lines among those of the log, whose buffer is the bound. */
class StdoutSink implements Sink {
  readonly kind = 'stdout';
  readonly #stdout: (line: string) => void;

  constructor(stdout: (line: string) => void) {
    this.#stdout = stdout;
  }

  write(line: string): void {
    this.#stdout(`${line}\n`);
  }

  reopen(): void {}

  flush(): void {}

  async close(): Promise<void> {}
}
