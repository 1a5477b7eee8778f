/** Postal addresses of China, Taiwan and Korea: a region, a street and the number of the house. */
import { CodeSet } from '../detect/code-set.ts';
import type { ScanText } from '../detect/scan.ts';
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const { houseBefore, roomsBehind, region, koreanRegion, koreanHouse } = patternsOf('address-east');

const name = 'address-east';
/** Characters of the words before a place name, such as 住在 and 地址是. */
const breaks = new CodeSet('在于於是到址为為至给給从從住寄送往：，。；、（）“”');
const houseMax = 14;
const regionMax = 30;

const regionsMax = 4;

/** Checks the text before each house sign and after each Korean street. */
export const addressEast: Recognizer = {
  name,
  type: 'ADDRESS',
  anchors: ['号', '號', '로 ', '길 ', '동 '],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const { start } of text.keywords.anchors(name)) {
      const floor = found.at(-1)?.end ?? 0;
      if (start < floor) continue;
      const span = (text.shadow.charCodeAt(start) < 0xac00 ? chinese : korean)(text.shadow, start, floor);
      if (span !== undefined)
        found.push(detectionAt(text, ...span, { type: 'ADDRESS', score: 0.85, recognizer: name }));
    }
    return found;
  },
};

type Span = [start: number, end: number];

function chinese(shadow: string, sign: number, floor: number): Span | undefined {
  const house = houseBefore.exec(shadow.slice(Math.max(floor, sign - houseMax), sign));
  if (house === null) return undefined;
  const street = sign - house[0].length;
  let start = street;
  while (start > floor && street - start < regionMax && isPlace(shadow.charCodeAt(start - 1))) start--;
  if (!region.test(shadow.slice(start, street))) return undefined;
  return [start, sign + (roomsBehind.exec(shadow.slice(sign, sign + 48))?.[0].length ?? 1)];
}

function isPlace(c: number): boolean {
  return (c >= 0x3400 && c <= 0x9fff && !breaks.has(c)) || (c >= 0x30 && c <= 0x39);
}

function korean(shadow: string, at: number, floor: number): Span | undefined {
  const house = koreanHouse.exec(shadow.slice(at + 1, at + 60));
  if (house === null) return undefined;
  let start = wordStart(shadow, at + 1, floor);
  let regions = 0;
  for (; regions < regionsMax && shadow[start - 1] === ' '; regions++) {
    const before = wordStart(shadow, start - 1, floor);
    if (!koreanRegion.test(shadow.slice(before, start - 1))) break;
    start = before;
  }
  return regions === 0 ? undefined : [start, at + 1 + house[0].length];
}

/** The start of a word of hangul and digits. */
function wordStart(shadow: string, end: number, floor: number): number {
  let start = end;
  while (start > floor && end - start < 12 && /[가-힣0-9]/.test(shadow[start - 1] as string)) start--;
  return start;
}
