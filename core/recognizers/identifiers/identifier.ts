/** The shape of a type that we recognize by its form, its check digit and the label beside it. */

/** What a number is for: decides its group and the words that name it on screen. */
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
  /** The name that tokens carry, opened by the country's code where it is of one: `DE_TAX_ID`. */
  readonly type: string;
  readonly kind: IdentifierKind;
  /** How it is written, separators included, letters in capitals. Matched against the whole candidate. */
  readonly form: RegExp;
  /** Letters and digits in it. */
  readonly length: number | readonly number[];
  /** The check digit, or what else of its structure can be verified, over the bare characters. */
  readonly check?: (bare: string) => boolean;
  /** True where signs such as `-` and `+` are part of the number and reach `check`. */
  readonly keepsSigns?: boolean;
  /**
   * Found without a label: `true` for the whole form, or the spelling that is rare enough. The check must hold, where there
   * is one.
   */
  readonly alone?: true | RegExp;
  /** True where a label is not enough: the check must hold, or the form is too loose for a label far away. */
  readonly strict?: boolean;
  /** Words that name it, in any language; case, accents and number words such as `no.` make no difference. */
  readonly labels: readonly string[];
};
