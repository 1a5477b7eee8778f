/** Egress components: the guard, name resolution, parents and connection pools, swapped together on a reload. */

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../../config/schema.ts';
import type { Log } from '../../observe/log.ts';
import type { Commit } from '../../reconfigurable.ts';
import { Egress, type EgressOptions } from './egress.ts';
import { UpstreamTls } from './trust.ts';
import { Upstream, type UpstreamSettings } from './upstream.ts';

type Settings = Pick<Config, 'egress' | 'upstream'>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Settings with the content of their files. */
export type OutboundSettings = {
  readonly source: Settings;
  /** The content of the files, in the order of the settings. */
  readonly files: readonly string[];
  readonly egress: EgressOptions;
  readonly upstream: UpstreamSettings;
};

/** Owns all upstream connections. */
export class Outbound {
  readonly egress: Egress;
  readonly upstream: Upstream;
  readonly #log: Log;
  readonly #env: Environment;
  #current: OutboundSettings | undefined;

  /** Throws PrivetError if a configured certificate cannot be read. */
  constructor(options: { config: Settings; env: Environment; log: Log }) {
    this.#log = options.log;
    this.#env = options.env;
    const settings = this.#read(options.config);
    this.#current = settings;
    this.egress = new Egress(settings.egress);
    this.upstream = new Upstream({ ...settings.upstream, egress: this.egress });
  }

  /**
   * Reads the files of new settings, which apply from the next connection on. If they differ, pooled connections are
   * not reused: they were opened under the old rules. Throws like the constructor.
   */
  prepare(config: Settings): Commit {
    const settings = this.#read(config);
    return () => {
      if (settings === this.#current) return;
      this.#current = settings;
      this.egress.replace(settings.egress);
      this.upstream.replace(settings.upstream);
    };
  }

  /** Returns unchanged settings as they are, because reading trust anchors takes 40 ms. */
  #read({ egress, upstream }: Settings): OutboundSettings {
    const source = { egress, upstream };
    const files = filesOf(upstream);
    const current = this.#current;
    if (current && isDeepStrictEqual([source, files], [current.source, current.files])) return current;
    const tls = new UpstreamTls({
      caFile: upstream.ca_file,
      clientCertificates: upstream.client_certs,
      env: this.#env,
    });
    const { timeouts } = upstream;
    return {
      source,
      files,
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
}

/** The current content of the files; read errors are reported by their users. */
function filesOf({ ca_file: ca, client_certs: certificates }: Settings['upstream']): string[] {
  const names = [ca, ...certificates.flatMap(({ cert_file: cert, key_file: key }) => [cert, key])];
  return names.map((name) => {
    try {
      return name === null ? '' : readFileSync(name, 'latin1');
    } catch {
      return '';
    }
  });
}
