/** Text outside the edges of a page: no printer shows it, but text extraction does. */
import { onFirst } from './classes.ts';

/** The relevant part of a page (the worker-side `Page` of PDF.js). */
type Page = { extractTextContent(...options: unknown[]): Promise<unknown> };

const everywhere = [-Infinity, -Infinity, Infinity, Infinity];

/** Makes PDF.js read the whole contents of pages; by default it leaves out what is drawn outside their boxes. */
export function readBeyondEdges(): void {
  onFirst('nonBlendModesSet', (first: Page) => {
    const pages = Object.getPrototypeOf(first) as Page;
    const { extractTextContent } = pages;
    pages.extractTextContent = function (...options) {
      Object.defineProperty(this, 'view', { configurable: true, value: everywhere });
      return extractTextContent.apply(this, options);
    };
  });
}
