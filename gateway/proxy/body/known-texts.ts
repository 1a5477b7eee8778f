/**
 * Caches detections by text: a conversation is sent again with every prompt, so most texts of a request have been
 * searched before. Keeps a hash of the text and offsets, but neither texts nor values.
 */
import { LRUCache } from 'lru-cache';
import { Detector, type DetectorOptions } from '../../../core/detect/detector.ts';
import type { Detection } from '../../../core/recognizer.ts';
import { copyUnits } from '../../long-texts/copy-units.ts';
import { asideOrHere, atOnceFor, detectAside, shortTextMax } from '../../long-texts/long-texts.ts';
import { textKey } from '../../long-texts/text-key.ts';
import type { JobClient } from '../../threads/thread-pool.ts';

/** Shorter texts are mostly words of the format; from this length on, hashing takes a tenth of the search. */
const textUnitsMin = 16;
/** Maximum number of cached texts and detections; 13 MB when full of texts without any. */
const entriesMax = 65_536;

/** Detections with empty values: objects of one shape are copied several times as fast. */
type Found = readonly Detection[];

/** A detector that searches each longer text once. */
export class RememberingDetector {
  readonly #options: DetectorOptions;
  readonly #detector: Pick<Detector, 'detect'>;
  /** Length of texts up to which {@link detect} is synchronous. */
  readonly atOnceMax: number;
  readonly #known = new LRUCache<string, Found>({
    maxSize: entriesMax,
    sizeCalculation: (found) => 1 + found.length,
  });

  /** `isAside`: already in a worker thread, where long texts are searched synchronously. */
  constructor(
    options: DetectorOptions,
    detector: Pick<Detector, 'detect'> = new Detector({ ...options, copyUnits }),
    isAside = false,
  ) {
    this.#options = options;
    this.#detector = detector;
    this.atOnceMax = isAside ? Number.POSITIVE_INFINITY : atOnceFor(options);
  }

  /** Like {@link Detector.detect}; long texts go to a worker thread. @throws PrivetError also like `detectAside` */
  detect(text: string, client?: JobClient): Detection[] | Promise<Detection[]> {
    // Lone surrogates are hashed as replacement characters, so different texts could collide.
    if (text.length < textUnitsMin || !text.isWellFormed()) return this.#search(text, client);
    const key = textKey(text);
    const known = this.#known.get(key);
    if (known) return known.map((one) => ({ ...one, value: text.slice(one.start, one.end) }));
    const found = this.#search(text, client);
    return found instanceof Promise ? found.then((late) => this.#keep(key, late)) : this.#keep(key, found);
  }

  #search(text: string, client?: JobClient): Detection[] | Promise<Detection[]> {
    if (text.length <= this.atOnceMax) return this.#detector.detect(text);
    const aside = detectAside(this.#options, text, client && { client: client.client, gone: client.gone });
    return text.length <= shortTextMax ? asideOrHere(aside, () => this.#detector.detect(text)) : aside;
  }

  #keep(key: string, detections: Detection[]): Detection[] {
    this.#known.set(
      key,
      detections.map((one) => ({ ...one, value: '' })),
    );
    return detections;
  }
}
