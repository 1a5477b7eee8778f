/** The entries of a registry file as services. */
import { PrivetError } from '../core/errors.ts';
import type { Service } from './service.ts';
import { parseServiceInput, slug } from './service.ts';

/** Where a fact of the shipped registry comes from; kept in the file, not in the product. */
const provenance = new Set(['confidence', 'sources']);

export type RecordOptions = {
  /** Time of creation and last change of every service, RFC 3339. */
  readonly createdAt: string;
  /** True for the shipped file, which the tests check: its hosts are in their one spelling already. */
  readonly isTrusted?: boolean;
};

/** A wrong entry of a registry file; `index` counts from 0. */
export type RecordFault = { readonly index: number; readonly message: string };

/**
 * Services of the entries of a registry file. An id is the slug of the name, the same at every start: of two names with
 * one slug the later gets `-2`.
 * @throws PrivetError `invalid_input` with `details: RecordFault[]` naming every wrong entry.
 */
export function servicesFromRecords(records: readonly unknown[], options: RecordOptions): Service[] {
  const faults: RecordFault[] = [];
  const ids = new Set<string>();
  const services: Service[] = [];
  for (const [index, record] of records.entries()) {
    try {
      const fields = options.isTrusted
        ? completed(record as Partial<Service>)
        : parseServiceInput(withoutProvenance(record));
      const id = freeId(fields, ids);
      services.push({ id, ...fields, created_at: options.createdAt, updated_at: options.createdAt });
    } catch (error) {
      faults.push({ index, message: error instanceof Error ? error.message : 'The entry is not valid.' });
    }
  }
  if (faults.length === 0) return services;
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more entries)` : '';
  throw new PrivetError('invalid_input', `Entry ${(first?.index ?? 0) + 1}: ${first?.message}${more}`, {
    details: faults,
  });
}

type Fields = Omit<Service, 'id' | 'created_at' | 'updated_at'>;

function completed(record: Partial<Service>): Fields {
  const { confidence: _confidence, sources: _sources, ...fields } = record as Record<string, unknown>;
  return { alternate_domains: [], host_patterns: [], url_prefixes: [], ...(fields as Partial<Service>) } as Fields;
}

function withoutProvenance(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => !provenance.has(key)));
}

function freeId(fields: Fields, ids: Set<string>): string {
  const base = slug(fields.service_name) || slug(fields.domain);
  let id = base;
  for (let n = 2; ids.has(id); n++) id = `${base}-${n}`;
  ids.add(id);
  return id;
}
