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
import type { ProxyParts, ProxySnapshot } from './proxy/request/request.ts';

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

/** Builds the snapshot of a configuration. */
export function snapshotMaker({
  registry,
  learning,
  anonymizer,
  vault,
  tokenTtlMs,
  secret,
}: SnapshotParts): (config: Config) => ProxySnapshot {
  return ({ policy, auth, masking }) => ({
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
  });
}
