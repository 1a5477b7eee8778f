/**
 * Session ticket keys (RFC 8446 §4.6.1, RFC 5077), so that a returning client needs no new certificate and no new
 * signature. They are derived from the root key: all processes and replicas with the same CA accept each other's
 * tickets without exchanging anything. They change daily; a ticket from the day before leads to a full handshake.
 */
import { hkdfSync } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { Root } from './root.ts';
import { dayMs } from './x509.ts';

/** Node's format: 16 bytes of name, 16 of the HMAC key, 16 of the AES key. */
const ticketKeyBytes = 48;

/** Sets the current day's keys on contexts. */
export class TicketKeys {
  #keys: { readonly root: Root; readonly day: number; readonly bytes: Buffer } | undefined;
  /** The keys that each context currently has. */
  readonly #given = new WeakMap<SecureContext, Buffer>();

  /** Returns the context with the current keys set. */
  giveTo(context: SecureContext, root: Root, nowMs: number): SecureContext {
    const day = Math.floor(nowMs / dayMs);
    if (this.#keys?.day !== day || this.#keys.root !== root) this.#keys = { root, day, bytes: derive(root, day) };
    const { bytes } = this.#keys;
    if (this.#given.get(context) !== bytes) {
      (context.context as { setTicketKeys(keys: Buffer): void }).setTicketKeys(bytes);
      this.#given.set(context, bytes);
    }
    return context;
  }
}

function derive(root: Root, day: number): Buffer {
  const secret = root.key.export({ type: 'pkcs8', format: 'der' });
  return Buffer.from(hkdfSync('sha256', secret, '', `privet session tickets ${day}`, ticketKeyBytes));
}
