/**
 * Masks headers with human-written text or user identity: names of uploaded files, the referring URL, which may contain
 * a prompt, and data that chat front ends and AI gateways add about the user.
 */

import { setImmediate } from 'node:timers/promises';
import { PrivetError } from '../../../core/errors.ts';
import { utf8Text } from '../../../core/parsing.ts';
import { isTextInBase64 } from '../../../core/payload/base64.ts';
import { isNoSecret } from '../../../core/payload/labelled.ts';
import { percentDecoded, percentEncoded } from '../../../core/payload/percent.ts';
import { remembering } from '../../../core/remembered.ts';
import type { BodyMasker, MaskingInput } from '../body/masking.ts';
import { fieldSignature } from '../body/signed-bodies.ts';
import { isFileNameField } from '../body/uploads.ts';
import { FieldNames } from './headers.ts';
import { maskAddress } from './masked-target.ts';
import { isMirrorField, mirrorText, mirrorValue } from './mirror-fields.ts';
import { mergeCounts } from './query.ts';
import type { RequestRecord } from './record.ts';

/** New field values, by the original value. */
export type FieldValues = ReadonlyMap<string, string>;

/** Full URLs: of same-origin pages (Referrer Policy), and of applications in OpenRouter's `HTTP-Referer`. */
const referer = new FieldNames(['referer', 'http-referer']);

/** tus 1.0, "Upload-Metadata": the file name and other program data. */
const uploadMetadata = new FieldNames(['upload-metadata']);

/** True if a request has a header to mask. */
export function hasMaskedField(raw: readonly string[]): boolean {
  for (let i = 0; i < raw.length; i += 2) if (isMaskedField(raw[i] as string)) return true;
  return false;
}

/** Cached, because requests use few different field names. */
const isMaskedField = remembering(holdsPersonalText, { max: 1_000 });

function holdsPersonalText(name: string): boolean {
  return isFileNameField(name) || referer.has(name) || uploadMetadata.has(name) || isUserField(name);
}

/**
 * `X-OpenWebUI-User-Email`, `X-User-Id`, `X-Forwarded-Email`, `X-LiteLLM-End-User-Id`, `Helicone-User-Id`,
 * `Helicone-Property-Team`, `cf-aig-metadata`, `x-portkey-metadata`, `x-litellm-tags`, `X-Title`, `X-Request-Context`,
 * W3C Baggage, and From (RFC 9110 §10.1.2).
 */
const userField = /(?:^|[-_])(?:user(?:id|name|email)?|email|customer|owner)(?:[-_]|$)|^(?:baggage|from)$/i;
const contextField = /(?:^|[-_])(?:metadata|propert(?:y|ies)|tags?|title|context)(?:[-_]|$)/i;
/** Programs, projects and settings, and the client's own credentials. */
const noUserStart = /^(?:sec|x-stainless|x-amzn?|x-goog)-/i;
const noUserEnd = /[-_](?:agent|project|directive|flavor|auth|authorization|token|key|secret|password|signature)$/i;

function isUserField(name: string): boolean {
  const isNamed = userField.test(name) || contextField.test(name);
  return isNamed && !noUserStart.test(name) && !noUserEnd.test(name);
}

type Common = Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>;
/** Cost of a field, however short, in code units. */
const unitsPerField = 32;
/** Units that are searched before other requests run. */
const sliceUnits = 16_384;

/** {@link fieldSignature}, once for each name. */
function fieldSignatures(raw: readonly string[], path: string): (name: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, fieldSignature(raw, path, name));
    return known.get(name);
  };
}

type Counts = Pick<RequestRecord, 'piiTypes' | 'masked'>;

/**
 * Masks the headers of {@link hasMaskedField}; undefined if none changes. Throws `uninspectable` if a signature covers
 * one, unless the policy lets signed requests pass unchanged.
 */
