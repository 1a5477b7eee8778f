/** What the readers of lists have in common. */

/** An entry as parsed, and where. */
export type RawEntry = { readonly where: string; readonly fields: Readonly<Record<string, unknown>> };
