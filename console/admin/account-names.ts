/** What accounts are called. */
import { useLoad } from './load.ts';

type Accounts = {
  readonly tenants: readonly { readonly tenant: string; readonly members: readonly { name: string }[] }[];
};

/** An account has no name of its own; people know it by its first member. Without one, and until that is known, its id. */
export function useAccountNames(): (tenant: string) => string {
  const { body } = useLoad<Accounts>('/admin/tenants');
  const names = new Map(body?.tenants.map(({ tenant, members }) => [tenant, members[0]?.name]));
  return (tenant) => names.get(tenant) ?? tenant;
}
