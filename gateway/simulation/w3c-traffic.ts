/**
 * W3C Extended Log File Format (working draft WD-logfile-960323) as written by proxies (Blue Coat, Forcepoint, IIS,
 * Zscaler, TMG). A `#Fields:` line names the columns, separated by spaces or tabs; text with spaces is quoted.
 */
import { given, hostOf, type Traffic, type TrafficLine, type TrafficReader, targetOf } from './traffic.ts';

/** Reads such a file line by line; the last `#Fields` line names the columns. */
export class W3cReader implements TrafficReader {
  #fields: readonly string[] = [];
  #day: string | undefined;

  /** True if a line starts a file of this format. */
  static knows(line: string): boolean {
    return /^\ufeff?#(?:Version|Software|Fields|Date|Start-Date|Remark)\b/i.test(line);
  }

  read(line: string): TrafficLine {
    const directive = /^\ufeff?#([\w-]+):?\s*(.*)$/.exec(line);
    if (directive !== null) {
      const [, name = '', value = ''] = directive;
      if (name.toLowerCase() === 'fields')
        this.#fields = value
          .trim()
          .split(/\s+/)
          .map((field) => field.toLowerCase());
      // If the lines have a time but no date, the date is in the file's header.
      if (/^(?:start-)?date$/i.test(name)) this.#day = /\d{4}-\d{2}-\d{2}/.exec(value)?.[0];
      return 'skip';
    }
    if (this.#fields.length === 0) return 'unreadable';
    const values = valuesOf(line);
    const field = (...names: readonly string[]): string | undefined => {
      for (const name of names) {
        const at = this.#fields.indexOf(name);
        const value = at === -1 ? undefined : given(values[at]);
        if (value !== undefined) return value;
      }
      return undefined;
    };
    // An authentication challenge; the actual request has its own line.
    if (field('sc-status') === '407') return 'skip';
    const at = timeOf(field, this.#day);
    const where = whereOf(field);
    if (at === undefined || where === undefined) return 'unreadable';
    const user = field('cs-username', 'cs-userdn', 'cs-user', 'cs-auth-username');
    const from = field('c-ip', 'x-client-address', 'cs-ip');
    const size = Number(field('cs-bytes', 'cs-body-bytes') ?? 0);
    return {
      at,
      subject: user ?? from ?? '-',
      ...where,
      ...('method' in where ? { size: Number.isFinite(size) ? size : 0 } : {}),
      ...(from === undefined ? {} : { from }),
      ...(user === undefined ? {} : { user }),
    };
  }
}

type Field = (...names: readonly string[]) => string | undefined;

function timeOf(field: Field, day: string | undefined): Date | undefined {
  const epoch = field('x-timestamp-unix', 'timestamp');
  const [date, time] = [field('date') ?? day, field('time')];
  const text = field('gmttime', 'x-timestamp', 'datetime');
  const at =
    date !== undefined && time !== undefined
      ? new Date(`${date}T${time}Z`)
      : epoch !== undefined && /^\d{9,11}(?:\.\d+)?$/.test(epoch)
        ? new Date(Number(epoch) * 1000)
        : new Date((text ?? epoch ?? '').replace(/^\[|\]$/g, ''));
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function whereOf(field: Field): Pick<Traffic, 'host' | 'port' | 'path' | 'method'> | undefined {
  const method = field('cs-method', 's-operation', 'x-method')?.toUpperCase();
  const isTunnel = method === 'CONNECT';
  const own = { ...(method === undefined || isTunnel ? {} : { method }) };
  const uri = field('cs-uri', 'cs-url', 'c-uri', 'url');
  const whole = uri === undefined ? undefined : (targetOf(uri, isTunnel) ?? targetOf(uri, true));
  if (whole !== undefined) return { ...whole, ...own };
  const name = field('cs-uri-host', 'cs-host', 'r-host', 'r-dns', 'cs(host)');
  if (name === undefined) return undefined;
  const [, bare = '', inPort] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(name) ?? [];
  const host = hostOf(bare);
  if (host === undefined) return undefined;
  const scheme = field('cs-uri-scheme', 'cs-protocol')?.toLowerCase();
  const isPlain = scheme === 'http' || scheme === 'ftp';
  const port = Number(field('cs-uri-port', 'r-port') ?? inPort ?? (isPlain ? 80 : 443));
  if (isTunnel || scheme === 'tcp' || scheme === 'ssl') return { host, port };
  const path = field('cs-uri-path', 'cs-uri-stem') ?? '/';
  const query = field('cs-uri-query');
  return {
    host,
    port,
    path: query === undefined ? path : `${path}?${query.replace(/^\?/, '')}`,
    method: method ?? 'GET',
  };
}

/** The columns of a line: quoted text with `""` for a quote, or text between spaces or tabs. */
function valuesOf(line: string): string[] {
  const isTabbed = line.includes('\t');
  const values: string[] = [];
  const pattern = isTabbed ? /"((?:[^"]|"")*)"(?:\t|$)|([^\t]*)(?:\t|$)/gy : /"((?:[^"]|"")*)"\s*|(\S+)\s*/gy;
  pattern.lastIndex = isTabbed ? 0 : line.length - line.trimStart().length;
  while (pattern.lastIndex < line.length) {
    const match = pattern.exec(line);
    if (match === null) break;
    values.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  }
  return values;
}
