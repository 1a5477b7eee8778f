/** A snapshot of everything the proxy decides and masks with, rebuilt whenever the configuration changes. */
import type { Config } from '../config/load.ts';
import { builtinTypes } from '../core/detect/detector.ts';
import { allowedHosts } from '../core/guard/url-guard.ts';
import { Policy } from '../policy/decide.ts';
import type { PolicyOptions } from '../policy/decision.ts';
import type { ServiceRegistry } from '../policy/registry.ts';
import type { Learning } from './discovery/learning.ts';
import { Hmac } from './hmac.ts';
import { recognizersOf } from './own-recognizers.ts';
import { BodyMasker } from './proxy/body/masking.ts';
import type { ProxyParts, ProxySnapshot } from './proxy/exchange.ts';
import type { Commit, Reconfigurable } from './reconfigurable.ts';

/** The parts that stay the same across snapshots. */
export type SnapshotParts = {
  readonly registry: ServiceRegistry;
  readonly learning: Learning;
  readonly anonymizer: PolicyOptions['anonymizer'];
  readonly vault: ProxyParts['vault'];
  readonly tokenTtlMs: number;
  /** What all replicas share. */
  readonly secret: () => Buffer;
};

/** The snapshot of the current configuration. */
export class Snapshots implements Reconfigurable {
  readonly #parts: SnapshotParts;
  #current: ProxySnapshot;

  constructor(parts: SnapshotParts, config: Config) {
    this.#parts = parts;
    this.#current = snapshotOf(parts, config);
  }

  get current(): ProxySnapshot {
    return this.#current;
  }

  prepare(config: Config): Commit {
    const next = snapshotOf(this.#parts, config);
    return () => {
      this.#current = next;
    };
  }
}

function snapshotOf(parts: SnapshotParts, { policy, auth, masking }: Config): ProxySnapshot {
  const { registry, learning, anonymizer, vault, tokenTtlMs, secret } = parts;
  return {
    policy: new Policy({ registry, config: policy, networks: auth.networks, exempt: learning.exempt, anonymizer }),
    masker: new BodyMasker({
      vault,
      types: masking.types,
      dictionary: masking.dictionary,
      recognizers: recognizersOf(masking),
      hashKey: () => new Hmac(secret()).digest(Buffer.from('key of the action hash')),
      bodyBytesMax: masking.max_body,
      uninspectable: masking.uninspectable,
      batchTtlMs: masking.batch_ttl,
      hints: masking.hints,
      allowsHost: allowedHosts(masking.link_hosts),
      linkHosts: masking.link_hosts,
      tokenTtlMs,
      builtinTypes,
    }),
  };
}
