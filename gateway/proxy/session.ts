/**
 * The vault session of a request: one meaning of a token for (subject, service). Where the subject is only an address,
 * several people may share it, so the caller's own credential at the service takes part, keyed and hashed.
 */
import { proxySessionKey } from '../../core/vault.ts';
import { Hmac } from '../hmac.ts';
import { headerValue } from './headers.ts';
import type { Client } from './record.ts';

const credentialFields = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;
/** Parameters of the query that do the same, as Google's `key` does. */
const credentialParameter = /[?&](?:key|api[-_]?key|access_token)=([^&]+)/i;
/** How browsers give their key to the OpenAI Realtime API, as they set no field of an upgrade but this one. */
const credentialProtocol = /(?:^|[,\s])openai-insecure-api-key\.([^,\s]+)/i;

/** Where a request may hold a credential; `path` with the query, as it came. */
type Credentialed = { readonly rawHeaders: readonly string[]; readonly path: string };

/** An id, and what it was made of beside the client. */
type Known = {
  readonly key: Buffer;
  readonly service: string;
  readonly credential: string | undefined;
  readonly id: string;
};

/** Makes session ids; `key` gives a secret that replicas share which share a store. */
export class SessionKeys {
  private readonly key: () => Buffer;
  private known: { readonly key: Buffer; readonly hmac: Hmac } | undefined;
  /** The last answer on each connection, where the caller and the service hardly ever change. */
  private readonly last = new WeakMap<object, Known>();

  constructor(key: () => Buffer) {
    this.key = key;
  }

  /** The session id of a request to a service on a connection, as `proxySessionKey` makes it of hexadecimal characters. */
  sessionFor(connection: { readonly client: Client }, service: string, request: Credentialed): string {
    const { client } = connection;
    const credential = client.user === undefined ? credentialOf(request) : undefined;
    const key = this.key();
    const last = this.last.get(connection);
    if (last?.service === service && last.credential === credential && last.key === key) return last.id;
    let identity = `${client.subject}\n${service}`;
    // No field or target holds a line end, so that no other credential can look like the claims of a JWT.
    if (credential !== undefined) identity += `\n${jwtIdentity(credential) ?? credential}`;
    const hmac = this.hmac(key);
    const part = (text: string, bytes: number) => hmac.digest(text).toString('hex', 0, bytes);
    // All sessions of a subject at a service share their numbers: the service may repeat a token of another one.
    const line = part(`${client.subject}\n${service}`, 8);
    const id = proxySessionKey(part(client.subject, 8), line, part(identity, 16));
    this.last.set(connection, { key, service, credential, id });
    return id;
  }

  private hmac(key: Buffer): Hmac {
    if (this.known?.key !== key) this.known = { key, hmac: new Hmac(key) };
    return this.known.hmac;
  }
}

function credentialOf({ rawHeaders, path }: Credentialed): string {
  for (const field of credentialFields) {
    const value = headerValue(rawHeaders, field);
    if (value !== undefined) return value;
  }
  const inQuery = path.includes('?') ? credentialParameter.exec(path)?.[1] : undefined;
  if (inQuery !== undefined) return inQuery;
  const protocol = headerValue(rawHeaders, 'sec-websocket-protocol');
  return (protocol === undefined ? undefined : credentialProtocol.exec(protocol)?.[1]) ?? '';
}

/** Issuer and subject of a JWT (RFC 7519 §4.1): the token itself is renewed, the person stays. */
function jwtIdentity(credential: string): string | undefined {
  const match = /^(?:Bearer\s+)?eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]*$/i.exec(credential);
  if (!match) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(match[1] as string, 'base64url').toString('utf8')) as {
      iss?: unknown;
      sub?: unknown;
    };
    return claims.sub === undefined ? undefined : `jwt\n${JSON.stringify([claims.iss, claims.sub])}`;
  } catch {
    return undefined;
  }
}
