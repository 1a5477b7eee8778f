/** The canonical form of a token spelling, and how the spelling differs from it. */
import { tokenTypeOf } from './token-types.ts';

/** How a spelling differs from the canonical one; `exact` does not. */
export type TokenForm =
  | 'exact'
  | 'case'
  | 'separator'
  | 'escaped'
  | 'spaced'
  | 'fullwidth'
  | 'doubled'
  | 'entity'
  | 'percent'
  | 'emphasis'
  | 'bare';

/** A spelling of a token in a text; `identity` is the canonical spelling. */
export type TokenMatch = {
  readonly start: number;
  readonly end: number;
  readonly identity: string;
  readonly form: TokenForm;
};

/** A complete token in a text. */
export type Candidate = TokenMatch & { readonly cut?: false };

/** The start of a token that is cut off by the end of the text. */
export type Cut = { readonly cut: true; readonly partial: string };

/** The kinds of brackets. */
export type BracketStyle = 'plain' | 'escaped' | 'fullwidth' | 'entity' | 'percent';

/** Properties of a spelling seen by the scanner. */
export type Seen = {
  readonly style: BracketStyle;
  readonly escaped: boolean;
  readonly marked: boolean;
  readonly spaced: boolean;
};

/** The token named `body`; undefined if that is not a name with a number. */
export function matchOf(text: string, start: number, end: number, body: string, seen: Seen): TokenMatch | undefined {
  const identity = identityOf(body.endsWith('_') ? body.slice(0, -1) : body);
  if (identity === undefined) return undefined;
  return { start, end, identity, form: formOf(text.slice(start, end), identity, seen) };
}

/** `EMAIL_1`, `EMAIL1` → `[EMAIL-1]`; `MY_LABEL_1` → `[MY_LABEL_1]`; undefined if it is not a name with a number. */
export function identityOf(body: string): string | undefined {
  const parts = /^([A-Z][A-Z0-9_]*?)(_?)([1-9][0-9]{0,8})$/.exec(body);
  if (parts === null) return undefined;
  const [, name = '', between, n] = parts;
  const type = tokenTypeOf(name);
  if (type !== undefined) return `[${type}-${n}]`;
  // Labels may contain digits, so their number must be separate.
  return between === '_' ? `[${name}_${n}]` : undefined;
}

/** How the spelling differs from the canonical one. */
export function formOf(spelling: string, identity: string, seen: Seen): TokenForm {
  if (spelling === identity) return 'exact';
  if (seen.style === 'entity' || seen.style === 'percent') return seen.style;
  if (seen.style === 'fullwidth' || /[\uFF01-\uFF5E]/.test(spelling)) return 'fullwidth';
  if (seen.escaped) return 'escaped';
  if (seen.marked) return 'emphasis';
  if (spelling.toUpperCase() === identity.toUpperCase()) return 'case';
  return seen.spaced || /^\[\s|\s\]$/.test(spelling) ? 'spaced' : 'separator';
}

/** The start of a token whose name was read up to `body`. */
export function cutOf(body: string): Cut {
  const name = body.endsWith('_') ? body.slice(0, -1) : body;
  const parts = /^([A-Z][A-Z0-9_]*?)_([0-9]+)$/.exec(name);
  const type = parts === null ? undefined : tokenTypeOf(parts[1] ?? '');
  return { cut: true, partial: type === undefined ? `[${name}` : `[${type}-${parts?.[2]}` };
}

/** Lower-case keys, upper-case values of `type`, `cat` and `name`, and an unchanged id. */
export function canonicalParameters(raw: string): string {
  // An id on its own.
  if (!raw.includes('=')) return raw;
  return raw
    .split(',')
    .map((part) => {
      const equals = part.indexOf('=');
      if (equals < 0) return part.toLowerCase();
      const key = part.slice(0, equals).toLowerCase();
      const value = part.slice(equals + 1);
      return `${key}=${key === 'id' ? value : value.toUpperCase()}`;
    })
    .join(',');
}
