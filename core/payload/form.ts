/** Forms (application/x-www-form-urlencoded): every value is a text that may hold JSON; unchanged pairs keep their bytes. */
import { type Changes, type Findings, openText, type TextDocument } from './document.ts';
import { isStructural } from './structure.ts';

/** Opens a form body (or the query of a URL, without `?`). A value that is not valid percent-encoded UTF-8 is taken raw. */
export function openForm(body: string, findings: Findings): TextDocument {
  const pairs = body.split('&').map((raw) => {
    const equals = raw.indexOf('=');
    const name = decode(equals < 0 ? raw : raw.slice(0, equals));
    const rawValue = equals < 0 ? '' : raw.slice(equals + 1);
    const value = decode(rawValue);
    const document = value === '' || isStructural(name, value) ? undefined : openText(value, findings, 1);
    return { raw, head: raw.slice(0, equals + 1), usesPlus: rawValue.includes('+'), document };
  });
  return {
    rewrite(changes: Changes) {
      let changed = false;
      const parts = pairs.map((pair) => {
        const text = pair.document?.rewrite(changes);
        if (text === undefined) return pair.raw;
        changed = true;
        const encoded = encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed());
        return pair.head + (pair.usesPlus ? encoded.replaceAll('%20', '+') : encoded);
      });
      return changed ? parts.join('&') : undefined;
    },
  };
}

function decode(raw: string): string {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
