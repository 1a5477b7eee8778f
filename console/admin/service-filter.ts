/** Filters services. */
import type { Service } from '../../policy/service.ts';

/** Empty texts match everything. */
export type ServiceFilter = {
  readonly text: string;
  readonly category: string;
  readonly kind: string;
  readonly vendor: string;
  readonly country: string;
};

export const emptyFilter: ServiceFilter = { text: '', category: '', kind: '', vendor: '', country: '' };

/** The services that match every part of the filter, by name. Every word of the text must occur somewhere. */
export function filtered(services: readonly Service[], filter: ServiceFilter): Service[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return services
    .filter(({ category, kind, vendor, country }) => {
      const { category: wanted } = filter;
      if (wanted !== '' && category !== wanted) return false;
      if (filter.kind !== '' && kind !== filter.kind) return false;
      return (
        (filter.vendor === '' || vendor === filter.vendor) && (filter.country === '' || country === filter.country)
      );
    })
    .filter((service) => {
      if (words.length === 0) return true;
      const text = textOf(service);
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => a.service_name.localeCompare(b.service_name));
}

export function valuesOf(services: readonly Service[], field: 'kind' | 'vendor' | 'country'): string[] {
  const values = new Set(services.map((service) => service[field]));
  values.delete(undefined);
  return ([...values] as string[]).sort((a, b) => a.localeCompare(b));
}

function textOf({
  id,
  key,
  service_name: name,
  domain,
  alternate_domains: more,
  vendor = '',
  kind = '',
}: Service): string {
  return [id, key, name, domain, ...more, vendor, kind].join('\n').toLowerCase();
}
