/**
 * The user's own patterns: an exact text, or a regular expression written `/pattern/flags`.
 */
import { PrivetError } from './errors.ts';
import type { Detection, Recognizer } from './recognizer.ts';
import { checkLabel } from './token-types.ts';

/** One entry of a dictionary. The label names the token: `[LABEL_1]`. */
export type DictionaryEntry = { readonly label: string; readonly pattern: string };

const patternLengthMax = 500;

/**
 * A recognizer for one entry.
 * @throws PrivetError `invalid_input` for a label of the wrong shape, an empty or too long pattern, or one that does not compile.
 */
export function dictionaryRecognizer(entry: DictionaryEntry): Recognizer {
  const label = checkLabel(entry.label);
  const pattern = compile(entry.pattern);
  return {
    name: 'dictionary',
    type: label,
    find: ({ original }) => {
      const found: Detection[] = [];
      for (const match of original.matchAll(pattern)) {
        const value = match[0];
        if (value === '') continue;
        const start = match.index;
        found.push({ type: label, value, start, end: start + value.length, score: 1, recognizer: 'dictionary' });
      }
      return found;
    },
    samples: { match: [], noMatch: [] },
  };
}

function compile(pattern: string): RegExp {
  if (pattern === '' || pattern.length > patternLengthMax) {
    throw new PrivetError('invalid_input', 'A dictionary pattern is empty or too long.', {
      hint: `Use 1 to ${patternLengthMax} characters.`,
    });
  }
  const written = /^\/(.+)\/([imsu]*)$/s.exec(pattern);
  if (written === null) return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'g');
  try {
    return new RegExp(written[1] ?? '', `g${written[2]}`);
  } catch (cause) {
    throw new PrivetError('invalid_input', 'A dictionary pattern is no valid regular expression.', {
      hint: 'Write it as /pattern/flags with the flags i, m, s or u.',
      cause,
    });
  }
}
