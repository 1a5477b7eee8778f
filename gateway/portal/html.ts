/** HTML as values: interpolated text is escaped unless it is HTML itself. */
import { escapeHtml } from '../proxy/answer/pages.ts';

/** A piece of HTML that can be inserted unescaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** A template whose parts are escaped; `undefined` and `false` are empty, lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  for (const [i, part] of parts.entries()) text += textOf(part) + (strings[i + 1] ?? '');
  return new Html(text);
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(textOf).join('');
}
