/** Headers and footers of sheets, with codes for positions, fonts and fields in their texts (ECMA-376-1 §18.3.1.46). */
import { type Run, separatorRun } from './office/text-runs.ts';
import { decodeEscapes, decodeXml, withLineFeeds } from './office/xml-characters.ts';

const quote = '(?:"|&quot;|&#34;|&#x22;)';
const code = (ampersand: string) =>
  new RegExp(
    `${ampersand}(?:(?<two>${ampersand})|${quote}[^"&]*${quote}|\\d{1,3}|K[\\da-f]{6}|K\\d\\d[-+]\\d{3}|P[-+]\\d+|(?<place>[LCR])|[A-Z])`,
    'gi',
  );
const codes = { text: code('&(?:amp|#38|#x26);'), cdata: code('&') };

/** True for a header or footer, of a sheet or chart. */
export function isHeaderOrFooter(element: string): boolean {
  return /^(?:c:)?(?:odd|even|first)(?:Header|Footer)$/.test(element);
}

/** The runs of a header at this offset; the codes that separate them are preserved. */
export function headerRuns(raw: string, start: number, form: 'text' | 'cdata'): Run[] {
  const runs: Run[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to === from) return;
    const piece = withLineFeeds(raw.slice(from, to));
    const text = decodeEscapes(form === 'cdata' ? piece : decodeXml(piece));
    runs.push({ text, start: start + from, end: start + to, form, spaceAt: -1, as: 'escaped' });
  };
  for (const match of raw.matchAll(codes[form])) {
    if (match.groups?.two !== undefined) continue;
    add(match.index);
    from = match.index + match[0].length;
    runs.push(separatorRun(match.groups?.place === undefined ? ' ' : '\n', start + from));
  }
  add(raw.length);
  return runs;
}
