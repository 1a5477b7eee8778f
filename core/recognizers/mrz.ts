/** The machine readable zone of passports, visas and cards: ICAO Doc 9303, parts 4 to 7. */
import { weighted } from '../check-digits.ts';
import type { ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const name = 'mrz';
/** Two lines of 36 or 44 characters, or three of 30; a scan loses some of the fillers. */
const zone = /(?<![A-Z0-9<])[PVACI][A-Z0-9<]{28,45}(?:\r?\n[A-Z0-9<]{28,46}){1,2}(?![A-Z0-9<])/g;
const numberAndCheck = /[A-Z0-9<]{9}[0-9](?=[A-Z<]{3}[0-9]{6}|[A-Z0-9<]{15})/;

/** Checks rows of fillers. */
export const mrz: Recognizer = {
  name,
  type: 'MRZ',
  trigger: ({ original }) => original.includes('<<'),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    zone.lastIndex = 0;
    for (let match = zone.exec(text.shadow); match !== null; match = zone.exec(text.shadow)) {
      const lines = match[0].split(/\r?\n/);
      if (!match[0].includes('<<') || !lines.some(hasDocumentNumber)) continue;
      const end = match.index + match[0].length;
      found.push(detectionAt(text, match.index, end, { type: 'MRZ', score: 0.95, recognizer: name, checksum: true }));
    }
    return found;
  },
};

/** A nine-character number with its check digit, at the start of a line or after the country code of a card. */
function hasDocumentNumber(line: string): boolean {
  return [0, 5].some((from) => {
    const match = numberAndCheck.exec(line.slice(from, from + 25));
    if (match === null || match.index !== 0) return false;
    const bare = match[0].slice(0, 9).replaceAll('<', '0');
    return weighted(bare, 7, 3, 1) % 10 === Number(match[0][9]) && /[0-9]/.test(bare.slice(0, 9));
  });
}
