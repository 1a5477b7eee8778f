/** Feed signatures: a detached Ed25519 signature, or a JSON Web Signature around the list. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { PrivetError } from '../../core/errors.ts';

/** Parses a feed's public key: PEM, or the 32 bytes of an Ed25519 key in base64. @throws PrivetError `invalid_input` */
export function readPublicKey(text: string): KeyObject {
  try {
    if (text.includes('-----BEGIN')) return createPublicKey(text);
    const bytes = Buffer.from(text.trim(), 'base64');
    if (bytes.length !== 32) throw new Error('length');
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
  } catch (cause) {
    throw new PrivetError('invalid_input', 'The public key must be PEM, or 32 bytes of an Ed25519 key in base64.', {
      cause,
    });
  }
}

/** Verifies a 64-byte signature, given raw, in base64 or in hexadecimal. @throws PrivetError `invalid_input` */
export function checkDetached(content: Buffer, signature: Buffer, key: KeyObject): void {
  if (key.asymmetricKeyType !== 'ed25519') throw wrong('A detached signature needs an Ed25519 key.');
  if (!verify(null, content, key, bytesOf(signature))) throw wrong('The signature does not match the list.');
}

/**
 * The list inside a compact JSON Web Signature (RFC 7515 section 7.1), signed with EdDSA (RFC 8037) or ES256 (RFC
 * 7518). The key decides which, not the message. @throws PrivetError `invalid_input`
 */
export function openJws(jws: string, key: KeyObject): Buffer {
  const parts = jws.trim().split('.');
  const [head = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3) throw wrong('It is not a compact JSON Web Signature.');
  let header: { alg?: unknown; crit?: unknown };
  try {
    header = JSON.parse(Buffer.from(head, 'base64url').toString());
  } catch (cause) {
    throw new PrivetError('invalid_input', 'The header of the signature is damaged.', { cause });
  }
  const isEdwards = key.asymmetricKeyType === 'ed25519';
  const isP256 = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  const algorithms = isEdwards ? ['EdDSA', 'Ed25519'] : isP256 ? ['ES256'] : [];
  if (!algorithms.includes(String(header?.alg)) || header.crit !== undefined)
    throw wrong('The signature algorithm does not match the key.');
  const signed = Buffer.from(`${head}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  const isRight = isEdwards
    ? verify(null, signed, key, bytes)
    : verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes);
  if (!isRight) throw wrong('The signature does not match the list.');
  return Buffer.from(payload, 'base64url');
}

function bytesOf(signature: Buffer): Buffer {
  if (signature.length === 64) return signature;
  const text = signature.toString('latin1').trim();
  return Buffer.from(text, /^[0-9a-f]{128}$/i.test(text) ? 'hex' : 'base64');
}

function wrong(message: string): PrivetError {
  return new PrivetError('invalid_input', message);
}
