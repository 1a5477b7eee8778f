/**
 * Registry changes made over the API, applied on top of the shipped registry. With a durable store they are also kept
 * in a file of the data folder; with the memory store they last until the process ends.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { PrivetError } from '../../core/errors.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { parseServiceInput, type Service } from '../../policy/service.ts';
import { isTable, type ServiceList } from '../../policy/service-table.ts';
import { readFileIfPresent, replaceFile } from './atomic-file.ts';

const fileShape = z.strictObject({
  version: z.literal(1),
  services: z.array(
    z.looseObject({
      id: z.int(),
      key: z.string().min(1).max(300),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    }),
  ),
  removed: z.array(z.string().min(1).max(300)),
});

/** Changes made over the API: services added or changed, and the keys of removed ones. */
export type RegistryChanges = {
  readonly services: ReadonlyMap<string, Service>;
  readonly removed: ReadonlySet<string>;
};

const noChanges: RegistryChanges = { services: new Map(), removed: new Set() };

export class RegistryFile {
  readonly #file: string | undefined;
  #changes: RegistryChanges;

  private constructor(file: string | undefined, changes: RegistryChanges) {
    this.#file = file;
    this.#changes = changes;
  }

  /** Reads `registry-changes.json` of the data folder. Throws PrivetError `unavailable` when it is damaged. */
  static open(dataDir: string): RegistryFile {
    const file = join(dataDir, 'registry-changes.json');
    const text = readFileIfPresent(file);
    return new RegistryFile(file, text === undefined ? noChanges : parse(text, file));
  }

  /** Changes kept in memory only: they survive a reload of the configuration but not a restart. */
  static unsaved(): RegistryFile {
    return new RegistryFile(undefined, noChanges);
  }

  get changes(): RegistryChanges {
    return this.#changes;
  }

  /** Replaces all changes; they apply even if they cannot be written. @throws PrivetError `unavailable`. */
  replace(changes: RegistryChanges): void {
    this.#changes = changes;
    if (this.#file === undefined) return;
    const kept = { version: 1, services: [...changes.services.values()], removed: [...changes.removed] };
    replaceFile(this.#file, `${JSON.stringify(kept, null, 1)}\n`);
  }

  /** {@link applyChanges} with the changes of the file. */
  apply(shipped: Iterable<Service>): { services: Service[]; warnings: string[] } {
    return applyChanges(shipped, this.#changes);
  }

  /** {@link registryWith} with the changes of the file. */
  registryOver(shipped: ServiceList): { registry: ServiceRegistry; warnings: string[] } {
    return registryWith(shipped, this.#changes);
  }
}

function parse(text: string, file: string): RegistryChanges {
  try {
    const { services, removed } = fileShape.parse(JSON.parse(text));
    const records = services.map(({ id, key, created_at, updated_at, ...fields }): [string, Service] => [
      key,
      { id, key, ...parseServiceInput(fields), created_at, updated_at },
    ]);
    return { services: new Map(records), removed: new Set(removed) };
  } catch (error) {
    const message = `The registry changes in ${file} are damaged: restore the file from a backup, or delete it to start from the shipped registry.`;
    throw new PrivetError('unavailable', message, { cause: error });
  }
}

/**
 * The shipped services with the changes applied. A change wins over a shipped service that has since gained the same
 * name or host; that service is dropped and listed in `warnings`.
 */
function applyChanges(
  shipped: Iterable<Service>,
  { services: changed, removed }: RegistryChanges,
): { services: Service[]; warnings: string[] } {
  const warnings: string[] = [];
  const base = [...shipped].filter((service) => !removed.has(service.key));
  const open = new Map(changed);
  const merged = base.map((service) => {
    const change = open.get(service.key);
    open.delete(service.key);
    return change ?? service;
  });
  merged.push(...open.values());
  if (changed.size === 0) return { services: merged, warnings };
  const claims = new Map<string, string>();
  for (const service of changed.values()) for (const claim of claimsOf(service)) claims.set(claim, service.key);
  const services = merged.filter((service) => {
    if (changed.has(service.key)) return true;
    const taken = claimsOf(service).find((claim) => claims.has(claim));
    if (taken === undefined) return true;
    warnings.push(leftOut(service.key, claims.get(taken), taken));
    return false;
  });
  return { services, warnings };
}

/**
 * A registry of the shipped services with the changes applied, like {@link applyChanges}; from a large table only the
 * affected services are built.
 */
export function registryWith(
  shipped: ServiceList,
  changes: RegistryChanges,
): { registry: ServiceRegistry; warnings: string[] } {
  if (!isTable(shipped)) {
    const { services, warnings } = applyChanges(shipped, changes);
    return { registry: new ServiceRegistry(services), warnings };
  }
  const registry = new ServiceRegistry(shipped);
  if (changes.services.size + changes.removed.size === 0) return { registry, warnings: [] };
  const left = registry.lay(changes.services.values(), changes.removed);
  return { registry, warnings: left.map(({ left, by, claim }) => leftOut(left.key, by, claim)) };
}

function leftOut(key: string, by: string | undefined, claim: string): string {
  return `The shipped service "${key}" is left out: "${by}" has "${claim}" too.`;
}

/** Everything that two services must not share. */
function claimsOf(service: Service): string[] {
  const domains = service.scope === 'path' ? [] : [service.domain];
  const hosts = [...domains, ...service.alternate_domains, ...service.host_patterns, ...service.url_prefixes];
  return [...hosts, service.service_name.toLowerCase()];
}
