/** Display names of accounts. */
import { useLoad } from './load.ts';

type Accounts = {
  readonly tenants: readonly { readonly tenant: string; readonly members: readonly { name: string }[] }[];
};

/** Display names of accounts: their first member, or else their id. */
export function useAccountNames(): (tenant: string) => string {
  const { body } = useLoad<Accounts>('/admin/tenants');
  const names = new Map(body?.tenants.map(({ tenant, members }) => [tenant, members[0]?.name]));
  return (tenant) => names.get(tenant) ?? tenant;
}
