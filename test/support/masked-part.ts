/** Parts of documents, masked as in a request: the detections by text, and the resulting part. */
import { Detector } from '../../core/detect/detector.ts';
import { withTexts, xmlTexts } from '../../gateway/convert/office/xml-texts.ts';

const detector = new Detector();

/** A text with its values replaced by types. */
export function maskText(text: string): string {
  let result = '';
  let from = 0;
  for (const { type, start, end } of detector.detect(text)) {
    result += `${text.slice(from, start)}[${type}-1]`;
    from = end;
  }
  return result + text.slice(from);
}

/** The non-empty texts of a part. */
export function textsOf(xml: string): string[] {
  return xmlTexts(xml).flatMap(({ text }) => (text === '' ? [] : [text]));
}

/** The part with values replaced by types. */
export function maskPart(xml: string): string {
  const groups = xmlTexts(xml);
  return withTexts(
    xml,
    groups,
    groups.map(({ text }) => maskText(text)),
  );
}
