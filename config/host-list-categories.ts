/** The categories of the shipped host lists. Separate from host-lists.ts, so that the schema need not load the lists. */

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

/** The values of `policy.anonymizers` besides `on` and `off`. */
export const anonymizerCategories = ['relay', 'web-proxy', 'cache', 'translation', 'dns'] as const;
export type AnonymizerCategory = (typeof anonymizerCategories)[number];
