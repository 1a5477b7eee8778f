/** Forms (application/x-www-form-urlencoded): every name and value is a text, values may hold JSON; unchanged pairs keep their bytes. */
import { openFileText } from './content.ts';
import {
  type Changes,
  type Findings,
  noteLabel,
  openBase64,
  openPlain,
  openText,
  type TextDocument,
} from './document.ts';
import { percentDecoded, percentEncoded } from './percent.ts';
import { binaryValue, isStructural } from './structure.ts';

// Nine digits and more may be a telephone or an identity number.
const plainName = /^(?!(?:\D*\d){9})[\w.:$[\]-]*$/;

type Piece = { readonly raw: string; readonly document: TextDocument | undefined };

/**
 * Opens a form body (or the query of a URL, without `?`). What is no valid percent-encoding stands for itself and comes
 * back as it was: forms of old pages are written in other charsets, and their readers take the rest all the same.
 * A form holds no bare bracket at its start: many programs (`curl -d`) send JSON under this type.
 */
export function openForm(body: string, findings: Findings): TextDocument {
  if (/^\s*[{[]/.test(body)) return openFileText(body, findings, 0);
  const pieces = body
    .split(/([&=])/)
    .reduce(joinValues, [])
    .map((raw, at, all): Piece => {
      if (raw === '' || raw === '&' || raw === '=') return { raw, document: undefined };
      const text = decode(raw);
      if (all[at - 1] !== '=') {
        const isPlain = all[at + 1] === '=' && plainName.test(text);
        return { raw, document: isPlain ? undefined : openPlain(text, findings) };
      }
      const name = decode(all[at - 2] ?? '');
      // A plus sign in the base64 of an address has become a blank.
      const coded = text.startsWith('data:') ? text.replaceAll(' ', '+') : text;
      const binary = binaryValue(name, coded);
      if (binary) return { raw, document: openBase64(coded, { ...binary, pointer: name }, findings, 0) };
      if (isStructural(name, text)) return { raw, document: undefined };
      const leaf = findings.leaves.length;
      const document = openText(text, findings, 1);
      noteLabel(findings, leaf, name, text, false);
      return { raw, document };
    });
  return {
    rewrite(changes: Changes) {
      let changed = false;
      const parts = pieces.map(({ raw, document }) => {
        const text = document?.rewrite(changes);
        if (text === undefined) return raw;
        changed = true;
        const encoded = percentEncoded(text);
        return raw.includes('+') ? encoded.replaceAll('%20', '+') : encoded;
      });
      return changed ? parts.join('') : undefined;
    },
  };
}

/** Names, values and what stands between them; only the first `=` of a pair ends its name. */
function joinValues(pieces: string[], piece: string): string[] {
  const isValue = pieces.at(-2) === '=' || pieces.at(-1) === '=';
  if (isValue && piece !== '&' && pieces.at(-1) !== '=') pieces[pieces.length - 1] += piece;
  else pieces.push(piece);
  return pieces;
}

function decode(raw: string): string {
  return percentDecoded(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
}
