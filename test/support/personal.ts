/** Fictional personal data for the end-to-end tests, none of which may appear at an origin or in a log. */

/** One value of several built-in types. All are reserved for documentation or published as test values. */
export const personal = {
  EMAIL: 'hanako.yamada@example.co.jp',
  CREDIT_CARD: '4111 1111 1111 1111',
  IBAN: 'DE89 3704 0044 0532 0130 00',
  SSN: '536-22-8145',
  API_KEY: 'sk-proj-' + 'Zq8vT3nLw5Yk2Rb7Xm4Hd9Pf6Js1Gc0Aa8Ee3Uu5Ii7',
} as const;

/** A prompt that contains each value of {@link personal} once. */
export const prompt =
  `Please write to ${personal.EMAIL} that card ${personal.CREDIT_CARD} and account ${personal.IBAN} ` +
  `are noted, that the social security number is ${personal.SSN} and the api key is ${personal.API_KEY}.`;

/** The values of {@link personal} that a text contains, with or without their spaces. */
export function leaksIn(text: string): string[] {
  return Object.values(personal).filter((value) => text.includes(value) || text.includes(value.replaceAll(' ', '')));
}
