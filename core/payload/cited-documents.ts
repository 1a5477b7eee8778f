/** Maps citation offsets in a response from the masked document, which the model read, to the client's original. */

import { wireFormats } from '../formats/index.ts';
import { isObject } from '../parsing.ts';
import { restoreText } from '../restore.ts';
import type { TokenMap } from '../vault.ts';
import { type DocumentShifts, TextShifts } from './offsets.ts';

/** The documents of a masked body in citation order, parsed when first cited. */
export function citedDocuments(body: () => string, map: TokenMap): DocumentShifts {
  let texts: (string | undefined)[] | undefined;
  const known = new Map<number, TextShifts>();
  return (index) => {
    texts ??= documentsIn(body());
    const text = texts[index];
    if (text === undefined) return undefined;
    let shifts = known.get(index);
    if (shifts === undefined) {
      const made = new TextShifts();
      const onEdit = (start: number, end: number, value: string) => made.add(start, end, value.length);
      restoreText(text, map, { guardUrls: false, onEdit });
      shifts = made;
      known.set(index, made);
    }
    return shifts;
  };
}

function documentsIn(json: string): (string | undefined)[] {
  const request: unknown = JSON.parse(json);
  return isObject(request) ? wireFormats.offsets.documents.flatMap(({ textsOf }) => textsOf(request)) : [];
}
