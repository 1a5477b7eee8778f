/** Many changes to services at once. */
import { PrivetError } from '../core/errors.ts';
import { goneService, type Service } from './service.ts';

/**
 * One change of a batch. `patch` is as for `ServiceRegistry.update`, null to remove the service, or a whole {@link
 * Service} to put a removed one back.
 */
export type ServiceChange = { readonly id: number; readonly patch: unknown };

/**
 * The result of a batch of changes. `before` is null for a service that was put back, `after` for one that was removed.
 */
export type ServiceChanges = {
  readonly changed: readonly {
    readonly id: number;
    readonly key: string;
    readonly before: Service | null;
    readonly after: Service | null;
  }[];
  readonly failed: readonly { readonly id: number; readonly error: PrivetError }[];
};

/** The registry, as far as changes need it. */
type Changeable = {
  withId(id: number): Service | undefined;
  update(id: number, patch: unknown): Service;
  remove(id: number): Service;
  putBack(service: Service): void;
};

/**
 * Applies changes in order. A change that fails is reported and does not stop the others. A service that is put back
 * keeps its old key, which rules may refer to.
 */
export function changeServices(registry: Changeable, changes: readonly ServiceChange[]): ServiceChanges {
  const changed: ServiceChanges['changed'][number][] = [];
  const failed: ServiceChanges['failed'][number][] = [];
  for (const { id, patch } of changes) {
    try {
      const before = registry.withId(id) ?? null;
      const gone = before === null ? goneService(id, patch) : undefined;
      if (gone !== undefined) registry.putBack(gone);
      const after = gone ?? (patch === null ? null : registry.update(id, patch));
      const { key } = after ?? registry.remove(id);
      changed.push({ id, key, before, after });
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
      failed.push({ id, error });
    }
  }
  return { changed, failed };
}
