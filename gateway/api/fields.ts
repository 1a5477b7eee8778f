/** Fields shared by several request bodies, each described once. */
import { z } from 'zod';
import { nearestName } from '../../config/nearest.ts';
import { actionNames, replacementLengthMax } from '../../core/actions.ts';
import { dictionaryEntriesMax, patternLengthMax } from '../../core/dictionary/dictionary.ts';
import { labelLengthMax, nearestTokenType, tokenTypes } from '../../core/tokens/token-types.ts';

/** Maximum length of a text, in UTF-16 code units. */
const textLengthMax = 10_000_000;
/** Maximum length of a restored text, in UTF-16 code units. */
export const restoredLengthMax = 50_000_000;
/** Maximum length of a caller's session id. */
const sessionIdLengthMax = 128;

export const text = z.string().max(textLengthMax).describe('The text.');

/** Texts of a batch; all of them together are bounded by the size of a body. */
const textsMax = 1_000;

export const texts = z.array(text).min(1).max(textsMax).describe('Up to 1,000 texts.');

export const sessionId = z
  .string()
  .min(1)
  .max(sessionIdLengthMax)
  .describe('The session that an earlier call returned.');

export const lang = z
  .enum(['en', 'ja'])
  .optional()
  .describe('A hint; both languages are always checked. With ja, a US social security number needs a context word.');

/** `lang` of the injection checks, whose rules cover every language. */
export const anyLang = lang.describe('Accepted for compatibility: both languages are always checked.');

/** `lang` of calls that restore: tokens are the same in every language. */
export const unusedLang = lang.describe('Accepted, without effect: tokens are the same in every language.');

export const minScore = z.number().min(0).max(1).optional().describe('Omit detections with a lower score. Default 0.');

export const types = z
  .array(
    z.enum(tokenTypes, {
      error: ({ input }) => {
        const nearest =
          typeof input === 'string' ? (nearestTokenType(input) ?? nearestName(input, tokenTypes)) : undefined;
        return nearest === undefined ? 'is not a known type' : `is not a known type; did you mean ${nearest}?`;
      },
    }),
  )
  .min(1, 'name at least one type, or leave types out')
  .max(tokenTypes.length)
  .optional()
  .describe('Only these types, one or more. Default: all.');

const entry = z
  .strictObject({
    label: z.string().max(labelLengthMax).describe('Names the token: PROJECT becomes [PROJECT_1].'),
    pattern: z.string().max(patternLengthMax).describe('An exact text, or /expression/flags.'),
  })
  .meta({ id: 'DictionaryEntry' });
const entries = z.array(entry);

/** A dictionary with at most this many entries. */
export const dictionaryOf = (entriesMax: number) => entries.max(entriesMax).optional();

export const dictionary = dictionaryOf(dictionaryEntriesMax).describe(
  'Custom terms. Needs the Starter plan or a larger one.',
);

export const tokenFormat = z
  .enum(['counter', 'secured'])
  .optional()
  .describe('counter: [EMAIL-1]; secured: [SECURED:type=EMAIL,id=…]. Default counter.');

export const actions = z
  .record(
    z.string().regex(/^[A-Z][A-Z0-9_]{0,39}$/, 'must be a type like EMAIL, a group like SECRETS, or a label'),
    z.union([z.enum(actionNames), z.strictObject({ replace: z.string().max(replacementLengthMax) })], {
      error: `must be ${actionNames.join(', ')} or { replace }`,
    }),
  )
  .optional()
  .describe(
    'By type or group, what replaces a value: token (default, restorable), redact ([EMAIL]), mask (****1234), ' +
      'hash (keyed, equal for equal values of the account), { replace: TEXT }, block (403).',
  );

export const tokenMap = z.record(z.string().max(300), z.string().max(100_000)).describe('Tokens and their values.');
export type TokenMap = z.infer<typeof tokenMap>;

/** Where the values of a text come from: a session, a map, or neither. */
export const sources = { sessionId: sessionId.optional(), tokenMap: tokenMap.optional() };

/** At most one of {@link sources}; for `refine`. */
export const oneSource: [(body: { sessionId?: unknown; tokenMap?: unknown }) => boolean, z.core.$ZodCustomParams] = [
  (body) => body.sessionId === undefined || body.tokenMap === undefined,
  { path: ['tokenMap'], message: 'give sessionId or tokenMap, not both' },
];

export const guardUrls = z
  .boolean()
  .optional()
  .describe(
    'A token inside the URL of a link or image stays a token, so that a rendered link cannot leak a value. Default true.',
  );

/** What a call detects. */
export const explain = z.boolean().optional().describe('Each detection contains `why`.');
export const wanted = { lang, types, minScore, dictionary, explain };

export const detection = z
  .object({
    type: z.string(),
    value: z.string(),
    start: z.int().describe('UTF-16 code units'),
    end: z.int(),
    score: z.number(),
    recognizer: z.string(),
    context: z.string().optional(),
    checksum: z.boolean().optional(),
    why: z
      .array(z.object({ feature: z.string(), weight: z.number(), text: z.string() }))
      .readonly()
      .optional()
      .describe('With `explain`: what contributed most to the score, strongest first.'),
  })
  .meta({ id: 'Detection' });
export type Detection = z.infer<typeof detection>;

export const creditsUsed = z.int().describe('1, or 0 where the call is free.');

export const queryInt = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));
