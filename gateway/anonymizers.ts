/** Looks up anonymizers for the policy. */
import { type Anonymizer, loadAnonymizers } from '../config/host-lists.ts';
import { HostSet } from '../policy/host-set.ts';

/** Loads the shipped list; returns a function that finds the entry for a host. */
export function anonymizerFinder(): (host: string) => Anonymizer | undefined {
  const anonymizers = loadAnonymizers();
  const hosts = new HostSet(anonymizers.map(({ host }) => host));
  const entries = new Map(anonymizers.map((anonymizer) => [anonymizer.host, anonymizer]));
  return (host) => {
    const found = hosts.match(host);
    return found === undefined ? undefined : entries.get(found);
  };
}
