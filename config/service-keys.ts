/** Keys, ids and hashes of services, for config/, which may not import those of policy/service.ts. */

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

/** Hashes from the first character to the last. */
export function textHash(text: string): number {
  let hash: number = fnv.first;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), fnv.prime);
  return mixedHash(hash);
}

/** The key of a service unless another one already has it. */
export function slugOf(name: string, domain: string): string {
  return slug(name) || slug(domain);
}

/** Same as `serviceId` of policy/service.ts. Its low 32 bits are {@link textHash}. */
export function serviceId(key: string): number {
  let low: number = fnv.first;
  let high = 0x9747b28c;
  for (let i = 0; i < key.length; i++) {
    const c = key.charCodeAt(i);
    low = Math.imul(low ^ c, fnv.prime);
    high = Math.imul(high ^ (c + i), 0x85ebca6b);
  }
  return ((high ^ (high >>> 13)) >>> 11) * 2 ** 32 + mixedHash(low);
}

/** Same as `slug` of policy/service.ts. */
function slug(text: string): string {
  const lower = text.toLowerCase();
  let isPlain = !lower.startsWith(' ') && !lower.endsWith(' ') && !lower.includes('  ');
  for (let i = 0; isPlain && i < lower.length; i++) {
    const c = lower.charCodeAt(i);
    isPlain = (c >= 0x61 && c <= 0x7a) || (c >= 0x30 && c <= 0x39) || c === 0x20;
  }
  if (isPlain) return lower.includes(' ') ? lower.replaceAll(' ', '-') : lower;
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
