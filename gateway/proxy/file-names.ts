/** Names of uploaded files, which people give and which stand in header fields. */
import type { BodyMasker, MaskingInput } from './masking.ts';
import { mergeCounts } from './query.ts';
import type { RequestRecord } from './record.ts';
import { fileNameFields } from './uploads.ts';

/** Masks the fields that hold the name of an uploaded file; the masked values by field, in lower case. */
export async function maskFileNames(
  masker: BodyMasker,
  common: Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>,
  raw: readonly string[],
  record: RequestRecord,
): Promise<Map<string, string> | undefined> {
  let names: Map<string, string> | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    if (!fileNameFields.has(raw[i] as string)) continue;
    const result = await masker.maskText(
      { ...common, body: Buffer.alloc(0), contentType: 'text/plain' },
      raw[i + 1] ?? '',
    );
    record.piiTypes = mergeCounts(record.piiTypes, result.counts);
    if (!result.changed) continue;
    record.masked += result.masked;
    names ??= new Map();
    names.set((raw[i] as string).toLowerCase(), result.body.toString('latin1'));
  }
  return names;
}

/** The fields with the masked names in their places. */
export function withFileNames(headers: string[], names: ReadonlyMap<string, string> | undefined): string[] {
  if (!names) return headers;
  return headers.map((value, i) =>
    i % 2 === 0 ? value : (names.get((headers[i - 1] as string).toLowerCase()) ?? value),
  );
}
