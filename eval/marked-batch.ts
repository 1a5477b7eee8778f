/** A text of a first-sight batch with the values in it. */
export type MarkedText = {
  readonly lang: string;
  readonly genre: string;
  readonly text: string;
  readonly values: readonly { readonly type: string; readonly start: number; readonly end: number }[];
};

const mark = /⟦([A-Z_]+)\|([\s\S]*?)⟧/g;

/** Reads a batch: texts after lines `=== language genre`, with values written as `⟦TYPE|value⟧`. */
export function readMarkedBatch(source: string): MarkedText[] {
  return source
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const head = part.slice(0, part.indexOf('\n'));
      const lang = head.slice(0, 2);
      return { lang, genre: head.slice(3), ...unmarked(part.slice(head.length + 1)) };
    });
}

function unmarked(source: string): Pick<MarkedText, 'text' | 'values'> {
  let text = '';
  let last = 0;
  const values: { type: string; start: number; end: number }[] = [];
  for (const { 0: whole, 1: type = '', 2: value = '', index } of source.matchAll(mark)) {
    text += source.slice(last, index);
    values.push({ type, start: text.length, end: text.length + value.length });
    text += value;
    last = index + whole.length;
  }
  return { text: text + source.slice(last), values };
}
