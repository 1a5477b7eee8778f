/** Beginnings of names as a table of bytes; see `isQuietEvent`. */

/** For every first byte the beginnings that start with it, without that byte; 0 stands for any byte. */
export type ByteTable = readonly (readonly Uint8Array[] | undefined)[];

/** The table for these beginnings, in which `?` stands for any byte. */
export function byteTable(beginnings: readonly string[]): ByteTable {
  const table: Uint8Array[][] = [];
  for (const beginning of beginnings) {
    const bytes = new TextEncoder().encode(beginning).map((byte) => (byte === 0x3f ? 0 : byte));
    const first = bytes[0] as number;
    table[first] = [...(table[first] ?? []), bytes.subarray(1)];
  }
  return Array.from({ length: 256 }, (_, byte) => table[byte]);
}

/** True when one of the table's beginnings stands at a position. */
export function beginsName(table: ByteTable, bytes: Uint8Array, at: number): boolean {
  const beginnings = table[bytes[at] as number];
  if (beginnings === undefined) return false;
  for (let i = 0; i < beginnings.length; i++) {
    const beginning = beginnings[i] as Uint8Array;
    let matched = 0;
    while (matched < beginning.length) {
      const wanted = beginning[matched] as number;
      if (wanted !== 0 && wanted !== bytes[at + 1 + matched]) break;
      matched++;
    }
    if (matched === beginning.length) return true;
  }
  return false;
}
