/** The first bytes of names in a table; see `isQuietEvent`. */

/** Matches any byte. */
export const anyByte = 0xff;

/** Prefixes of at least three bytes. */
export type ByteTable = {
  /** The third byte by the first two: 0 if no prefix has them, 255 for any byte. */
  readonly thirds: Uint8Array;
  /** The prefixes by their first byte; 255 stands for any byte. */
  readonly byFirst: readonly (readonly Uint8Array[])[];
};

/** Builds the table for these prefixes; `?` stands for any byte but the first. */
export function byteTable(beginnings: readonly string[]): ByteTable {
  const thirds = new Uint8Array(65_536);
  const byFirst: Uint8Array[][] = Array.from({ length: 256 }, () => []);
  for (const beginning of beginnings) {
    const bytes = new TextEncoder().encode(beginning).map((byte) => (byte === 0x3f ? anyByte : byte));
    const [first = 0, second = 0, third = anyByte] = bytes;
    byFirst[first]?.push(bytes);
    const from = (first << 8) | (second === anyByte ? 0 : second);
    for (let at = from; at <= ((first << 8) | second); at++)
      thirds[at] = thirds[at] === 0 || thirds[at] === third ? third : anyByte;
  }
  return { thirds, byFirst };
}

/** True if one of the prefixes is at this offset. */
export function beginsName({ byFirst }: ByteTable, bytes: Uint8Array, at: number): boolean {
  const beginnings = byFirst[bytes[at] as number] as readonly Uint8Array[];
  for (let i = 0; i < beginnings.length; i++) {
    const beginning = beginnings[i] as Uint8Array;
    const { length } = beginning;
    let matched = 1;
    while (matched < length && (beginning[matched] === anyByte || beginning[matched] === bytes[at + matched]))
      matched++;
    if (matched === length) return true;
  }
  return false;
}
