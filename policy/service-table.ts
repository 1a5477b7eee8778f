import type { Service } from './service.ts';

/**
 * A table of very many services, each built on demand: the base of a registry with a million entries. Entries are
 * numbered from 0 in order; -1 means none. No entry has `scope`, host patterns or URL prefixes.
 */
export interface ServiceTable extends Iterable<Service> {
  readonly length: number;
  at(entry: number): Service;
  withKey(key: string): number;
  withId(id: number): number;
  /** Finds an entry by name, ignoring case. */
  withName(name: string): number;
  /** The entry with exactly this host as domain or alternate domain. */
  withHost(host: string): number;
  /** The longest domain that equals or contains the host, and where in the host it begins. */
  longest(host: string): { readonly entry: number; readonly from: number } | undefined;
}

export type ServiceList = readonly Service[] | ServiceTable;

export function isTable(services: Iterable<Service>): services is ServiceTable {
  return 'withHost' in services;
}
