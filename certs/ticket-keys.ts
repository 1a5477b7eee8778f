/**
 * Keys of session tickets (RFC 8446 §4.6.1, RFC 5077), so that a client that comes back needs no new certificate and no
 * new signature. They follow from the key of the root: all processes and replicas with the same CA take each other's
 * tickets, and nothing has to be sent around. They change daily; a ticket of the day before leads to a full handshake.
 */
import { hkdfSync } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { Root } from './root.ts';
import { dayMs } from './x509.ts';

/** What node takes: 16 bytes of name, 16 of the HMAC key, 16 of the AES key. */
const ticketKeyBytes = 48;

/** Gives contexts the keys of the day. */
export class TicketKeys {
  #keys: { readonly root: Root; readonly day: number; readonly bytes: Buffer } | undefined;
  /** The keys that a context has. */
  readonly #given = new WeakMap<SecureContext, Buffer>();

  /** The context, with the keys of now. */
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
