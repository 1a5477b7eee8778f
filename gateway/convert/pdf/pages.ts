/** Reads documents with PDF.js. The only user of unpdf. */
import { getDocumentProxy } from 'unpdf';
import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';
import { CharacterMaps, hasUnknownWords } from '../character-maps.ts';
import { placedLines } from './lines.ts';
import { otherReadings, withoutSpacing } from './readings.ts';
import { pageLines } from './text.ts';

/** What the library reads on a page: all text except what is beyond the edges. */
export type PageContent = {
  readonly items: TextContent['items'];
  readonly styles: TextContent['styles'];
  readonly raw: string;
  /** Number of letters, to compare two readings. */
  readonly letters: number;
};
type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

/** A page's text, alternative readings of its lines, and whether it has words that cannot be decoded. */
export type DrawnText = {
  readonly text: string;
  readonly others: readonly string[];
  readonly hasUnknown: boolean;
};

/** Opens a document; the library takes ownership of the bytes. */
export function openDocument(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  // The types of this PDF.js version lack the option `BinaryDataFactory`.
  const reading = { stopAtErrors: false, verbosity: 0, cMapPacked: false, BinaryDataFactory: CharacterMaps };
  // Decode no images.
  const options = { ...reading, maxImageSize: 0 };
  return getDocumentProxy(bytes, options);
}

/** Reads a page. */
export async function pageContent(page: PDFPageProxy): Promise<PageContent> {
  const { items, styles } = await page.getTextContent();
  const raw = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  // The library changes the order, spaces and ligatures.
  return { items, styles, raw, letters: raw.normalize('NFKD').replaceAll(ignored, '').length };
}

const ignored = /[\s\p{Cf}\p{Cc}]/gu;

/** The text that a page shows. */
export async function drawnText({ items, styles, raw }: PageContent): Promise<DrawnText> {
  const vertical = Object.entries(styles).flatMap(([font, style]) => (style.vertical ? [font] : []));
  const lines = pageLines(items, new Set(vertical));
  const shown = lines.map(({ text }) => text);
  const others = [...lines.flatMap(({ apart }) => apart ?? []), ...placedLines(items), ...(await otherReadings(shown))];
  return { text: shown.join('\n'), others, hasUnknown: hasUnknownWords(withoutSpacing(raw)) };
}
