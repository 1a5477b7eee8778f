/**
 * Egress: where the gateway may connect to, and how. Names are resolved once, every address is classified, and exactly
 * the checked address is dialled: a second lookup could return another one (DNS rebinding). A parent proxy gets the
 * name and resolves it; literal addresses are still checked here.
 */
import type { LookupAddress } from 'node:dns';
import net from 'node:net';
import os from 'node:os';
import tls from 'node:tls';
import { PrivetError } from '../../../core/errors.ts';
import { CidrSet, classifyAddress, networkKey } from '../../../policy/address.ts';
import { Probes } from '../listen/keep-alive-probes.ts';
import { QuietWatch } from '../listen/quiet-watch.ts';
import { forgetOfferedProtocols } from '../tls/offered-protocols.ts';
import { rewrapSocket } from '../tunnel/tunnel.ts';
import { type LookUp, lookUpBy } from './name-servers.ts';
import { openParentTunnel } from './parent-tunnel.ts';
import { type Parent, type ParentOptions, Parents, ParentUnusable, type Way } from './parents.ts';
import type { UpstreamTls } from './trust.ts';

/** Settings of the guard: the `egress` section, the connection settings of `upstream`, time limits in ms. */
export type EgressOptions = {
  readonly denyPrivate: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ports: readonly number[] | 'any';
  /** host → `address:port`, set by the administrator and therefore not checked against `denyPrivate`. */
  readonly resolve: Readonly<Record<string, string>>;
  readonly parents: ParentOptions;
  /** Name servers; empty = the system's. */
  readonly dns: readonly string[];
  /** For parents that use TLS. */
  readonly tls: UpstreamTls;
  /** Called if a parent could not be used. */
  readonly onParentFailed?: (facts: { readonly parent: string; readonly reason: string }) => void;
  readonly dnsTimeoutMs: number;
  readonly connectTimeoutMs: number;
};

/** A fixed address for a host. */
export type FixedAddress = { readonly host: string; readonly port: number | undefined };

type EgressRules = {
  readonly options: EgressOptions;
  readonly allow: CidrSet;
  readonly deny: CidrSet;
  readonly ports: ReadonlySet<number> | 'any';
  readonly fixed: ReadonlyMap<string, FixedAddress>;
  readonly parents: Parents;
  readonly lookUp: LookUp;
  /** Connections being opened. */
  readonly dialled: QuietWatch<{ destroy(): void }>;
};

/** A connection for plain HTTP requests, which use absolute URLs through a parent. */
export type PlainConnection = { readonly socket: net.Socket; readonly parent: Parent | undefined };

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Checks addresses, resolves names and opens connections. */
export class Egress {
  private rules: EgressRules;
  private readonly ownPorts = new Set<number>();
  private readonly probes = new Probes();

  constructor(options: EgressOptions) {
    this.rules = rulesOf(options);
  }

  /** Applies new settings from the next connection on. */
  replace(options: EgressOptions): void {
    this.rules = rulesOf(options);
  }

  /** Registers a port on which this process listens, to prevent request loops. */
  addOwnPort(port: number): void {
    this.ownPorts.add(port);
  }

  /** The fixed address of a host in `upstream.resolve`, if any. */
  fixedAddress(host: string): FixedAddress | undefined {
    return this.rules.fixed.get(host);
  }

  /**
   * Rejects our own ports, ports outside `egress.ports`, and forbidden literal addresses; throws PrivetError. Our own
   * ports are checked first if no lookup is needed: the advice to allow the port would be wrong.
   */
  checkTarget(host: string, kind: 'name' | 'ipv4' | 'ipv6', port: number): void {
    const isAddress = kind !== 'name' && !this.rules.fixed.has(host);
    if (isAddress) this.checkNotOwn(host, port);
    if (this.ownPorts.has(port) && (host === 'localhost' || host.endsWith('.localhost'))) {
      throw new PrivetError('loop_detected', 'The target is the gateway itself.');
    }
    if (this.rules.ports !== 'any' && !this.rules.ports.has(port)) {
      throw new PrivetError('port_refused', `Port ${port} is not allowed by egress.ports.`);
    }
    if (isAddress) this.checkAddress(host, port);
  }

  /** Throws PrivetError `egress_refused` or `loop_detected` if an address must not be dialled. */
  checkAddress(address: string, port: number | undefined): void {
    this.checkNotOwn(address, port);
    const kind = classifyAddress(address);
    if (this.rules.deny.has(address)) throw new PrivetError('egress_refused', 'The address is in egress.deny.');
    if (this.rules.allow.has(address)) return;
    if (this.rules.options.denyPrivate && kind !== 'public') {
      throw new PrivetError(
        'egress_refused',
        `The target resolves to a ${kind} address, which egress.deny_private refuses.`,
      );
    }
  }

