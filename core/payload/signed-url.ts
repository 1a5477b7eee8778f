/** Addresses with a signature in their query: whoever changes a byte of one cannot fetch what it names. */
import { percentDecoded } from './percent.ts';

/** Of S3, Google Cloud Storage, CloudFront and its like, and Azure's SAS. */
export function isPresigned(address: string): boolean {
  if (!address.includes('?')) return false;
  const query = address.slice(address.indexOf('?')).split('#', 1)[0];
  const names = new Set(Array.from(new URLSearchParams(query).keys(), (name) => name.toLowerCase()));
  if (names.has('x-amz-signature') || names.has('x-goog-signature')) return true;
  if (names.has('signature')) return names.has('expires') || names.has('key-pair-id');
  return names.has('sig') && names.has('sv');
}

const signedUrl = /^https?:\/\/[^\s?]*\?[^\s]*$/i;
/**
 * What a signature is made of: scope, account, time, and the signature itself (AWS SigV4 query parameters, Google Cloud
 * Storage V2 and V4, CloudFront, Azure's SAS, Alibaba Cloud OSS).
 */
const signingParameter =
  /^(?:x-(?:amz|goog)-(?:algorithm|credential|date|expires|signedheaders|signature|security-token)|(?:aws|oss)accesskeyid|googleaccessid|signature|expires|key-pair-id|policy|security-token|s[eiprstv]|s(?:ig|ip|pr|rt)|sk(?:oid|tid|[estv])|s[au]oid|scid|sdd|ses)=/i;

/**
 * Of a text that is a presigned URL as a whole, what in it is no part of its signature, decoded: the address without the
 * parameters of it. Undefined for any other text.
 */
export function besideSignature(text: string): string | undefined {
  if (!signedUrl.test(text) || !isPresigned(text)) return undefined;
  const mark = text.indexOf('?');
  const rest = text
    .slice(mark + 1)
    .split('&')
    .filter((parameter) => !signingParameter.test(parameter));
  return percentDecoded([text.slice(0, mark), ...rest].join(' '));
}
