/** The way out: the guard, the name look-ups, the parents and the connection pools, swapped together on a reload. */
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/schema.ts';
import type { Log } from '../observe/log.ts';
import { Egress, type EgressOptions } from './egress.ts';
import { Upstream, type UpstreamSettings } from './upstream.ts';
import { UpstreamTls } from './upstream-tls.ts';

type Settings = Pick<Config, 'egress' | 'upstream'>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Settings with their files read. */
export type OutboundSettings = {
  readonly source: Settings;
  readonly egress: EgressOptions;
  readonly upstream: UpstreamSettings;
};

/** Holds what connects to others. */
export class Outbound {
  readonly egress: Egress;
  readonly upstream: Upstream;
  readonly #log: Log;
  readonly #env: Environment;
  #current: Settings;

  /** Throws PrivetError when a certificate of the configuration cannot be read. */
  constructor(options: { config: Settings; env: Environment; log: Log }) {
    this.#log = options.log;
    this.#env = options.env;
    const settings = this.read(options.config);
    this.#current = settings.source;
    this.egress = new Egress(settings.egress);
    this.upstream = new Upstream({ ...settings.upstream, egress: this.egress });
  }

  /** Reads the files of other settings; {@link replace} puts them in force. Throws as the constructor. */
  read({ egress, upstream }: Settings): OutboundSettings {
    const tls = new UpstreamTls({
      caFile: upstream.ca_file,
      clientCertificates: upstream.client_certs,
      env: this.#env,
    });
    const { timeouts } = upstream;
    return {
      source: { egress, upstream },
      egress: {
        denyPrivate: egress.deny_private,
        allow: egress.allow,
        deny: egress.deny,
        ports: egress.ports,
        resolve: upstream.resolve,
        parents: { parent: upstream.parent, parents: upstream.parents, noProxy: upstream.no_proxy },
        dns: upstream.dns,
        tls,
        dnsTimeoutMs: timeouts.dns,
        connectTimeoutMs: timeouts.connect,
        onParentFailed: (facts) =>
          this.#log.warn({ event: 'parent_failed', ...facts }, 'a parent proxy could not be used'),
      },
      upstream: {
        tls,
        timeouts: {
          connectMs: timeouts.connect,
          firstByteMs: timeouts.first_byte,
          bodyIdleMs: timeouts.body_idle,
          keepAliveMs: timeouts.keep_alive,
        },
      },
    };
  }

  /**
   * Takes other settings for the next connection. Where they differ, connections that wait in a pool are not used again:
   * they were opened under rules that no longer hold.
   */
  replace(settings: OutboundSettings): void {
    const { source } = settings;
    const files = source.upstream.ca_file !== null || source.upstream.client_certs.length > 0;
    if (isDeepStrictEqual(source, this.#current) && !files) return;
    this.#current = source;
    this.egress.replace(settings.egress);
    this.upstream.replace(settings.upstream);
  }
}
