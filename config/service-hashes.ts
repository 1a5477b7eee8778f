/** Hashes of hosts and keys, for the index of a large list of services. */

/** The FNV-1a constants. */
export const fnv = { first: 0x811c9dc5, prime: 0x01000193 } as const;

/** A hash whose low bits depend on all input. */
export function mixedHash(hash: number): number {
  return Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
}

/** Hashes from the last character to the first, so that one walk over a host yields the hash of every parent name. */
export function hostHash(host: string): number {
  let hash: number = fnv.first;
  for (let i = host.length - 1; i >= 0; i--) hash = Math.imul(hash ^ host.charCodeAt(i), fnv.prime);
  return mixedHash(hash);
}

/** Hashes from the first character to the last; the low 32 bits of `serviceId` in policy/service.ts. */
export function textHash(text: string): number {
  let hash: number = fnv.first;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), fnv.prime);
  return mixedHash(hash);
}
