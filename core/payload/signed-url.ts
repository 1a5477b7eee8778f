/** URLs with a signature in their query, which any change invalidates. */
import { percentDecoded } from './percent.ts';

/** True for a URL signed for S3, Google Cloud Storage, CloudFront and compatible services, or with an Azure SAS. */
export function isPresigned(address: string): boolean {
  const names = namesIn(queryOf(address));
  if (names.has('x-amz-signature') || names.has('x-goog-signature')) return true;
  if (names.has('signature')) return names.has('expires') || names.has('key-pair-id');
  return names.has('sig') && names.has('sv');
}

function queryOf(address: string): string {
  const [beforeFragment = ''] = address.split('#', 1);
  const mark = beforeFragment.indexOf('?');
  return mark < 0 ? '' : beforeFragment.slice(mark + 1);
}

function namesIn(query: string): Set<string> {
  return new Set(Array.from(new URLSearchParams(query).keys(), (name) => name.toLowerCase()));
}

const signedUrl = /^https?:\/\/[^\s?#]*\?[^\s]*$/i;
/** Names that storage services add; web frameworks sign their own links with `expires` and `signature` alone. */
const storageNames = ['key-pair-id', 'googleaccessid', 'awsaccesskeyid', 'ossaccesskeyid'];

/**
 * The parameters of a signature: scope, account, time, and the signature itself (AWS SigV4, Google Cloud Storage V2 and
 * V4, CloudFront, Azure SAS, Alibaba Cloud OSS). A value of another shape is not part of it.
 */
const signingParameters: readonly (readonly [names: RegExp, value: RegExp])[] = [
  [/^(?:x-(?:amz|goog)-date|s[etv]|sk[etv])$/i, /^\d{4}-?\d\d-?\d\d(?:T(?:\d\d(?::|%3A)?){2,3}(?:\.\d{1,7})?Z?)?$/i],
  [/^(?:x-(?:amz|goog)-)?expires$/i, /^(?:\d{1,7}|[12]\d{9})$/],
  [/^(?:sr|spr?|sks|sdd)$/i, /^(?:(?:[a-z]|,|%2C){0,16}|\d)$/i],
  [/^(?:sk[ot]id|s[au]oid|scid)$/i, /^[\da-f-]{36}$/i],
  [/^sip$/i, /^(?:\d{1,3}\.){3}\d{1,3}(?:-(?:\d{1,3}\.){3}\d{1,3})?$/],
  [/^policy$/i, /^e[wy][\w%+/=~-]*$/],
  [/^(?:x-goog-credential|googleaccessid)$/i, /^[\w%+/=~.:@-]*$/],
  [
    /^x-(?:amz|goog)-(?:algorithm|credential|signedheaders|signature|security-token)$/i,
    /^(?!.*%(?:25)*40)[\w%+/=~.:-]*$/i,
  ],
  [/^(?:(?:aws|oss)accesskeyid|signature|sig|key-pair-id|security-token)$/i, /^(?!.*%(?:25)*40)[\w%+/=~.:-]*$/i],
];

/** The unsigned, decoded parts of a presigned storage URL: all but the signing parameters. Undefined for other text. */
export function besideSignature(text: string): string | undefined {
  if (!signedUrl.test(text) || !isPresigned(text)) return undefined;
  const query = queryOf(text);
  const names = namesIn(query);
  const isOfLink = names.has('signature') && !storageNames.some((name) => names.has(name));
  if (isOfLink && !names.has('x-amz-signature') && !names.has('x-goog-signature')) return undefined;
  const start = text.indexOf('?');
  const fragment = text.slice(start + 1 + query.length + 1);
  const unsigned = query.split('&').filter((parameter) => !isSigning(parameter));
  return percentDecoded([text.slice(0, start), ...unsigned, ...(fragment === '' ? [] : [fragment])].join(' '));
}

function isSigning(parameter: string): boolean {
  const at = parameter.indexOf('=');
  const [name, value] = [parameter.slice(0, at), parameter.slice(at + 1)];
  return at > 0 && signingParameters.some(([names, shape]) => names.test(name) && shape.test(value));
}
