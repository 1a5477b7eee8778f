/** A past request as described by a log: the input for evaluating a policy again. */
import type { DecideInput } from '../../policy/decision.ts';
import { normalizeHost } from '../../policy/host.ts';

/** `path` and `method` are missing for tunnels; `size` in bytes, 0 if unknown. */
export type Traffic = Omit<DecideInput, 'now' | 'earlier'> & {
  readonly at: Date;
  readonly subject: string;
  readonly tools?: readonly string[];
  readonly mcpServers?: readonly string[];
};

/** A log line: traffic, something else (a comment, another event), or unreadable. */
export type TrafficLine = Traffic | 'skip' | 'unreadable';

/** Reads the lines of one format, in order. */
export interface TrafficReader {
  read(line: string): TrafficLine;
}

/** The canonical host; undefined for text that is not a host. */
export function hostOf(text: string): string | undefined {
  try {
    return normalizeHost(text).host;
  } catch {
    return undefined;
  }
}

/** The parts of an absolute URL or of `host:port`; undefined for other text. */
export function targetOf(text: string, isTunnel: boolean): { host: string; port: number; path?: string } | undefined {
  if (isTunnel) {
    const match = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(\[[^\]]+\]|[^:/]+)(?::(\d{1,5}))?\/?$/i.exec(text);
    const host = match === null ? undefined : hostOf(match[1] as string);
    return host === undefined ? undefined : { host, port: Number(match?.[2] ?? 443) };
  }
  const match = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@]*@)?(\[[^\]]+\]|[^:/?#]+)(?::(\d{1,5}))?([^#]*)$/i.exec(text);
  if (match === null) return undefined;
  const [, scheme = '', name = '', port, rest = ''] = match;
  const host = hostOf(name);
  if (host === undefined) return undefined;
  const isPlain = /^(?:http|ws|ftp)$/i.test(scheme);
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return { host, port: Number(port ?? (isPlain ? 80 : 443)), path };
}

/** A log field, or undefined for an empty value such as `-`. */
export function given(text: string | undefined): string | undefined {
  return text === undefined || text === '-' || text === '' ? undefined : text;
}
