/**
 * Registry changes in the store: written there, and applied by every process that shares it within a second. The file
 * in the data folder keeps the last known state of a durable store, for starts while it is unavailable.
 */
import { PrivetError } from '../../core/errors.ts';
import { isObject } from '../../core/parsing.ts';
import type { ServiceChange, ServiceChanges, ServiceRegistry } from '../../policy/registry.ts';
import type { Service } from '../../policy/service.ts';
import type { ServiceList } from '../../policy/service-table.ts';
import type { Log } from '../observe/log.ts';
import { changeRecords, following, type RecordSet } from './records.ts';
import { type RegistryChanges, type RegistryFile, registryWith } from './registry-file.ts';
import type { Stores } from './stores.ts';

/** Stored instead of a removed service. */
const removedMark = 'removed';

/** What to write, and what to return to the caller. */
type Decided<T> = { readonly changes: readonly (readonly [key: string, record: unknown])[]; readonly result: T };

const one = (service: Service): Decided<Service> => ({ changes: [[service.key, service]], result: service });

/** Keeps a registry in sync with the store. */
export class RegistryStore {
  readonly #options: RegistryStoreOptions;
  /** The revision of the registry's current content. */
  #revision = -1;
  readonly #follow = following(() => this.#read());

  constructor(options: RegistryStoreOptions) {
    this.#options = options;
    options.stores.changes.onChange(({ kind }) => {
      if (kind === 'service') this.#followQuietly();
    });
    options.stores.opened.then(
      () => this.#first(),
      () => {},
    );
  }

  /** Unlike in a file, it is hard-blocked only if the caller says so: a change of the category alone would not open it. */
  add(input: unknown): Promise<Service> {
    const fields = isObject(input) ? { is_blocked: false, ...input } : input;
    return this.#change((copy) => one(copy.add(fields)));
  }

  update(id: number, patch: unknown): Promise<Service> {
    return this.#change((copy) => one(copy.update(id, patch)));
  }

  remove(id: number): Promise<Service> {
    return this.#change((copy) => {
      const service = copy.remove(id);
      return { changes: [[service.key, removedMark]], result: service };
    });
  }

  updateAll(changes: readonly ServiceChange[]): Promise<ServiceChanges> {
    return this.#change((copy) => {
      const result = copy.updateAll(changes);
      return { changes: result.changed.map(({ key, after }) => [key, after ?? removedMark]), result };
    });
  }

  /** Decides on a copy of the stored state, writes, and applies the change before it returns. */
  async #change<T>(work: (copy: ServiceRegistry) => Decided<T>): Promise<T> {
    const { stores, shipped } = this.#options;
    const result = await changeRecords({
      records: stores.records,
      kind: 'service',
      read: () => stores.records.list('service'),
      decide: (set) => {
        const { changes, result } = work(registryWith(shipped(), changesOf(set)).registry);
        return { changes: new Map(changes), result };
      },
    });
    await this.#follow();
    return result;
  }

  /** Copies changes made before there was a store into an empty one. */
  async #first(): Promise<void> {
    const { stores, file, log } = this.#options;
    try {
      const { services, removed } = file.changes;
      const own: [string, unknown][] = [
        ...services,
        ...[...removed].map((key): [string, unknown] => [key, removedMark]),
      ];
      if (own.length > 0) await stores.records.write('service', new Map(own), { ifRevision: 0 });
    } catch (error) {
      const isFilled = error instanceof PrivetError && error.code === 'conflict';
      if (!isFilled)
        log.error({ event: 'registry_sync_failed', error }, 'the registry could not be written to the store');
    }
    this.#followQuietly();
  }

  #followQuietly(): void {
    this.#follow().catch((error: unknown) => {
      this.#options.log.error(
        { event: 'registry_sync_failed', error },
        'the registry could not be read from the store',
      );
      this.#options.stores.changes.again('service');
    });
  }

  async #read(): Promise<void> {
    const { stores, shipped, registry, file, log, onChanged } = this.#options;
    const set = await stores.records.list('service');
    if (set.revision === this.#revision) return;
    const changes = changesOf(set);
    const { registry: next, warnings } = registryWith(shipped(), changes);
    registry.replaceAll(next);
    this.#revision = set.revision;
    for (const warning of warnings) log.warn({ event: 'registry_warning' }, warning);
    try {
      file.replace(changes);
    } catch (error) {
      log.error({ event: 'registry_not_kept', error }, 'the registry changes could not be saved to the data folder');
    }
    await onChanged();
  }
}

export type RegistryStoreOptions = {
  readonly stores: Pick<Stores, 'records' | 'changes' | 'opened'>;
  readonly registry: ServiceRegistry;
  /** The services before any change; a reload may have loaded others. */
  readonly shipped: () => ServiceList;
  readonly file: RegistryFile;
  readonly log: Log;
  /** Called after the registry has applied a change. */
  readonly onChanged: () => void | Promise<void>;
};

function changesOf(set: RecordSet): RegistryChanges {
  const services = new Map<string, Service>();
  const removed = new Set<string>();
  for (const [key, value] of set.records) {
    if (value === removedMark) removed.add(key);
    else services.set(key, value as Service);
  }
  return { services, removed };
}
