/**
 * Header fields that hold what people have typed: names of uploaded files, and the address of the page before, whose query
 * may be a prompt.
 */
import { percentDecoded, percentEncoded } from '../../core/payload/percent.ts';
import { FieldNames } from './headers.ts';
import type { BodyMasker, MaskingInput } from './masking.ts';
import { maskQuery, mergeCounts } from './query.ts';
import type { RequestRecord } from './record.ts';
import { isFileNameField } from './uploads.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** New values of fields, by what they were. */
export type FieldValues = ReadonlyMap<string, string>;

/** A page of the same origin tells its whole address (Referrer Policy, strict-origin-when-cross-origin). */
const referer = new FieldNames(['referer']);

/** Of tus 1.0, "Upload-Metadata": the name of the file and whatever else a program says of it. */
const uploadMetadata = new FieldNames(['upload-metadata']);

/** Whether a request has a field that is masked. */
export function hasMaskedField(raw: readonly string[]): boolean {
  for (let i = 0; i < raw.length; i += 2) if (isMaskedField(raw[i] as string)) return true;
  return false;
}

function isMaskedField(name: string): boolean {
  return isFileNameField(name) || referer.has(name) || uploadMetadata.has(name);
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
    const isPairs = uploadMetadata.has(name);
    if (!isPairs && !isFileNameField(name)) continue;
    const mask = async (part: string) => {
      const result = await masker.maskText({ ...common, body: Buffer.alloc(0), contentType: 'text/plain' }, part);
      record.piiTypes = mergeCounts(record.piiTypes, result.counts);
      record.masked += result.masked;
      return result.changed ? result.body.toString('utf8') : part;
    };
    const masked = await (isPairs ? maskPairs(value, mask) : maskName(value, mask));
    if (masked !== value) values = new Map(values).set(value, masked);
  }
  return values;
}

/** Gives a text back with what is personal in it masked, or as it was. */
type MaskPart = (text: string) => Promise<string>;

/** The value of a field that holds a name, as it goes on the wire. */
async function maskName(value: string, mask: MaskPart): Promise<string> {
  const text = textOf(value);
  const parts = (text ?? value).split(encodedWord);
  for (let at = 1; at < parts.length; at += 2) {
    const decoded = percentDecoded(parts[at] as string);
    const masked = await mask(decoded);
    if (masked !== decoded) parts[at] = percentEncoded(masked);
  }
  const masked = await mask(parts.join(''));
  if (masked === (text ?? value)) return value;
  return text === undefined ? masked : onWire(masked, value);
}

/** `key base64,key base64,key`, the values of which are mostly texts. */
async function maskPairs(value: string, mask: MaskPart): Promise<string> {
  const pairs = value.split(',');
  for (const [i, pair] of pairs.entries()) {
    const [, key, encoded] = /^(\s*\S+ +)([A-Za-z\d+/]+=*)\s*$/.exec(pair) ?? [];
    const text = encoded === undefined ? undefined : textOf(Buffer.from(encoded, 'base64').toString('latin1'));
    if (text === undefined) continue;
    const masked = await mask(text);
    if (masked !== text) pairs[i] = `${key}${Buffer.from(masked).toString('base64')}`;
  }
  return pairs.join(',');
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

/** A masked text as bytes in UTF-8, or in the escapes of JSON where the value had only these, as Dropbox wants it. */
function onWire(masked: string, before: string): string {
  if (!/^\s*\{[\x20-\x7e]*$/.test(before)) return Buffer.from(masked).toString('latin1');
  return masked.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The fields with the masked values in their places. */
export function withValues(headers: string[], values: FieldValues | undefined): string[] {
  if (!values) return headers;
  return headers.map((value, i) => {
    const name = headers[i - 1] ?? '';
    return (i % 2 === 1 && isMaskedField(name) && values.get(value)) || value;
  });
}