export async function maskFields(
  masker: BodyMasker,
  common: Common,
  raw: readonly string[],
  record: RequestRecord,
): Promise<FieldValues | undefined> {
  let values: Map<string, string> | undefined;
  const signatureOf = fieldSignatures(raw, common.path);
  let units = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    if (!isMaskedField(name)) continue;
    const value = raw[i + 1] ?? '';
    units += value.length + unitsPerField;
    if (units > sliceUnits) {
      units = 0;
      await setImmediate();
    }
    const found: Counts = { piiTypes: undefined, masked: 0 };
    const masked = await maskField(masker, common, [name, value], found);
    const signature = masked === value ? undefined : signatureOf(name);
    if (signature !== undefined && masker.options.uninspectable.signed !== 'allow')
      throw signedField(name, signature, found.piiTypes ?? {});
    record.piiTypes = mergeCounts(record.piiTypes, found.piiTypes);
    if (masked === value || signature !== undefined) continue;
    record.masked += found.masked;
    values ??= new Map();
    values.set(value, masked);
  }
  return values;
}

/**
 * Updates headers that mirror part of the body to match the masked body; `fields` are those already changed. A header
 * without a counterpart in the body is masked on its own. Throws like {@link maskFields}.
 */
export async function maskMirrors(
  masker: BodyMasker,
  common: Common,
  {
    raw,
    changes,
    fields,
  }: { raw: readonly string[]; changes: ReadonlyMap<string, string>; fields?: FieldValues | undefined },
  record: RequestRecord,
): Promise<FieldValues | undefined> {
  let values: Map<string, string> | undefined;
  const signatureOf = fieldSignatures(raw, common.path);
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    if (!isMirrorField(name)) continue;
    const value = raw[i + 1] ?? '';
    const text = mirrorText(value);
    let masked = changes.get(text);
    if (masked === undefined) {
      const result = await masker.maskText({ ...common, body: Buffer.alloc(0), contentType: 'text/plain' }, text);
      record.piiTypes = mergeCounts(record.piiTypes, result.counts);
      record.masked += result.masked;
      masked = result.changed ? result.body.toString() : text;
    }
    if (masked === text) continue;
    const signature = signatureOf(name);
    if (signature !== undefined && masker.options.uninspectable.signed !== 'allow')
      throw signedField(name, signature, {});
    if (signature !== undefined) continue;
    values ??= new Map(fields);
    values.set(value, mirrorValue(masked));
  }
  return values ?? fields;
}

/** The error for a signed header that would have to change. */
export function signedField(name: string, signature: string, types: Readonly<Record<string, number>>): PrivetError {
  return new PrivetError(
    'uninspectable',
    `Step rewrite: the header ${name.toLowerCase()} contains ${Object.keys(types).join(', ')} and is signed (${signature}), so it cannot be masked.`,
    { hint: 'Remove the personal data from the header.', details: { types } },
  );
}

/** The new value of one header. */
async function maskField(
  masker: BodyMasker,
  common: Common,
  [name, value]: readonly [name: string, value: string],
  found: Counts,
): Promise<string> {
  if (referer.has(name)) return maskAddress(masker, common, value, found);
  const hasNameOfFile = isFileNameField(name);
  const isPairs = uploadMetadata.has(name);
  const mask = async (part: string, label?: string) => {
    // A form value is searched together with its name.
    const text = label === undefined ? part : `${percentEncoded(label)}=${percentEncoded(part)}`;
    const contentType = label === undefined ? 'text/plain' : 'application/x-www-form-urlencoded';
    // The service needs a user's credentials.
    const accepts = hasNameOfFile || isPairs ? undefined : isNoSecret;
    const result = await masker.maskText({ ...common, body: Buffer.alloc(0), contentType, accepts }, text);
    found.piiTypes = mergeCounts(found.piiTypes, result.counts);
    found.masked += result.masked;
    if (!result.changed) return part;
    const masked = result.body.toString('utf8');
    return label === undefined ? masked : percentDecoded(masked.slice(masked.indexOf('=') + 1));
  };
  const maskValue = isPairs ? maskPairs : hasNameOfFile ? maskName : maskUser;
  return maskValue(value, mask, name);
}

