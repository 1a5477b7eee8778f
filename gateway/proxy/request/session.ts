/**
 * The vault session of a request, within which a token has one meaning: those who read the responses. That is the
 * caller (the user or address, and the account at the service) and, if a page of another site reads them, that page.
 * See docs/decisions/0026-sessions-by-reader.md.
 */
import { randomBytes } from 'node:crypto';
import { proxySessionKey } from '../../../core/vault.ts';
import { Hmac } from '../../hmac.ts';
import { accountsOf, credentialsOf } from './credential.ts';
import { type Asked, type Reader, readerOf } from './reader.ts';
import type { Client } from './record.ts';

/** An id, and its inputs besides the client. */
type Known = {
  readonly key: Buffer;
  readonly service: string;
  readonly credentials: string;
  readonly reader: Reader;
  readonly id: string;
};

/**
 * Makes session ids; `key` gives a secret that replicas share which share a store, `lineKey` one that outlives the process
 * where numbers do (core/tokens/number-lines.ts).
 */
export class SessionKeys {
  private readonly key: () => Buffer;
  private readonly lineKey: () => Buffer;
  private readonly known = new WeakMap<Buffer, Hmac>();
  /** The last answer on each connection, where the caller and the service hardly ever change. */
  private readonly last = new WeakMap<object, Known>();

  constructor(key: () => Buffer, lineKey = key) {
    this.key = key;
    this.lineKey = lineKey;
  }

  /** The session id of a request on a connection: `proxySessionKey` applied to hexadecimal characters. */
  sessionFor(connection: { readonly client: Client }, asked: Asked): string {
    const { client } = connection;
    const { target } = asked;
    const service = asked.service?.key ?? target.host;
    const reader = readerOf(asked);
    const credentials = countsCredentials(client, reader)
      ? credentialsOf({ rawHeaders: asked.rawHeaders, path: target.path })
      : '';
    // An unnamed page may be any page, so two of them have nothing in common without a key.
    if (reader === 'unnamed' && credentials === '') {
      return this.idOf(client, service, randomBytes(16).toString('hex'));
    }
    const key = this.key();
    const last = this.last.get(connection);
    const isSame = last?.service === service && last.credentials === credentials && last.reader === reader;
    if (isSame && last.key === key) return last.id;
    const page = reader === 'own' || reader === 'program' ? null : reader;
    const identity = JSON.stringify([client.subject, service, accountsOf(credentials), page]);
    const id = this.idOf(client, service, this.hmac(key).digest(identity).toString('hex', 0, 16));
    this.last.set(connection, { key, service, credentials, reader, id });
    return id;
  }

  /** All sessions of a subject at a service share their numbers: the service may repeat a token of another session. */
  private idOf({ subject }: Client, service: string, session: string): string {
    const hmac = this.hmac(this.lineKey());
    const part = (text: string) => hmac.digest(text).toString('hex', 0, 8);
    return proxySessionKey(part(subject), part(`${subject}\n${service}`), session);
  }

  private hmac(key: Buffer): Hmac {
    const hmac = this.known.get(key) ?? new Hmac(key);
    this.known.set(key, hmac);
    return hmac;
  }
}

/**
 * Whether the account at the service counts. Not for the service's own pages used by a signed-in proxy user: they
 * upload, download and open conversations without the credential of their chats, and no other site can be such a page.
 */
function countsCredentials(client: Client, reader: Reader): boolean {
  return client.user === undefined || reader !== 'own';
}
