/** The categories of the anonymizer list. Separate from the list, so that the schema need not load it. */

/** The values of `policy.fronts` besides `on` and `off`. */
export const frontCategories = ['relay', 'anonymiser', 'cache', 'translation', 'dns'] as const;
export type FrontCategory = (typeof frontCategories)[number];
