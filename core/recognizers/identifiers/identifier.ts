/** A type that is recognized by its form, check digit and label. */

/** The purpose of a number; it determines the group and the display name. */
export type IdentifierKind =
  | 'national-id'
  | 'tax-id'
  | 'social-security'
  | 'health'
  | 'id-card'
  | 'passport'
  | 'driver'
  | 'vat'
  | 'company'
  | 'bank'
  | 'device'
  | 'vehicle'
  | 'address'
  | 'phone'
  | 'person';

/** One identifier, as data. */
export type IdentifierType = {
  /** The token name, with the country code first: `DE_TAX_ID`. */
  readonly type: string;
  readonly kind: IdentifierKind;
  /** The written form including separators, in upper case. Matched against the whole candidate. */
  readonly form: RegExp;
  /** Number of letters and digits. */
  readonly length: number | readonly number[];
  /** Verifies the check digit or structure of the value without separators. */
  readonly check?: (bare: string) => boolean;
  /** Excludes numbers of the form that are something else, as written. */
  readonly not?: readonly ((written: string) => boolean)[];
  /** Keeps `-` and `+`, which are part of the number, for `check`. */
  readonly keepsSigns?: boolean;
  /** Found without a label: `true` for the whole form, or the spelling that is distinctive enough. The check must pass. */
  readonly alone?: true | RegExp;
  /** The check is decisive: found even after a word for another number, and next to other digits. */
  readonly isSure?: boolean;
  /** A label is not enough: the check must pass, and the label must be adjacent. */
  readonly strict?: boolean;
  /** Labels in any language; case, accents and number words such as `no.` are ignored. */
  readonly labels: readonly string[];
};
