/**
 * Replaces tokens by their original values, in a complete text or in a piece of a run.
 */
import { PrivetError } from './errors.ts';
import { beginsHost } from './guard/link-reader.ts';
import { type AllowsHost, UrlGuard } from './guard/url-guard.ts';
import type { JsonFence } from './payload/json-fence.ts';
import { isTokenType } from './tokens/token-types.ts';
import { findTokens, type TokenMatch } from './tokens/tokens.ts';
import type { TokenMap } from './vault.ts';

/** The restored text, how many tokens were replaced, and canonical tokens that were not issued or were kept by a guard. */
export type RestoreResult = { restored: string; restoredCount: number; unresolved: string[] };

/** Options of {@link restoreText}. */
export type RestoreOptions = {
  /** Accept `EMAIL-1` without brackets; meant for tool arguments only. */
  readonly bare?: boolean;
  /** A token inside a URL of displayed text stays a token. Default true; false for text that is not rendered. */
  readonly guardUrls?: boolean;
  /** Hosts whose URLs may contain originals; default none. */
  readonly allowsHost?: AllowsHost;
  /** The guard of a run that arrives in pieces: pass the same one with every piece. */
  readonly guard?: UrlGuard;
  /** Follows the text, and escapes a value in the strings of a block of JSON. */
  readonly fence?: JsonFence | undefined;
  /** Whether a position is inside a URL that began in the surrounding text. Called in order. */
  readonly isInAddress?: (start: number) => boolean;
  /** Writes a value in the encoding of the text around it, e.g. escaped for JSON. */
  readonly encode?: (value: string) => string;
  /** UTF-16 code units that the restored text may have; more is `body_too_large`. Default no limit. */
  readonly lengthMax?: number;
  /** Called for each replacement in order: offsets in the given text, and the new text. */
  readonly onEdit?: (start: number, end: number, value: string) => void;
};

/**
 * Replaces every issued token, in any tolerated spelling. Restored values are not scanned again. Text that looks like a
 * token but was not issued stays as it is.
 * @throws PrivetError `body_too_large` beyond `lengthMax`.
 */
export function restoreText(text: string, map: TokenMap, options: RestoreOptions = {}): RestoreResult {
  const isIssued = (identity: string) => map.get(identity) !== undefined;
  const matches = findTokens(text, options.bare ? { bare: true, isIssued } : undefined);
  const { guard } = options;
  if (matches.length === 0) {
    guard?.push(text);
    return { restored: text, restoredCount: 0, unresolved: [] };
  }
  const activeGuard = options.guardUrls === false ? undefined : (guard ?? new UrlGuard(options.allowsHost));
  const encode = options.encode ?? ((value: string) => value);
  const unresolved = new Set<string>();
  let out = '';
  let done = 0;
  let guarded = 0;
  let restoredCount = 0;
  for (const match of matches) {
    const value = originalOf(text, match, map);
    if (value === undefined) {
      if (isLikelyToken(match)) unresolved.add(match.identity);
      continue;
    }
    activeGuard?.push(text, guarded, match.start);
    guarded = Math.max(guarded, match.start);
    if (
      options.isInAddress?.(match.start) ||
      activeGuard?.isInsideAddress ||
      (activeGuard && beginsHost(text, match.end))
    ) {
      unresolved.add(match.identity);
      continue;
    }
    options.fence?.push(text, done, match.start);
    const encoded = encode(options.fence?.escape(value) ?? value);
    options.onEdit?.(match.start, match.end, encoded);
    out += text.slice(done, match.start) + encoded;
    if (options.lengthMax !== undefined && out.length > options.lengthMax) throw tooLong(options.lengthMax);
    done = match.end;
    activeGuard?.push(value);
    guarded = match.end;
    restoredCount++;
  }
  activeGuard?.push(text, guarded);
  return { restored: out + text.slice(done), restoredCount, unresolved: [...unresolved] };
}

/** A short text can repeat the token of a long value many times. */
function tooLong(lengthMax: number): PrivetError {
  return new PrivetError('body_too_large', `The restored text would be longer than ${lengthMax} characters.`, {
    hint: 'Restore it in parts.',
  });
}

/** The value that replaces a spelling, in the same encoding; undefined for a token that was not issued. */
export function originalOf(text: string, match: TokenMatch, map: TokenMap): string | undefined {
  if (match.form === 'doubled') return map.get(`[${match.identity}]`) ?? map.get(match.identity);
  const value = map.get(match.identity);
  if (value === undefined) return undefined;
  if (match.form === 'percent') {
    const once = encodeURIComponent(value.toWellFormed());
    return text.startsWith('%25', match.start) ? encodeURIComponent(once) : once;
  }
  if (match.form === 'entity') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return value;
}

/** `[Figure 1]` looks like a mangled label, so only spellings that Privet writes are reported. */
export function isLikelyToken(match: TokenMatch): boolean {
  if (match.form === 'exact') return true;
  const name = /^\[([A-Z_]+)-[0-9]+\]$/.exec(match.identity)?.[1];
  return name !== undefined && isTokenType(name);
}
