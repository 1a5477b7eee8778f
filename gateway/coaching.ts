/** Builds what asks people about services that are only watched, out of the parts of the gateway. */
import type { Config } from '../config/load.ts';
import type { ServiceRegistry } from '../policy/registry.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Brand } from './portal/brand.ts';
import { Coach } from './proxy/coach.ts';
import { Acknowledgements } from './stores/acknowledgements.ts';
import type { Stores } from './stores/stores.ts';

/** What asks, and who has confirmed, to be closed with the gateway. `policy`: the one in force, read anew for each page. */
export function coachOf(parts: {
  readonly stores: Stores;
  readonly registry: ServiceRegistry;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly policy: () => Config['policy'];
  readonly brand: () => Brand;
}): { readonly coach: Coach; readonly acknowledgements: Acknowledgements } {
  const { stores, registry, metrics, log, policy, brand } = parts;
  const acknowledgements = new Acknowledgements({ stores, log });
  const coach = new Coach({
    acknowledgements,
    registry,
    secret: stores.secret,
    settings() {
      const { coach_programs: programs, coach_reason: reason, coach_text: text, coach_contact: contact } = policy();
      return { programs, reason, text, contact, brand: brand() };
    },
    onResult: (result) => (metrics.coach.with(result).value += 1),
  });
  return { coach, acknowledgements };
}
