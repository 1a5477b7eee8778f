/** Requests whose signature covers the body, the URL or a header: the service rejects any change. */
import { PrivetError } from '../../../core/errors.ts';
import { isPresigned } from '../../../core/payload/signed-url.ts';
import { headerValue } from '../request/headers.ts';
import type { BodyMasker, MaskingResult } from './masking.ts';

const schemes: readonly [authorization: RegExp, name: string][] = [
  [/^AWS4-/, 'AWS Signature Version 4'],
  [/^ACS3-/, 'Alibaba Cloud ACS3'],
  [/^TC3-/, 'Tencent Cloud TC3'],
  [/^(?:HMAC-SHA256 )?Credential=.*\bSignature=/, 'Volcano Engine HMAC'],
  [/^bce-auth-v/, 'Baidu Cloud BCE'],
  [/^OAuth\b.*\boauth_body_hash=/, 'OAuth 1'],
  [/^Signature\b/, 'HTTP Signature'],
];

/** The scheme that signs the request body; undefined if none does. Presigned URLs do not sign a body. */
export function bodySignature(rawHeaders: readonly string[]): string | undefined {
  const authorization = headerValue(rawHeaders, 'authorization') ?? '';
  for (const [pattern, name] of schemes) {
    if (!pattern.test(authorization)) continue;
    // The signature then covers only the fields (AWS, "Unsigned payload option").
    const isUnsigned = name.startsWith('AWS') && headerValue(rawHeaders, 'x-amz-content-sha256') === 'UNSIGNED-PAYLOAD';
    return isUnsigned ? undefined : name;
  }
  // RFC 9421 with RFC 9530: the body digest is one of the signed components.
  if (/"content-digest"/i.test(headerValue(rawHeaders, 'signature-input') ?? '')) return 'HTTP Message Signatures';
  return undefined;
}

/** Storage services sign only the URL, as does OAuth 1 without a body hash. */
const addressSchemes: readonly (readonly [authorization: RegExp, name: string])[] = [
  ...schemes.filter(([, name]) => name !== 'HTTP Signature'),
  [/^AWS /, 'AWS Signature Version 2'],
  [/^OAuth\b.*\boauth_signature=/, 'OAuth 1'],
  [/^SharedKey(?:Lite)? /, 'Azure Shared Key'],
  // draft-cavage-http-signatures §2.3; without "headers" only the date is signed.
  [/^Signature\b.*\(request-target\)/, 'HTTP Signature'],
];

/** The scheme that signs path and query; undefined if none does. */
export function targetSignature(rawHeaders: readonly string[], path: string): string | undefined {
  const authorization = headerValue(rawHeaders, 'authorization') ?? '';
  for (const [pattern, name] of addressSchemes) if (pattern.test(authorization)) return name;
  // RFC 9421 §2.2.
  if (/"@(?:path|target-uri|request-target|query)"/i.test(headerValue(rawHeaders, 'signature-input') ?? ''))
    return 'HTTP Message Signatures';
  return isPresigned(path) ? 'presigned URL' : undefined;
}

/** The scheme that signs a header field; undefined if none does. */
export function fieldSignature(rawHeaders: readonly string[], path: string, name: string): string | undefined {
  const field = name.toLowerCase();
  const isListed = (names: string | undefined) => names?.toLowerCase().split(/[;\s]/).includes(field) === true;
  const authorization = headerValue(rawHeaders, 'authorization') ?? '';
  const scheme = addressSchemes.find(([pattern]) => pattern.test(authorization))?.[1] ?? 'HTTP Signature';
  if (isListed(/\bSignedHeaders=([^,\s]+)/.exec(authorization)?.[1])) return scheme;
  // draft-cavage-http-signatures §2.1.6.
  if (isListed(/^Signature\b.*\bheaders="([^"]*)"/.exec(authorization)?.[1])) return scheme;
  // Both sign all headers with these prefixes, without a list.
  if (/^AWS /.test(authorization) && field.startsWith('x-amz-')) return scheme;
  if (/^SharedKey /.test(authorization) && field.startsWith('x-ms-')) return scheme;
  const components = /"[^"]*"/g;
  const signed = headerValue(rawHeaders, 'signature-input')?.match(components);
  if (signed?.some((component) => component.toLowerCase() === `"${field}"`)) return 'HTTP Message Signatures';
  if (!isPresigned(path)) return undefined;
  for (const [parameter, names] of new URLSearchParams(path.slice(path.indexOf('?'))))
    if (/^x-(?:amz|goog)-signedheaders$/i.test(parameter) && isListed(names)) return 'presigned URL';
  return undefined;
}

/** The replacement for a masked body that is signed: the original if the policy allows, else an error. */
export function keepSigned(masker: BodyMasker, signature: string, masked: MaskingResult, body: Buffer): MaskingResult {
  if (masker.options.uninspectable.signed === 'allow') return { ...masked, body, changed: false, masked: 0 };
  const types = masked.counts ?? {};
  throw new PrivetError(
    'uninspectable',
    `Step rewrite: the body contains ${Object.keys(types).join(', ')} and is signed (${signature}), so it cannot be masked.`,
    { hint: 'Use a bearer API key for this service, or remove the personal data.', details: { types } },
  );
}
