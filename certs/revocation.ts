/**
 * Empty certificate revocation lists (RFC 5280 §5). Nothing is ever revoked: issuing keys live for weeks in one process.
 * They exist for Windows programs, which refuse a certificate whose issuer says nothing about revocation.
 *
 * A list is made with the issuing certificate, holds as long, and stands itself in the address that certificates name: so
 * every process with the same root serves it, and none has to keep it. A code over it, by a key that follows from the
 * root's, keeps the address from showing what others have put there.
 */
import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Der } from './der.ts';
import type { Root } from './root.ts';
import * as x509 from './x509.ts';

const codeBytes = 16;

/** Who signs the list: the root, or an issuing CA. */
type Issuer = { readonly subject: Der; readonly key: KeyObject; readonly keyIdentifier: Uint8Array };

/** The id of a new list of `issuer` under `root`, to be put into an address: base64url, 400 to 1,200 characters. */
export function newRevocationList(root: Root, issuer: Issuer, span: { from: Date; until: Date }): string {
  const der = x509.signRevocationList({
    issuer: issuer.subject,
    thisUpdate: span.from,
    nextUpdate: span.until,
    number: Math.floor(span.from.getTime() / 1000),
    keyIdentifier: issuer.keyIdentifier,
    signingKey: issuer.key,
  });
  return Buffer.concat([codeOf(root, der), der]).toString('base64url');
}

/** The list of an id as DER; undefined for what no process with this root has made. */
export function revocationListOf(root: Root, id: string): Buffer | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length <= codeBytes) return undefined;
  const der = bytes.subarray(codeBytes);
  return timingSafeEqual(bytes.subarray(0, codeBytes), codeOf(root, der)) ? der : undefined;
}

function codeOf(root: Root, der: Buffer): Buffer {
  const secret = root.key.export({ type: 'pkcs8', format: 'der' });
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'privet revocation lists', 32));
  return createHmac('sha256', key).update(der).digest().subarray(0, codeBytes);
}
