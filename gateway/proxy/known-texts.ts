/**
 * Remembers what was found in a text: a conversation is sent again with every question, so that most texts of a request
 * have been looked at before. Neither texts nor values are kept, only a hash of the text and where something stands.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Detector } from '../../core/detection.ts';
import type { Detection } from '../../core/recognizer.ts';

/** Shorter texts are looked at faster than they are hashed. */
const textUnitsMin = 200;
/** Texts and detections remembered, together; 13 MB when full of texts without any. */
const entriesMax = 65_536;

type Found = readonly Omit<Detection, 'value'>[];

/** A detector that looks at each longer text once. */
export class RememberingDetector {
  readonly #detector: Detector;
  readonly #known = new LRUCache<string, Found>({
    maxSize: entriesMax,
    sizeCalculation: (found) => 1 + found.length,
  });

  constructor(detector: Detector) {
    this.#detector = detector;
  }

  /** As {@link Detector.detect}. */
  detect(text: string): Detection[] {
    // Texts with lone surrogates are hashed as if they had replacement characters, and could be taken for each other.
    if (text.length < textUnitsMin || !text.isWellFormed()) return this.#detector.detect(text);
    const key = hash('sha256', text, 'base64');
    const known = this.#known.get(key);
    if (known) return known.map((one) => ({ ...one, value: text.slice(one.start, one.end) }));
    const detections = this.#detector.detect(text);
    this.#known.set(
      key,
      detections.map(({ value: _value, ...rest }) => rest),
    );
    return detections;
  }
}
