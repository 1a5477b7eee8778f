/**
 * Office documents: packages of XML parts (Office Open XML, OpenDocument, EPUB). Every text part is inspected,
 * including headers, notes, comments, author names and link URLs, as are nested packages.
 */
import { PrivetError } from '../../../core/errors.ts';
import { plainJson } from '../json-text.ts';
import type { DocumentLimits } from '../limits.ts';
import { tooLarge } from '../refusals.ts';
import { decodePart } from './part-text.ts';
import { partKind } from './parts.ts';
import { withLabels } from './sheet-labels.ts';
import { withCellLabels } from './table-cells.ts';
import type { Span } from './text-runs.ts';
import { plainTexts, type TextGroup, withTexts, xmlTexts } from './xml-texts.ts';
import { type Entries, openZip, type Taken, writeZip } from './zip.ts';

/** The supported kinds of office documents. */
export type OfficeKind = 'docx' | 'xlsx' | 'pptx' | 'odf' | 'epub';

type TextPart = { readonly name: string; readonly source: string; readonly groups: readonly TextGroup[] };
type InnerPart = { readonly name: string; readonly document: OfficeDocument };

/** HTML pages by name; others are detected by their first element. */
const htmlName = /\.x?html?$/i;
const nestingMax = 3;

/** An opened package. */
export class OfficeDocument {
  readonly kind: OfficeKind;
  /** Parts other than text, images and fonts: programs, objects of other applications, unknown parts. */
  readonly opaque: readonly string[];
  readonly hasImages: boolean;
  readonly #entries: Entries;
  readonly #parts: readonly TextPart[];
  readonly #inner: InnerPart[] = [];

  /**
   * Throws like `openZip`, and `unsupported_media_type` if the package is not an office document. `taken` counts what the
   * whole document has used of the limits so far.
   */
  constructor(bytes: Uint8Array, limits: DocumentLimits, taken: Taken = { entries: 0, bytes: 0 }, depth = 0) {
    this.#entries = openZip(bytes, limits, taken);
    this.kind = kindOf(this.#entries);
    const opaque: string[] = [];
    const parts: TextPart[] = [];
    let hasImages = false;
    for (const [name, data] of this.#entries) {
      const kind = partKind(name, data);
      if (kind === 'xml' || kind === 'text') {
        const isHtml = htmlName.test(name);
        const source = decodePart(data, isHtml);
        const groups = kind === 'xml' ? xmlTexts(source, isHtml) : plainTexts(source, plainJson(source));
        parts.push({ name, source, groups });
      } else if (kind === 'package') {
        if (depth >= nestingMax) throw tooLarge('The document is nested too deeply.');
        const document = new OfficeDocument(data, limits, taken, depth + 1);
        this.#inner.push({ name, document });
        opaque.push(...document.opaque);
        hasImages ||= document.hasImages;
      } else if (kind === 'picture') {
        hasImages ||= !/thumbnail/i.test(name);
      } else if (kind === 'opaque') {
        opaque.push(name);
      }
    }
    this.#parts =
      this.kind === 'xlsx'
        ? withLabels(parts)
        : parts.map((part) => ({ ...part, groups: withCellLabels(part.source, part.groups) }));
    this.opaque = opaque;
    this.hasImages = hasImages;
  }

  /** All texts, in part order. */
  get texts(): string[] {
    return [
      ...this.#parts.flatMap((part) => part.groups.map((group) => group.text)),
      ...this.#inner.flatMap((part) => part.document.texts),
    ];
  }

  /** Labels known from the texts' position, by index; see {@link TextGroup.label}. */
  get labels(): (string | undefined)[] {
    return [
      ...this.#parts.flatMap((part) => part.groups.map((group) => group.label)),
      ...this.#inner.flatMap((part) => part.document.labels),
    ];
  }

  /** True for texts that repeat others, by index; see {@link TextGroup.again}. */
  get again(): boolean[] {
    return [
      ...this.#parts.flatMap((part) => part.groups.map((group) => group.again ?? false)),
      ...this.#inner.flatMap((part) => part.document.again),
    ];
  }

  /** The package with new texts, by index in {@link texts}; undefined keeps a text. `places` as in `withTexts`. */
  rewrite(
    newTexts: readonly (string | undefined)[],
    places: readonly (readonly Span[] | undefined)[] = [],
  ): Uint8Array {
    const entries: Entries = new Map(this.#entries);
    let at = 0;
    for (const { name, source, groups } of this.#parts) {
      const own = newTexts.slice(at, at + groups.length);
      const ownPlaces = places.slice(at, at + groups.length);
      at += groups.length;
      if (own.some((text) => text !== undefined))
        entries.set(name, Buffer.from(withTexts(source, groups, own, ownPlaces), 'utf8'));
    }
    for (const { name, document } of this.#inner) {
      const count = document.texts.length;
      const own = newTexts.slice(at, at + count);
      const ownPlaces = places.slice(at, at + count);
      at += count;
      if (own.some((text) => text !== undefined)) entries.set(name, document.rewrite(own, ownPlaces));
    }
    return writeZip(entries);
  }

  /** The XML parts with matching names, ordered by the numbers in their names. */
  parts(
    name: RegExp,
  ): readonly { readonly name: string; readonly xml: string; readonly groups: readonly TextGroup[] }[] {
    const number = (part: TextPart) => Number(/(\d+)\.\w+$/.exec(part.name)?.[1] ?? 0);
    return this.#parts
      .filter((part) => name.test(part.name))
      .sort((a, b) => number(a) - number(b))
      .map(({ name, source, groups }) => ({ name, xml: source, groups }));
  }
}

function kindOf(entries: Entries): OfficeKind {
  // Web applications add a number to the main part's name.
  for (const name of entries.keys()) {
    const main = /^(?:word\/(document)|xl\/(workbook)|ppt\/(presentation))\d*\.xml$/.exec(name);
    if (main !== null) return main[1] ? 'docx' : main[2] ? 'xlsx' : 'pptx';
  }
  const mimetype = Buffer.from(entries.get('mimetype') ?? []).toString('latin1');
  if (mimetype.startsWith('application/vnd.oasis.opendocument')) return 'odf';
  if (mimetype.startsWith('application/epub')) return 'epub';
  throw new PrivetError('unsupported_media_type', 'The package is not an office document.', {
    hint: 'Send its files one by one.',
  });
}
