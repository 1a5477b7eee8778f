/** Near misses of tokens: what is found if a character of a spelling differs, and what is held if it is truncated. */
import { findTokens, heldSuffixLength } from '../../../core/tokens/tokens.ts';
import { spellings } from '../../core/token-spellings.ts';
import { placeOf } from './edits.ts';
import { blockOf, characterwise, type Edits, type Look, sampled } from './golden.ts';
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
      Object.entries({
        [`${sign}>`]: { text: `${sign}${text}`, start: 1, end: 1 + text.length },
        [`<${sign}`]: { text: `${text}${sign}`, start: 0, end: text.length },
        [`<${sign}>`]: { text: `${text}${sign}${text}`, start: 0, end: text.length },
      }),
    ),
};

const bareName = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/&[a-z]+;/g, '')
    .replace(/[^\w:=,]/g, '');

/** `~-`, `~_` or `≈` for a token of the letters and digits of the text in which it is found, `~` for the sample's. */
function asSpelled(identity: string, text: string, usual: string | undefined): string {
  const sign = /^[^=]*([-_])\d+\]$/.exec(identity)?.[1];
  if (sign !== undefined && bareName(identity) === bareName(text)) return `~${sign}`;
  if (identity === usual) return '~';
  return plain(identity) === plain(text) ? '≈' : identity;
}

function lookFor(sample: string): Look {
  const usual = findTokens(sample, { bare: false })[0]?.identity;
  return (variant) => {
    const { text } = variant;
    const held = heldSuffixLength(text, undefined, { bare: false });
    const tokens = findTokens(text, { bare: false }).map(({ identity, form, end, start }) => {
      const isExact = start === variant.start && end === variant.end;
      const place = isExact ? '' : ` ${placeOf(start, variant)}..${placeOf(end, variant)}`;
      return `${asSpelled(identity, text.slice(start, end), usual)} ${form}${place}`;
    });
    return [...tokens, ...(held > 0 ? [`held ${placeOf(text.length - held, variant)}`] : [])].join(', ');
  };
}

/** A block for each spelling. */
export function tokenBlocks(): Made[] {
  const blocks = spellings.map(([text]) => ({
    name: text,
    make: () => blockOf({ text, start: 0, end: text.length }, { kind: '+', look: lookFor(text), by: edits }),
  }));
  return sampled(blocks);
}
