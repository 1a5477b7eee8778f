/** Forms (application/x-www-form-urlencoded): names and values are texts, values may be JSON; unchanged pairs stay. */

import { isReadableCharset, unreadableCharset } from './charsets.ts';
import { isJsonText, openFileText } from './content.ts';
import { openBase64, openText } from './document.ts';
import { isCodedText } from './labelled.ts';
import { percentDecoded, percentEncoded } from './percent.ts';
import { besideSignatureIn, binaryValue, isStructural } from './structure.ts';
import { type Changes, type Findings, noteLabel, openPlain, type Piece, type TextDocument } from './text-document.ts';

// Nine or more digits may be a telephone or identity number.
const plainName = /^(?!(?:\D*\d){9})[\w.:$[\]-]*$/;

/** Broken JSON without any of these is read unchanged, not as a form. */
const formSign = /[=&%+]/;
/** A pair without a name or value. A single pattern for all pairs would exhaust its stack. */
const noPair = /(?:^|&)(?:=|[^&=]*(?:&|$))/;
/** A literal plus sign in unencoded text: before a telephone number, or in an e-mail address. */
const barePlus = /^\+\d[^+]*$|@/;

/** True for text that looks like a form, which `navigator.sendBeacon` and others send under another type. */
export function isFormText(text: string): boolean {
  return !/\s/.test(text) && /%[\da-f]{2}|\+/i.test(text) && !noPair.test(text);
}

/**
 * Opens a form body (or a URL's query, without `?`). Invalid percent-encoding stays unchanged: old pages use other
 * charsets, and servers accept the valid parts anyway. Many programs (`curl -d`) send JSON under this type, and a
 * pair's name may start with a bracket too.
 * For a text that only looks like a form (`isDeclared` false), names are ignored, and a plus sign may be literal.
 */
export function openForm(body: string, findings: Findings, isDeclared = true): TextDocument {
  if (/^\s*[{[]/.test(body) && (!formSign.test(body) || isJsonText(body))) return openFileText(body, findings, 0);
  const hasPlus = (raw: string) => raw.includes('+') && (isDeclared || !barePlus.test(raw));
  const decode = (raw: string) => percentDecoded(hasPlus(raw) ? raw.replaceAll('+', ' ') : raw);
  const charset = isDeclared ? /(?:^|&)_charset_=([^&]*)/.exec(body)?.[1] : undefined;
  if (charset !== undefined && !isReadableCharset(decode(charset))) throw unreadableCharset(decode(charset));
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
      // A plus sign in base64 has become a space.
      const joined = text.replaceAll(' ', '+');
      const isCoded = isCodedText(name, joined, false);
      const coded = isCoded || text.startsWith('data:') ? joined : text;
      const binary = binaryValue(name, coded, findings.formats) ?? (isCoded ? {} : undefined);
      if (binary) return { raw, document: openBase64(coded, { ...binary, pointer: name }, findings, 0) };
      if (isDeclared && isStructural(name, text, findings.formats)) return { raw, document: undefined };
      const besideSignature = isDeclared ? besideSignatureIn(name, text, findings.formats) : undefined;
      if (besideSignature !== undefined) {
        findings.sealed.push(besideSignature);
        return { raw, document: undefined };
      }
      const leaf = findings.leaves.length;
      const document = openText(text, findings, 1);
      noteLabel(findings, leaf, name, text, !isDeclared);
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
        if (hasPlus(raw)) return encoded.replaceAll('%20', '+');
        return raw.includes('+') ? encoded.replaceAll('%2B', '+') : encoded;
      });
      return changed ? parts.join('') : undefined;
    },
  };
}

/** Splits a piece into names, values and separators; only the first `=` of a pair ends its name. */
function joinValues(pieces: string[], piece: string): string[] {
  const isValue = pieces.at(-2) === '=' || pieces.at(-1) === '=';
  if (isValue && piece !== '&' && pieces.at(-1) !== '=') pieces[pieces.length - 1] += piece;
  else pieces.push(piece);
  return pieces;
}
