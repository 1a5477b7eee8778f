/**
 * Masks the URL of a request. Some services take the prompt in the path (readers and searches that append a URL or
 * question to the host), and e-mail addresses may identify files, threads and users.
 */
import { PrivetError } from '../../../core/errors.ts';
import { isNoSecret } from '../../../core/payload/labelled.ts';
import { percentDecoded, percentEncoded } from '../../../core/payload/percent.ts';
import type { Detection } from '../../../core/recognizer.ts';
import type { BodyMasker, MaskingInput } from '../body/masking.ts';
import { targetSignature } from '../body/signed-bodies.ts';
import { maskQuery, mergeCounts } from './query.ts';
import type { RequestRecord } from './record.ts';

type Common = Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>;
type Counts = Pick<RequestRecord, 'piiTypes' | 'masked'>;

/** A path without any of these is the service's own name: an at sign, a space, a non-ASCII letter, a long number. */
const worth = /[@+\x80-\uffff]|%(?:0[9ad]|2[05b]|40|[89a-fu])|\d(?:(?:[ .-]|%2d|%2e)?\d){8}/i;

/** True if {@link maskTarget} must check a URL. */
export function mayBePersonal(path: string): boolean {
  return path.includes('?') || worth.test(path);
}

/**
 * The request target with PII in path and query masked; everything else keeps its bytes. Adds counts to the record.
 * Throws `uninspectable` if a signature covers the target, unless the policy lets signed requests pass unchanged.
 */
export async function maskTarget(
  masker: BodyMasker,
  common: Common,
  { path, rawHeaders }: { readonly path: string; readonly rawHeaders: readonly string[] },
  record: Counts,
): Promise<string> {
  const found: Counts = { piiTypes: undefined, masked: 0 };
  const masked = await maskAddress(masker, common, path, found);
  const signature = masked === path ? undefined : targetSignature(rawHeaders, path);
  const isAllowed = signature === undefined || masker.options.uninspectable.signed === 'allow';
  if (isAllowed) record.piiTypes = mergeCounts(record.piiTypes, found.piiTypes);
  if (signature === undefined) {
    record.masked += found.masked;
    return masked;
  }
  if (isAllowed) return path;
  const types = found.piiTypes ?? {};
  throw new PrivetError(
    'uninspectable',
    `Step rewrite: the address contains ${Object.keys(types).join(', ')} and is signed (${signature}), so it cannot be masked.`,
    { hint: 'Use a bearer API key for this service, or remove the personal data.', details: { types } },
  );
}

/** Masks PII in a path with its query, or in a complete URL. Adds counts to the record. */
export async function maskAddress(
  masker: BodyMasker,
  common: Common,
  address: string,
  record: Counts,
): Promise<string> {
  const mark = address.indexOf('?');
  const path = mark === -1 ? address : address.slice(0, mark);
  const segments = worth.test(path) ? path.split('/') : [];
  for (const [i, segment] of segments.entries()) {
    if (worth.test(segment)) segments[i] = await maskSegment(masker, common, segment, record);
  }
  const masked = segments.length === 0 ? path : segments.join('/');
  return mark === -1 ? masked : maskQuery(masker, common, masked + address.slice(mark), record);
}

async function maskSegment(masker: BodyMasker, common: Common, segment: string, record: Counts): Promise<string> {
  if (objectId.test(segment)) return segment;
  const hasPlus = plusIsBlank(segment);
  const text = percentDecoded(hasPlus ? segment.replaceAll('+', ' ') : segment);
  const acceptsHere = hasPlus ? isInWords : isWritten(text) ? isInText : isInName;
  const accepts = (found: Detection) => acceptsHere(found) && (common.accepts?.(found) ?? true);
  // A form with one word: percent-encoding also preserves bytes of other charsets.
  const input = { ...common, body: Buffer.alloc(0), contentType: 'application/x-www-form-urlencoded', accepts };
  const result = await masker.maskText(input, percentEncoded(text));
  record.piiTypes = mergeCounts(record.piiTypes, result.counts);
  if (!result.changed) return segment;
  record.masked += result.masked;
  const encoded = withSigns(result.body.toString('latin1'), segment);
  return hasPlus ? encoded.replaceAll('%20', '+') : encoded;
}

/** Restores the signs that the original segment had unencoded (RFC 3986 §3.3). */
function withSigns(encoded: string, segment: string): string {
  return encoded.replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, (octet) => {
    const sign = decodeURIComponent(octet);
    return segment.includes(sign) && !segment.toUpperCase().includes(octet) ? sign : octet;
  });
}

/** True for `who+is+ana`: a plus sign in a path is not a space (RFC 3986), but search services treat it as one. */
function plusIsBlank(segment: string): boolean {
  return /[^+]\+[^+]/.test(segment) && !/@|%(?:40|20)|^\+\d/.test(segment);
}

/** True for human-written text: a service's own names have neither spaces nor letters of other scripts. */
function isWritten(text: string): boolean {
  return /\S\s+\S/.test(text) || /[^\0-\x7f]/.test(text);
}

// Accounts of Vertex AI and Google Cloud IAM, which do not identify people.
const serviceAccount = /@(?:[\w-]+\.)*(?:gserviceaccount|calendar\.google)\.com$/i;
// Packages and models: `name@1.2.beta`, `name@main.zip`, `git@host`. Domains like 163.com have only one number.
const version = /@v?\d+\.\d|^git@|\.(?:[cm]?js|css|json|xml|html?|png|jpe?g|gif|svg|webp|zip|t?gz|tar|whl|jar|wasm)$/i;
// An object id such as `thread_4111…`.
const objectId = /^[a-z]+_[0-9a-z]+$/i;
// Ids of Vertex AI endpoints and jobs have up to 19 digits; one in ten passes the card check digit.
const longNumber = /^\d{17,}$/;

function isInText({ type, value }: Detection): boolean {
  return type !== 'EMAIL' || !serviceAccount.test(value);
}

/** Base64 contains plus signs too, so a secret-like text in it belongs to the service. */
function isInWords(detection: Detection): boolean {
  return isInText(detection) && isNoSecret(detection);
}

/** In a single word, usually the service's own name, only types that their format identifies with certainty count. */
function isInName(detection: Detection): boolean {
  const { type, value } = detection;
  switch (type) {
    case 'EMAIL':
      return isInText(detection) && !version.test(value);
    case 'CREDIT_CARD':
      return !longNumber.test(value);
    case 'PHONE':
      return value.startsWith('+');
    default:
      return type === 'IBAN' || type === 'SSN';
  }
}
