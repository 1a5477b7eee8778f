/** Loads a gateway's services from its files, for commands that explain its decisions without running it. */
import type { Config } from '../../config/schema.ts';
import { loadServices } from '../../config/services.ts';
import type { Service } from '../../policy/service.ts';
import { RegistryFile } from '../stores/registry-file.ts';
import { withSavedFeeds } from './feeds.ts';

/**
 * The registry file with the approved feeds and API changes of the data folder. `registry`: a file other than the
 * configured one, null for the shipped one.
 * @throws ConfigError, PrivetError `unavailable` if a file of the data folder is damaged
 */
export function savedServices(
  { config, dataDir }: { readonly config: Pick<Config, 'policy' | 'feeds'>; readonly dataDir: string },
  registry: string | null = config.policy.registry,
): { readonly services: Service[]; readonly warnings: string[] } {
  const base = withSavedFeeds(loadServices(registry ?? undefined), config.feeds, dataDir);
  return RegistryFile.open(dataDir).apply(base);
}
