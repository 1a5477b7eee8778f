/** All types that are decided by context: the rows of `context-types.json`, and the candidates that no form describes. */
import { daysIn } from '../context/calendar-days.ts';
import type { ContextType } from '../context/context-type.ts';
import { cardSigns, japanesePlates, platesOfScripts } from '../context/japanese-signs.ts';
import { describeSecret, secretSpans } from '../context/secret-spans.ts';
import { wordsOfType } from '../context/type-words.ts';
import rows from './context-types.json' with { type: 'json' };
import { checkOf } from './identifiers/check-rules.ts';

/** A row: the forms as patterns, and by the form of the bare value the check that applies to it. */
type ContextRow = {
  readonly name: string;
  readonly type: string;
  readonly forms?: readonly string[];
  readonly check?: Readonly<Record<string, string>>;
};

/** What is no data of a row. */
const own: Readonly<Record<string, Pick<ContextType, 'spans' | 'describe' | 'mayHold'>>> = {
  'date-of-birth': { spans: daysIn },
  'health-insurance': { spans: cardSigns },
  password: {
    spans: (text, stretches) => secretSpans(text, stretches, text.keywords.labels('password')),
    describe: describeSecret,
  },
  'vehicle-plate': {
    spans: (text, stretches) => [...japanesePlates(text, stretches), ...platesOfScripts(text, stretches)],
    mayHold: ({ kanaJoints }) => kanaJoints.length > 0,
  },
};

export const contextTypes: readonly ContextType[] = (rows as readonly ContextRow[]).map(
  ({ name, type, forms = [], check = {} }) => {
    const checks = Object.entries(check).map(([form, rule]) => ({
      form: new RegExp(`^(?:${form})$`),
      test: checkOf([rule]),
    }));
    return {
      name,
      type,
      forms: forms.map((form) => new RegExp(form)),
      check: (bare) => checks.find(({ form }) => form.test(bare))?.test(bare),
      ...own[name],
      words: wordsOfType(type),
    };
  },
);
