/** Finds prefectures and municipalities that may start an address; each stretch of text is read once. */

import {
  isMunicipality,
  isPrefecture,
  mayEndMunicipality,
  municipalityLengthMax,
  prefectureLengthMax,
} from '../data/japanese-places.ts';
import { codesOf } from '../detect/code-set.ts';

/** The start and end of a name in a text. */
export type PlaceName = { readonly start: number; readonly end: number };

/** A possible end of a municipality, and its first start at or after `from`; -1 if there is none. */
type MunicipalityEnd = { readonly end: number; from: number; start: number };

/** `都`, `道`, `府`, `県`. */
const endsPrefecture = codesOf('都道府県');

/** `市`, `区`, `町`, `村`. */
const endsMunicipality = codesOf('市区町村');

/** Reads one text from left to right. */
export class AddressPlaces {
  readonly #shadow: string;
  readonly #prefectures: PlaceName[] = [];
  readonly #municipalities: MunicipalityEnd[] = [];
  #read = 0;

  constructor(shadow: string) {
    this.#shadow = shadow;
  }

  /** Reads up to a number. False when no name ends between `from` and `number`. Neither may decrease between calls. */
  read(from: number, number: number): boolean {
    const shadow = this.#shadow;
    for (let end = Math.max(from, this.#read) + 1; end <= number; end++) {
      const c = shadow.charCodeAt(end - 1);
      if (endsPrefecture(c)) this.#readPrefecture(end);
      else if (endsMunicipality(c) && end > 1 && mayEndMunicipality(shadow.slice(end - 2, end)))
        this.#municipalities.push({ end, from: end, start: -1 });
    }
    this.#read = Math.max(number, this.#read);
    return (this.#prefectures.at(-1)?.end ?? 0) > from || (this.#municipalities.at(-1)?.end ?? 0) > from;
  }

  #readPrefecture(end: number): void {
    for (let start = Math.max(0, end - prefectureLengthMax); start <= end - 3; start++)
      if (isPrefecture(this.#shadow.slice(start, end))) this.#prefectures.push({ start, end });
  }

  /** The last prefecture that starts at or after `from`. */
  lastPrefecture(from: number): PlaceName | undefined {
    let last: PlaceName | undefined;
    for (let n = firstBehind(this.#prefectures, from); n < this.#prefectures.length; n++) {
      const place = this.#prefectures[n] as PlaceName;
      if (place.start >= (last?.end ?? from)) last = place;
    }
    return last;
  }

  /** The first municipality that starts at or after `from` and whose end is accepted. */
  firstMunicipality(from: number, isRight: (end: number) => boolean): PlaceName | undefined {
    for (let n = firstBehind(this.#municipalities, from); n < this.#municipalities.length; n++) {
      const place = this.#municipalities[n] as MunicipalityEnd;
      const start = this.#startOf(place, from);
      if (start >= 0 && isRight(place.end)) return { start, end: place.end };
    }
    return undefined;
  }

  /** The start of the longest municipality that ends here, at or after `from`; cached for the next number. */
  #startOf(place: MunicipalityEnd, from: number): number {
    const { end } = place;
    if (place.from <= from && (place.start < 0 || place.start >= from)) return place.start;
    let start = Math.max(from, end - municipalityLengthMax);
    while (start <= end - 2 && !isMunicipality(this.#shadow.slice(start, end))) start++;
    place.from = from;
    place.start = start <= end - 2 ? start : -1;
    return place.start;
  }
}

/** The index of the first name that ends after `from`. */
function firstBehind(places: readonly { readonly end: number }[], from: number): number {
  let first = places.length;
  while (first > 0 && (places[first - 1] as PlaceName).end > from) first--;
  return first;
}
