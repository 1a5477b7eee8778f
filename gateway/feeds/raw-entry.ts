/** An entry as parsed, and its location in the list. */
export type RawEntry = { readonly where: string; readonly fields: Readonly<Record<string, unknown>> };
