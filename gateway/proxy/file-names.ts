/** Names of uploaded files, which people give and which stand in header fields. */
import { percentDecoded, percentEncoded } from '../../core/payload/percent.ts';
import type { BodyMasker, MaskingInput } from './masking.ts';
import { mergeCounts } from './query.ts';
import type { RequestRecord } from './record.ts';
import { fileNameFields } from './uploads.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Masks the fields that hold the name of an uploaded file; the masked values by what they were. */
export async function maskFileNames(
  masker: BodyMasker,
  common: Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>,
  raw: readonly string[],
  record: RequestRecord,
): Promise<Map<string, string> | undefined> {
  let names: Map<string, string> | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    if (!fileNameFields.has(raw[i] as string)) continue;
    const value = raw[i + 1] ?? '';
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
    names ??= new Map();
    names.set(value, text === undefined ? masked : Buffer.from(masked).toString('latin1'));
  }
  return names;
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

/** The fields with the masked names in their places. */
export function withFileNames(headers: string[], names: ReadonlyMap<string, string> | undefined): string[] {
  if (!names) return headers;
  return headers.map((value, i) => {
    const isName = i % 2 === 1 && fileNameFields.has(headers[i - 1] as string);
    return (isName && names.get(value)) || value;
  });
}
