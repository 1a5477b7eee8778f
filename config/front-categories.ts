/** The categories of the list of fronts, in a file of their own so that the schema need not read the list. */

/** The names that `policy.fronts` takes beside `on` and `off`. */
export const frontCategories = ['relay', 'anonymiser', 'cache', 'translation', 'dns'] as const;
export type FrontCategory = (typeof frontCategories)[number];
