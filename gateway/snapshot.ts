/** A snapshot of everything the proxy decides and masks with, rebuilt whenever the configuration changes. */
import type { Config } from '../config/load.ts';
import { builtinTypes } from '../core/detection.ts';
import { allowedHosts } from '../core/url-guard.ts';
import { Policy } from '../policy/decide.ts';
import type { PolicyOptions } from '../policy/decision.ts';
import type { ServiceRegistry } from '../policy/registry.ts';
import type { Learning } from './discovery/learning.ts';
import { BodyMasker } from './proxy/masking.ts';
import type { ProxyParts, ProxySnapshot } from './proxy/request.ts';

/** The parts that stay the same across snapshots. */
export type SnapshotParts = {
  readonly registry: ServiceRegistry;
  readonly learning: Learning;
  readonly front: PolicyOptions['front'];
  readonly vault: ProxyParts['vault'];
  readonly tokenTtlMs: number;
};

/** Builds the snapshot of a configuration. */
export function snapshotMaker({
  registry,
  learning,
  front,
  vault,
  tokenTtlMs,
}: SnapshotParts): (config: Config) => ProxySnapshot {
  return ({ policy, auth, masking }) => ({
    policy: new Policy({ registry, config: policy, networks: auth.networks, exempt: learning.exempt, front }),
    masker: new BodyMasker({
      vault,
      types: masking.types,
      dictionary: masking.dictionary,
      bodyBytesMax: masking.max_body,
      uninspectable: masking.uninspectable,
      batchTtlMs: masking.batch_ttl,
      hints: masking.hints,
      allowsHost: allowedHosts(masking.link_hosts),
      tokenTtlMs,
      builtinTypes,
    }),
  });
}
