/**
 * Requests whose signature covers the body: changing a byte of it makes the service refuse them.
 */
import { PrivetError } from '../../core/errors.ts';
import { headerValue } from './headers.ts';
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

/** The scheme that signs the body of the request; undefined when none does. Presigned URLs sign no body. */
export function bodySignature(rawHeaders: readonly string[]): string | undefined {
  const authorization = headerValue(rawHeaders, 'authorization') ?? '';
  for (const [pattern, name] of schemes) {
    if (!pattern.test(authorization)) continue;
    // The signature then covers the fields only (AWS, "Unsigned payload option").
    const isUnsigned = name.startsWith('AWS') && headerValue(rawHeaders, 'x-amz-content-sha256') === 'UNSIGNED-PAYLOAD';
    return isUnsigned ? undefined : name;
  }
  // RFC 9421 with RFC 9530: the digest of the body is among the signed components.
  if (/"content-digest"/i.test(headerValue(rawHeaders, 'signature-input') ?? '')) return 'HTTP Message Signatures';
  return undefined;
}

/** What goes out in place of a masked body that is signed: by policy the body as it came, else nothing. */
export function keepSigned(masker: BodyMasker, signature: string, masked: MaskingResult, body: Buffer): MaskingResult {
  if (masker.options.uninspectable.signed === 'allow') return { ...masked, body, changed: false, masked: 0 };
  const types = masked.counts ?? {};
  throw new PrivetError(
    'uninspectable',
    `Step rewrite: the body holds ${Object.keys(types).join(', ')} and is signed (${signature}), so it cannot be masked.`,
    { hint: 'Use a bearer API key for this service, or remove the personal data.', details: { types } },
  );
}
