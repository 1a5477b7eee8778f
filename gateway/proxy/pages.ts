/**
 * Pages shown in a browser when the gateway itself responds. Every value is escaped, only the URL's host is shown, and
 * no script runs (Content-Security-Policy), so a hostile host name cannot become code.
 */
import type { Language } from '../portal/words.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] as string);
}

/** The facts on a page, in display order. */
export type PageFacts = readonly (readonly [label: string, value: string])[];

const style = `
:root{color-scheme:light dark;--bg:#f4f6f3;--card:#fff;--text:#1d2b22;--soft:#5b6b60;--line:#dbe3dc;--accent:#2e6b45}
@media(prefers-color-scheme:dark){:root{--bg:#121814;--card:#1b231e;--text:#e6eee8;--soft:#9fb0a5;--line:#2d3931;--accent:#7cc598}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);color:var(--text);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans JP",sans-serif}
main{max-width:600px;width:100%;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:36px 40px}
.mark{display:flex;align-items:center;gap:10px;color:var(--accent);font-weight:600;letter-spacing:.02em;margin-bottom:22px}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 10px}p{margin:0 0 14px}dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 18px;margin:22px 0 0;
padding-top:18px;border-top:1px solid var(--line);font-size:.92rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.92em}a{color:var(--accent)}`;

const mark = `<svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2">
<path d="M3 22V12M9 22V7M15 22V7M21 22V12M2 22h22"/><path d="M3 12c0-3 3-5 6-5M21 12c0-3-3-5-6-5M9 7c0-2 1-4 3-4s3 2 3 4"/></svg>`;

/** What follows the facts of a page, such as a form, with its style. */
export type PageEnd = { readonly html: string; readonly css: string };

/**
 * A whole page: title, one sentence per paragraph, facts as a list. `html` paragraphs and the end must already be
 * escaped.
 */
export function renderPage(
  language: Language,
  title: string,
  paragraphs: readonly string[],
  facts: PageFacts = [],
  end: PageEnd = { html: '', css: '' },
): string {
  const list = facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}${end.css}</style></head><body><main><div class="mark">${mark}<span>Privet</span></div>
<h1>${escapeHtml(title)}</h1>${paragraphs.map((html) => `<p>${html}</p>`).join('')}${list ? `<dl>${list}</dl>` : ''}${end.html}</main></body></html>`;
}

/** Header fields of every page of the gateway. */
export const pageHeaders: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
];
