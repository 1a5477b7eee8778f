/** Display names of accounts. */
import type { Tenant } from '../../gateway/api/routes/tenants.ts';
import { useLoad } from './load.ts';

/** Display names of accounts: their first member, or else their id. */
export function useAccountNames(): (tenant: string) => string {
  const { body } = useLoad<{ readonly tenants: readonly Tenant[] }>('/admin/tenants');
  const names = new Map(body?.tenants.map(({ tenant, members }) => [tenant, members[0]?.name]));
  return (tenant) => names.get(tenant) ?? tenant;
}
