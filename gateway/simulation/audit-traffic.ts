/** Reads our audit events, as JSON lines or from the store. They contain no path. */
import { parseJson } from '../../core/parsing.ts';
import { hostOf, type Traffic, type TrafficLine, type TrafficReader } from './traffic.ts';

/** The traffic of an event; undefined for other events. */
export function trafficOf(event: Readonly<Record<string, unknown>>): Traffic | undefined {
  const { ts, kind, host: name, port, subject, clientAddress, method, groups } = event;
  if (typeof name !== 'string' || typeof subject !== 'string' || isNoTraffic.has(kind)) return undefined;
  // The user was not known yet, so nothing was decided.
  if (event.error === 'proxy_auth_required' || event.error === 'client_refused') return undefined;
  const host = hostOf(name);
  const at = new Date(String(ts));
  if (host === undefined || Number.isNaN(at.getTime())) return undefined;
  const isTunnel = kind === 'tunnel' || kind === 'connect';
  return {
    at,
    subject,
    host,
    port: typeof port === 'number' ? port : 443,
    ...(isTunnel || typeof method !== 'string' ? {} : { method: method === '' ? 'GET' : method }),
    ...(isTunnel ? {} : sizeOf(event)),
    ...(isTunnel ? {} : { agent: typeof event.agent === 'string' ? event.agent : '' }),
    ...textsOf('tools', event.tools),
    ...textsOf('mcpServers', event.mcpServers),
    ...(typeof clientAddress === 'string' ? { from: clientAddress } : {}),
    ...(clientAddress === subject ? {} : { user: subject }),
    ...(Array.isArray(groups) ? { groups: groups.filter((group) => typeof group === 'string') } : {}),
  };
}

function textsOf<K extends string>(key: K, value: unknown): Partial<Record<K, readonly string[]>> {
  if (!Array.isArray(value)) return {};
  const texts: readonly string[] = value.filter((text) => typeof text === 'string');
  return { [key]: texts } as unknown as Partial<Record<K, readonly string[]>>;
}

/** Events of user or administrator decisions. */
const isNoTraffic: ReadonlySet<unknown> = new Set(['acknowledgement', 'bypass']);
const bodiless: ReadonlySet<unknown> = new Set(['', 'GET', 'HEAD', 'OPTIONS']);

/** The size of the body; undefined for a rejected request, whose body was not read. */
function sizeOf({ kind, method, action, error, bytesIn }: Readonly<Record<string, unknown>>): { size?: number } {
  const size = kind === 'websocket' || typeof bytesIn !== 'number' ? 0 : bytesIn;
  const isUnread = size === 0 && kind === 'request' && (action === 'block' || typeof error === 'string');
  return isUnread && !bodiless.has(method) ? {} : { size };
}

/** Reads JSON lines of an audit file, of the log (event `decision`), or of GET /admin/events. */
export class AuditReader implements TrafficReader {
  read(line: string): TrafficLine {
    const event = parseJson(line);
    if (typeof event !== 'object' || event === null) return 'unreadable';
    const fields = event as Record<string, unknown>;
    if (fields.event !== undefined && fields.event !== 'decision') return 'skip';
    // The log uses another field name for the time than an audit file.
    return trafficOf({ ...fields, ts: fields.ts ?? fields.time }) ?? 'skip';
  }
}
