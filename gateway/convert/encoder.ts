/** Encodes text for which Node has only a decoder (https://encoding.spec.whatwg.org) by inverting that. */

type Range = readonly [from: number, to: number];
type Area = { readonly lead: Range; readonly trail: Range };

const areas: Readonly<Record<string, { readonly single: Range; readonly double: readonly Area[] }>> = {
  // Without the rows 0xed and 0xee, which repeat characters of 0xfa to 0xfc (section 12.3.2).
  shift_jis: {
    single: [0xa1, 0xdf],
    double: [
      { lead: [0x81, 0x9f], trail: [0x40, 0xfc] },
      { lead: [0xe0, 0xec], trail: [0x40, 0xfc] },
      { lead: [0xef, 0xfc], trail: [0x40, 0xfc] },
    ],
  },
  'euc-jp': {
    single: [1, 0],
    double: [
      { lead: [0x8e, 0x8e], trail: [0xa1, 0xdf] },
      { lead: [0xa1, 0xfe], trail: [0xa1, 0xfe] },
    ],
  },
  'windows-1252': { single: [0x80, 0xff], double: [] },
};

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Returns a function that encodes a text, or returns undefined if the encoding lacks one of its characters. */
export function encoderOf(encoding: string): (text: string) => Buffer | undefined {
  return (text) => {
    if (!/[^\0-\x7f]/.test(text)) return Buffer.from(text, 'latin1');
    const table = tableOf(encoding);
    const bytes: number[] = [];
    for (const char of text) {
      const code = char.charCodeAt(0);
      const coded = code < 0x80 ? [code] : table.get(char);
      if (coded === undefined) return undefined;
      bytes.push(...coded);
    }
    return Buffer.from(bytes);
  };
}

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if (text.length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes);
  };
  const { single, double } = areas[encoding] ?? { single: [1, 0], double: [] };
  for (let byte = single[0]; byte <= single[1]; byte++) add(byte);
  for (const { lead, trail } of double)
    for (let a = lead[0]; a <= lead[1]; a++) for (let b = trail[0]; b <= trail[1]; b++) add(a, b);
  tables.set(encoding, table);
  return table;
}
