/** What the compiled table tells about a word in Latin letters, as bits of one number. */

/** How good a given name it is: of the names of the world, of the United States, of the hundred commonest there. */
export const given = { rare: 1, listed: 2, common: 3, mask: 3 } as const;
/** How good a surname it is: listed, or of the hundred commonest of the United States. */
export const surname = { listed: 1 << 2, common: 2 << 2, mask: 3 << 2 } as const;
/** How ordinary an English word it is. */
export const word = { rare: 1 << 4, common: 2 << 4, mask: 3 << 4 } as const;
/** A country, region or city. */
export const place = 1 << 6;
/** A part of names that are not a person's: of organisations, products, works, dates. */
export const stop = 1 << 7;
