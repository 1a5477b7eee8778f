/** The categories of the curated bypass list. Separate from the list, so that the schema need not load it. */

/** The values of `policy.curated_bypass` besides `on` and `off`. */
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
