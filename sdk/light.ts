/**
 * The entry for browsers: the same functions without the types NAME and COMPANY_NAME_JP, whose lists and models are most
 * of the package, and without injection checks. It also lacks the list of place names, so it finds fewer addresses.
 * `build.ts` replaces those modules; the sources here are complete.
 */
import { createPrivet as createFull, type Privet, type PrivetOptions } from './privet.ts';
import { type ProtectFetchOptions, protectFetchWith } from './protect-fetch.ts';

export type { Detection } from '../core/recognizer.ts';
export { MemoryVault } from '../core/vault.ts';
export { PrivetError } from './errors.ts';
export type { PrivetOptions } from './privet.ts';

/** Privet without the functions that the light entry lacks. */
export type LightPrivet = Omit<Privet, 'detectInjection' | 'detectSQLInjection' | 'detectAllInjections'>;

/** @throws PrivetError `invalid_input` like `privet-sdk`, and for a type that this entry does not have */
export function createPrivet(options: PrivetOptions = {}): LightPrivet {
  const {
    detectInjection: _prompt,
    detectSQLInjection: _sql,
    detectAllInjections: _all,
    ...light
  } = createFull(options);
  return light;
}

/** Like `protectFetch` of `privet-sdk`. */
export function protectFetch(
  fetch?: typeof globalThis.fetch,
  options: ProtectFetchOptions = {},
): typeof globalThis.fetch {
  return protectFetchWith(options?.privet ?? createFull(), fetch, options);
}
