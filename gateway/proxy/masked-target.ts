/**
 * The address of a request as it goes upstream. Some services take the prompt in the path (readers and searches that put
 * a URL or a question behind the host), and files, threads and users may be named by an e-mail address.
 */
import { PrivetError } from '../../core/errors.ts';
import { isNoSecret } from '../../core/payload/labelled.ts';
import { percentDecoded, percentEncoded } from '../../core/payload/percent.ts';
import type { Detection } from '../../core/recognizer.ts';
import type { BodyMasker, MaskingInput } from './masking.ts';
import { maskQuery, mergeCounts } from './query.ts';
import type { RequestRecord } from './record.ts';
import { targetSignature } from './signed-bodies.ts';

type Common = Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>;
type Counts = Pick<RequestRecord, 'piiTypes' | 'masked'>;

/** Without one of these a path is a name of the service's own: an at sign, a blank, another letter, a longer number. */
const worth = /[@+\x80-\uffff]|%(?:0[9ad]|2[05b]|40|[89a-f])|\d(?:(?:[ .-]|%2d|%2e)?\d){8}/i;

/** Whether {@link maskTarget} has to look at an address. */
export function mayBePersonal(path: string): boolean {
  return path.includes('?') || worth.test(path);
}

/**
 * The request target with what is personal in its path and query masked; all else stays byte for byte. Counts go to the
 * record. Throws `uninspectable` where a signature covers it, unless the policy lets signed requests pass as they are.
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
    `Step rewrite: the address holds ${Object.keys(types).join(', ')} and is signed (${signature}), so it cannot be masked.`,
    { hint: 'Use a bearer API key for this service, or remove the personal data.', details: { types } },
  );
}

/** A path with its query, or a whole URL, with what is personal masked. Counts go to the record. */
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
  const hasPlus = plusIsBlank(segment);
  const text = percentDecoded(hasPlus ? segment.replaceAll('+', ' ') : segment);
  const acceptsHere = hasPlus ? isInWords : isWritten(text) ? isInText : isInName;
  const accepts = (found: Detection) => acceptsHere(found) && (common.accepts?.(found) ?? true);
  // A form of one word: in percent-encoding also bytes of another charset come through.
  const input = { ...common, body: Buffer.alloc(0), contentType: 'application/x-www-form-urlencoded', accepts };
  const result = await masker.maskText(input, percentEncoded(text));
  record.piiTypes = mergeCounts(record.piiTypes, result.counts);
  if (!result.changed) return segment;
  record.masked += result.masked;
  const encoded = withSigns(result.body.toString('latin1'), segment);
  return hasPlus ? encoded.replaceAll('%20', '+') : encoded;
}

/** An encoded text with the signs as they were in the segment, which may hold them as they are (RFC 3986 §3.3). */
function withSigns(encoded: string, segment: string): string {
  return encoded.replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, (octet) => {
    const sign = decodeURIComponent(octet);
    return segment.includes(sign) && !segment.toUpperCase().includes(octet) ? sign : octet;
  });
}

/** `who+is+ana`: a plus sign is no blank in a path (RFC 3986), but searches take it for one. */
function plusIsBlank(segment: string): boolean {
  return /[^+]\+[^+]/.test(segment) && !/@|%(?:40|20)|^\+\d/.test(segment);
}

/** Whether a person has written it: names of a service's own have neither blanks nor letters of other scripts. */
function isWritten(text: string): boolean {
  return /\S\s+\S/.test(text) || /[^\0-\x7f]/.test(text);
}

// They name what Vertex AI and Google Cloud IAM work with, and are no person's.
const serviceAccount = /@(?:[\w-]+\.)*(?:gserviceaccount|calendar\.google)\.com$/i;
// Packages and models: `name@1.2.beta`, `name@main.zip`, `git@host`. Domains like 163.com have one number.
const version = /@v?\d+\.\d|^git@|\.(?:[cm]?js|css|json|xml|html?|png|jpe?g|gif|svg|webp|zip|t?gz|tar|whl|jar|wasm)$/i;
// Keys of Vertex AI's endpoints and jobs are numbers of up to 19 digits, one in ten of which has the check digit of a card.
const longNumber = /^\d{17,}$/;

function isInText({ type, value }: Detection): boolean {
  return type !== 'EMAIL' || !serviceAccount.test(value);
}

/** Base64 has plus signs, too: what looks like a secret in it belongs to the service. */
function isInWords(detection: Detection): boolean {
  return isInText(detection) && isNoSecret(detection);
}

/** In one word, which is mostly the service's own name for something: only what by its form is nothing else. */
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
