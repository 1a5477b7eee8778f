/** Looks up anonymizers for the policy. */
import { type Front, loadFronts } from '../config/fronts.ts';
import { HostSet } from '../policy/host-set.ts';

/** Loads the shipped list; returns a function that finds the entry for a host. */
export function frontFinder(): (host: string) => Front | undefined {
  const fronts = loadFronts();
  const hosts = new HostSet(fronts.map(({ host }) => host));
  const entries = new Map(fronts.map((front) => [front.host, front]));
  return (host) => {
    const found = hosts.match(host);
    return found === undefined ? undefined : entries.get(found);
  };
}
