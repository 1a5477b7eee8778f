/** The list of hosts that show others, as the policy asks it. */
import { type Front, loadFronts } from '../config/fronts.ts';
import { HostSet } from '../policy/host-set.ts';

/** Reads the shipped list; answers with the entry that a host belongs to. */
export function frontFinder(): (host: string) => Front | undefined {
  const fronts = loadFronts();
  const hosts = new HostSet(fronts.map(({ host }) => host));
  const entries = new Map(fronts.map((front) => [front.host, front]));
  return (host) => {
    const found = hosts.match(host);
    return found === undefined ? undefined : entries.get(found);
  };
}
