/** Private keys in PEM (RFC 7468), OpenSSH and OpenPGP form, with real or escaped line breaks. */

import type { ScanText } from '../detect/scan.ts';
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const { begin, end, base64Lines } = patternsOf('private-key');

const name = 'private-key';
const anchorLength = '-----begin'.length;
/** The largest key in use (RSA with 16,384 bits) takes some 13,000 characters. */
const lengthMax = 32_768;

/** From the BEGIN line through the END line; without one, to the end of the base64. */
export const privateKey: Recognizer = {
  name,
  type: 'PRIVATE_KEY',
  anchors: ['-----begin', '-----end'],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const { shadow } = text;
    const ends = text.keywords.anchors(name).filter(({ start }) => shadow[start + anchorLength - 1] !== 'N');
    let nextEnd = 0;
    let done = 0;
    for (const { start } of text.keywords.anchors(name)) {
      begin.lastIndex = start;
      const opening = start < done ? null : begin.exec(shadow);
      if (opening === null) continue;
      const from = start + opening[0].length;
      while (nextEnd < ends.length && (ends[nextEnd]?.start ?? 0) < from) nextEnd++;
      end.lastIndex = ends[nextEnd]?.start ?? shadow.length;
      const closing = nextEnd < ends.length ? end.exec(shadow) : null;
      base64Lines.lastIndex = from;
      const behind = base64Lines.exec(shadow)?.[0] ?? '';
      const lines = behind === '' ? '' : behind.replace(/(?:\\[nr]|[\s"',\\])+$/, '');
      const isWhole = closing !== null && closing.index - from <= lengthMax;
      if (!isWhole && lines === '') continue;
      const stop = isWhole ? closing.index + closing[0].length : from + lines.length;
      done = stop;
      found.push(detectionAt(text, start, stop, { type: 'PRIVATE_KEY', score: isWhole ? 1 : 0.9, recognizer: name }));
    }
    return found;
  },
};
