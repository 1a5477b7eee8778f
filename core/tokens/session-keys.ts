/** Ids of sessions in a vault. */

/**
 * The vault id of a tenant's session, so that a caller cannot reach another tenant's session. Sessions of the proxy have
 * no tenant and use their plain id, which never contains a colon.
 */
export function sessionKey(tenant: string, sessionId: string): string {
  // A flat string: concatenation would keep the parts alive as well.
  return [tenant, sessionId].join(':');
}

/** The parts of a {@link sessionKey}; the tenant of a plain id is empty. */
export function splitSessionKey(key: string): { tenant: string; id: string } {
  const colon = key.indexOf(':');
  return colon < 0 ? { tenant: '', id: key } : { tenant: key.slice(0, colon), id: key.slice(colon + 1) };
}

/**
 * The id of a proxy session. Sessions of one owner share memory, and sessions of one owner and line never issue a number
 * twice. No part contains a dot or a colon.
 */
export function proxySessionKey(owner: string, line: string, session: string): string {
  return `${owner}.${line}.${session}`;
}

/**
 * The line of a session: sessions of one line share their numbers. Undefined for sessions of tenants, which are never
 * opened again under the same id.
 */
export function lineOf(key: string): string | undefined {
  if (key.includes(':')) return undefined;
  const dot = key.lastIndexOf('.');
  return dot < 0 ? key : key.slice(0, dot);
}
