/**
 * Header fields that hold what people have typed: names of uploaded files, and the address of the page before, whose query
 * may be a prompt.
 */
import { percentDecoded, percentEncoded } from '../../core/payload/percent.ts';
import { FieldNames } from './headers.ts';
import type { BodyMasker, MaskingInput } from './masking.ts';
import { maskQuery, mergeCounts } from './query.ts';
import type { RequestRecord } from './record.ts';
import { fileNameFields } from './uploads.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** New values of fields, by what they were. */
export type FieldValues = ReadonlyMap<string, string>;

/** A page of the same origin tells its whole address (Referrer Policy, strict-origin-when-cross-origin). */
const referer = new FieldNames(['referer']);

/** Whether a request has a field that is masked. */
export function hasMaskedField(raw: readonly string[]): boolean {
  return fileNameFields.isIn(raw) || referer.isIn(raw);
}

/** Masks the fields of {@link hasMaskedField}; undefined when none is changed. */
export async function maskFields(
  masker: BodyMasker,
  common: Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>,
  raw: readonly string[],
  record: RequestRecord,
): Promise<FieldValues | undefined> {
  let values: Map<string, string> | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    const value = raw[i + 1] ?? '';
    if (referer.has(name)) {
      const masked = await maskQuery(masker, common, value, record);
      if (masked !== value) values = new Map(values).set(value, masked);
    }
    if (!fileNameFields.has(name)) continue;
    const text = textOf(value);
    const mask = async (part: string) => {
      const result = await masker.maskText({ ...common, body: Buffer.alloc(0), contentType: 'text/plain' }, part);
      record.piiTypes = mergeCounts(record.piiTypes, result.counts);
      record.masked += result.masked;
      return result.changed ? result.body.toString('utf8') : part;
    };
    const parts = (text ?? value).split(encodedWord);
    for (let at = 1; at < parts.length; at += 2) {
      const decoded = percentDecoded(parts[at] as string);
      const masked = await mask(decoded);
      if (masked !== decoded) parts[at] = percentEncoded(masked);
    }
    const masked = await mask(parts.join(''));
    if (masked === (text ?? value)) continue;
    values = new Map(values).set(value, text === undefined ? masked : Buffer.from(masked).toString('latin1'));
  }
  return values;
}

/** What programs write in percent-encoding, as RFC 8187 does: fields hold no other letters. */
const encodedWord = /([^\s"';,=]*%[\da-f]{2}[^\s"';,=]*)/i;

/** The text of a value, which has a character a byte; undefined where the bytes are no UTF-8. */
function textOf(value: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The fields with the masked values in their places. */
export function withValues(headers: string[], values: FieldValues | undefined): string[] {
  if (!values) return headers;
  return headers.map((value, i) => {
    const name = headers[i - 1] ?? '';
    const isMasked = i % 2 === 1 && (fileNameFields.has(name) || referer.has(name));
    return (isMasked && values.get(value)) || value;
  });
}
