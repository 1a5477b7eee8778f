/** Looks up the curated bypass list for the policy. */
import { curatedBypass } from '../../config/host-lists.ts';
import type { Config } from '../../config/load.ts';
import type { Exemption } from '../../policy/decision.ts';
import { HostSet } from '../../policy/host-set.ts';

/** Why the list exempts a host. */
export type Curated = (host: string) => Exemption | undefined;

/** The curated list as configured in `policy.curated_bypass`. */
export function curatedOf({ policy }: Pick<Config, 'policy'>): Curated {
  const list = curatedBypass(policy.curated_bypass);
  const hosts = new HostSet(list.map(({ host }) => host));
  const entries = new Map(list.map((entry) => [entry.host, entry]));
  return (host) => {
    const found = hosts.match(host);
    if (found === undefined) return undefined;
    const { category, reason } = entries.get(found) as (typeof list)[number];
    return { rule: `curated ${category}`, reason: `${found} is on the curated list: ${reason}`, covers: 'unknown' };
  };
}