  private checkNotOwn(address: string, port: number | undefined): void {
    if (port === undefined || !this.ownPorts.has(port)) return;
    const kind = classifyAddress(address);
    if (kind === 'loopback' || kind === 'unspecified' || isOwnAddress(address))
      throw new PrivetError('loop_detected', 'The target is the gateway itself.');
  }

  /** A `lookup` function. A name is rejected if any address is: mixed addresses are typical of DNS rebinding. */
  lookupFor(port: number | undefined) {
    return this.lookupChecked((address) => this.checkAddress(address, port));
  }

  private lookupChecked(check: (address: string) => void) {
    return (hostname: string, options: { all?: boolean; family?: number | string }, callback: LookupCallback): void => {
      let done = false;
      const finish: LookupCallback = (error, address, family) => {
        if (done) return;
        done = true;
        clearTimeout(timer);
        callback(error, address, family);
      };
      const timer = setTimeout(
        () => finish(new PrivetError('upstream_timeout', 'The DNS lookup took too long.'), []),
        this.rules.options.dnsTimeoutMs,
      );
      const onFound = (addresses: readonly LookupAddress[]) => {
        try {
          for (const entry of addresses) check(entry.address);
        } catch (refused) {
          return finish(refused as Error, []);
        }
        if (addresses.length === 0) return finish(new PrivetError('upstream_failed', 'The host has no address.'), []);
        if (options.all) return finish(null, [...addresses]);
        const first = addresses[0] as LookupAddress;
        finish(null, first.address, first.family);
      };
      this.rules.lookUp(hostname).then(onFound, (error: Error) => finish(error, []));
    };
  }

  /** The routes to a target through parents, in order of preference; undefined if it is dialled directly. */
  waysTo(host: string, port: number): readonly Way[] | undefined {
    return this.rules.fixed.has(host) ? undefined : this.rules.parents.waysTo(host, port);
  }

  /**
   * Opens a connection to a target: TCP to a checked address, or a tunnel through a parent. Rejects with PrivetError
   * (`egress_refused`, `upstream_timeout`, `upstream_failed`) or the socket's own error. `onread` gives the socket
   * recycled read buffers (see tunnel.ts).
   */
  connect(host: string, port: number, onread?: net.OnReadOpts): Promise<net.Socket> {
    const ways = this.waysTo(host, port);
    if (ways === undefined) return this.connectDirectly(host, port, onread);
    return this.firstOf(ways, async (way) => {
      if (way === 'direct') return this.connectDirectly(host, port, onread);
      const socket = await this.connectTo(way);
      // A parent needs its own connect time before it answers.
      const timeoutMs = 3 * this.rules.options.connectTimeoutMs;
      await openParentTunnel(socket, { parent: way, host, port, timeoutMs });
      if (onread === undefined || socket instanceof tls.TLSSocket) return socket;
      const early = socket.read() as Buffer | null;
      if (early) onread.callback(early.length, early);
      return rewrapSocket(socket, onread);
    });
  }

  /** Opens a connection for plain HTTP requests by the routes of {@link waysTo}. Rejects like {@link connect}. */
  connectPlain(ways: readonly Way[], host: string, port: number): Promise<PlainConnection> {
    return this.firstOf(ways, async (way) =>
      way === 'direct'
        ? { socket: await this.connectDirectly(host, port), parent: undefined }
        : { socket: await this.connectTo(way), parent: way },
    );
  }

  /**
   * Records that a target's first parent rejected a plain HTTP request; returns true if another route now comes first,
   * undefined if the first route is not a parent.
   */
  parentRefused(host: string, port: number, reason: string): boolean | undefined {
    const { parents, options } = this.rules;
    const [way] = this.waysTo(host, port) ?? [];
    if (way === undefined || way === 'direct') return undefined;
    parents.note(way, false);
    options.onParentFailed?.({ parent: way.name, reason });
    return this.waysTo(host, port)?.[0] !== way;
  }

  /** The first usable route. */
  private async firstOf<T>(ways: readonly Way[], attempt: (way: Way) => Promise<T>): Promise<T> {
    let last: ParentUnusable | undefined;
    const { parents, options } = this.rules;
    for (const way of ways) {
      try {
        const result = await attempt(way);
        if (way !== 'direct') parents.note(way, true);
        return result;
      } catch (error) {
        if (!(error instanceof ParentUnusable) || way === 'direct') throw error;
        last = error;
        parents.note(way, false);
        options.onParentFailed?.({ parent: way.name, reason: error.message });
      }
    }
    throw new PrivetError('upstream_failed', `The parent proxy cannot be used: ${last?.message ?? 'there is none'}.`, {
      hint: 'Check upstream.parent and upstream.parents.',
      cause: last,
    });
  }

