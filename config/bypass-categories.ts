/** The categories of the curated list, in a file of their own so that the schema need not read the list. */

/** The names that `policy.curated_bypass` takes beside `on` and `off`. */
export const curatedCategories = [
  'updates',
  'device_management',
  'app_stores',
  'conferencing',
  'messaging',
  'storage',
  'password_managers',
  'security_agents',
  'certificates',
  'payment',
  'banking',
  'health',
  'government',
] as const;
export type CuratedCategory = (typeof curatedCategories)[number];
