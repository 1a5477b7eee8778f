/**
 * Where the gateway may connect to. Names are resolved once, every address is classified, and the address that was
 * checked is the one that is dialled: a second look-up could answer differently (DNS rebinding).
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import net from 'node:net';
import os from 'node:os';
import { PrivetError } from '../../core/errors.ts';
import { CidrSet, classifyAddress } from '../../policy/address.ts';

/** Settings of the guard: the `egress` section, the fixed addresses of `upstream.resolve`, the time limits in ms. */
export type EgressOptions = {
  readonly denyPrivate: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ports: readonly number[] | 'any';
  /** host → `address:port`, set by the administrator and therefore not checked against `denyPrivate`. */
  readonly resolve: Readonly<Record<string, string>>;
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
};

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Decides about addresses, resolves names and opens connections. */
export class Egress {
  private rules: EgressRules;
  private readonly ownPorts = new Set<number>();
  private ownAddresses: ReadonlySet<string> = new Set();

  constructor(options: EgressOptions) {
    this.rules = rulesOf(options);
  }

  /** Takes other settings; they count for the next connection. */
  replace(options: EgressOptions): void {
    this.rules = rulesOf(options);
  }

  /** Names a port on which this process listens, so that no request is sent back to ourselves. */
  addOwnPort(port: number): void {
    this.ownPorts.add(port);
    const addresses = new Set<string>();
    for (const list of Object.values(os.networkInterfaces())) {
      for (const entry of list ?? []) addresses.add(entry.address.toLowerCase());
    }
    this.ownAddresses = addresses;
  }

  /** The fixed address of a host in `upstream.resolve`, if there is one. */
  fixedAddress(host: string): FixedAddress | undefined {
    return this.rules.fixed.get(host);
  }

  /** Refuses ports outside `egress.ports` and, for literals, refused addresses; throws PrivetError. */
  checkTarget(host: string, kind: 'name' | 'ipv4' | 'ipv6', port: number): void {
    if (this.rules.ports !== 'any' && !this.rules.ports.has(port)) {
      throw new PrivetError('port_refused', `Port ${port} is not among the ports that egress.ports allows.`);
    }
    if (kind !== 'name' && !this.rules.fixed.has(host)) this.checkAddress(host, port);
    if (this.ownPorts.has(port) && (host === 'localhost' || host.endsWith('.localhost'))) {
      throw new PrivetError('loop_detected', 'The target is the gateway itself.');
    }
  }

  /** Throws PrivetError `egress_refused` or `loop_detected` when an address must not be dialled. */
  checkAddress(address: string, port: number | undefined): void {
    const kind = classifyAddress(address);
    if (port !== undefined && this.ownPorts.has(port)) {
      const own = kind === 'loopback' || kind === 'unspecified' || this.ownAddresses.has(address.toLowerCase());
      if (own) throw new PrivetError('loop_detected', 'The target is the gateway itself.');
    }
    if (this.rules.deny.has(address)) throw new PrivetError('egress_refused', 'The address is in egress.deny.');
    if (this.rules.allow.has(address)) return;
    if (this.rules.options.denyPrivate && kind !== 'public') {
      throw new PrivetError(
        'egress_refused',
        `The target resolves to a ${kind} address, which egress.deny_private refuses.`,
      );
    }
  }

  /**
   * A `lookup` function for net.connect and tls.connect: all addresses of a name, refused as a whole when one of them
   * is refused (a name with mixed answers is how rebinding looks).
   */
  lookupFor(port: number | undefined) {
    return (hostname: string, options: { all?: boolean; family?: number | string }, callback: LookupCallback): void => {
      let done = false;
      const finish: LookupCallback = (error, address, family) => {
        if (done) return;
        done = true;
        clearTimeout(timer);
        callback(error, address, family);
      };
      const timer = setTimeout(
        () => finish(new PrivetError('upstream_timeout', 'The name look-up took too long.'), []),
        this.rules.options.dnsTimeoutMs,
      );
      dnsLookup(hostname, { all: true, verbatim: true }, (error, addresses) => {
        if (error) return finish(error, []);
        try {
          for (const entry of addresses) this.checkAddress(entry.address, port);
        } catch (refused) {
          return finish(refused as Error, []);
        }
        if (addresses.length === 0) return finish(new PrivetError('upstream_failed', 'The name has no address.'), []);
        if (options.all) return finish(null, addresses);
        const first = addresses[0] as LookupAddress;
        finish(null, first.address, first.family);
      });
    };
  }

  /**
   * Opens a TCP connection to a checked address. Rejects with PrivetError (`egress_refused`, `upstream_timeout`)
   * or the socket's own error. `onread` gives the socket recycled read buffers (see tunnel.ts).
   */
  connect(host: string, port: number, onread?: net.OnReadOpts): Promise<net.Socket> {
    return new Promise((resolve, reject) => {
      const fixed = this.rules.fixed.get(host);
      const dialPort = fixed?.port ?? port;
      const socket = net.connect({
        host: fixed?.host ?? host,
        port: dialPort,
        allowHalfOpen: true,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: 30_000,
        lookup: this.lookupFor(dialPort) as net.LookupFunction,
        ...(onread ? { onread } : {}),
      });
      const timer = setTimeout(
        () => socket.destroy(new PrivetError('upstream_timeout', 'The connection took too long.')),
        this.rules.options.connectTimeoutMs,
      );
      const onError = (error: Error) => {
        clearTimeout(timer);
        reject(error);
      };
      socket.once('error', onError);
      socket.once('connect', () => {
        clearTimeout(timer);
        socket.off('error', onError);
        // From here on the caller owns the socket; a listener stays so that a reset can never be unhandled.
        socket.on('error', () => {});
        resolve(socket);
      });
    });
  }
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
  };
}