  /** Connects to a parent itself, over TLS if configured. Rejects with ParentUnusable, or `loop_detected`. */
  private async connectTo(parent: Parent): Promise<net.Socket> {
    const { tls: upstreamTls } = this.rules.options;
    try {
      if (net.isIP(parent.host) !== 0) this.checkNotOwn(parent.host, parent.port);
      const lookup = this.lookupChecked((address) => this.checkNotOwn(address, parent.port));
      const address = { host: parent.host, port: parent.port, lookup: lookup as net.LookupFunction };
      const socket = await this.connected(net.connect({ ...address, allowHalfOpen: true, noDelay: true }));
      if (!parent.secure) return socket;
      const secured = tls.connect({
        socket,
        ...(net.isIP(parent.host) === 0 ? { servername: parent.host } : { host: parent.host }),
        secureContext: upstreamTls.contextFor(parent.host),
        ALPNProtocols: ['http/1.1'],
      });
      await this.connected(secured, 'secureConnect');
      forgetOfferedProtocols(secured);
      return secured;
    } catch (error) {
      const known = error as PrivetError;
      if (known.code === 'loop_detected') throw error;
      throw new ParentUnusable(reasonOf(known), { cause: error });
    }
  }

  private connectDirectly(host: string, port: number, onread?: net.OnReadOpts): Promise<net.Socket> {
    const fixed = this.rules.fixed.get(host);
    const dialPort = fixed?.port ?? port;
    const dialHost = fixed?.host ?? host;
    const address = {
      host: dialHost,
      port: dialPort,
      allowHalfOpen: true,
      noDelay: true,
      // Literals are not resolved; they were checked before.
      lookup: net.isIP(dialHost) === 0 ? (this.lookupFor(dialPort) as net.LookupFunction) : undefined,
      onread,
    };
    return this.connected(net.connect(address as net.NetConnectOpts));
  }

  /** Resolves when the socket is connected; rejects with its error or with `upstream_timeout`. */
  connected<S extends net.Socket>(socket: S, event: 'connect' | 'secureConnect' = 'connect'): Promise<S> {
    const { dialled } = this.rules;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        dialled.delete(noted);
        reject(error);
      };
      const dial = {
        destroy: () => {
          const error = new PrivetError('upstream_timeout', 'The connection took too long.');
          fail(error);
          socket.destroy(error);
        },
      };
      const noted = dialled.add(dial);
      // Stays attached after the caller owns the socket, so that a reset is never unhandled.
      socket.on('error', fail);
      socket.on(event, () => {
        dialled.delete(noted);
        if (event === 'connect') {
          const entry = this.probes.add(socket);
          socket.on('close', () => this.probes.delete(entry));
        }
        resolve(socket);
      });
    });
  }
}

/** True if this machine currently has the address: floating addresses come and go at run time. */
function isOwnAddress(address: string): boolean {
  const own = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
  return own.some((entry) => addressKey(entry.address) === addressKey(address));
}

/** The same key for an IPv4 address and its IPv6 form. */
function addressKey(address: string): string | number | undefined {
  return networkKey(address, 4, 32) ?? networkKey(address, 6, 128);
}

/** Why a parent could not be reached. */
function reasonOf(error: Error & { code?: string }): string {
  if (error.code === 'ECONNREFUSED') return 'it refused the connection';
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return 'its name cannot be resolved';
  if (error.code === 'upstream_timeout') return 'the connection took too long';
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(error.code ?? '')) {
    return 'no secure connection to it';
  }
  return 'no connection to it';
}

function rulesOf(options: EgressOptions): EgressRules {
  const fixed = new Map<string, FixedAddress>();
  for (const [host, address] of Object.entries(options.resolve)) {
    const match = /^(?:\[([^\]]+)\]|([^:]+)|([0-9a-f:]+))(?::([0-9]+))?$/i.exec(address);
    const name = match?.[1] ?? match?.[2] ?? match?.[3] ?? address;
    fixed.set(host.toLowerCase(), { host: name, port: match?.[4] === undefined ? undefined : Number(match[4]) });
  }
  return {
    options,
    allow: new CidrSet(options.allow),
    deny: new CidrSet(options.deny),
    ports: options.ports === 'any' ? 'any' : new Set(options.ports),
    fixed,
    parents: new Parents(options.parents),
    lookUp: lookUpBy(options.dns, options.dnsTimeoutMs),
    dialled: new QuietWatch(options.connectTimeoutMs),
  };
}
