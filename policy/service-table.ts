import type { Service } from './service.ts';

/**
 * Very many services, each made when it is asked for: what a registry of a million entries stands on. Entries have
 * numbers from 0, in their order; -1 is none. None of them has `scope`, host patterns or URL prefixes.
 */
export interface ServiceTable extends Iterable<Service> {
  readonly length: number;
  at(entry: number): Service;
  withKey(key: string): number;
  withId(id: number): number;
  /** By name, whatever its case. */
  withName(name: string): number;
  /** The entry that has this very host as domain or alternate domain. */
  withHost(host: string): number;
  /** The longest domain that the host is or lies below, and where in the host it begins. */
  longest(host: string): { readonly entry: number; readonly from: number } | undefined;
}

/** Services as they come from a file. */
export type ServiceList = readonly Service[] | ServiceTable;

/** Whether services are such a table. */
export function isTable(services: Iterable<Service>): services is ServiceTable {
  return 'withHost' in services;
}