/** Masks the PII of a text; `label` describes the text. */
type MaskPart = (text: string, label?: string) => Promise<string>;

/** One or several percent-encoded words, as Open WebUI writes names; spaces may be unencoded. */
const encodedWords = /^(?=.*%[\da-f]{2})[\w.~%!'()* -]*$/i;

/** The masked value of a user header in wire format; `name` is its label. */
async function maskUser(value: string, mask: MaskPart, name: string): Promise<string> {
  if (/^baggage$/i.test(name)) return maskBaggage(value, mask);
  if (isTextInBase64(value)) {
    const text = Buffer.from(value, 'base64').toString();
    const masked = await mask(text, name);
    return masked === text ? value : Buffer.from(masked).toString(/[-_]/.test(value) ? 'base64url' : 'base64');
  }
  if (!encodedWords.test(value)) return maskName(value, (part) => mask(part, name));
  const decoded = percentDecoded(value);
  const masked = await mask(decoded, name);
  if (masked === decoded) return value;
  return value.includes(' ') ? percentEncoded(masked).replaceAll('%20', ' ') : percentEncoded(masked);
}

const baggagePairsMax = 500;

/** `key=value;property=value,key=value` with percent-encoded values (W3C Baggage §3.3.1). */
async function maskBaggage(value: string, mask: MaskPart): Promise<string> {
  // With more than the specification's 180 pairs (§3.3.2) and a few properties each, it is not baggage but one text.
  const pieces = value.split(/([,;])/, 2 * baggagePairsMax + 1);
  if (pieces.length > 2 * baggagePairsMax) return maskName(value, mask);
  for (let at = 0; at < pieces.length; at += 2) {
    const piece = pieces[at] as string;
    const [, before = '', key, encoded = piece] = /^(\s*([\w.:-]+)\s*=\s*)(.+)$/.exec(piece) ?? [];
    const text = percentDecoded(encoded);
    const masked = await mask(text, key);
    if (masked !== text) pieces[at] = before + percentEncoded(masked);
  }
  return pieces.join('');
}

/** The masked value of a name header in wire format. */
async function maskName(value: string, mask: MaskPart): Promise<string> {
  const text = textOf(value);
  const parts = (text ?? value).split(fieldWord);
  for (let at = 1; at < parts.length; at += 2) {
    if (!octet.test(parts[at] as string)) continue;
    const decoded = percentDecoded(parts[at] as string);
    const masked = await mask(decoded);
    if (masked !== decoded) parts[at] = percentEncoded(masked);
  }
  const masked = await mask(parts.join(''));
  if (masked === (text ?? value)) return value;
  return text === undefined ? masked : onWire(masked, value);
}

/** Masks `key base64,key base64,key`, whose values are mostly text. */
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

/** Percent-encoding, as in RFC 8187: field values cannot contain other letters. */
const octet = /%[\da-f]{2}/i;
const fieldWord = /([^\s"';,=]+)/;

/** The text of a value with one character per byte; undefined if the bytes are not UTF-8. */
function textOf(value: string): string | undefined {
  return utf8Text(Buffer.from(value, 'latin1'));
}

/** Encodes a masked text in UTF-8, or with JSON escapes if the original had only those, as Dropbox requires. */
function onWire(masked: string, before: string): string {
  if (!/^\s*\{[\x20-\x7e]*$/.test(before)) return Buffer.from(masked).toString('latin1');
  return masked.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The fields with masked values. */
export function withValues(headers: string[], values: FieldValues | undefined): string[] {
  if (!values) return headers;
  return headers.map((value, i) => {
    const name = headers[i - 1] ?? '';
    return (i % 2 === 1 && (isMaskedField(name) || isMirrorField(name)) && values.get(value)) || value;
  });
}
