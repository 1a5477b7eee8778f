/** Near misses of tokens: what is found if a character of a spelling differs, and what is held if it is truncated. */
import { findTokens, heldSuffixLength } from '../../../core/tokens/tokens.ts';
import { spellings } from '../../core/token-spellings.ts';
import { blockOf, characterwise, type Edits, type Look } from './golden.ts';
import type { Made } from './recognizers.ts';

const put = (what: string) => () => what;
const others = ['[', ']', '\\', '&', '%', '*', ';', '=', '_', '】', '山'];
const names = ['drop', 'kind', 'case', 'width', 'space>'];

const edits: Edits = {
  ...characterwise,
  edits: {
    ...Object.fromEntries(Object.entries(characterwise.edits).filter(([name]) => names.includes(name))),
    'to zero': put('\u200b'),
    ...Object.fromEntries(others.map((sign) => [`to ${sign}`, put(sign)])),
  },
  wholes: ({ text }) =>
    ['a', 'A', '0', '_', '-', '[', ']', '\\', '(', '*', '山'].flatMap((sign) =>
      [`${sign}${text}`, `${text}${sign}`, `${text}${sign}${text}`].map(
        (changed, i) => [`${[`${sign}>`, `<${sign}`, `<${sign}>`][i]}`, { text: changed, start: 0, end: 0 }] as const,
      ),
    ),
};

const lookFor =
  (bare: boolean): Look =>
  ({ text }) => {
    const held = heldSuffixLength(text, undefined, { bare });
    return [
      ...findTokens(text, { bare }).map(({ identity, form, end, start }) => `${identity} ${form} ${end - start}`),
      held > 0 ? `held ${held}` : '',
    ]
      .filter((part) => part !== '')
      .join(', ');
  };

/** A block for each spelling. */
export function tokenBlocks(): Made[] {
  const bare = ['EMAIL-1', 'PHASE2_11', 'id: NAME-12.'];
  return [...spellings.map(([text]) => text), ...bare].map((text) => ({
    name: text,
    make: () =>
      blockOf({ text, start: 0, end: text.length }, { kind: '+', look: lookFor(bare.includes(text)), by: edits }),
  }));
}
