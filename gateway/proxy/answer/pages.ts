/**
 * Pages that the gateway shows in a browser. Every value is escaped, only the host of the URL is shown, and no script
 * runs (Content-Security-Policy), so a hostile host name cannot become code.
 */
import { type Brand, markFile } from '../../portal/brand.ts';
import type { Language } from '../../portal/words.ts';

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

/** The colours are those of the consoles (console/shared/style/theme.css). */
const style = `
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--text:#1a2129;--soft:#566270;--line:#dde2e8;
--accent:#0b6b64;--accent-text:#fff;--accent-soft:#e1f2f0}
@media(prefers-color-scheme:dark){:root{--bg:#0f1318;--card:#171c23;--text:#e4e9ef;--soft:#9eabb9;--line:#2c3540;
--accent:#4fd1c5;--accent-text:#06201e;--accent-soft:#12332f}
.mark img{border-radius:3px;background:#fff;box-shadow:0 0 0 6px #fff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);color:var(--text);
font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Hiragino Sans","Noto Sans JP","Noto Sans CJK JP",sans-serif}
:lang(ja){word-break:auto-phrase}
main{max-width:600px;width:100%;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:36px 40px}
@media(max-width:480px){body{padding:12px}main{padding:24px 20px}}
.mark{display:flex;align-items:center;gap:10px;font-weight:650;margin-bottom:24px}
.mark svg{width:28px;height:28px}
.mark img{max-height:40px;max-width:200px}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 12px;overflow-wrap:anywhere;text-wrap:balance}
p{margin:0 0 14px;overflow-wrap:anywhere;text-wrap:pretty}
.button,button{display:inline-block;margin:6px 0 0;padding:10px 18px;font:inherit;font-weight:600;
color:var(--accent-text);background:var(--accent);border:0;border-radius:8px;text-decoration:none;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.state{padding:12px 14px;border-left:3px solid var(--accent);border-radius:6px;background:var(--accent-soft)}
.denied{border-color:var(--soft);background:var(--bg)}
.contact{margin-top:18px;color:var(--soft)}
.contact a{display:inline-block}
details{margin-top:24px;padding-top:16px;border-top:1px solid var(--line);font-size:.92rem}
summary{color:var(--soft);cursor:pointer}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 18px;margin:14px 0 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.92em}
a{color:var(--accent)}`;

/** Privet's logo inside a page. */
const mark = markFile.replace(/<title>.*?<\/title>/, '').replace('<svg ', '<svg aria-hidden="true" ');

/** The company, with its logo, or Privet. */
export function brandHtml({ company, logo }: Brand): string {
  const name = escapeHtml(company ?? 'Privet');
  return logo === null ? `${mark}<span>${name}</span>` : `<img src="${escapeHtml(logo)}" alt="${name}">`;
}

/** The contact as HTML; e-mail addresses and links are clickable. */
export function contactHtml(contact: string): string {
  const text = escapeHtml(contact);
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(contact)) return `<a href="mailto:${text}">${text}</a>`;
  return /^https?:\/\/[^\s]+$/.test(contact) ? `<a href="${text}" rel="noreferrer">${text}</a>` : text;
}

/** The company's text as HTML, with its line breaks and its URLs as links. */
export function companyText(text: string): string {
  const link = (url: string) => `<a href="${url}" rel="noreferrer">${url}</a>`;
  return escapeHtml(text)
    .replace(/https?:\/\/(?:[!-%(-~]|&amp;)*[\w/]/g, link)
    .replaceAll('\n', '<br>');
}

/** The parts of a page. `contact` replaces the brand's. `paragraphs` and `end` (below them) are escaped HTML; the facts are collapsed. */
export type PageParts = {
  readonly language: Language;
  readonly brand: Brand;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly facts?: PageFacts;
  readonly end?: string;
  readonly contact?: string | null;
  readonly css?: string;
};

/** A complete page: brand, title, paragraphs, next steps, and collapsed technical details. */
export function renderPage(parts: PageParts): string {
  const { language, brand, title, paragraphs, facts = [], end = '', contact = brand.contact, css = '' } = parts;
  const ask = contact === null ? '' : `<p class="contact">${questions[language]}${contactHtml(contact)}</p>`;
  const list = facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  const details = list === '' ? '' : `<details><summary>${technical[language]}</summary><dl>${list}</dl></details>`;
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,"><style>${style}${css}</style></head><body><main>
<div class="mark">${brandHtml(brand)}</div>
<h1>${escapeHtml(title)}</h1>${paragraphs.map((html) => `<p>${html}</p>`).join('')}${end}${ask}${details}</main></body></html>`;
}

const questions: Readonly<Record<Language, string>> = { en: 'Questions: ', ja: 'お問い合わせ：' };
const technical: Readonly<Record<Language, string>> = { en: 'Technical details', ja: '技術的な詳細' };

/** Headers of every page. */
export const pageHeaders: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
];
