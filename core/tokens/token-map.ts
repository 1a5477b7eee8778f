/** Entries of a vault, and the tokens it has issued. */

/** How tokens are spelled: `[EMAIL-1]` and `[LABEL_1]`, `[SECURED:type=EMAIL,id=…]`, `[SRAG:cat=PII,name=EMAIL,id=…]`. */
export type TokenFormat = 'counter' | 'secured' | 'srag';

/** A value to be replaced by a token. */
export type VaultEntry = {
  readonly type: string;
  readonly value: string;
  /** The type is a label of the custom dictionary: its tokens are `[LABEL_n]`. */
  readonly label?: boolean;
  /** The `cat` of the format `srag`, in capitals; default `PII`. */
  readonly category?: string;
  /**
   * The value is directly between `[` and `]` in the text. The vault then resolves the doubled spelling `[[EMAIL-1]]` to
   * `[value]`, so that the user's own brackets are not mistaken for ones that a model added.
   */
  readonly bracketed?: boolean;
};

/** The issued tokens of a session; read-only. */
export interface TokenMap {
  /** The original value of a canonical token, e.g. `[EMAIL-1]`. */
  get(token: string): string | undefined;
  readonly size: number;
  /** True when some issued token may start with this canonical partial spelling, e.g. `[EMA` or `[EMAIL-1`. */
  hasPrefix?(partial: string): boolean;
  entries(): Iterable<[token: string, value: string]>;
}
