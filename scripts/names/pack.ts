import { deflateSync } from 'fflate';
import { packing } from '../../core/names/tables.ts';

/** Encodes bytes for storage: deflated, each 13 bits as two printable characters. */
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
