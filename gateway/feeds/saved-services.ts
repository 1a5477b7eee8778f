/** The services of a gateway that need not run: from its files, for the commands that explain what it would do. */
import type { Config } from '../../config/schema.ts';
import { loadServices } from '../../config/services.ts';
import type { Service } from '../../policy/service.ts';
import { RegistryFile } from '../stores/registry-file.ts';
import { withSavedFeeds } from './feeds.ts';

/**
 * The registry file, the approved feeds and the changes made over the API, as the data folder has them. `registry`: another
 * file than that of the configuration, null for the shipped one.
 * @throws ConfigError, PrivetError `unavailable` when a file of the data folder is damaged
 */
export function savedServices(
  { config, dataDir }: { readonly config: Pick<Config, 'policy' | 'feeds'>; readonly dataDir: string },
  registry: string | null = config.policy.registry,
): { readonly services: Service[]; readonly warnings: string[] } {
  const base = withSavedFeeds(loadServices(registry ?? undefined), config.feeds, dataDir);
  return RegistryFile.open(dataDir).apply(base);
}
