import { deflateSync } from 'fflate';
import { type PackedTable, packing } from '../../core/names/tables.ts';

/** Encodes bytes for storage: deflated, with 13 bits as two printable characters. */
export function packBytes(bytes: Uint8Array): string {
  const deflated = deflateSync(bytes, { level: 9 });
  const codes = new Uint8Array(Math.ceil((deflated.length * 8) / packing.bits) * 2);
  let held = 0;
  let count = 0;
  let end = 0;
  const put = (value: number): void => {
    const code = value + packing.first;
    codes[end++] = code === packing.backslash ? packing.instead : code;
  };
  for (let at = 0; at < deflated.length || count > 0; at++) {
    held |= (deflated[at] ?? 0) << count;
    count += 8;
    if (count < packing.bits && at + 1 < deflated.length) continue;
    const value = held & ((1 << packing.bits) - 1);
    put(value % packing.characters);
    put(Math.floor(value / packing.characters));
    held >>>= packing.bits;
    count = Math.max(0, count - packing.bits);
  }
  return Buffer.from(codes.subarray(0, end)).toString('latin1');
}

/** Packs the slots of a hash table, each of fields with these numbers of bits; 0 marks an unused slot. */
export function packTable(slots: Int32Array, fields: readonly number[]): PackedTable {
  const used = [...slots.keys()].filter((slot) => slots[slot] !== 0);
  const first = slots.length >> 3;
  const bytes = new Uint8Array(first + used.length * fields.length);
  for (const [at, slot] of used.entries()) {
    bytes[slot >> 3] = (bytes[slot >> 3] as number) | (1 << (slot & 7));
    let rest = slots[slot] as number;
    for (const [field, bits] of fields.entries()) {
      bytes[first + field * used.length + at] = rest & ((1 << bits) - 1);
      rest >>>= bits;
    }
  }
  return { bits: Math.log2(slots.length), rows: used.length, data: packBytes(bytes) };
}
