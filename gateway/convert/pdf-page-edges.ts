/** Text beyond the edges of a page: no printer shows it, but programs that extract text do. */
import { onFirst } from './pdf-classes.ts';

/** The part of a page that counts (`Page` of PDF.js, its side of the worker). */
type Page = { extractTextContent(...options: unknown[]): Promise<unknown> };

const everywhere = [-Infinity, -Infinity, Infinity, Infinity];

/** Has PDF.js read the whole contents of pages; it leaves out what is drawn outside of their boxes. */
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
