/** Builds the coaching step, which asks users to confirm before they use services in category `monitoring`. */
import type { Config } from '../config/load.ts';
import type { ServiceRegistry } from '../policy/registry.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Brand } from './portal/brand.ts';
import { Coach } from './proxy/admit/coach.ts';
import { Acknowledgements } from './stores/acknowledgements.ts';
import type { Stores } from './stores/stores.ts';

/**
 * The coach with its store of confirmations; close it with the gateway. `policy` returns the current policy and is
 * called for each page.
 */
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
