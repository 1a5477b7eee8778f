/**
 * Detects listeners of one process that would use the same port: the system refuses the second, or they share clients.
 */
import { isIPv4 } from 'node:net';
import { hostForUrl } from '../policy/host.ts';
import type { KeyPath, YamlText } from './document.ts';
import type { Flags, Variables } from './environment.ts';
import { problemOf } from './fault.ts';
import { keyText } from './issues.ts';
import type { Problem } from './problem.ts';
import type { Config } from './schema.ts';
import type { Listen } from './values.ts';

/** Where the addresses came from. */
export type ListenerSource = {
  readonly file: string | undefined;
  readonly yaml: YamlText | undefined;
  readonly variables: Pick<Variables, 'PORT' | 'GATEWAY_PORT'>;
  readonly flags: Flags;
};

type Listener = {
  readonly at: Listen;
  readonly path: KeyPath;
  /** The variable or flag that set its port. */
  readonly setBy?: { readonly file: 'environment' | 'flags'; readonly key: string } | undefined;
  readonly isInFile: boolean;
};

/**
 * Every pair of listeners that cannot both listen. The problem is reported for the one that was configured; the message
 * names the other.
 */
export function listenerProblems({ listen }: Pick<Config, 'listen'>, source: ListenerSource): Problem[] {
  const listeners = listenersOf(listen, source);
  return listeners.flatMap((later, i) =>
    listeners
      .slice(0, i)
      .filter((earlier) => isSame(earlier.at, later.at))
      .map((earlier) => problem(later, earlier, source)),
  );
}

/** Listeners with default addresses come first: errors are reported for the others. */
function listenersOf(listen: Config['listen'], { yaml, variables, flags }: ListenerSource): Listener[] {
  const written = ((yaml?.value ?? {}) as { listen?: Record<string, unknown> | null }).listen ?? {};
  const of = (name: 'proxy' | 'api', port: number | undefined, flag: string | undefined, names: [string, string]) => {
    const [variable, option] = names;
    const named = { file: 'environment', key: variable } as const;
    const typed = { file: 'flags', key: option } as const;
    const setBy = port === undefined ? undefined : flag === undefined ? named : typed;
    return { at: listen[name], path: ['listen', name], setBy, isInFile: written[name] !== undefined };
  };
  const tls = listen.proxy_tls;
  const all: Listener[] = [
    of('proxy', variables.GATEWAY_PORT, flags.gatewayPort, ['GATEWAY_PORT', '--gateway-port']),
    ...(tls === null ? [] : [{ at: tls.listen, path: ['listen', 'proxy_tls', 'listen'], isInFile: true }]),
    of('api', variables.PORT, flags.port, ['PORT', '--port']),
  ];
  const rank = ({ setBy, isInFile }: Listener) => (setBy !== undefined ? 2 : isInFile ? 1 : 0);
  return all.sort((a, b) => rank(a) - rank(b));
}

function problem(told: Listener, other: Listener, { file = 'defaults', yaml }: ListenerSource): Problem {
  const name = other.setBy?.key ?? keyText(other.path);
  const message = `cannot listen on ${text(told.at)} because ${name} uses ${text(other.at)}: give one of them another port`;
  if (told.setBy !== undefined) return { ...told.setBy, line: 0, column: 0, message };
  return problemOf({ path: told.path, message }, { file, yaml });
}

function text({ host, port }: Listen): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Follows Linux: the wildcard address includes every other, and `::` includes IPv4. Names are not resolved. */
function isSame(a: Listen, b: Listen): boolean {
  if (a.port !== b.port || a.port === 0) return false;
  const [first, second] = [addressOf(a.host), addressOf(b.host)];
  return first === second || holds(first, second) || holds(second, first);
}

function holds(every: string, address: string): boolean {
  return every === '::' || (every === '0.0.0.0' && isIPv4(address));
}

/**
 * Canonical spelling of an address: IPv4 inside IPv6 and short IPv4 (`127.1`) as IPv4; names in lower case, `localhost`
 * as most systems resolve it.
 */
function addressOf(host: string): string {
  if (!host.includes(':')) {
    const name = URL.parse(`http://${host}/`)?.hostname ?? host.toLowerCase();
    return name === 'localhost' ? '127.0.0.1' : name;
  }
  const address = URL.parse(`http://[${host}]/`)?.hostname.slice(1, -1) ?? host;
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
}

/** The URL of a listener for this machine. `::` accepts IPv4 too, and more programs can use an IPv4 proxy. */
export function ownUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${hostForUrl(reachable)}:${port}`;
}
