/**
 * Documents of a request that an answer cites by character (Anthropic's `char_location`). The model counts in the document
 * that it was sent, with tokens; the caller has the one with values.
 */
import { restoreText } from '../restore.ts';
import type { TokenMap } from '../vault.ts';
import { type DocumentShifts, TextShifts } from './offsets.ts';

type Block = { readonly type?: unknown; readonly source?: { readonly type?: unknown; readonly data?: unknown } } & {
  readonly content?: unknown;
};

/** The documents of a masked body, in the order in which answers number them; read when one is cited. */
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
  const found: (string | undefined)[] = [];
  const walk = (blocks: unknown) => {
    for (const block of Array.isArray(blocks) ? (blocks as readonly (Block | null)[]) : []) {
      const { type, source, content } = block ?? {};
      if (type === 'document') {
        found.push(source?.type === 'text' && typeof source.data === 'string' ? source.data : undefined);
      } else if (type === 'tool_result') walk(content);
    }
  };
  const { messages } = JSON.parse(json) as { readonly messages?: unknown };
  for (const message of Array.isArray(messages) ? messages : []) walk((message as Block | null)?.content);
  return found;
}
