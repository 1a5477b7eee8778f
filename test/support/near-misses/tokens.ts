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

const bareName = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');

/** `~-` or `~_` for the token whose letters and digits are those of the text. */
function asSpelled(identity: string, text: string): string {
  const sign = /[-_](?=\d+\]$)/.exec(identity)?.[0];
  return sign !== undefined && bareName(identity) === bareName(text) ? `~${sign}` : identity;
}

const lookFor =
  (bare: boolean): Look =>
  ({ text }) => {
    const held = heldSuffixLength(text, undefined, { bare });
    const length = (part: number) => (part === text.length ? 'all' : part);
    return [
      ...findTokens(text, { bare }).map(
        ({ identity, form, end, start }) => `${asSpelled(identity, text)} ${form} ${length(end - start)}`,
      ),
      held > 0 ? `held ${length(held)}` : '',
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
