/**
 * Texts that PDF.js does not read on their page: those of most annotations, and those beyond the edges. They are drawn
 * again on pages of another document.
 */
import { PDFArray, PDFContext, PDFDict, PDFName, PDFRawStream, PDFRef, PDFWriter } from '@cantoo/pdf-lib';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { openDocument, type PageContent, pageContent } from './pages.ts';
import { decoded } from './streams.ts';
import { inherited, isNamed, rawEntryOf } from './values.ts';

/** A document that shows forms and pages, each on a page without edges. */
export class Redrawn {
  readonly #pdf: PDFDocumentProxy | undefined;
  readonly #numbers: ReadonlyMap<PDFRef, number>;

  private constructor(pdf: PDFDocumentProxy | undefined, sources: readonly PDFRef[]) {
    this.#pdf = pdf;
    this.#numbers = new Map(sources.map((ref, i) => [ref, i + 1]));
  }

  /** Draws those that may contain text. */
  static async open(context: PDFContext | undefined, sources: ReadonlySet<PDFRef>): Promise<Redrawn> {
    const all = [...sources].filter((ref) => drawsText(context?.lookup(ref)));
    if (context === undefined || all.length === 0) return new Redrawn(undefined, []);
    const pdf = await redrawn(context, all)
      .then(openDocument)
      .catch(() => undefined);
    return new Redrawn(pdf, all);
  }

  /** What a form or page shows; undefined for one that was not drawn. */
  async contentOf(source: PDFRef): Promise<PageContent | undefined> {
    const number = this.#numbers.get(source);
    const page = number === undefined ? undefined : await this.#pdf?.getPage(number);
    if (page === undefined) return undefined;
    const content = await pageContent(page);
    page.cleanup();
    return content;
  }

  async close(): Promise<void> {
    await this.#pdf?.loadingTask.destroy();
  }
}

/** True if a form may draw text, itself or with another form; also for a page. PDF.js needs no space behind operators. */
function drawsText(source: unknown): boolean {
  if (!(source instanceof PDFRawStream)) return true;
  return /T[jJ]|Do|['"]/.test(decoded(source)?.toString('latin1') ?? 'Tj');
}

/** So far beyond the edges that nothing is outside. */
const everywhere = [-1e9, -1e9, 1e9, 1e9];

/** A document that shows each of these forms or pages on a page without edges. */
async function redrawn(context: PDFContext, sources: readonly PDFRef[]): Promise<Uint8Array> {
  const target = PDFContext.create();
  const pages = sources.map((ref) => {
    const source = context.lookup(ref);
    if (source instanceof PDFDict) {
      const [content, resources] = [rawEntryOf(source, 'Contents'), inherited(source, 'Resources')];
      return context.obj({ Type: 'Page', MediaBox: everywhere, Contents: content, Resources: resources });
    }
    if (source instanceof PDFRawStream) source.dict.set(PDFName.of('Subtype'), PDFName.of('Form'));
    return context.obj({ Type: 'Page', MediaBox: everywhere, Resources: { XObject: { A: ref } } });
  });
  copyReferenced(context, target, pages);
  const draw = target.register(target.stream('/A Do'));
  const root = target.nextRef();
  const kids = pages.map((page) => {
    page.set(PDFName.of('Parent'), root);
    if (rawEntryOf(page, 'Contents') === undefined) page.set(PDFName.of('Contents'), draw);
    return target.register(page);
  });
  target.assign(root, target.obj({ Type: 'Pages', Count: kids.length, Kids: kids }));
  target.trailerInfo.Root = target.register(target.obj({ Type: 'Catalog', Pages: root }));
  return PDFWriter.forContext(target, Infinity).serializeToBuffer();
}

/** Copies all that some values refer to, except pages, annotations and images. */
function copyReferenced(from: PDFContext, to: PDFContext, values: readonly unknown[]): void {
  const rest = [...values];
  const seen = new Set<PDFRef>();
  for (let value = rest.pop(); rest.length > 0 || value !== undefined; value = rest.pop()) {
    if (value instanceof PDFRef) {
      const object = from.lookup(value);
      const isImage = object instanceof PDFRawStream && isNamed(object.dict, 'Subtype', ['Image']);
      if (seen.has(value) || object === undefined || isImage) continue;
      seen.add(value);
      to.assign(value, object);
      rest.push(object);
    } else if (value instanceof PDFArray) rest.push(...value.asArray());
    else if (value instanceof PDFRawStream) rest.push(value.dict);
    else if (value instanceof PDFDict && !isNamed(value, 'Type', ['Pages', 'Catalog'])) rest.push(...value.values());
  }
}
