/** How tokens are spelled: `[EMAIL-1]` and `[LABEL_1]`, `[SECURED:type=EMAIL,id=…]`, `[SRAG:cat=PII,name=EMAIL,id=…]`. */
export type TokenFormat = 'counter' | 'secured' | 'srag';

/** A value to be replaced by a token. */
export type VaultEntry = {
  readonly type: string;
  readonly value: string;
  /** True if the type is a label of the custom dictionary, whose tokens are `[LABEL_n]`. */
  readonly label?: boolean;
  /** The `cat` of the `srag` format, in capitals; default `PII`. */
  readonly category?: string;
  /**
   * True if the value is directly between `[` and `]` in the text. The vault then resolves `[[EMAIL-1]]` to `[value]`,
   * so the user's own brackets are not mistaken for a model's.
   */
  readonly bracketed?: boolean;
};

/** The issued tokens of a session; read-only. */
export interface TokenMap {
  /** The original value of a canonical token, e.g. `[EMAIL-1]`. */
  get(token: string): string | undefined;
  readonly size: number;
  /** True if an issued token may start with this canonical partial spelling, such as `[EMA` or `[EMAIL-1`. */
  hasPrefix?(partial: string): boolean;
  entries(): Iterable<[token: string, value: string]>;
}
