/** The categories of the anonymizer list. Separate from the list, so that the schema need not load it. */

/** The values of `policy.anonymizers` besides `on` and `off`. */
export const anonymizerCategories = ['relay', 'web-proxy', 'cache', 'translation', 'dns'] as const;
export type AnonymizerCategory = (typeof anonymizerCategories)[number];
