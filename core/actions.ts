/**
 * What replaces a detected value. A token can be restored; nothing else can, and nothing else is stored.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { PrivetError } from './errors.ts';
import type { Detection, FoundInTexts } from './recognizer.ts';
import { nearestTokenType, tokenTypes } from './tokens/token-types.ts';
import { settingOf, typeGroups } from './types.ts';

/** The named actions. */
export const actionNames = ['token', 'redact', 'mask', 'hash', 'block'] as const;

/**
 * What happens to the values of a type:
 * - `token` (default): `[EMAIL-1]`, which can be restored
 * - `redact`: `[EMAIL]`
 * - `mask`: `****1234`, the last four letters or digits of a value that has at least eight
 * - `hash`: `[EMAIL#3f5a…]`, equal for equal values under one key
 * - `{ replace: 'Jane Doe' }`: that text
 * - `block`: nothing is masked, an error is thrown
 */
export type MaskAction = (typeof actionNames)[number] | { readonly replace: string };

/** Action by type, by group of types (`SECRETS`), or by label of the dictionary. */
export type MaskActions = Readonly<Record<string, MaskAction>>;

/** Longest text of `replace`, in UTF-16 code units. */
export const replacementLengthMax = 200;
/** Minimum length of the `hash` key, in bytes. */
export const hashKeyBytesMin = 16;
/** Digits of a displayed hash: 64 bits, so collisions are unlikely even among a billion values. */
const hashDigits = 16;

/** The `hash` key; a function if it is only known later. */
export type HashKey = Uint8Array | (() => Uint8Array);

/** The actions of one configuration, ready for texts. */
export class Replacements {
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #hashKey: HashKey | undefined;

  /**
   * Other settings of a type (`on`, `off`) are ignored.
   * @throws PrivetError `invalid_input` for `hash` without a key of at least {@link hashKeyBytesMin} bytes
   */
  constructor(settings: Readonly<Record<string, unknown>>, hashKey?: HashKey) {
    const bytes = typeof hashKey === 'function' ? hashKeyBytesMin : (hashKey?.length ?? 0);
    if (Object.values(settings).includes('hash') && bytes < hashKeyBytesMin) {
      throw new PrivetError('invalid_input', `The action hash needs a key of at least ${hashKeyBytesMin} bytes.`, {
        hint: 'Set hashKey: without a key, anyone can recover a value by hashing the possible ones.',
      });
    }
    this.#settings = settings;
    this.#hashKey = hashKey;
  }

  /** The replacement of a value; undefined for a token. @throws PrivetError `blocked_by_policy` */
  of({ type, value }: Detection): string | undefined {
    const action = settingOf(type, this.#settings) as MaskAction | 'on' | 'off';
    if (typeof action === 'object') return action.replace;
    switch (action) {
      case 'redact':
        return `[${type}]`;
      case 'mask':
        return shortened(value);
      case 'hash':
        return `[${type}#${this.#hashOf(value)}]`;
      case 'block':
        throw new PrivetError('blocked_by_policy', `The text contains ${type}, which is set to block.`, {
          hint: 'Remove the value, or choose another action for its type.',
          details: { types: [type] },
        });
      default:
        return undefined;
    }
  }

  #hashOf(value: string): string {
    const key = typeof this.#hashKey === 'function' ? this.#hashKey() : (this.#hashKey as Uint8Array);
    return bytesToHex(hmac(sha256, key, utf8ToBytes(value))).slice(0, hashDigits);
  }

  /** The detections of each text that get a token. */
  tokensOnly(found: FoundInTexts): (Detection[] | undefined)[] {
    return found.map((detections) => detections?.filter((detection) => this.of(detection) === undefined));
  }

  /** The replacement of each detection, in order; `tokens` are those of {@link tokensOnly}. */
  filled(found: FoundInTexts, tokens: readonly string[]): string[] {
    let next = 0;
    return found.flatMap((detections) => (detections ?? []).map((one) => this.of(one) ?? tokens[next++] ?? ''));
  }
}

/**
 * The replacements for some settings; undefined if all of them are tokens, the default.
 * @throws PrivetError as {@link Replacements}
 */
export function replacementsOf(
  settings: Readonly<Record<string, unknown>>,
  hashKey?: HashKey,
): Replacements | undefined {
  const isPlain = Object.values(settings).every((action) => action === 'token' || action === 'on' || action === 'off');
  return isPlain ? undefined : new Replacements(settings, hashKey);
}

/**
 * Checks a caller's actions; `labels` are the types besides the built-in ones. Unknown names are rejected: a misspelt one
 * would let through what it was meant to block.
 * @throws PrivetError `invalid_input` for an unknown action, and for a name that is not a type, group or label
 */
export function checkActions(actions: unknown, labels: Iterable<string> = []): MaskActions {
  const known = new Set<string>([...typeGroups, ...tokenTypes, ...labels]);
  if (typeof actions !== 'object' || actions === null || Array.isArray(actions)) {
    throw new PrivetError('invalid_input', 'actions: expected an object of actions by type.', {
      hint: "Use { EMAIL: 'redact' }.",
    });
  }
  for (const [name, action] of Object.entries(actions)) {
    if (!known.has(name)) {
      const nearest = nearestTokenType(name);
      throw new PrivetError('invalid_input', `actions: ${JSON.stringify(name.slice(0, 40))} is not a known type.`, {
        hint: nearest === undefined ? 'Use a type like EMAIL, or a group like SECRETS.' : `Did you mean ${nearest}?`,
      });
    }
    if (!isAction(action)) {
      throw new PrivetError('invalid_input', `actions.${name} is not a valid action.`, {
        hint: `Use ${actionNames.join(', ')}, or { replace: 'text' } with at most ${replacementLengthMax} characters.`,
      });
    }
  }
  return actions as MaskActions;
}

function isAction(action: unknown): boolean {
  if (typeof action !== 'object' || action === null) return (actionNames as readonly unknown[]).includes(action);
  const { replace, ...others } = action as { readonly replace?: unknown };
  return typeof replace === 'string' && replace.length <= replacementLengthMax && Object.keys(others).length === 0;
}

/** The last four letters or digits; none of a short value, where they would be half of it. */
function shortened(value: string): string {
  const signs = value.match(/[\p{L}\p{N}]/gu) ?? [];
  return `****${signs.length < 8 ? '' : signs.slice(-4).join('')}`;
}
