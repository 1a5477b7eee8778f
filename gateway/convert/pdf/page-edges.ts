/** Text outside the edges of a page: never printed, but extracted. */
import { onFirst } from './classes.ts';

/** The worker-side `Page` of PDF.js. */
type Page = { extractTextContent(...options: unknown[]): Promise<unknown> };

const everywhere = [-Infinity, -Infinity, Infinity, Infinity];

/** Makes PDF.js read all contents of pages; by default it omits text outside their boxes. */
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
