/**
 * Empty certificate revocation lists (RFC 5280 §5). Nothing is ever revoked: issuing keys live for weeks in one
 * process. The lists exist for Windows programs, which refuse a certificate without revocation information.
 * A list is created with the issuing certificate, is valid as long, and is embedded in the URL that certificates carry.
 * So every process with the same root can serve it and none has to store it. A MAC over the list, with a key derived
 * from the root key, stops the URL from serving lists made by others.
 */
import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Der } from './der.ts';
import type { Root } from './root.ts';
import * as x509 from './x509.ts';

const codeBytes = 16;

/** The signer of the list: the root, or an issuing CA. */
type Issuer = { readonly subject: Der; readonly key: KeyObject; readonly keyIdentifier: Uint8Array };

/** The id of a new list of `issuer` under `root`, for use in a URL: base64url, 400 to 1,200 characters. */
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

/** The list for an id as DER; undefined when no process with this root created it. */
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
